"""What records of settlement in a snapshot must be before any of them is used: their names lead to
files, and their blocks are unpacked. Choices: D-295, D-660.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.clock import EARLIEST, LATEST
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.merchants.restored import ID
from simulator.domain.merchants.sftp import public_key_in
from simulator.domain.settlement.blocks import (
    BLOCK_LINES,
    DamagedBlockError,
    ReservedSale,
    SettledBlock,
)
from simulator.domain.settlement.file_names import day_of_file, is_file_name
from simulator.domain.settlement.pushing import FilePush, PushTarget
from simulator.domain.settlement.runs import (
    Aggregation,
    LeftPart,
    SettlementRun,
    run_id,
)

SHOWN_LENGTH = 40
AMOUNT_END = 10**24
# Several times the longest part.
LEFT_LENGTH_MAX = 256 * 1024
# A member of a record that is wrong, what was expected of it, and what came.
Wrong = tuple[str, str, object]


def refuse_invalid_settlement(record: object) -> None:
    """Raise InvalidInputError for a record of settlement that no gateway stored; other records are
    not looked at.
    """
    find = FINDERS.get(type(record))
    for member, expected, got in () if find is None else find(record):
        raise InvalidInputError(
            f"record.{member}", expected, beginning_of(ascii(got), SHOWN_LENGTH)
        )


def _problems_of_run(run: SettlementRun) -> Iterator[Wrong]:
    yield from _problems_of_day(run.day)
    if run.id != run_id(run.institute, run.day):
        yield "id", "the id of its institute and day", run.id
    for member, names in (("files", run.files), ("keys", run.keys)):
        yield from ((member, "names of files", each) for each in names if not is_file_name(each))
    sums = (*(run.ledger or {}).values(), *run.differs.values(), *run.open.values())
    for amounts in sums:
        yield from (("ledger", "amounts", each) for each in amounts.values() if _is_none(each))
    for each in run.delivered:
        yield from _problems_of_delivered(each.merchant, each.name)


def _is_none(amount: Decimal) -> bool:
    return not amount.is_finite() or abs(amount) >= AMOUNT_END


def _problems_of_reserved(sale: ReservedSale) -> Iterator[Wrong]:
    if _is_none(sale.amount) or sale.amount < 0:
        yield "amount", "an amount", sale.amount


def _problems_of_left(part: LeftPart) -> Iterator[Wrong]:
    if part.id.rpartition(".")[0] != part.run:
        yield "id", "the id of a part of its run", part.id
    if len(part.left) > LEFT_LENGTH_MAX:
        yield "left", f"at most {LEFT_LENGTH_MAX} characters", len(part.left)


def _problems_of_push(push: FilePush) -> Iterator[Wrong]:
    yield from _problems_of_day(push.day)
    yield from _problems_of_delivered(push.merchant, push.id)


def _problems_of_delivered(merchant: str, name: str) -> Iterator[Wrong]:
    if day_of_file(name) is None:
        yield "file", "the name of a file that merchants fetch", name
    if ID.fullmatch(merchant) is None:
        yield "merchant", "an id, 32 lowercase hex digits", merchant


def _problems_of_day(day: date) -> Iterator[Wrong]:
    if not EARLIEST.date() <= day <= LATEST.date():
        yield "day", f"a day from {EARLIEST.date()} to {LATEST.date()}", day.isoformat()


def _problems_of_target(target: PushTarget) -> Iterator[Wrong]:
    if ID.fullmatch(target.id) is None:
        yield "id", "an id, 32 lowercase hex digits", target.id
    public_key_in(target.host_key, "record.host_key")


def _problems_of_block(block: SettledBlock) -> Iterator[Wrong]:
    try:
        count = len(block.records())
    except DamagedBlockError as error:
        yield "packed", "lines that were settled", str(error)
    else:
        if count > BLOCK_LINES:
            yield "packed", f"at most {BLOCK_LINES} lines", count


def _problems_of_aggregation(aggregation: Aggregation) -> Iterator[Wrong]:
    counts = aggregation.typed.values()
    if len(set(map(len, counts))) > 1:
        yield "typed", "as many blocks of each type", "other numbers"
    if any(each < 0 for blocks in counts for each in blocks):
        yield "typed", "numbers of lines", "one below zero"


# fmt: off
FINDERS: Mapping[type, Callable[[Any], Iterator[Wrong]]] = {
    Aggregation:   _problems_of_aggregation,
    FilePush:      _problems_of_push,
    LeftPart:      _problems_of_left,
    PushTarget:    _problems_of_target,
    ReservedSale:  _problems_of_reserved,
    SettledBlock:  _problems_of_block,
    SettlementRun: _problems_of_run,
}
# fmt: on
