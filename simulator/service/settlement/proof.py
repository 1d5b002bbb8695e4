"""Whether the lines of a run close: what they add up to is what was paid out, and what was posted.

Choice: D-403.
"""

from decimal import Decimal

import msgspec

from simulator.domain.core.money import ZERO
from simulator.domain.core.records import LedgerEntry
from simulator.domain.settlement.lines import BATCH
from simulator.domain.settlement.runs import SettledLine, SettlementRun
from simulator.grammar.payment_types import BANK
from simulator.service.settlement.runs import SettlementPorts, lines_of

PAYOUT = ".payout"


class AccountSums(msgspec.Struct, kw_only=True):
    """The lines of a merchant account in a run, in its settlement currency. `net` is what comes in
    less what goes out and the fees, without payouts; `payout` what was transferred, `posted` what
    the ledger moved to `bank`.
    """

    merchant_account: str
    currency: str = ""
    lines: int = 0
    matched: int = 0
    amount_in: Decimal = ZERO
    amount_out: Decimal = ZERO
    fees: Decimal = ZERO
    payout: Decimal = ZERO
    posted: Decimal = ZERO
    has_failed_payout: bool = False

    @property
    def net(self) -> Decimal:
        """In less out and fees."""
        return self.amount_in - self.amount_out - self.fees

    @property
    def agrees(self) -> bool:
        """Whether lines, payout and ledger say the same; a payout that failed is open."""
        return self.payout == self.posted and (self.has_failed_payout or self.net == self.payout)


def sums_of(ports: SettlementPorts, run: SettlementRun, merchant_account: str) -> AccountSums:
    """What the lines of a merchant account add up to, and what was posted of them."""
    sums = AccountSums(merchant_account=merchant_account)
    for settled in lines_of(ports, run, merchant_account):
        _add(sums, settled)
        posting = ports.store.get(LedgerEntry, settled.id + PAYOUT)
        if posting is not None:
            sign = 1 if posting.credit == BANK else -1
            sums.posted += sign * posting.money.amount
    return sums


def _add(sums: AccountSums, settled: SettledLine) -> None:
    record = settled.record
    sums.lines += 1
    sums.matched += record.matching == "MATCHED"
    sums.currency = record.settled.currency
    amount = record.settled.amount
    if record.transaction_type == BATCH:
        sums.has_failed_payout |= record.has_failed
        if not record.has_failed:
            sums.payout += amount if record.cashflow == "POS" else -amount
        return
    if record.cashflow == "POS":
        sums.amount_in += amount
    else:
        sums.amount_out += amount
    sums.fees += ZERO if record.fee is None else record.fee.amount
