"""/docs and /_sandbox/docs: Swagger UI on both OpenAPI documents, without any outside address."""

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files

import falcon
from falcon import Request, Response

from simulator.web.http.answers import to_json
from simulator.web.http.own_names import shown_under

# fmt: off
ASSETS = {
    "swagger-ui.css":                  "text/css",
    "swagger-ui-bundle.js":            "text/javascript",
    "swagger-ui-standalone-preset.js": "text/javascript",
}
# fmt: on
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>{title}</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="{root}docs/swagger-ui.css">
</head>
<body>
  <div id="swagger-ui"></div>
  <script src="{root}docs/swagger-ui-bundle.js"></script>
  <script src="{root}docs/swagger-ui-standalone-preset.js"></script>
  <script>{script}</script>
</body>
</html>
"""
# A form is shown as one parameter a line: it is encoded when it is sent. The document is read with
# the token, where there is one, so that its examples have an entity of the merchant.
SCRIPT = """
const shown = %s;
const encoded = (line) => line.split("=").slice(0, 1).concat(line.split("=").slice(1).join("="))
  .map((part) => encodeURIComponent(part.trim())).join("=");
const ui = SwaggerUIBundle({
  url: shown.document, dom_id: "#swagger-ui", deepLinking: true, docExpansion: "list",
  defaultModelsExpandDepth: -1, tryItOutEnabled: true, displayRequestDuration: true,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  requestInterceptor: (request) => {
    if (request.loadSpec && shown.token) request.headers.Authorization = "Bearer " + shown.token;
    const kind = (request.headers && request.headers["Content-Type"]) || "";
    if (kind.startsWith("text/plain") && typeof request.body === "string") {
      request.headers["Content-Type"] = "application/x-www-form-urlencoded; charset=UTF-8";
      request.body = request.body.split("\\n").filter((line) => line.trim()).map(encoded).join("&");
    }
    return request;
  },
  onComplete: () => { if (shown.token) ui.preauthorizeApiKey("accessToken", shown.token); },
});
"""


class DocsResource:
    """/docs, /_sandbox/docs and their assets; `shown` are credentials to start with, if any."""

    def __init__(self, shown: Mapping[str, str]):
        self._shown = shown

    def on_get(self, req: Request, resp: Response) -> None:
        """The merchant API, to try out."""
        shown = shown_under(req, self._shown)
        token = {"token": shown["token"]} if shown else {}
        _send_page(resp, "Sandgate: merchant API", "", {"document": "docs/openapi.json", **token})

    def on_get_control(self, req: Request, resp: Response) -> None:
        """The control API, to try out; its key is typed in."""
        _send_page(resp, "Sandgate: control API", "../", {"document": "openapi.json"})

    def on_get_asset(self, req: Request, resp: Response, asset: str) -> None:
        """One of its files, out of the installed package."""
        if asset not in ASSETS:
            raise falcon.HTTPRouteNotFound()
        resp.content_type = ASSETS[asset]
        resp.set_header("Cache-Control", "public, max-age=86400")
        resp.data = _read_asset(asset)


@cache
def _read_asset(name: str) -> bytes:
    """A file, in memory once for all who ask for it."""
    return (files("swagger_ui") / "static" / name).read_bytes()


def _send_page(resp: Response, title: str, root: str, shown: Mapping[str, str]) -> None:
    script = SCRIPT % to_json(shown).decode().replace("<", "\\u003c")
    resp.content_type = "text/html; charset=utf-8"
    resp.text = PAGE.format(title=title, root=root, script=script)
    hashed = b64encode(sha256(script.encode()).digest()).decode()
    # Swagger UI writes styles into its elements.
    resp.set_header(
        "Content-Security-Policy",
        f"default-src 'none'; script-src 'self' 'sha256-{hashed}'; style-src 'self' "
        "'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'",
    )
