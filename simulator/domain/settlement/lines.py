"""A line of a settlement file, whatever format it came in. Source: Reconciliation record."""

from datetime import date, datetime
from decimal import Decimal

import msgspec

from simulator.domain.core.currencies import decimals_of
from simulator.domain.core.money import Money

BATCH = "BATCH"
NUMBER_LENGTH_MAX = 18


class SettlementFileError(ValueError):
    """A file that is not whole or cannot be read; nothing of it counts. It names the file, the
    record in it (0: the whole of it), what was expected and what came.
    """

    def __init__(self, file: str, record: int, *, expected: str, got: str):
        where = f"{file}, record {record}" if record else file
        super().__init__(f"{where}: expected {expected}, got {got}")
        self.file, self.record, self.expected, self.got = file, record, expected, got


class SettlementLine(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """One line: a movement of money, a fee, or the payout of a batch (`type` BATCH).

    `place` counts the lines of the file from 1. Amounts have the decimals of their currency;
    `money` is what was moved, `gross` the same in the settlement currency, before the `fee`, which
    is None where the format has none at a line. `requested_at` is aware, in the institute's zone;
    None where the format has no time.
    """

    place: int
    id: str
    batch: str
    merchant_number: str
    type: str
    is_credit: bool
    money: Money
    gross: Money
    rate: Decimal
    settlement_date: date
    fee: Decimal | None = None
    requested_at: datetime | None = None
    payment: str = ""
    merchant_transaction_id: str = ""
    reference: str = ""
    auth_code: str = ""
    acquirer_reference: str = ""
    brand: str = ""
    last4: str = ""
    reason: str = ""
    reason_text: str = ""
    is_part: bool = False
    is_success: bool = True


def from_units(units: int, currency: str) -> Decimal:
    """The amount of so many of the smallest units of a currency."""
    return Decimal(units).scaleb(-decimals_of(currency))
