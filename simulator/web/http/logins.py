"""The older login: `authentication.userId` and `.password`, or both in one Bearer token.

The user is the merchant's id, the password one of its access tokens. Source: E11. Choice: D-179.
"""

from base64 import b64decode
from collections.abc import Mapping
from typing import NamedTuple

from falcon import Request

from simulator.domain.core.errors import Refusal, Violations
from simulator.domain.ports.sandbox import Principal
from simulator.domain.ports.server import Tokens
from simulator.web.http.errors import EncodedBodyError, TooLargeError
from simulator.web.http.forms import EQUAL_ACCEPTED, read_parameters

USER, PASSWORD = "authentication.userId", "authentication.password"
BETWEEN = "|"
LOGIN_BYTES_MAX = 64 * 1024


class Login(NamedTuple):
    """What was sent of a login."""

    user: str
    password: str


class LoggedIn(NamedTuple):
    """Whose request it is, and what it sent beside the login."""

    principal: Principal
    sent: Mapping[str, str]


def logged_in(tokens: Tokens, req: Request) -> LoggedIn | None:
    """Who logs in by the parameters of a request, or None. What cannot be read is no login, nor is
    what is long: it would be read and parsed for a client that is not authenticated.

    Names may be repeated as in profile `field`: the login is one of it.
    """
    try:
        sent = read_parameters(req, rules=EQUAL_ACCEPTED, bytes_max=LOGIN_BYTES_MAX)
    except (EncodedBodyError, Refusal, TooLargeError, Violations):
        return None
    if USER not in sent or PASSWORD not in sent:
        return None
    principal = _holder_of(tokens, Login(sent.pop(USER), sent.pop(PASSWORD)))
    return None if principal is None else LoggedIn(principal, sent)


def holder_by_token(tokens: Tokens, token: str) -> Principal | None:
    """Who presents both parts of a login as one Bearer token: base64 of `user|password`."""
    try:
        user, found, password = b64decode(token, validate=True).decode().partition(BETWEEN)
    except ValueError:
        return None
    return _holder_of(tokens, Login(user, password)) if found else None


def _holder_of(tokens: Tokens, login: Login) -> Principal | None:
    principal = tokens.principal_of(login.password)
    if principal is None or principal.merchant.id != login.user:
        return None
    return principal if principal.ports.choices["older_login"] == "accept" else None
