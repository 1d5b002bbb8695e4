"""Read the file of a clearing institute: first whether it is whole, then line by line."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo
from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, get_args
from zoneinfo import ZoneInfo

import msgspec

from simulator.adapters.settlement.fields import Record
from simulator.adapters.settlement.fixed import parse_fixed
from simulator.adapters.settlement.statement import parse_statement
from simulator.adapters.settlement.table import parse_table
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.settlement.lines import SettlementLine
from simulator.domain.settlement.records import TransactionType

Parser = Callable[[BinaryIO, Path, tzinfo], Iterator[SettlementLine]]
FILE_BYTES_MAX = 2 * 1024 * 1024 * 1024
LINES_MAX = 3_000_000
IDS_MAX = 64
# Ten digits before the dot.
AMOUNT_END = 10**10
PIECE = 1024 * 1024
# Read, and passed on, before others have their turn.
PART_LINES = 64
BITS = (1 << 64) - 1
# Ids are looked through a share at a time: a set of those of three million lines takes 300 MB.
SHARES = 16
_ENCODER = msgspec.json.Encoder(decimal_format="string")
DECODER = msgspec.json.Decoder(list[SettlementLine])
# What moves money has a record of its own; fees and payouts are types of transactions.
TYPES = frozenset(get_args(TransactionType)) | {
    row.code for row in PAYMENT_TYPES.values() if row.record
}
# fmt: off
PARSERS: Mapping[str, Parser] = {
    "SGFIX":           lambda source, path, zone: parse_fixed(source, path.name, zone),
    "SGCSV":           lambda source, path, zone: parse_table(source, path),
    "camt.053.001.08": lambda source, path, zone: parse_statement(source, path.name),
}
# fmt: on


def read_lines(
    path: Path, form: str, zone: str, *, pause: Callable[[], object] = lambda: None
) -> Iterator[SettlementLine]:
    """The lines of a file, of which the first comes once all of it was found to be whole: until
    then they wait in a file without a name, so that memory does not grow with them. Others have
    their turn in each `pause` of the first time.

    Raises SettlementFileError, OSError.
    """
    for part in read_parts(path, form, zone, pause=pause):
        yield from DECODER.decode(part)


def read_parts(
    path: Path, form: str, zone: str, *, pause: Callable[[], object] = lambda: None
) -> Iterator[bytes]:
    """As `read_lines`, some lines at once, encoded as they waited: `DECODER` reads them."""
    ids, lines = [array("Q") for _ in range(SHARES)], _parsed(path, form, zone)
    with TemporaryFile(dir=path.parent) as waiting:
        while part := list(islice(lines, PART_LINES)):
            # No line feed is in the JSON of a line.
            waiting.write(_ENCODER.encode(part) + b"\n")
            for line in part:
                number = hash(line.id) & BITS
                ids[number % SHARES].append(number)
            pause()
        repeated = frozenset(number for share in ids for number in _repeated_in(share))
        if repeated:
            waiting.seek(0)
            _refuse_repeated(path.name, waiting, repeated)
        waiting.seek(0)
        yield from waiting


def hash_of(path: Path) -> str:
    """What a file is known again by, in hex. Raises OSError."""
    digest = sha256()
    with path.open("rb") as source:
        while piece := source.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _repeated_in(numbers: Sequence[int]) -> Iterator[int]:
    """Those that come more than once."""
    if len(set(numbers)) < len(numbers):
        yield from (number for number, count in Counter(numbers).items() if count > 1)


def _refuse_repeated(name: str, parts: Iterable[bytes], marks: frozenset[int]) -> None:
    """Refuse the first line whose id a line before it has, among those whose ids have these marks:
    two ids may have one mark.
    """
    seen: dict[str, int] = {}
    for line in (line for part in parts for line in DECODER.decode(part)):
        if hash(line.id) & BITS in marks:
            before = seen.setdefault(line.id, line.place)
            if before != line.place:
                record = Record(name, line.place)
                record.refuse("a settlement id once", f"{line.id} as in record {before}")


def _parsed(path: Path, form: str, zone: str) -> Iterator[SettlementLine]:
    record = Record(path.name, 0)
    size = path.stat().st_size
    if size > FILE_BYTES_MAX:
        record.refuse(f"at most {FILE_BYTES_MAX:,} bytes", f"{size:,}")
    seen = 0
    with path.open("rb") as source:
        for line in PARSERS[form](source, path, ZoneInfo(zone)):
            seen += 1
            if seen > LINES_MAX:
                record.refuse(f"at most {LINES_MAX:,} lines", f"{LINES_MAX + 1:,}")
            if not 0 < len(line.id) <= IDS_MAX:
                Record(path.name, line.place).refuse("a settlement id", line.id)
            if line.type not in TYPES:
                Record(path.name, line.place).refuse("a type of payment or fee", line.type)
            _refuse_amounts(Record(path.name, line.place), line)
            yield line


def _refuse_amounts(record: Record, line: SettlementLine) -> None:
    """Raise SettlementFileError for what no column takes: which way money goes, another member
    says. Choice: D-662.
    """
    for name, amount in (("amount", line.money.amount), ("gross", line.gross.amount)):
        if not 0 <= amount < AMOUNT_END:
            record.refuse(f"{name} of 0 to below {AMOUNT_END:,}", amount)
    if line.rate >= AMOUNT_END:
        record.refuse(f"a rate below {AMOUNT_END:,}", line.rate)
