"""What the gateway says of itself: the OpenAPI document, Swagger UI without any outside address,
the reference.
"""

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import falcon
from falcon import Request, Response

from simulator.catalogue.results import RESULTS
from simulator.derive.documents.reference import reference_page
from simulator.derive.openapi.merchant import openapi_document
from simulator.web.control.openapi import control_openapi_document
from simulator.web.http.answers import result_body, send, to_json
from simulator.web.http.context import exchange_of

# fmt: off
ASSETS = {
    "swagger-ui.css":                  "text/css",
    "swagger-ui-bundle.js":            "text/javascript",
    "swagger-ui-standalone-preset.js": "text/javascript",
}
# fmt: on
FOUND = "000.000.100"
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Sandgate API</title>
  <link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
  <div id="swagger-ui"></div>
  <script src="docs/swagger-ui-bundle.js"></script>
  <script src="docs/swagger-ui-standalone-preset.js"></script>
  <script>
    // The form starts from the example: without this every one of 300 fields is filled with a word.
    const fromExamples = () => ({afterLoad(system) {
      const sampleOf = system.fn.getSampleSchema;
      this.fn.getSampleSchema = (schema, type, config, override) => {
        const plain = schema && schema.toJS ? schema.toJS() : schema;
        if (plain && plain.type === "string" && type === false) return (plain.examples || [])[0];
        return sampleOf(schema, type, config, override);
      };
    }});
    SwaggerUIBundle({url: "openapi.json", dom_id: "#swagger-ui", plugins: [fromExamples],
      presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset]});
  </script>
</body>
</html>
"""


class OpenApiResource:
    """/openapi.json and /_sandbox/openapi.json"""

    def __init__(self) -> None:
        self._made: dict[str, bytes] = {}

    def on_get(self, req: Request, resp: Response) -> None:
        """The OpenAPI 3.1 document of the merchant API, in the server's profile."""
        choices = exchange_of(req).choices
        self._answer(resp, "merchant", lambda: openapi_document(choices))

    def on_get_control(self, req: Request, resp: Response) -> None:
        """The OpenAPI 3.1 document of the control API."""
        self._answer(resp, "control", control_openapi_document)

    def _answer(self, resp: Response, name: str, make: Callable[[], dict[str, Any]]) -> None:
        if name not in self._made:
            self._made[name] = to_json(make())
        resp.content_type, resp.data = "application/json", self._made[name]


class DocsResource:
    """/docs and its assets"""

    def on_get(self, req: Request, resp: Response) -> None:
        """Swagger UI on the OpenAPI document."""
        resp.content_type = "text/html; charset=utf-8"
        resp.text = PAGE

    def on_get_asset(self, req: Request, resp: Response, asset: str) -> None:
        """One of its files, out of the installed package."""
        if asset not in ASSETS:
            raise falcon.HTTPRouteNotFound()
        resp.content_type = ASSETS[asset]
        resp.set_header("Cache-Control", "public, max-age=86400")
        resp.data = (files("swagger_ui") / "static" / asset).read_bytes()


class ReferenceResource:
    """/reference"""

    def __init__(self) -> None:
        self._made: str | None = None

    def on_get(self, req: Request, resp: Response) -> None:
        """Every parameter, every result code, on one page."""
        if self._made is None:
            self._made = reference_page(exchange_of(req).choices)
        resp.content_type = "text/html; charset=utf-8"
        resp.text = self._made


class ResultCodesResource:
    """/v1/resultcodes"""

    def on_get(self, req: Request, resp: Response) -> None:
        """List every result code, to anybody."""
        codes = [{"code": row.code, "description": row.text} for row in RESULTS.values()]
        send(resp, 200, {"resultCodes": codes, **result_body(exchange_of(req), FOUND)})
