"""/v1/paymentWidgets.js: the script of the hosted form, and the hash a page may hold it against.

The same bytes for every checkout: the script reads in its own address which one it is for. It is
written in parts, in the language of the oldest browser the specification names, and joined as it
is, without comments and indents: nothing is built.
Source: Hosted payment form behaviour; FORM-09. Choice: D-134.
"""

from base64 import b64encode
from functools import cache
from hashlib import sha384
from importlib.resources import files

from falcon import Request, Response

from simulator.web.form.frames import bare, read_part, unindented
from simulator.web.http.answers import result_body, send
from simulator.web.http.context import exchange_of
from simulator.web.http.route import Route

FOUND = "000.000.100"
NAME = "paymentWidgets.js"
SCRIPT_TYPE = "text/javascript; charset=utf-8"
# In the order in which a form comes into being; the last one starts it.
PARTS = ("start", "dom", "options", "frames", "places", "containers", "fields", "card", "billing",
         "accounts", "stored", "wallets", "pay", "follow", "public")  # fmt: skip
HEAD = """/* The hosted payment form: <script src=".../v1/paymentWidgets.js?checkoutId=ID"></script>
   beside <form class="paymentWidgets" data-brands="VISA MASTER"></form>. */
(function (window, document) {
"use strict";
"""
FOOT = "}(window, document));\n"


class WidgetScriptResource:
    """The script, to any page: it holds no secret."""

    def on_get(self, req: Request, resp: Response) -> None:
        """Read it, from a page of whatever origin."""
        resp.content_type, resp.data = SCRIPT_TYPE, script()
        resp.set_header("Access-Control-Allow-Origin", "*")


class IntegrityResource:
    """The hash of the script, to a page that prepares no checkout. Source: E66."""

    def on_get(self, req: Request, resp: Response) -> None:
        """Read it; no token is needed, as for the script itself."""
        send(resp, 200, {"integrity": integrity(), **result_body(exchange_of(req), FOUND)})


@cache
def script() -> bytes:
    """Its bytes: the parts, and the rules that the frames have too, in one function."""
    folder = files("simulator.web.form").joinpath("parts")
    parts = [folder.joinpath(f"{name}.js").read_text(encoding="utf-8") for name in PARTS]
    body = unindented(bare("\n".join([read_part("checks.js"), *parts])))
    return (HEAD + body + FOOT).encode()


@cache
def integrity() -> str:
    """Its hash, as pages write it: sha384- and Base64. Source: E48."""
    return f"sha384-{b64encode(sha384(script()).digest()).decode()}"


def routes() -> tuple[Route, ...]:
    """The rows of the script and its hash."""
    return (
        Route(f"/v1/{NAME}", WidgetScriptResource()),
        Route("/v1/fastcheckout/integrity", IntegrityResource()),
    )
