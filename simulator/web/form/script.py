"""/v1/paymentWidgets.js: the script of the hosted form, and the hash a page may hold it against.

The same bytes for every checkout: the script reads in its own address which one it is for.
Choice: D-134.
"""

from base64 import b64encode
from functools import cache
from hashlib import sha384
from importlib.resources import files

from falcon import Request, Response

from simulator.web.http.route import Route

NAME = "paymentWidgets.js"
SCRIPT_TYPE = "text/javascript; charset=utf-8"


class WidgetScriptResource:
    """The script, to any page: it holds no secret."""

    def on_get(self, req: Request, resp: Response) -> None:
        """Read it, from a page of whatever origin."""
        resp.content_type, resp.data = SCRIPT_TYPE, script()
        resp.set_header("Access-Control-Allow-Origin", "*")


@cache
def script() -> bytes:
    """Its bytes."""
    return files("simulator.web.form").joinpath(NAME).read_bytes()


@cache
def integrity() -> str:
    """Its hash, as pages write it: sha384- and Base64. Source: E48."""
    return f"sha384-{b64encode(sha384(script()).digest()).decode()}"


def routes() -> tuple[Route, ...]:
    """The row of the script."""
    return (Route(f"/v1/{NAME}", WidgetScriptResource()),)
