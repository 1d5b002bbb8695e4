"""What the risk system decided of late, and which checks channels may have, for people."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import NamedTuple, Protocol

from scenarios.records import Behaviour
from simulator.domain.core.hosts import Host
from simulator.domain.core.ports import HasStore
from simulator.domain.core.records import Payment
from simulator.domain.journal.entries import Message, Party, SimulatorEntry
from simulator.domain.ports.journal import HasJournal

# So many entries of the journal are looked through, and so many decisions shown.
LOOKED_MAX, SHOWN_MAX = 1_000, 50


class ScreeningPorts(HasJournal, HasStore, Protocol):
    """What reading the newest decisions needs."""


class Screening(NamedTuple):
    """A decision of the risk system: what it was asked, the score, the code it declined with."""

    at: datetime
    payment: str
    asked: str
    service: str
    score: object
    code: str
    decided_by: str


def newest_screenings(ports: ScreeningPorts, host: Host) -> list[Screening]:
    """The newest decisions about payments of a host, newest first, as far as the journal has
    them.
    """
    newest = (entry for _, entry in islice(ports.journal.iterate_newest_first(), LOOKED_MAX))
    found = (each for each in _screenings_in(newest) if _is_on(ports, each.payment, host))
    return list(islice(found, SHOWN_MAX))


def checks_of(behaviours: Mapping[str, Behaviour]) -> dict[str, Behaviour]:
    """The checks that a channel may have, by name."""
    return {name: each for name, each in behaviours.items() if each.steps.risk is not None}


def _screenings_in(entries: Iterator[object]) -> Iterator[Screening]:
    for entry in entries:
        if not isinstance(entry, SimulatorEntry) or len(entry.messages) < 2 or not entry.payments:
            continue
        asked, answered = entry.messages[:2]
        if asked.receiver is Party.RISK_SYSTEM:
            yield _screening_of(entry, asked, answered)


def _screening_of(entry: SimulatorEntry, asked: Message, answered: Message) -> Screening:
    return Screening(
        at=entry.at,
        payment=entry.payments[0],
        asked=asked.label,
        service=str(asked.body.get("service", "")),
        score=answered.body.get("risk.score", ""),
        code=entry.code,
        decided_by=entry.decided_by,
    )


def _is_on(ports: HasStore, identity: str, host: Host) -> bool:
    payment = ports.store.get(Payment, identity)
    return payment is not None and payment.host == host
