"""`python -m acquirer_mocks.settlement.worker`: writes the files of a large bank day, in a process
of its own, and their answer keys in another one beside it.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from itertools import chain, islice
from math import ceil
from typing import TypeVar

import msgspec
from msgspec.structs import asdict, replace

from acquirer_mocks.settlement.day import write_day
from acquirer_mocks.settlement.institutes import institute_named
from simulator.adapters.worker import WorkRefusedError, do_work, fork_beside, start_worker
from simulator.domain.ports.clearing import (
    CarriedOver,
    ClearingContract,
    ClearingEntry,
    DayOrder,
    DeferredEntry,
    SettlementFaults,
    SettlementOrderError,
    WrittenDay,
)

MODULE = "acquirer_mocks.settlement.worker"
ENTRIES_AT_ONCE = 100

_ENCODER = msgspec.msgpack.Encoder(decimal_format="string")
_DECODER = msgspec.msgpack.Decoder(list[ClearingEntry])
_LEFT = msgspec.msgpack.Decoder(list[DeferredEntry])
Item = TypeVar("Item")


class DayJob(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker is given before the entries: a day order without its pause, and without the
    entries that an earlier run left, which come before the others.
    """

    institute: str
    day: date
    drop: str
    key: str
    contracts: dict[str, ClearingContract]
    others: ClearingContract | None
    faults: SettlementFaults
    carried: CarriedOver
    number: int
    charge_back: bool
    parts: int


class LeftEntries(msgspec.Struct, frozen=True):
    """Some of the entries that are left for a later run, and of what is charged back."""

    entries: list[DeferredEntry]
    charged_back: dict[str, Decimal]


_LEFT_ANSWERED = msgspec.msgpack.Decoder(LeftEntries)


def write_day_apart(
    institute: str, day: date, entries: Iterable[ClearingEntry], order: DayOrder
) -> WrittenDay:
    """As `write_day`, by a worker. Raises SettlementOrderError, OSError."""
    left, carried = _parts(order.carried.entries), replace(order.carried, entries=())
    given = {**asdict(order), "contracts": dict(order.contracts), "carried": carried}
    names = {name: given[name] for name in ORDERED}
    parts = ceil(len(order.carried.entries) / ENTRIES_AT_ONCE)
    job = DayJob(institute=institute, day=day, parts=parts, **names)
    try:
        with start_worker(MODULE, msgspec.json.encode(job)) as worker:
            for part in left:
                worker.send(_ENCODER.encode(part))
                order.pause()
            # Where the entries are read, others have their turn already.
            for some in _parts(entries):
                worker.send(_ENCODER.encode(some))
            return _answered(worker.answers(), order)
    except WorkRefusedError as refused:
        raise SettlementOrderError(str(refused)) from None


def _answered(frames: Iterator[bytes], order: DayOrder) -> WrittenDay:
    """What was written, of which the entries that are left come in parts."""
    written = msgspec.json.decode(next(frames), type=WrittenDay)
    entries, charged_back = list[DeferredEntry](), dict[str, Decimal]()
    for frame in frames:
        part = _LEFT_ANSWERED.decode(frame)
        entries += part.entries
        charged_back |= part.charged_back
        order.pause()
    carried = replace(written.carried, entries=tuple(entries))
    return replace(written, carried=carried, charged_back=charged_back)


def write(job: bytes, frames: Iterator[bytes]) -> Iterator[bytes]:
    """The work: write the files, and answer with what was written."""
    given = msgspec.json.decode(job, type=DayJob)
    left = chain.from_iterable(map(_LEFT.decode, islice(frames, given.parts)))
    carried = replace(given.carried, entries=tuple(left))
    names = {name: getattr(given, name) for name in ORDERED}
    order = DayOrder(**{**names, "carried": carried})
    entries = (entry for frame in frames for entry in _DECODER.decode(frame))
    try:
        institute = institute_named(given.institute)
        written = write_day(institute, given.day, entries, order, beside=fork_beside)
    except SettlementOrderError as error:
        raise WorkRefusedError(str(error).encode()) from None
    yield from _answer(written)


def _answer(written: WrittenDay) -> Iterator[bytes]:
    carried = replace(written.carried, entries=())
    yield msgspec.json.encode(replace(written, carried=carried, charged_back={}))
    for some in _parts(written.carried.entries):
        yield _ENCODER.encode(LeftEntries(some, {}))
    for amounts in _parts(written.charged_back.items()):
        yield _ENCODER.encode(LeftEntries([], dict(amounts)))


def _parts(items: Iterable[Item]) -> Iterator[list[Item]]:
    rest = iter(items)
    while part := list(islice(rest, ENTRIES_AT_ONCE)):
        yield part


# Of a job, and not of a day order.
BESIDE = ("institute", "day", "parts")
ORDERED = tuple(name for name in DayJob.__struct_fields__ if name not in BESIDE)

if __name__ == "__main__":
    do_work(write)
