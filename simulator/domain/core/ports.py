"""The ports: everything that waits, reads a clock, draws a random number or touches a disk."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from simulator.domain.acquiring.requests import AcquirerRequest, AcquirerResponse
from simulator.domain.core.clock import ClockSetting
from simulator.domain.core.entities import Channel, Merchant, Sandbox
from simulator.domain.core.hosts import TEST, Host
from simulator.domain.core.records import AccountHierarchy, SealedCard
from simulator.domain.journal.entries import Entry, WebhookAttempt
from simulator.domain.journal.exchanges import AcquirerExchange, MaskedExchange
from simulator.domain.risk import RiskDecision, RiskRequest
from simulator.domain.throttling.windows import Throttle, Throttles
from simulator.domain.wallets import Keyring, Recipient, TokenOrder, WalletCard
from simulator.domain.webhooks.records import (
    AttemptResult,
    Delivery,
    Endpoint,
    InboxMessage,
    WebhookEvent,
)
from simulator.grammar.choices import Choices

Record = TypeVar("Record")


def key_of(*texts: str) -> str:
    """The key of an index whose keys stand within others, or a bound in it: no text holds a NUL."""
    return "\0".join(texts)


class Unit(msgspec.Struct, frozen=True):
    """Records that are stored, and removed, together or not at all.

    The `version` of a record to put is the one it will have: the store must hold exactly the
    version before it (nothing, for version 1). A record to remove must still have its version.
    """

    puts: tuple[Any, ...] = ()
    removes: tuple[Any, ...] = ()


def unit_of(*records: Any, removes: tuple[Any, ...] = ()) -> Unit:
    """A unit that puts `records`, each with its next version. Decisions never count versions
    themselves.
    """
    return Unit(tuple(replace(record, version=record.version + 1) for record in records), removes)


class Store(Protocol):
    """The records of one sandbox. Bound to its epoch: after a reset every call raises Gone."""

    def get(self, kind: type[Record], identity: str) -> Record | None:
        """The record as last saved, or None."""

    def find(self, kind: type[Record], index: str, key: str) -> list[Record]:
        """The records whose indexed key equals `key`, oldest first. Costs what it returns."""

    def between(self, kind: type[Record], index: str, low: str, high: str) -> Iterator[Record]:
        """The records whose ordered key is in [low, high), in order of the key."""

    def page(
        self, kind: type[Record], index: str, bounds: tuple[str, str], *, start: int, most: int
    ) -> tuple[Iterator[Record], int]:
        """At most `most` of the records whose ordered key is in [low, high), from number `start`
        on, and the count of all of them. Costs what it returns.
        """

    def commit(self, unit: Unit) -> None:
        """Store a unit: atomic, seen by reads at once, durable on return.

        Raises ConflictError if any version is not the next one, EpochEndedError if the epoch is
        over.
        """

    def commit_unflushed(self, unit: Unit) -> None:
        """Store a unit without waiting for the disk: it is durable no later than any that is saved
        after it. Raises ConflictError, EpochEndedError.
        """

    def wait_durable(self) -> None:
        """Return when everything saved so far is durable: an answer says nothing a power cut
        could take back.
        """

    def pause(self, failures: int) -> None:
        """Return when a change that conflicted `failures` times may be tried again."""


class Clock(Protocol):
    """World time of one sandbox."""

    def now(self) -> datetime:
        """The present, aware, UTC."""

    def wait(self, span: timedelta) -> None:
        """Return when `span` of world time has passed."""


class SandboxClock(Protocol):
    """The clock of one sandbox, which can be set and moved."""

    def now(self) -> datetime:
        """The present of the sandbox, aware, UTC."""

    def wait(self, span: timedelta) -> None:
        """Return when `span` of world time has passed, by itself or because the clock was moved."""

    turn: AbstractContextManager[object]
    """Held while the clock is set or moved: by one caller at a time."""

    @property
    def setting(self) -> ClockSetting:
        """How it stands."""

    def real(self) -> datetime:
        """The present of the real clock below it."""

    def put(self, setting: ClockSetting) -> None:
        """Go on with another setting, which is stored already; waiters look again."""

    def next_waited_for(self) -> datetime | None:
        """The earliest instant a waiter waits for, or None."""


class Scheduler(Protocol):
    """Runs due work of one sandbox when its time comes."""

    def wake(self) -> None:
        """Look again: something due was stored, or the clock was changed."""

    def run_job(self, name: str, work: Callable[[], object]) -> None:
        """Do `work` under a name, and return when it is done or has to wait. Work that waits for
        the clock must not hold up the caller that moves it.
        """

    def is_running(self, name: str) -> bool:
        """Whether a job with this name runs."""


class InFlightCounter(Protocol):
    """Counts what is in flight in one sandbox: each piece of work enters, and leaves at its end."""

    def __enter__(self) -> None:
        """One more is under way."""

    def __exit__(self, *error: object) -> None:
        """One less is under way."""

    def quiesce(self, timeout_s: float) -> bool:
        """Whether, within so much wire time, nothing but waiters for the clock was under way."""

    def drain(self, timeout_s: float) -> bool:
        """Whether, within so much wire time, nothing at all was under way."""


class Ids(Protocol):
    """The only source of chance."""

    def record(self) -> str:
        """A new id of a payment, registration or entity: 32 lowercase hex digits, the first an
        8.
        """

    def hex(self, count: int) -> str:
        """`count` random lowercase hex digits."""

    def short(self) -> str:
        """A short id, NNNN.NNNN.NNNN."""

    def trace(self) -> int:
        """A system trace audit number, 1 to 999999."""


class Vault(Protocol):
    """Keeps secrets: sealed under the id of the record that holds them."""

    def seal_card(self, identity: str, number: str) -> SealedCard:
        """The number sealed for the record `identity`, and its fingerprint (equal numbers, equal
        fingerprints).
        """

    def seal(self, identity: str, secret: str) -> str:
        """Any other secret, sealed for the record `identity`."""

    def open(self, identity: str, sealed: str) -> str:
        """The secret again. Raises TamperedSecretError if it was sealed for another record or
        altered.
        """


class Names(Protocol):
    """Generated names, the same for the same key."""

    def merchant(self, key: str) -> str:
        """The name of a company."""

    def channel(self, key: str) -> str:
        """The name of a shop."""


class Acquirer(Protocol):
    """The acquirer, as the in-process simulator or over a real link."""

    def plan(self, ask: AcquirerRequest) -> AcquirerResponse:
        """Who answers this ask and how; the caller waits `delay` where there is one."""


class CardLink(Protocol):
    """The lines from one sandbox to its card host."""

    def exchange(
        self, message: Mapping[str, str], when_slow: Callable[[], object] | None = None
    ) -> dict[str, str]:
        """The answer to a card message; `when_slow` is called where it does not come at once.

        Raises MessageNotSentError where the message did not leave, NoResponseError where it is not
        known what became of
        it.
        """


class Journal(Protocol):
    """The journal of one sandbox, bounded by count and age; a restart empties it. Choice: D-93."""

    @property
    def newest(self) -> int:
        """The number of the newest entry; they count from 1."""

    def append_entry(self, entry: Entry, secrets: Collection[str] = ()) -> None:
        """Append an entry, masked; none of `secrets` may be in it."""

    def append_exchange(self, exchange: MaskedExchange) -> None:
        """Append an exchange with nothing left to mask."""

    def hold_acquirer_exchange(self, exchange: AcquirerExchange) -> None:
        """Hold it until the merchant's exchange is complete: one entry costs less than two."""

    def take_acquirer_exchange(self, ndc: str) -> AcquirerExchange | None:
        """Remove and return what is held for the exchange with this ndc."""

    def append_attempt(self, attempt: WebhookAttempt) -> None:
        """Append an attempt to deliver a webhook event."""

    def iterate_newest_first(self, *, before: int | None = None) -> Iterator[tuple[int, Entry]]:
        """The numbered entries, from the newest (or the one before `before`) back."""

    def find_entries(self, key: str) -> list[tuple[int, Entry]]:
        """The entries with this ndc or about this payment, oldest first."""

    def wait_for_entry(self, after: int, seconds: float) -> None:
        """Return when there is a number above `after`, or after `seconds` of wire time."""


