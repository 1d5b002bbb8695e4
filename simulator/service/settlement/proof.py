"""Whether the lines of a run close: what they add up to is what was paid out, and what was posted.

Choice: D-403.
"""

from simulator.domain.core.records import LedgerEntry
from simulator.domain.settlement.runs import SettlementRun
from simulator.domain.settlement.sums import AccountSums
from simulator.grammar.payment_types import BANK
from simulator.service.settlement.runs import SettlementPorts, lines_of, with_pauses

PAYOUT = ".payout"


def sums_of(ports: SettlementPorts, run: SettlementRun, merchant_account: str) -> AccountSums:
    """What the lines of a merchant account add up to, and what was posted of them."""
    sums = AccountSums(merchant_account=merchant_account)
    for settled in with_pauses(ports, lines_of(ports, run, merchant_account)):
        sums.add(settled.record)
        posting = ports.store.get(LedgerEntry, settled.id + PAYOUT)
        if posting is not None:
            sign = 1 if posting.credit == BANK else -1
            sums.posted += sign * posting.money.amount
    return sums
