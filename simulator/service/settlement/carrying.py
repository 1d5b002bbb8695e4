"""What an institute leaves in a run for its next one: stored in parts, read in parts, and removed
once the next one is booked. The run itself has the first part, which mostly is all of it.

Choice: D-386.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial

import msgspec
from msgspec.structs import replace

from simulator.domain.core.ports import HasStore, unit_of
from simulator.domain.core.slices import SLICE_RECORDS
from simulator.domain.core.transact import transact
from simulator.domain.ports.clearing import CarriedOver
from simulator.domain.settlement.runs import LeftPart, SettlementRun, left_part_id
from simulator.service.settlement.remaining import with_what_is_left

NOTHING = CarriedOver()


def with_left_parts(ports: HasStore, run: SettlementRun, carried: CarriedOver) -> SettlementRun:
    """The run, not stored yet, with the first part of what was left; the others are stored, in the
    place of those of a file of the day that there is no more. Durable once the run is.
    """
    drop_left(ports, run)
    first, *others = _parts_of(carried)
    for number, part in enumerate(others, 1):
        identity = left_part_id(run.id, number)
        stored = LeftPart(id=identity, run=run.id, left=_encoded(part))
        ports.store.commit_unflushed(unit_of(stored))
        ports.store.pause(0)
    return replace(run, left=_encoded(first))


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
    # Older gateways stored all of it there: it is read in one, and used in parts.
    for part in _parts_of(msgspec.json.decode(run.left, type=CarriedOver)):
        yield part
        ports.store.pause(0)
    for identity in sorted(ports.store.ids_found(LeftPart, "run", run.id)):
        stored = ports.store.get(LeftPart, identity)
        assert stored is not None, "runs of an institute take turns"
        yield msgspec.json.decode(stored.left, type=CarriedOver)
        ports.store.pause(0)


def _parts_of(carried: CarriedOver) -> Iterator[CarriedOver]:
    """All of it in parts, of at most a slice of each kind; one at least."""
    longest = max(map(len, (carried.entries, carried.payouts, carried.late)))
    for first in range(0, longest or 1, SLICE_RECORDS):
        some = slice(first, first + SLICE_RECORDS)
        yield CarriedOver(
            entries=carried.entries[some], payouts=carried.payouts[some], late=carried.late[some]
        )


def _encoded(part: CarriedOver) -> str:
    return msgspec.json.encode(part).decode()
