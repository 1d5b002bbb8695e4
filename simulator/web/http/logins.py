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
from simulator.web.http.errors import EncodedBodyError, ForbiddenError, TooLargeError
from simulator.web.http.forms import EQUAL_ACCEPTED, read_parameters

USER, PASSWORD = "authentication.userId", "authentication.password"
BETWEEN = "|"
LOGIN_BYTES_MAX = 64 * 1024
NO_LOGIN = f"{USER}, {PASSWORD}: expected the id of a merchant and one of its access tokens"


class Login(NamedTuple):
    """What was sent of a login."""

    user: str
    password: str


class LoggedIn(NamedTuple):
    """Whose request it is, what it sent beside the login, and the access token of that."""

    principal: Principal
    sent: Mapping[str, str]
    token: str


def logged_in(tokens: Tokens, req: Request) -> LoggedIn | None:
    """Who logs in by the parameters of a request, or None. What cannot be read is no login, nor is
    what is long: it would be read and parsed for a client that is not authenticated. Raises
    ForbiddenError for a login that no merchant has. Source: E38.

    Names may be repeated as in profile `field`: the login is one of it.
    """
    try:
        sent = read_parameters(req, rules=EQUAL_ACCEPTED, bytes_max=LOGIN_BYTES_MAX)
    except (EncodedBodyError, Refusal, TooLargeError, Violations):
        return None
    if USER not in sent or PASSWORD not in sent:
        return None
    login = Login(sent.pop(USER), sent.pop(PASSWORD))
    found = tokens.principal_of(login.password)
    if found is not None and not _takes_logins(found):
        return None
    if found is None or found.merchant.id != login.user:
        raise ForbiddenError(NO_LOGIN)
    return LoggedIn(found, sent, login.password)


def holder_by_token(tokens: Tokens, token: str) -> Principal | None:
    """Who presents both parts of a login as one Bearer token: base64 of `user|password`."""
    try:
        user, _, password = b64decode(token, validate=True).decode().partition(BETWEEN)
    except ValueError:
        return None
    found = tokens.principal_of(password) if password else None
    is_login = found is not None and found.merchant.id == user and _takes_logins(found)
    return found if is_login else None


def _takes_logins(principal: Principal) -> bool:
    return principal.ports.choices["older_login"] == "accept"
