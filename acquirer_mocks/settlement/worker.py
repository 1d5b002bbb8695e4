"""`python -m acquirer_mocks.settlement.worker`: writes the files of a large bank day, in a process
of its own, and their answer keys in another one beside it.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from itertools import islice

import msgspec
from msgspec.structs import asdict

from acquirer_mocks.settlement.day import write_day
from acquirer_mocks.settlement.institutes import institute_named
from simulator.adapters.worker import WorkRefusedError, do_work, fork_beside, start_worker
from simulator.domain.ports.clearing import (
    CarriedOver,
    ClearingContract,
    ClearingEntry,
    DayOrder,
    SettlementFaults,
    SettlementOrderError,
    WrittenDay,
)

MODULE = "acquirer_mocks.settlement.worker"
ENTRIES_AT_ONCE = 100

_ENCODER = msgspec.msgpack.Encoder(decimal_format="string")
_DECODER = msgspec.msgpack.Decoder(list[ClearingEntry])


class DayJob(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker is given before the entries: a day order without its pause."""

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


def write_day_apart(
    institute: str, day: date, entries: Iterable[ClearingEntry], order: DayOrder
) -> WrittenDay:
    """As `write_day`, by a worker. Raises SettlementOrderError, OSError."""
    given = {**asdict(order), "contracts": dict(order.contracts)}
    job = DayJob(institute=institute, day=day, **{name: given[name] for name in ORDERED})
    rest = iter(entries)
    try:
        with start_worker(MODULE, msgspec.json.encode(job)) as worker:
            while part := list(islice(rest, ENTRIES_AT_ONCE)):
                worker.send(_ENCODER.encode(part))
            (answer,) = worker.answers()
    except WorkRefusedError as refused:
        raise SettlementOrderError(str(refused)) from None
    return msgspec.json.decode(answer, type=WrittenDay)


def write(job: bytes, frames: Iterator[bytes]) -> Iterator[bytes]:
    """The work: write the files, and answer with what was written."""
    given = msgspec.json.decode(job, type=DayJob)
    order = DayOrder(**{name: getattr(given, name) for name in ORDERED})
    entries = (entry for frame in frames for entry in _DECODER.decode(frame))
    try:
        institute = institute_named(given.institute)
        written = write_day(institute, given.day, entries, order, beside=fork_beside)
    except SettlementOrderError as error:
        raise WorkRefusedError(str(error).encode()) from None
    yield msgspec.json.encode(written)


ORDERED = tuple(name for name in DayJob.__struct_fields__ if name not in ("institute", "day"))

if __name__ == "__main__":
    do_work(write)
