"""What the lines of a merchant account in a run add up to."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import NamedTuple

import msgspec

from simulator.domain.core.money import ZERO
from simulator.domain.settlement.lines import BATCH
from simulator.domain.settlement.records import ReconciliationRecord

FEE = "FEE"


class FlowKind(NamedTuple):
    """A kind of flow: its name, its colour in pictures, and whether money comes from it."""

    name: str
    kind: str
    is_source: bool


# fmt: off
SALES, REFUNDS = FlowKind("Sales", "in", True), FlowKind("Refunds", "out", False)
CREDITS, FEES = FlowKind("Credits", "out", False), FlowKind("Fees of payments", "fee", False)
# As AccountSums: what has a line of its own goes out.
ACCOUNT_FEES = FlowKind("Fees of the account", "out", False)
CHARGEBACKS = FlowKind("Chargebacks", "out", False)
CHARGEBACK_REVERSALS = FlowKind("Chargeback reversals", "in", True)
REVERSALS = FlowKind("Reversals of sales", "out", False)
REFUNDS_BACK = FlowKind("Chargebacks of refunds", "in", True)
REFUNDS_AGAIN = FlowKind("Their reversals", "out", False)
CREDITS_BACK = FlowKind("Refunds of credits", "in", True)
PAYOUT, OWED = FlowKind("Payout", "paid", False), FlowKind("Paid by the merchant", "paid", True)
OPEN = FlowKind("Payout that failed", "paid", False)
BY_TRANSACTION = {"DEBIT": SALES, "REFUND": REFUNDS, "CREDIT": CREDITS}
BY_RECORD = {
    "CHARGEBACK": CHARGEBACKS, "CHARGEBACK REVERSAL": CHARGEBACK_REVERSALS, FEE: ACCOUNT_FEES,
}
# The same where the money goes the other way.
OPPOSITE = {
    SALES: REVERSALS, REFUNDS: CREDITS_BACK,
    CHARGEBACKS: REFUNDS_BACK, CHARGEBACK_REVERSALS: REFUNDS_AGAIN,
}
# fmt: on


class Flow(msgspec.Struct):
    """What the lines of a kind add up to."""

    kind: FlowKind
    count: int = 0
    amount: Decimal = ZERO

    def add(self, amount: Decimal) -> None:
        """Count a line."""
        self.count += 1
        self.amount += amount


class AccountSums(msgspec.Struct, kw_only=True):
    """Sums in the settlement currency. `net` is what comes in less what goes out and the fees,
    without payouts; `payout` what was transferred, by lines with the ids `payouts`, `posted` what
    the ledger moved to `bank`. `failed` is what the merchant's bank rejected, and `repeated` what
    it had rejected in the run before. `differs` is, by currency, by how much the lines are above
    what the ledger moved to the merchant. `flows` are the same by what they are, in the order they
    came.
    """

    merchant_account: str
    merchant: str = ""
    settlement_date: date = date.min
    currency: str = ""
    lines: int = 0
    matched: int = 0
    amount_in: Decimal = ZERO
    amount_out: Decimal = ZERO
    fees: Decimal = ZERO
    payout: Decimal = ZERO
    payouts: list[str] = []
    posted: Decimal = ZERO
    has_failed_payout: bool = False
    failed: Decimal = ZERO
    repeated: Decimal = ZERO
    differs: Mapping[str, Decimal] = {}
    flows: dict[str, Flow] = {}

    @property
    def net(self) -> Decimal:
        """In less out and fees."""
        return self.amount_in - self.amount_out - self.fees

    @property
    def agrees(self) -> bool:
        """Whether lines, payout and ledger say the same; a payout that failed is open."""
        if self.differs:
            return False
        is_paid = self.has_failed_payout or self.net + self.repeated == self.payout
        return self.payout == self.posted and is_paid

    def add(self, record: ReconciliationRecord) -> None:
        """Count a line."""
        if not self.lines:
            self.merchant, self.settlement_date = record.to.merchant, record.settlement_date
            self.currency = record.settled.currency
        self.lines += 1
        self.matched += record.matching == "MATCHED"
        amount = record.settled.amount
        self._flow(_kind_of(record)).add(amount)
        if record.fee:
            self._flow(FEES).add(record.fee.amount)
        if record.transaction_type == BATCH:
            self._add_payout(record, amount if record.cashflow == "POS" else -amount)
            return
        if record.cashflow == "POS":
            self.amount_in += amount
        else:
            self.amount_out += amount
        self.fees += ZERO if record.fee is None else record.fee.amount

    def _add_payout(self, record: ReconciliationRecord, amount: Decimal) -> None:
        if record.has_failed:
            self.has_failed_payout = True
            self.failed += amount
            return
        self.payouts.append(record.settlement_id)
        self.payout += amount

    def _flow(self, kind: FlowKind) -> Flow:
        return self.flows.setdefault(kind.name, Flow(kind))


def _kind_of(record: ReconciliationRecord) -> FlowKind:
    if record.transaction_type == BATCH:
        if record.has_failed:
            return OPEN
        return PAYOUT if record.cashflow == "POS" else OWED
    kind = BY_RECORD.get(record.type) or BY_TRANSACTION[record.transaction_type]
    is_usual = kind.is_source is (record.cashflow == "POS")
    return kind if is_usual else OPPOSITE.get(kind, kind)
