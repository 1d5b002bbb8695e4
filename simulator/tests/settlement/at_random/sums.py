"""What files, ledger, the card host's books and the merchant say of the money of a sandbox."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from features.reconciling.settlement_csv import read_records
from simulator.domain.core.hosts import HOSTS
from simulator.domain.core.ports import key_of
from simulator.domain.core.records import Payment
from simulator.domain.payments.ledger import balances, entries_between
from simulator.service.settlement.history import last_runs
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.settlement.agreement.merchant import broken_in
from simulator.tests.settlement.agreement.test_ledger_and_files import moved_in

APPROVED = re.compile(r"000\.000\.|000\.100\.[12]|000\.[36]|000\.400\.[01]")
PENDING, UNANSWERED = "000.200", "900."
SALES = ("DB", "PA.CP", "CP", "RB")
RUNS_MAX = 500


class Answered(NamedTuple):
    """What the merchant asked for, and what the answer said."""

    kind: str
    amount: Decimal
    parent: str
    code: str
    who: Credentials

    @property
    def is_stored(self) -> bool:
        """Whether there has to be a payment."""
        return bool(APPROVED.match(self.code)) or self.code.startswith((PENDING, UNANSWERED))


class Books(NamedTuple):
    """A sandbox of a gateway with data in a folder."""

    gateway: Gateway
    folder: Path
    sandbox: str

    @property
    def ports(self) -> Any:
        """Those behind the API."""
        return self.gateway.ports(self.sandbox)

    def wrong(self, answered: Mapping[str, Answered]) -> list[str]:
        """Everything that does not agree, once nothing is under way or left to settle."""
        found = [*self._wrong_answers(answered), *self._wrong_trees(), *self._wrong_runs()]
        books = self.gateway.control("GET", f"/sandboxes/{self.sandbox}/books").json
        found += [f"books: {each}" for each in (*books["differences"], *books["under_way"])]
        owed = balances(entries_between(self.ports.store, "", "~"))["merchant"]
        return [*found, f"{owed} is owed"] if owed else found

    def _wrong_answers(self, answered: Mapping[str, Answered]) -> Iterator[str]:
        store, moved = self.ports.store, moved_in(self.ports.store)
        for key, said in answered.items():
            if store.get(Payment, key) is None:
                if said.is_stored:
                    yield f"{key} was answered with {said.code} and is gone"
                continue
            code = self.gateway.read(key, said.who).json["result"]["code"]
            if code != said.code and not said.code.startswith(PENDING):
                yield f"{key} was answered with {said.code} and reads {code}"
            expected = expected_of(said, answered) if APPROVED.match(code) else Decimal(0)
            if expected not in (None, moved[key]):
                yield f"{said.kind} {key} moved {moved[key]}, expected {expected}"

    def _wrong_trees(self) -> Iterator[str]:
        """A debit that is reversed before its cut-off has no line, and nor has its reversal: what
        a tree moved is the same.
        """
        parents = {each.id: each.referenced for each in self._payments()}
        sums: dict[str, Decimal] = defaultdict(Decimal)
        for key, amount in self._lines().items():
            sums[_root(parents, key)] += amount
        for key, amount in moved_in(self.ports.store).items():
            sums[_root(parents, key)] -= amount
        for key, amount in sums.items():
            if amount and "." not in key:
                yield f"tree of {key}: the files say {amount} more than the ledger"

    def _wrong_runs(self) -> Iterator[str]:
        last = {}
        for run in last_runs(self.ports, RUNS_MAX):
            last[run.institute] = run
            if run.state != "delivered":
                yield f"{run.id} is {run.state}: {run.problem}"
        yield from (f"{run.id} has {run.open} open" for run in last.values() if run.open)

    def _lines(self) -> Mapping[str, Decimal]:
        """What the files say of each payment, each of which obeys the rules."""
        found: dict[str, Decimal] = defaultdict(Decimal)
        files = [*(self.folder / self.sandbox / "outgoing").rglob("*_[0-9][0-9][0-9].csv")]
        assert broken_in(files) == []
        for file in files:
            for record in read_records(file):
                if record["ReconciliationType"] != "FEE":
                    sign = 1 if record["Cashflow"] == "POS" else -1
                    found[record["UniqueID"]] += sign * record.amount("Amount")
        return found

    def _payments(self) -> Iterator[Payment]:
        for merchant, host in product(self.ports.sandbox.merchants, HOSTS):
            bounds = key_of(merchant.id, host, ""), key_of(merchant.id, host, "~")
            yield from self.ports.store.between(Payment, "host_history", *bounds)


def expected_of(said: Answered, answered: Mapping[str, Answered]) -> Decimal | None:
    """What an approved payment moves to the merchant; None where that is not said here."""
    if said.kind in SALES:
        return said.amount
    if said.kind in ("PA", "CD"):
        return -said.amount if said.kind == "CD" else Decimal(0)
    parent = answered.get(said.parent)
    if said.kind == "RF" and parent is not None and parent.kind == "PA":
        # It refunds a capture of that authorization. Choice: D-281.
        return -said.amount
    about = None if parent is None else expected_of(parent, answered)
    if about is None or said.kind not in ("RF", "RV", "CB", "CR"):
        return None
    return (-said.amount).copy_sign(-about) if about else Decimal(0)


def _root(parents: Mapping[str, str | None], key: str) -> str:
    while parent := parents.get(key):
        key = parent
    return key