class Dispatcher(Protocol):
    """Delivers the webhook events of one sandbox to its endpoints."""

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """The active endpoints. Every payment reads them: it costs next to nothing."""

    def reload_endpoints(self) -> None:
        """Read the endpoints again, after some were stored or removed."""

    def enqueue(self, deliveries: Iterable[Delivery]) -> None:
        """Attempt those deliveries that are stored as under way; returns at once."""

    def attempt_once(self, endpoint: Endpoint, event: WebhookEvent) -> AttemptResult:
        """Make one attempt that is not stored: the activation of an endpoint."""

    def check_url(self, url: str) -> None:
        """Raise InvalidInputError or RefusedAddressError unless events may be sent to `url`."""


class Inbox(Protocol):
    """An endpoint inside the sandbox. It keeps the last 500 messages."""

    def receive(self, headers: Mapping[str, str], body: bytes) -> AttemptResult:
        """Store a message, decrypted; one that cannot be read is stored too, and answered 400."""

    def wait(self, count: int, timeout_s: float) -> list[InboxMessage]:
        """The messages, oldest first: once there are `count`, or after this much wire time."""

    def clear(self) -> int:
        """Remove every message; the number of messages removed."""


class RiskSystem(Protocol):
    """The risk system of one sandbox."""

    @property
    def is_scripted(self) -> bool:
        """Whether a script may say what it does. Asked at every payment: it costs next to
        nothing.
        """

    def screen(self, request: RiskRequest) -> RiskDecision | None:
        """What it says of a payment, or None where no check is set up."""


