"""Whether the lines of a run close: what they add up to is what was paid out, and what was posted.

Choices: D-403, D-526.
"""

from decimal import Decimal

from msgspec.structs import replace

from simulator.domain.core.money import ZERO
from simulator.domain.core.ports import HasStore
from simulator.domain.core.records import LedgerEntry
from simulator.domain.settlement.runs import Aggregation, SettlementRun, aggregation_id
from simulator.domain.settlement.sums import AccountSums
from simulator.grammar.payment_types import BANK
from simulator.service.settlement.history import run_before

PAYOUT = ".payout"


def sums_of(ports: HasStore, run: SettlementRun, merchant_account: str) -> AccountSums:
    """What the lines of a merchant account add up to, as counted when they were booked, and what
    was posted of them.
    """
    found = ports.store.get(Aggregation, aggregation_id(run.id, merchant_account))
    differs = run.differs.get(merchant_account, {})
    if found is None:
        return AccountSums(merchant_account=merchant_account, differs=differs)
    posted = ZERO
    for line in found.sums.payouts:
        entry = ports.store.get(LedgerEntry, line + PAYOUT)
        if entry is not None:
            posted += entry.money.amount if entry.credit == BANK else -entry.money.amount
    repeated = _failed_before(ports, run, merchant_account)
    return replace(found.sums, posted=posted, differs=differs, repeated=repeated)


def _failed_before(ports: HasStore, run: SettlementRun, merchant_account: str) -> Decimal:
    """What the merchant's bank rejected in the run before."""
    before = run_before(ports, run.institute, run.day)
    if before is None:
        return ZERO
    found = ports.store.get(Aggregation, aggregation_id(before.id, merchant_account))
    if found is None or not found.sums.has_failed_payout:
        return ZERO
    # Runs of before have no such sum.
    return found.sums.failed or found.sums.net - found.sums.payout
