"""/_sandbox/v1/sandboxes/{id}/wallet: what a wallet knows of the gateway, and tokens it makes."""

from falcon import Request, Response

from simulator.domain.wallets import TokenOrder
from simulator.service.wallets import keyring, make_token, recipient
from simulator.web.control.access import ONE_SANDBOX, ControlAccess, read_document
from simulator.web.control.documents.entities import WalletDocument, WalletToken
from simulator.web.http.answers import send
from simulator.web.http.route import Route


class WalletResource:
    """The wallet provider of a sandbox."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read whom tokens are made for, and the certificate of the authority that signs them."""
        ports = self._access.ports(req, identity)
        named = recipient(ports)
        certificate = keyring(ports).certificate
        send(resp, 200, WalletDocument(named.merchant, named.gateway, certificate))

    def on_post_tokens(self, req: Request, resp: Response, identity: str) -> None:
        """Make a token."""
        ports = self._access.ports(req, identity)
        send(resp, 201, WalletToken(make_token(ports, read_document(req, TokenOrder))))


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    wallet = WalletResource(access)
    return (
        Route(f"{ONE_SANDBOX}/wallet", wallet),
        Route(f"{ONE_SANDBOX}/wallet/tokens", wallet, "tokens"),
    )