class Wallets(Protocol):
    """Wallet tokens: opened by the gateway, made by its wallet provider."""

    def new_keys(self) -> Keyring:
        """A new keyring for a sandbox."""

    def open(self, token: str, keys: Keyring, recipient: Recipient, now: datetime) -> WalletCard:
        """What a token carries. Raises InvalidWalletTokenError, UnreadableWalletTokenError."""

    def make(self, order: TokenOrder, keys: Keyring, recipient: Recipient, now: datetime) -> str:
        """A token as it was ordered."""


class DirectoryServer(Protocol):
    """The directory server of 3-D Secure: the way to every issuer."""

    def ask(self, what: Literal["lookup", "areq"], message: Mapping[str, Any]) -> bytes:
        """The body of its answer. Raises NoResponseError."""

    def signed(self, content: str) -> Mapping[str, Any]:
        """What a JWS says that was signed under its root certificate. Raises SignatureError,
        NoResponseError.
        """


class Addresses(Protocol):
    """Where the gateway is reached from outside: links to its own pages begin there."""

    def base(self, host: Host) -> str:
        """The base address of `host`, which ends with a slash. Source: Hosts."""


class Meter(Protocol):
    """Counts what the server does, for its operators. It is given known words only, no id, no
    secret.
    """

    def mark(self) -> float:
        """A mark from which an answer is timed."""

    def answered(self, since: float, operation: str, status: object, code: str | None) -> None:
        """An exchange was answered, with this result code if it had one."""

    def settled(self, kind: str, state: str) -> None:
        """A payment came to a state."""


class Ports(msgspec.Struct, frozen=True, kw_only=True):
    """All ports, bound to one sandbox: no service can forget which world it works in."""

    sandbox: Sandbox
    store: Store
    clock: SandboxClock
    scheduler: Scheduler
    in_flight: InFlightCounter
    ids: Ids
    vault: Vault
    acquirer: Acquirer
    card_link: CardLink
    directory: DirectoryServer
    dispatcher: Dispatcher
    inbox: Inbox
    journal: Journal
    meter: Meter
    addresses: Addresses
    wallets: Wallets
    risk: RiskSystem
    throttles: Throttles
    choices: Choices


class ChannelContext(msgspec.Struct, frozen=True):
    """Where an admitted request is at home: a channel, its stamp, its host, the ports of its
    sandbox.
    """

    ports: Ports
    channel: Channel
    stamp: AccountHierarchy
    host: Host = TEST


class Principal(msgspec.Struct, frozen=True):
    """What a token opens on its host: the ports of its sandbox, and a context for each channel's
    id.

    `throttle` counts the requests of the merchant there.
    """

    ports: Ports
    contexts: Mapping[str, ChannelContext]
    host: Host
    throttle: Throttle
    merchant: Merchant
