"""The lines of a settlement file, whatever its format, and the sums that guard them.

Amounts are integers in the smallest unit of their currency; a rate is in millionths.
"""

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from functools import cache
from typing import NamedTuple

import msgspec

from acquirer_mocks.settlement.fx import step_of
from acquirer_mocks.settlement.kinds import MOVING
from acquirer_mocks.settlement.tariffs import FeeParts
from simulator.domain.core.currencies import decimals_of

BATCH = "BATCH"
MONTHLY = "MONTHLY"
# The columns of a merchant hold ten digits before the dot, and those of the files 13 in all.
WHOLE_DIGITS, UNITS_MAX = 10, 10**13 - 1


class FileLine(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """One line: a transaction, a fee (`type` is its type), or a payout (BATCH).

    `gross` is the amount in the settlement currency before the fee. Of a fee line amount and gross
    are the fee, and `count` says how many movements it is for. `batch` is that of a payout.
    """

    type: str
    is_credit: bool
    amount: int
    currency: str
    gross: int
    settlement_currency: str
    settlement_date: date
    rate: int = 1_000_000
    fee: FeeParts = FeeParts()
    id: str = ""
    number: int = 0
    payment: str = ""
    merchant_transaction_id: str = ""
    reference: str = ""
    auth_code: str = ""
    acquirer_reference: str = ""
    brand: str = ""
    last4: str = ""
    account: str = "card"
    entry_mode: str = ""
    instant: datetime | None = None
    reason: str = ""
    reason_text: str = ""
    is_part: bool = False
    is_success: bool = True
    count: int = 1
    batch: str = ""

    @property
    def is_moving(self) -> bool:
        """Whether this is a transaction, and neither a fee nor a payout."""
        return self.type in MOVING

    @property
    def fits(self) -> bool:
        """Whether its amounts can be written."""
        amounts = (self.amount, self.currency), (self.gross, self.settlement_currency)
        return all(units <= units_max(currency) for units, currency in amounts)

    @property
    def signed(self) -> int:
        """The gross amount, below zero where it is taken from the merchant."""
        return self.gross if self.is_credit else -self.gross


@cache
def units_max(currency: str) -> int:
    """The largest amount of a currency that a line may have."""
    end: int = 10 ** (WHOLE_DIGITS + decimals_of(currency))
    return min(end - 1, UNITS_MAX)


def shares_of(units: int, currency: str) -> Iterator[int]:
    """An amount in as few parts as lines can hold, each of its sign. Choice: D-525."""
    step, sign = step_of(currency), 1 if units > 0 else -1
    largest = units_max(currency) // step * step
    for start in range(0, abs(units), largest):
        yield sign * min(largest, abs(units) - start)


class Sums(msgspec.Struct):
    """What the lines of a batch add up to, in units of its settlement currency."""

    transactions: int = 0
    fee_lines: int = 0
    credits: int = 0
    debits: int = 0
    fees: int = 0
    event_fees: int = 0

    def add(self, line: FileLine) -> None:
        """Count a transaction or a fee line."""
        if not line.is_moving:
            self.fee_lines += 1
            self.event_fees += line.gross
            return
        self.transactions += 1
        self.fees += line.fee.total
        if line.is_credit:
            self.credits += line.gross
        else:
            self.debits += line.gross

    @property
    def lines(self) -> int:
        """How many lines were counted."""
        return self.transactions + self.fee_lines

    @property
    def transactions_net(self) -> int:
        """Credits less debits and the fees of transactions."""
        return self.credits - self.debits - self.fees

    @property
    def net(self) -> int:
        """What the payout transfers; below zero where the merchant owes."""
        return self.transactions_net - self.event_fees


class FileHead(NamedTuple):
    """What a file says of itself: `made`, `after` and `until` are local times of the institute.

    `error` is added to one control total, for a file that should be refused.
    """

    name: str
    institute: str
    zone: str
    day: date
    settlement_date: date
    number: int
    made: datetime
    after: datetime
    until: datetime
    error: int = 0


class FileBatch(NamedTuple):
    """One batch: its sums first, since some formats print them first. `lines` are transactions,
    then fees, then payouts; they are read once.
    """

    number: str
    merchant_number: str
    currency: str
    sums: Sums
    payouts: tuple[FileLine, ...]
    lines: Iterable[FileLine]

    @property
    def lines_count(self) -> int:
        """The number of all lines."""
        return self.sums.lines + len(self.payouts)
