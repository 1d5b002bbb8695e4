"""What the acquirer's side keeps of a payment that was pending there, once it comes to its end.

However a payment ends, by the clock, by hand or because the shopper gave up, the card host and the
issuer have the same end as the gateway, at the same instant. Choice: D-693.
"""

from datetime import datetime
from typing import Any, NamedTuple

from msgspec.structs import replace

from simulator.catalogue.results import class_of
from simulator.domain.acquiring.host_entries import CardEntry
from simulator.domain.acquiring.issuing import taken_back
from simulator.domain.core.ports import HasStore
from simulator.domain.core.records import Outcome
from simulator.domain.payments.pending import Awaited
from simulator.grammar.results import APPROVALS


class EndAtAcquirer(NamedTuple):
    """The records to store, and those to remove, in the unit that ends the payment."""

    changed: tuple[Any, ...] = ()
    removed: tuple[Any, ...] = ()


NOT_AWAITED = EndAtAcquirer()


def end_at_acquirer(
    ports: HasStore, awaited: Awaited, outcome: Outcome, now: datetime
) -> EndAtAcquirer:
    """What the end of the payment that was `awaited` changes in the card host's entry and in the
    issuer's records.
    """
    kind = class_of(outcome.code)
    entry = ports.store.get(CardEntry, awaited.id)
    ended = (
        (replace(entry, at=now, ended=outcome),) if entry is not None and entry.is_pending else ()
    )
    moved, removed = ((), ()) if kind in APPROVALS else taken_back(awaited.id, ports.store)
    return EndAtAcquirer((*ended, *moved), (awaited, *removed))
