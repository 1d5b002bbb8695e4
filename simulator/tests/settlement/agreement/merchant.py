"""A merchant whose bank day is nearly over: what it does now can be of one day or of the next."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from features.reconciling.rules import broken_rules
from features.reconciling.settlement_csv import SettledRecord, read_records
from simulator.domain.core.errors import Refusal
from simulator.domain.settlement.runs import SettlementRun
from simulator.service.settlement.runs import settle_until
from simulator.tests.kit.stored import ACCOUNT
from simulator.tests.payments.test_references import paid, refer
from simulator.tests.settlement.agreement.trees import WHOLE
from simulator.tests.settlement.test_runs import INSTITUTES, Settled

# Half an hour before a cut-off; half an hour after it the day in UTC is the same one.
BEFORE_CUT_OFF = {
    "Sandgate Clearing": datetime(2030, 1, 3, 22, 30, tzinfo=UTC),
    "Sandgate Acquiring": datetime(2030, 1, 3, 21, 30, tzinfo=UTC),
    "Sandgate Bank": datetime(2030, 1, 4, 3, 30, tzinfo=UTC),
}
HOUR, DAYS = timedelta(hours=1), timedelta(days=8)
NO_CARD = dict.fromkeys(("card.number", "card.expiryMonth", "card.expiryYear", "card.cvv"), "")
# A name ends with the bank day and the part.
ENDING = len("2030-01-04_001.csv")


class Merchant:
    """Payments that settle at one institute, those of bank accounts at their own."""

    def __init__(self, folder: Path, institute: str):
        self.folder, self.institute = folder, institute
        self._settled = Settled(folder, institute)
        self.clock, self.context = self._settled.clock, self._settled.context
        self.store = self._settled.store
        self.clock.advance(BEFORE_CUT_OFF[institute] - self.clock.now())
        self.runs: list[SettlementRun] = []

    def pay(self, kind: str, amount: str = WHOLE, **more: str) -> str:
        """The id of an initial payment, as DB or DB of a bank account."""
        code = kind.partition(" of ")[0]
        more = ACCOUNT | NO_CARD | more if kind != code else more
        return paid(self.context, code, amount, **more).id

    def refer(self, payment: str, kind: str, amount: str, currency: str = "EUR") -> str | None:
        """The id of what refers to a payment; None where it is refused."""
        sent = None if kind == "RV" else amount
        try:
            return refer(self.context, payment, kind, sent, currency).id
        except Refusal:
            return None

    def pass_cut_off(self) -> None:
        """The bank day ends."""
        self.clock.advance(HOUR)

    def settle(self) -> None:
        """Run what is over at every institute."""
        for institute in INSTITUTES:
            self.runs += settle_until(self.context.ports, institute, None)

    def begin_day(self, number: int) -> None:
        """Settle what is over at the beginning of a later day: the first begins within the hour."""
        self.clock.advance(HOUR if number == 1 else DAYS)
        self.settle()

    def arm(self, plan: str) -> None:
        """Plant faults in the next file of the institute."""
        self._settled.arm(plan)

    def balances(self) -> dict[str, Decimal]:
        """What is on each account of the ledger."""
        return self._settled.balances()

    def files(self) -> list[Path]:
        """What the merchant has been delivered, oldest first."""
        found = (self.folder / "sandbox" / "outgoing").rglob("*.csv")
        return sorted(found, key=lambda each: (each.name[33:].partition("_")[2], each.name))


def broken_in(files: Iterable[Path]) -> list[str]:
    """The rules that files break, each read beside all of earlier days: a payout may repeat one
    that was rejected in them (D-721).
    """
    broken, earlier = list[str](), list[SettledRecord]()
    for file in sorted(files, key=lambda each: each.name[-ENDING:]):
        broken += map(str, broken_rules(read_records(file), earlier))
        earlier += (each for each in read_records(file) if each.is_batch)
    return broken
