"""Blocks of lines that were booked together, and what was booked with them.

A record of its own for each of a million lines would cost more than all else that is done to them:
a block is one record, one line of the log, and posts once.
"""

import zlib
from collections.abc import Callable, Sequence
from decimal import Decimal

import msgspec
from msgspec.structs import replace

from simulator.domain.settlement.records import ReconciliationRecord

BLOCK_LINES = 200
# Unpacked; lines that match a thousand payments each take nine.
BLOCK_BYTES_MAX = 16 * 1024 * 1024
# Lines of one file have much in common: the fastest level takes off nine tenths.
LEVEL = 1
NOT_LINES = "expected packed lines, got other bytes"

_ENCODER = msgspec.json.Encoder(decimal_format="string")
_DECODER = msgspec.json.Decoder(list[ReconciliationRecord])


class DamagedBlockError(ValueError):
    """A block that cannot be unpacked."""


class SettledBlock(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Lines of a run and merchant account that were booked together, `BLOCK_LINES` in each but the
    last. `order` is its place among all blocks; `packed` holds the records.
    """

    id: str
    version: int = 0
    order: str
    packed: bytes

    def records(self) -> list[ReconciliationRecord]:
        """The records in the order of the file."""
        return unpacked(self.packed)


class SettledChargeback(msgspec.Struct, frozen=True, kw_only=True):
    """A chargeback, by the id of its payment, that a line of a run was about: it is in no later
    file.
    """

    id: str
    version: int = 0
    run: str


class ReservedSale(msgspec.Struct, frozen=True, kw_only=True):
    """What a file charges back of the payment of the same id is reserved there, so much, until the
    run has booked its lines.
    """

    id: str
    version: int = 0
    run: str
    institute: str
    amount: Decimal


class SettledFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was booked, by the hash of its content."""

    id: str
    version: int = 0
    run: str
    name: str


class SettledReference(msgspec.Struct, frozen=True, kw_only=True):
    """The payments with a reference, its id, that an institute settles whose files name a payment
    by nothing else. Other institutes have none.
    """

    id: str
    version: int = 0
    payments: tuple[str, ...] = ()


def place_of(*texts: str) -> str:
    """The place of a record among others, or a bound of places. No text in it has a slash."""
    return "/".join(texts)


def block_of(
    run: str, number: int, merchant_account: str, records: Sequence[ReconciliationRecord]
) -> SettledBlock:
    """The block with this number of a run, of lines of one merchant account."""
    return SettledBlock(
        id=block_id(run, number),
        order=place_of(run, merchant_account, f"{number:06d}"),
        packed=zlib.compress(_ENCODER.encode(records), LEVEL),
    )


def renamed_block(block: SettledBlock, rename: Callable[[bytes], bytes]) -> SettledBlock:
    """The block with other names in the text of its records. Raises DamagedBlockError."""
    return replace(block, packed=zlib.compress(rename(_text_in(block.packed)), LEVEL))


def unpacked(block: bytes) -> list[ReconciliationRecord]:
    """The records that a block has packed. Raises DamagedBlockError."""
    try:
        return _DECODER.decode(_text_in(block))
    except (msgspec.DecodeError, RecursionError):
        raise DamagedBlockError(NOT_LINES) from None


def _text_in(block: bytes) -> bytes:
    """A few bytes of a snapshot could stand for gigabytes. Raises DamagedBlockError."""
    unpacking = zlib.decompressobj()
    try:
        content = unpacking.decompress(block, BLOCK_BYTES_MAX)
    except zlib.error:
        raise DamagedBlockError(NOT_LINES) from None
    if not unpacking.eof:
        raise DamagedBlockError(f"expected at most {BLOCK_BYTES_MAX} bytes, got more")
    return content


def block_id(run: str, number: int) -> str:
    """The id of a block: a run that is taken up again makes the same ones."""
    return f"{run}.{number:06d}"
