"""Payments that the card host knows: what it has of a reversal is in the files as well."""

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from msgspec.structs import replace

from features.reconciling.settlement_csv import read_records
from simulator.domain.acquiring.host_entries import UNANSWERED
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Payment, State
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.settlement.agreement.merchant import BEFORE_CUT_OFF
from simulator.tests.settlement.agreement.test_ledger_and_files import moved_in
from simulator.tests.settlement.agreement.trees import WHOLE, make_over_days, shapes
from simulator.tests.settlement.test_runs import INSTITUTES


class External:
    """A sandbox whose cards are decided by the card host and settle at one institute."""

    def __init__(self, folder: Path, institute: str):
        self.folder = folder
        self.gateway = Gateway(folder, is_described=False)
        asked = {
            "profile": "field",
            "throttle": "off",
            "clock": {"mode": "frozen", "at": BEFORE_CUT_OFF[institute].isoformat()},
            "merchants": [{"channels": [{"clearing_institute": institute}]}],
        }
        made = self.gateway.control("POST", "/sandboxes", asked).json
        self.id, self.who = made["id"], Credentials(made["token"], made["entity_id"])
        self.ports = self.gateway.ports(self.id)

    def pay(self, kind: str) -> str:
        sent = {"paymentType": kind.partition(" of ")[0], "amount": WHOLE, "testMode": "EXTERNAL"}
        return str(self.gateway.post(who=self.who, **sent).json["id"])

    def refer(self, payment: str, kind: str, amount: str) -> str | None:
        sent = {"entityId": self.who.entity_id, "paymentType": kind}
        sent |= {} if kind == "RV" else {"amount": amount, "currency": "EUR"}
        answer = self.gateway.send(f"/v1/payments/{payment}", sent, self.who).json
        return str(answer["id"]) if answer["result"]["code"].startswith("000.100") else None

    def begin_day(self, number: int) -> None:
        path, by = f"/sandboxes/{self.id}", "1h" if number == 1 else "8d"
        self.gateway.control("POST", f"{path}/clock/advance", {"by": by})
        self.gateway.control("POST", f"{path}/settlements", {})

    def lines(self) -> dict[str, Decimal]:
        found: dict[str, Decimal] = defaultdict(Decimal)
        for file in (self.folder / self.id / "outgoing").rglob("*.csv"):
            for record in read_records(file):
                if record["ReconciliationType"] != "FEE":
                    sign = 1 if record["Cashflow"] == "POS" else -1
                    found[record["UniqueID"]] += sign * record.amount("Amount")
        return found


@pytest.fixture(params=INSTITUTES)
def external(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[External]:
    made = External(tmp_path, request.param)
    yield made
    made.gateway.close()


def test_the_lines_of_the_card_host_are_what_the_ledger_moved(external: External) -> None:
    made = make_over_days(external, shapes(external, 1), external.begin_day)
    external.begin_day(9)
    lines, entries = external.lines(), moved_in(external.ports.store)

    wrong = [
        (shape, [(str(lines[each]), str(entries[each])) for each in ids])
        for shape, ids in made
        if sum(lines[each] for each in ids) != sum(entries[each] for each in ids)
    ]

    assert any(
        step.kind == "RV" and shape.first == "DB" for shape, _ in made for step in shape.steps
    )
    assert wrong == []


def test_what_the_host_approved_without_an_answer_is_matched(external: External) -> None:
    lost, store = external.pay("DB"), external.ports.store
    failed = {"state": State.FAILED, "outcome": UNANSWERED, "posted": None, "posted_at": None}
    store.commit(unit_of(replace(store.get(Payment, lost), **failed)))

    external.begin_day(1)
    external.begin_day(2)

    assert external.lines() == {lost: Decimal(WHOLE)}


@pytest.mark.parametrize("is_later", [True, False])
def test_a_debit_that_the_host_has_reversed_moves_nothing_in_the_end(
    external: External, *, is_later: bool
) -> None:
    sale = external.pay("DB")
    if is_later:
        external.begin_day(1)
    reversal = external.refer(sale, "RV", "")

    external.begin_day(2)

    expected = {sale: Decimal(WHOLE), reversal: -Decimal(WHOLE)} if is_later else {}
    assert external.lines() == expected
