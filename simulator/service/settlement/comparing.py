"""Whether the lines of a run are what the ledger moved to the merchants in its bank day.

What is missing one day may come the next: a run agrees too where it makes up for what was open.
Choice: D-526.
"""

from msgspec.structs import replace

from simulator.domain.core.ports import HasStore
from simulator.domain.core.records import LedgerEntry, Payment
from simulator.domain.payments.ledger import OF_PAYMENT
from simulator.domain.settlement.blocks import SettledChargeback
from simulator.domain.settlement.differences import MerchantAmounts
from simulator.domain.settlement.numbers import number_of
from simulator.domain.settlement.records import ReconciliationRecord
from simulator.domain.settlement.runs import SettlementRun
from simulator.grammar.payment_types import MERCHANT
from simulator.service.settlement.movements import MovementPorts

CHARGEBACK, FEE = "CHARGEBACK", "FEE"


class LedgerOfDay:
    """What the ledger moved to each merchant account by the payments of a bank day, by merchant
    number: those of each host apart.
    """

    def __init__(self, ports: HasStore):
        self._ports = ports
        self.amounts = MerchantAmounts()

    def add(self, payment: Payment) -> None:
        """Count a payment that was posted."""
        debit, credit = payment.posted or self._of_former(payment)
        sign = (credit == MERCHANT) - (debit == MERCHANT)
        if sign:
            self.amounts.add(number_of(payment), payment.moved, sign)

    def _of_former(self, payment: Payment) -> tuple[str, str]:
        """Payments of 0.1.0 have a ledger entry beside them."""
        entry = self._ports.store.get(LedgerEntry, payment.id + OF_PAYMENT)
        return ("", "") if entry is None else (entry.debit, entry.credit)


class LinesOfRun:
    """What the lines of a run say that were booked, less what the ledger has of it."""

    def __init__(self, ports: MovementPorts, run: SettlementRun):
        self._ports, self._run = ports, run
        self._until = ports.clearing.window(run.institute, run.day)[1]
        self._later = LedgerOfDay(ports)
        self._named: set[str] = set()
        self._lines = MerchantAmounts()

    def add(self, record: ReconciliationRecord) -> None:
        """Count a line that was booked."""
        if record.type == FEE:
            return
        sign = 1 if record.cashflow == "POS" else -1
        self._lines.add(record.to.number, record.money, sign)
        if record.type == CHARGEBACK and record.chargeback not in ("", record.payment):
            self._add_chargeback(record.chargeback)

    def compared(self, before: SettlementRun | None) -> SettlementRun:
        """The run with how it differs, after the run of the bank day before."""
        if self._run.ledger is None:
            return self._run
        differing = self._lines.plus(MerchantAmounts(self._run.ledger), -1)
        differing = differing.plus(self._later.amounts, -1)
        left = MerchantAmounts(None if before is None else before.open)
        still_open = left.plus(differing)
        differs = differing.where(still_open)
        return replace(self._run, differs=differs.stored(), open=still_open.stored())

    def _add_chargeback(self, identity: str) -> None:
        """Count a chargeback that came by this file: no bank day has it."""
        noted = self._ports.store.get(SettledChargeback, identity)
        made = self._ports.store.get(Payment, identity)
        if made is None or noted is None or noted.run != self._run.id or identity in self._named:
            return
        self._named.add(identity)
        if made.posted_at is not None and made.posted_at >= self._until:
            self._later.add(made)
