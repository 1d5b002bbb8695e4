"""What an institute leaves in a run for its next one: stored in parts, read in parts, and removed
once the next one is booked. The run itself has the first part, which mostly is all of it; where a
gateway may settle the next day that knows of no parts, it has all of it as one text.

Choice: D-386.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from simulator.domain.core.ports import HasStore, unit_of
from simulator.domain.core.slices import SLICE_RECORDS
from simulator.domain.core.transact import transact
from simulator.domain.ports.clearing import CarriedOver, DeferredEntry, OpenPayout
from simulator.domain.settlement.runs import LeftPart, SettlementRun, left_part_id
from simulator.service.settlement.remaining import with_what_is_left

NOTHING = CarriedOver()
# The members of what is left, and what each of them is a list of.
LISTS: Mapping[str, Any] = {"entries": DeferredEntry, "payouts": OpenPayout, "late": str}


class _UnreadText(msgspec.Struct):
    """A text of what was left, of which nothing is decoded yet."""

    entries: Sequence[msgspec.Raw] = ()
    payouts: Sequence[msgspec.Raw] = ()
    late: Sequence[msgspec.Raw] = ()


def with_left_parts(ports: HasStore, run: SettlementRun, carried: CarriedOver) -> SettlementRun:
    """The run, not stored yet, with the first part of what was left; the others are stored, in the
    place of those of a file of the day that there is no more. Durable once the run is.
    """
    drop_left(ports, run)
    first, *others = _parts_of(carried)
    if not ports.store.keeps(LeftPart):
        return replace(run, left=_as_one_text(ports, [first, *others]))
    for number, part in enumerate(others, 1):
        identity = left_part_id(run.id, number)
        stored = LeftPart(id=identity, run=run.id, left=_as_one_text(ports, [part]))
        ports.store.commit_unflushed(unit_of(stored))
    return replace(run, left=_as_one_text(ports, [first]))


def carried_from(
    ports: HasStore, before: SettlementRun | None, day: date
) -> tuple[CarriedOver, str]:
    """What the run before left for the run of a bank day, each chargeback that is due with what is
    left by now, and what is wrong with it where another gateway has stored it.
    """
    if before is None:
        return NOTHING, ""
    try:
        parts = [with_what_is_left(ports, each, day) for each in _stored_parts(ports, before)]
    except (msgspec.DecodeError, RecursionError):
        return NOTHING, f"what {before.id} left cannot be read: nothing of it is settled"
    return CarriedOver(
        entries=tuple(each for part in parts for each in part.entries),
        payouts=tuple(each for part in parts for each in part.payouts),
        late=tuple(each for part in parts for each in part.late),
    ), ""


def drop_left(ports: HasStore, run: SettlementRun) -> None:
    """Remove the parts beside a run: a later file has them, or none ever will."""
    found = ports.store.ids_found(LeftPart, "run", run.id)
    for first in range(0, len(found), SLICE_RECORDS):
        transact(ports.store, partial(_remove, ports, found[first : first + SLICE_RECORDS]))
        ports.store.pause(0)


def _remove(ports: HasStore, some: Sequence[str]) -> None:
    parts = ports.store.get_many(LeftPart, some).values()
    ports.store.commit_unflushed(unit_of(removes=tuple(parts)))


def _stored_parts(ports: HasStore, run: SettlementRun) -> Iterator[CarriedOver]:
    """Others have their turn after each. Raises DecodeError, RecursionError."""
    yield from _parts_in(ports, run.left)
    for identity in sorted(ports.store.ids_found(LeftPart, "run", run.id)):
        stored = ports.store.get(LeftPart, identity)
        assert stored is not None, "runs of an institute take turns"
        yield from _parts_in(ports, stored.left)


def _parts_in(ports: HasStore, text: str) -> Iterator[CarriedOver]:
    """What a text has in parts, however long it is: others have their turn after each. Raises
    DecodeError, RecursionError.
    """
    for part in _sliced(msgspec.json.decode(text, type=_UnreadText)):
        read = {
            name: tuple(msgspec.json.decode(each, type=kind) for each in part[name])
            for name, kind in LISTS.items()
        }
        yield CarriedOver(**read)
        ports.store.pause(0)


def _parts_of(carried: CarriedOver) -> Iterator[CarriedOver]:
    """All of it in parts."""
    return (CarriedOver(**part) for part in _sliced(carried))


def _as_one_text(ports: HasStore, parts: Iterable[CarriedOver]) -> str:
    """Parts as one text. Others have their turn after each of them."""
    encoded: dict[str, list[msgspec.Raw]] = {name: [] for name in LISTS}
    for part in parts:
        for name, found in encoded.items():
            found += [msgspec.Raw(msgspec.json.encode(each)) for each in getattr(part, name)]
        ports.store.pause(0)
    return msgspec.json.encode(encoded).decode()


def _sliced(lists: object) -> Iterator[dict[str, Any]]:
    """Lists by their names, of each a slice at a time; one at least."""
    found = {name: getattr(lists, name) for name in LISTS}
    for first in range(0, max(map(len, found.values())) or 1, SLICE_RECORDS):
        yield {name: each[first : first + SLICE_RECORDS] for name, each in found.items()}
