"""The target: the gateway under test, and what it offers to the conformance suite."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from features.spec.companions import REFERENCE_CARD, Sent
from features.target.terminals import TerminalOfTarget

# What a scenario may need of a target beside its merchant API: the values of `@needs:`.
OFFERS = (
    "brands", "browser", "channels", "clock", "control", "declines", "inbox", "live", "openapi",
    "other", "pauses", "reports", "scripts", "settlement", "terminal", "throttling", "tls",
    "webhooks",
)  # fmt: skip
PROFILES = ("specification", "field")
# The entity of another merchant.
OTHER = "other"
# Paths that the specification leaves open, as the suite calls them.
PATHS = ("v1/query", "v3/query", "v1/resultcodes")


@dataclass(frozen=True, slots=True)
class TargetEntity:
    """One more entity of the target; its token is the target's own unless it has another."""

    entity_id: str
    token: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class ReferenceCard:
    """A test card the target approves."""

    number: str
    brand: str = REFERENCE_CARD["paymentBrand"]
    holder: str = REFERENCE_CARD["card.holder"]
    expiryMonth: str = REFERENCE_CARD["card.expiryMonth"]  # noqa: N815
    expiryYear: str = REFERENCE_CARD["card.expiryYear"]  # noqa: N815
    cvv: str = REFERENCE_CARD["card.cvv"]


@dataclass(frozen=True, slots=True)
class TargetCards:
    """The test cards of the target; `reference` is the one that ordinary payments are made by."""

    reference: ReferenceCard = ReferenceCard(REFERENCE_CARD["card.number"])


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """How many requests may be sent to the target; 0 is no limit."""

    per_second: float = 0
    per_minute: float = 0


@dataclass(frozen=True, slots=True)
class ReceiverAddress:
    """Where the suite listens for webhooks, and the address under which the target reaches it.

    `listen` is a host and a port; port 0 is any free one, and `url` is then found by itself. `key`
    is the one under which a target without a control API notifies that address, in 64 hex digits.
    """

    listen: str = "127.0.0.1:0"
    url: str = ""
    key: str = field(default="", repr=False)

    @property
    def is_fixed(self) -> bool:
        """Whether it is one port, where one can listen at a time."""
        return int(self.listen.rpartition(":")[2]) > 0


@dataclass(frozen=True, slots=True)
class Target:
    """Where the gateway answers and with whose credentials. `offers` are the needs it can meet.

    `profile` is empty for a gateway other than Sandgate: then scenarios about decisions of Sandgate
    are skipped. `ca_file` trusts its certificate. `openapi_url` is where it describes its merchant
    API: every response then has to obey the description. `sftp` is the host and port from which
    merchants fetch settlement files, and the folder there, where it is not the first. `members` are
    the addresses of the other members of a fleet. `brands` and `paths` are its own names for those
    of the suite. With `waits`, cases may wait for a minute.
    """

    base_url: str
    token: str = field(repr=False)
    entity_id: str
    control_url: str = ""
    control_key: str = field(default="", repr=False)
    profile: str = ""
    tls_url: str = ""
    live_url: str = ""
    live_token: str = field(default="", repr=False)
    openapi_url: str = ""
    sftp: str = ""
    ca_file: str = ""
    members: tuple[str, ...] = ()
    offers: frozenset[str] = frozenset()
    entities: Mapping[str, TargetEntity] = field(default_factory=dict)
    brands: Mapping[str, str] = field(default_factory=dict)
    paths: Mapping[str, str] = field(default_factory=dict)
    cards: TargetCards = TargetCards()
    limits: RequestLimits = RequestLimits()
    receiver: ReceiverAddress = ReceiverAddress()
    terminal: TerminalOfTarget = TerminalOfTarget()
    waits: bool = False

    @property
    def card(self) -> Sent:
        """The parameters of the card that ordinary payments are made by."""
        card = self.cards.reference
        sent = {name: getattr(card, name) for name in ("number", "holder", "cvv")}
        sent |= {"expiryMonth": card.expiryMonth, "expiryYear": card.expiryYear}
        return {"paymentBrand": card.brand} | {f"card.{name}": text for name, text in sent.items()}

    def waiting(self) -> "Target":
        """The same target, for whose cases a run waits up to a minute each."""
        return replace(self, waits=True, offers=self.offers | {"pauses", "throttling"})

    @property
    def other_token(self) -> str:
        """The token of another merchant; empty where the target file names none."""
        return self.entities[OTHER].token if OTHER in self.entities else ""

    @property
    def notifies_by_itself(self) -> bool:
        """Whether its webhooks go to the suite's receiver by its own configuration, without a
        control API.
        """
        return bool({"inbox", "webhooks"} & self.offers) and "control" not in self.offers

    @property
    def secrets(self) -> list[str]:
        """The values that a report about the target must not show."""
        tokens = [entity.token for entity in self.entities.values()]
        keys = (self.terminal.protection_key, self.terminal.pin_key, self.terminal.data_key)
        own = (self.token, self.live_token, self.control_key, self.receiver.key, *keys)
        return [each for each in (*own, *tokens) if each]
