"""/_sandbox/v1/sandboxes/{id}/merchants/{merchant}/tokens: issue, list, suspend, rotate them.

And its `sftp`: how the merchant logs in to fetch its settlement files. Choice: D-420.
"""

from typing import Annotated

import msgspec
from falcon import Request, Response

from simulator.domain.core.hosts import TEST, Host
from simulator.domain.core.shapes import shape
from simulator.domain.merchants.sftp import AskedSftpAccess
from simulator.service.merchants import entities as using
from simulator.service.merchants.sftp import (
    remove_sftp_access,
    set_sftp_access,
    with_sftp_access,
)
from simulator.web.control.access import ControlAccess, read_document
from simulator.web.control.documents.entities import (
    Deleted,
    SftpAccessDocument,
    TokenDocument,
    TokenList,
)
from simulator.web.control.entities import ONE_MERCHANT
from simulator.web.http.answers import send
from simulator.web.http.route import Route

TOKENS = f"{ONE_MERCHANT}/tokens"


class AskedToken(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token as the control API takes it: the host it opens, and what it is called."""

    host: Host = TEST
    alias: Annotated[str, shape(maxLength=64)] = ""


class TokensResource:
    """The tokens of a merchant."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str, merchant: str) -> None:
        """List them, without their values."""
        found = using.one_of(self._access.sandbox(req, identity).merchants, merchant)
        send(resp, 200, TokenList(tuple(map(TokenDocument.of, found.tokens))))

    def on_post(self, req: Request, resp: Response, identity: str, merchant: str) -> None:
        """Issue another token; its value is in this answer alone."""
        self._access.sandbox(req, identity)
        asked = read_document(req, AskedToken)
        issued = using.issue_token(
            self._access.server, identity, merchant, host=asked.host, alias=asked.alias
        )
        send(resp, 201, TokenDocument.of(issued.token, issued.value))


class TokenResource:
    """One of them."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_post_suspend(self, req: Request, resp: Response, identity: str, **ids: str) -> None:
        """Suspend a token: it opens nothing until it is activated."""
        place = self._place(req, identity, ids)
        token = using.set_token_state(self._access.server, place, "suspended")
        send(resp, 200, TokenDocument.of(token))

    def on_post_activate(self, req: Request, resp: Response, identity: str, **ids: str) -> None:
        """Activate a suspended token."""
        place = self._place(req, identity, ids)
        token = using.set_token_state(self._access.server, place, "active")
        send(resp, 200, TokenDocument.of(token))

    def on_post_rotate(self, req: Request, resp: Response, identity: str, **ids: str) -> None:
        """Put a new token in its place; the old one ends."""
        place = self._place(req, identity, ids)
        issued = using.rotate_token(self._access.server, place)
        send(resp, 200, TokenDocument.of(issued.token, issued.value))

    def _place(self, req: Request, identity: str, ids: dict[str, str]) -> using.EntityPath:
        self._access.sandbox(req, identity)
        return using.EntityPath(identity, ids["merchant"], ids["token"])


class SftpResource:
    """How a merchant logs in at the SFTP server."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str, merchant: str) -> None:
        """Read it, without the password."""
        found = using.one_of(self._access.sandbox(req, identity).merchants, merchant)
        send(resp, 200, SftpAccessDocument.of(with_sftp_access(found)))

    def on_put(self, req: Request, resp: Response, identity: str, merchant: str) -> None:
        """Set it; a password that is generated is in this answer alone."""
        self._access.sandbox(req, identity)
        asked = read_document(req, AskedSftpAccess)
        granted = set_sftp_access(self._access.server, identity, merchant, asked)
        send(resp, 200, SftpAccessDocument.of(granted.merchant, granted.password))

    def on_delete(self, req: Request, resp: Response, identity: str, merchant: str) -> None:
        """End it: the merchant logs in no more."""
        self._access.sandbox(req, identity)
        remove_sftp_access(self._access.server, identity, merchant)
        send(resp, 200, Deleted(merchant))


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    one = TokenResource(access)
    return (
        Route(TOKENS, TokensResource(access)),
        Route(f"{ONE_MERCHANT}/sftp", SftpResource(access)),
        Route(f"{TOKENS}/{{token}}/suspend", one, "suspend"),
        Route(f"{TOKENS}/{{token}}/activate", one, "activate"),
        Route(f"{TOKENS}/{{token}}/rotate", one, "rotate"),
    )
