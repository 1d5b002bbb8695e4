"""/docs and /_sandbox/docs: Swagger UI on both OpenAPI documents, without any outside address."""

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files

import falcon
from falcon import Request, Response

from simulator.web.http.answers import to_json
from simulator.web.shown_access import ShownAccess, way_to_a_token

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
  {hint}
  <div id="swagger-ui"></div>
  <script src="{root}docs/swagger-ui-bundle.js"></script>
  <script src="{root}docs/swagger-ui-standalone-preset.js"></script>
  <script>{script}</script>
</body>
</html>
"""
# In the margins and letters of the page below it.
HINT = '<div class="swagger-ui"><div class="wrapper renderedMarkdown">{said}</div></div>'
ENTER = "<p>Enter an access token under Authorize to send requests with it.</p>"
PRINTED = "<p><code>sandgate serve</code> printed the credentials.</p>"
# A form is shown as one parameter a line: it is encoded when it is sent. The document is read with
# the token, where there is one, so that its examples have an entity of the merchant; and again with
# one that is entered, if that opens it. A copy that the browser keeps is not used: documents that
# differ in the entity of their examples have one tag.
SCRIPT = """
const shown = %s;
const encoded = (line) => line.split("=").slice(0, 1).concat(line.split("=").slice(1).join("="))
  .map((part) => encodeURIComponent(part.trim())).join("=");
let token = shown.token || "";
const read_again = async (entered) => {
  if (!entered || entered === token) return;
  const headers = {Authorization: "Bearer " + entered};
  const found = await fetch(shown.document, {headers, cache: "no-store"});
  if (!found.ok) return;
  token = entered;
  ui.specActions.download(shown.document);
};
const entering = {statePlugins: {auth: {wrapActions: {authorize: (enter) => (given) => {
  const done = enter(given);
  if (given.accessToken) read_again(given.accessToken.value);
  return done;
}}}}};
const ui = SwaggerUIBundle({
  url: shown.document, dom_id: "#swagger-ui", deepLinking: true, docExpansion: "list",
  defaultModelsExpandDepth: -1, tryItOutEnabled: true, displayRequestDuration: true,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], plugins: [entering],
  requestInterceptor: (request) => {
    if (request.loadSpec) request.cache = "no-store";
    if (request.loadSpec && token) request.headers.Authorization = "Bearer " + token;
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
    """/docs, /_sandbox/docs and their assets; `shown` has credentials to start with, if any."""

    def __init__(self, shown: ShownAccess):
        self._shown = shown

    def on_get(self, req: Request, resp: Response) -> None:
        """The merchant API, to try out."""
        access = self._shown.now() if self._shown.is_shown(req) else None
        shown, hint = {"document": "docs/openapi.json"}, ""
        if access is not None and access.token:
            shown["token"] = access.token
        else:
            said = way_to_a_token(access) if self._shown.is_shown(req) else PRINTED
            hint = HINT.format(said=said + ENTER)
        _send_page(resp, "Sandgate: merchant API", "", shown, hint=hint)

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


def _send_page(
    resp: Response, title: str, root: str, shown: Mapping[str, str], *, hint: str = ""
) -> None:
    script = SCRIPT % to_json(shown).decode().replace("<", "\\u003c")
    resp.content_type = "text/html; charset=utf-8"
    resp.text = PAGE.format(title=title, root=root, script=script, hint=hint)
    hashed = b64encode(sha256(script.encode()).digest()).decode()
    # Swagger UI writes styles into its elements.
    resp.set_header(
        "Content-Security-Policy",
        f"default-src 'none'; script-src 'self' 'sha256-{hashed}'; style-src 'self' "
        "'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'",
    )
