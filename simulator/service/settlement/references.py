"""The payments of an institute by their references, where its files name them by nothing else.

A line can come days after its payment: deferred, in a late file, as a chargeback. A reference does
not lead to the id of its payment, so each that moved money is noted when its file is written. A
payment itself costs nothing more, and one of another institute nothing at all. Choice: D-391.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.core.ports import HasStore, unit_of
from simulator.domain.ports.clearing import ClearingEntry
from simulator.domain.settlement.blocks import SettledReference
from simulator.service.settlement.reading import in_parts


def noted(ports: HasStore, entries: Iterable[ClearingEntry]) -> Iterator[ClearingEntry]:
    """The movements, each noted by its reference when the next ones are read."""
    for some in in_parts(entries):
        _note(ports, some)
        yield from some


def payments_by_reference(
    ports: HasStore, references: Collection[str]
) -> Mapping[str, Sequence[str]]:
    """The ids of the payments that were noted with these references."""
    found = ports.store.get_many(SettledReference, references)
    return {reference: each.payments for reference, each in found.items()}


def _note(ports: HasStore, entries: Iterable[ClearingEntry]) -> None:
    wanted: dict[str, tuple[str, ...]] = {}
    for each in filter(_has_line, entries):
        wanted[each.reference] = (*wanted.get(each.reference, ()), each.payment)
    known = ports.store.get_many(SettledReference, wanted)
    changed = []
    for reference, ids in wanted.items():
        before = known.get(reference) or SettledReference(id=reference)
        payments = tuple(dict.fromkeys((*before.payments, *ids)))
        if payments != before.payments:
            changed.append(replace(before, payments=payments))
    if changed:
        ports.store.commit_unflushed(unit_of(*changed))


def _has_line(entry: ClearingEntry) -> bool:
    """Whether an entry may have a transaction line: an authorization has none."""
    return bool(PAYMENT_TYPES[entry.kind].record)
