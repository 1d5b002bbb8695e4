"""Breakpoints: a message is held at a party until a person lets it go on, answers or drops it.

Which parties of a sandbox have one stands in its record; a held message waits on the wire, and the
clock of its sandbox stands. Choices: D-488, D-489.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, Protocol, get_args

import msgspec

from scenarios.records import AcsStep, WebhookSteps
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.clock import ClockSetting
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.hosts import Host
from simulator.domain.core.ports import HasClock, HasIds
from simulator.domain.core.records import Payment
from simulator.domain.journal.entries import Party

HELD_MAX, HELD_S = 50, 3600.0


class Stop(StrEnum):
    """A party at which messages can be held."""

    SHOPPER = "shopper"
    RISK = "risk"
    DIRECTORY = "directory-server"
    ACS = "acs"
    ACQUIRER = "acquirer"
    BANK = "bank"
    WEBHOOKS = "webhooks"


class StopRow(NamedTuple):
    """What is held on its way from one party to another, what follows where it is dropped, the
    `steps` of a behaviour that may answer instead, and the `words` that may.
    """

    sender: Party
    receiver: Party
    means: str
    dropped: str
    steps: str = ""
    words: tuple[str, ...] = ()


# fmt: off
STOPS: Mapping[Stop, StopRow] = {
    Stop.SHOPPER: StopRow(
        Party.SHOPPER, Party.GATEWAY, "what the hosted form posts", "the form gets no answer"),
    Stop.RISK: StopRow(
        Party.GATEWAY, Party.RISK_SYSTEM, "a payment to screen", "it goes on unscreened", "risk"),
    Stop.DIRECTORY: StopRow(
        Party.GATEWAY, Party.DIRECTORY_SERVER, "an AReq", "the directory server is out of reach",
        words=get_args(AcsStep)),
    Stop.ACS: StopRow(
        Party.SHOPPER, Party.ACS, "what the shopper does on the challenge page",
        "the page gets no answer, and may be sent again",
        words=("approve", "decline", "cancel", "wrong")),
    Stop.ACQUIRER: StopRow(
        Party.GATEWAY, Party.ACQUIRER, "a request to the acquirer", "it is reversed", "acquirer"),
    Stop.BANK: StopRow(
        Party.SHOPPER, Party.BANK, "what the shopper does on the redirect page",
        "the payment stays pending", words=("pay", "cancel", "fail", "leave")),
    Stop.WEBHOOKS: StopRow(
        Party.GATEWAY, Party.WEBHOOK, "an attempt to deliver an event",
        "the attempt fails, and another follows", "webhooks"),
}
# fmt: on


class HeldMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message that is held: where, since when (sandbox time, and `real` time), what it is in
    short, and about which payment of which host.
    """

    id: str
    stop: Stop
    at: datetime
    real: datetime
    label: str
    payment: str
    ndc: str
    host: Host


class Let(NamedTuple):
    """How a held message goes on: as it is, not at all, or answered by a word, by the faults of a
    delivery, or by the script with an id that is armed for it.
    """

    is_dropped: bool = False
    word: str = ""
    faults: WebhookSteps | None = None
    script: str = ""


GO_ON, DROP = Let(), Let(is_dropped=True)


class DroppedRequestError(Exception):
    """A request that a person dropped at a breakpoint: nothing of it is stored."""


class StoodClock(msgspec.Struct, frozen=True, kw_only=True):
    """That the clock of a sandbox stands because messages are held, and how it ran before."""

    id: str = "stood"
    version: int = 0
    before: ClockSetting


class Holds(Protocol):
    """The held messages of one sandbox."""

    turn: AbstractContextManager[object]
    """Held while it is decided how a message goes on: by one caller at a time."""

    @property
    def stops(self) -> frozenset[str]:
        """The parties with a breakpoint: a message to any other one costs nothing."""

    def hold(self, message: HeldMessage) -> Let:
        """How it goes on, once that is decided; as it is after an hour, or where fifty others are
        held. Raises EpochEndedError.
        """

    def held(self) -> Sequence[HeldMessage]:
        """What is held now and was not let go, oldest first."""

    def let_go(self, identity: str, let: Let) -> bool:
        """Let a message go on so; False where it is not held any more."""


class HasHolds(Protocol):
    @property
    def holds(self) -> Holds: ...


class HoldPorts(HasClock, HasHolds, HasIds, Protocol):
    """What holding a message needs."""


class About(NamedTuple):
    """What a message is about: a payment, its ndc and host."""

    payment: str
    ndc: str
    host: Host


def about(payment: Payment) -> About:
    """What a message about this payment is about."""
    return About(payment.id, payment.ndc, payment.host)


def hold_at(ports: HoldPorts, stop: Stop, subject: About, label: str) -> Let:
    """How a message goes on: at once where its party has no breakpoint. Raises EpochEndedError."""
    if stop not in ports.holds.stops:
        return GO_ON
    return ports.holds.hold(
        HeldMessage(
            id=ports.ids.hex(32),
            stop=stop,
            at=ports.clock.now(),
            real=ports.clock.real(),
            label=label,
            payment=subject.payment,
            ndc=subject.ndc,
            host=subject.host,
        )
    )


def read_stops(names: Sequence[str]) -> tuple[str, ...]:
    """The parties that are named, each once. Raises InvalidInputError."""
    for name in names:
        if name not in tuple(Stop):
            raise InvalidInputError("parties", f"some of {', '.join(Stop)}", beginning_of(name, 40))
    return tuple(stop.value for stop in Stop if stop.value in names)


def refuse_invalid_stops(names: Sequence[str]) -> None:
    """Raise InvalidInputError for breakpoints that no gateway stored, such as those of a file."""
    known = tuple(stop.value for stop in Stop if stop.value in names)
    if tuple(names) != known:
        other = next((name for name in names if name not in known), "one twice, or another order")
        raise InvalidInputError(
            "breakpoints", f"some of {', '.join(Stop)}, each once", beginning_of(other, 40)
        )
