"""Which sandbox a request is for, as far as that can be said before it is routed.

An access token leads to its sandbox, and so does an id in the path. What belongs to no sandbox is
served by the member that is asked.
"""

import re
from base64 import b64decode
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any
from urllib.parse import unquote_plus

from simulator.domain.checkouts.ids import sandbox_in
from simulator.domain.merchants.tokens import token_hash
from simulator.grammar.characters import BEARER

# The home of what people share: accounts, classes and stages of the console.
CONSOLE = "console"
LOGIN = "authentication.password"
# A path, and what leads from what it names to the sandbox.
PATHS: tuple[tuple[re.Pattern[str], Callable[[str], str | None]], ...] = (
    (re.compile(r"/_sandbox/v1/sandboxes/([^/]+)"), str),
    (re.compile(r"/(?:redirect|threeDSecure)/([^/]+)/"), str),
    (re.compile(r"/form/([^/]+)"), sandbox_in),
    (re.compile(r"/(?:console|try)(?:/|$)()"), lambda _: CONSOLE),
    (re.compile(r"/_sandbox/v1/people(?:/|$)()"), lambda _: CONSOLE),
)
CHECKOUT = re.compile(r"(?:/v1)?/checkouts/([^/]+)")
# Not what describes the merchant API: of a token it describes the sandbox, and so needs its home.
SERVED_BY_ANY = re.compile(r"/(?:$|_sandbox/(?:health|ready|metrics)$)")

FindSandbox = Callable[[str], str | None]


def place_of(environ: Mapping[str, Any], find: FindSandbox) -> str | None:
    """The id of the sandbox a request is for, or CONSOLE; None where any member may answer.

    `find` leads from the hash of an access token to its sandbox.
    """
    path = environ["PATH_INFO"]
    if SERVED_BY_ANY.match(path):
        return None
    for pattern, sandbox_of in PATHS:
        if (found := pattern.match(path)) is not None:
            return sandbox_of(found[1])
    for token in _tokens_in(environ):
        if (sandbox := find(token_hash(token))) is not None:
            return sandbox
    named = CHECKOUT.match(path)
    return None if named is None else sandbox_in(named[1])


def _tokens_in(environ: Mapping[str, Any]) -> list[str]:
    """What may be an access token: the bearer's, or that of a login in its place (D-179)."""
    header = environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return _passwords_in(environ)
    bearer = BEARER.fullmatch(header)
    if bearer is None:
        return []
    try:
        _, found, password = b64decode(bearer[1], validate=True).decode().partition("|")
    except ValueError:
        return [bearer[1]]
    return [bearer[1], password] if found else [bearer[1]]


def _passwords_in(environ: Mapping[str, Any]) -> list[str]:
    """The passwords among the parameters of a request whose body is at hand."""
    sent = environ.get("QUERY_STRING", "")
    body = environ["wsgi.input"]
    if isinstance(body, BytesIO):
        sent = f"{sent}&{body.getvalue().decode(errors='replace')}"
    # Nearly no request has the login in a form, and a client may spell its name in many ways.
    if LOGIN not in sent and "%" not in sent:
        return []
    named = (each.partition("=") for each in sent.split("&"))
    return [unquote_plus(value) for name, _, value in named if unquote_plus(name) == LOGIN][:1]
