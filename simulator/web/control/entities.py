"""/_sandbox/v1/sandboxes/{id}/merchants and their channels: add, read and change them."""

from collections.abc import Iterable, Mapping

from falcon import Request, Response

from scenarios.errors import ScriptError
from simulator.domain.documents import joined
from simulator.domain.merchants.entities import AskedMerchant, AskedMerchantChange
from simulator.domain.steering.scripts import read_checks, read_default
from simulator.service.merchants import entities as using
from simulator.web.control.access import ONE_SANDBOX, ControlAccess, input_error, read_document
from simulator.web.control.documents.entities import MerchantDocument, MerchantList
from simulator.web.http.answers import send
from simulator.web.http.route import Route

MERCHANTS = f"{ONE_SANDBOX}/merchants"
ONE_MERCHANT = f"{MERCHANTS}/{{merchant}}"
Settings = Mapping[str, object]


class MerchantsResource:
    """The merchants of a sandbox."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """List them."""
        sandbox = self._access.sandbox(req, identity)
        send(resp, 200, MerchantList(tuple(map(MerchantDocument.of, sandbox.merchants))))

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Add a merchant."""
        self._access.sandbox(req, identity)
        asked = read_document(req, AskedMerchant)
        refuse_defaults(self._access, places_of(asked.channels))
        send(resp, 201, using.add_merchant(self._access.server, identity, asked))


class MerchantResource:
    """One of them."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str, merchant: str) -> None:
        """Read a merchant."""
        sandbox = self._access.sandbox(req, identity)
        send(resp, 200, MerchantDocument.of(using.one_of(sandbox.merchants, merchant)))

    def on_patch(self, req: Request, resp: Response, identity: str, merchant: str) -> None:
        """Change its name or its rules of dispatching."""
        self._access.sandbox(req, identity)
        asked = read_document(req, AskedMerchantChange)
        after = using.change_merchant(self._access.server, identity, merchant, asked)
        send(resp, 200, MerchantDocument.of(after))

    def on_post_channels(self, req: Request, resp: Response, identity: str, merchant: str) -> None:
        """Add a channel."""
        self._access.sandbox(req, identity)
        settings = self._settings(req)
        send(resp, 201, using.add_channel(self._access.server, identity, merchant, settings))

    def on_get_channel(self, req: Request, resp: Response, identity: str, **ids: str) -> None:
        """Read a channel."""
        merchant = using.one_of(self._access.sandbox(req, identity).merchants, ids["merchant"])
        send(resp, 200, using.one_of(merchant.channels, ids["channel"]))

    def on_patch_channel(self, req: Request, resp: Response, identity: str, **ids: str) -> None:
        """Change settings of a channel; the others stay."""
        self._access.sandbox(req, identity)
        place = using.EntityPath(identity, ids["merchant"], ids["channel"])
        send(resp, 200, using.change_channel(self._access.server, place, self._settings(req)))

    def _settings(self, req: Request) -> Settings:
        settings = read_document(req, dict[str, object])
        refuse_defaults(self._access, {"": settings})
        return settings


def places_of(channels: Iterable[Settings], within: str = "") -> dict[str, Settings]:
    """The channels of a document by their places in it."""
    return {joined(within, f"channels[{number}]"): each for number, each in enumerate(channels)}


def refuse_defaults(access: ControlAccess, channels: Mapping[str, Settings]) -> None:
    """Raise InvalidInputError for a default behaviour that there is not, or that a channel
    cannot have; `channels` are by their places.
    """
    for where, channel in channels.items():
        try:
            read_default(str(channel.get("default_behaviour", "approve")), access.behaviours)
            for member in ("risk", "screening"):
                read_checks(channel.get(member), access.behaviours, where=member)
        except ScriptError as error:
            raise input_error(error, within=where) from None


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    one = MerchantResource(access)
    return (
        Route(MERCHANTS, MerchantsResource(access)),
        Route(ONE_MERCHANT, one),
        Route(f"{ONE_MERCHANT}/channels", one, "channels"),
        Route(f"{ONE_MERCHANT}/channels/{{channel}}", one, "channel"),
    )
