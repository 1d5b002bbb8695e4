"""A channel whose currencies change while something of it is open: that stays in its currency."""

from pathlib import Path

import pytest

from features.reconciling.settlement_csv import SettledRecord, read_records
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.settlement.agreement.merchant import BEFORE_CUT_OFF
from simulator.tests.settlement.test_runs import INSTITUTES


class Shop:
    """A merchant of a sandbox of its own, whose channel takes one currency."""

    def __init__(self, folder: Path, institute: str):
        self.folder, self.gateway = folder, Gateway(folder, is_described=False)
        channel = {"clearing_institute": institute, "currencies": ["USD"]}
        clock = {"mode": "frozen", "at": BEFORE_CUT_OFF[institute].isoformat()}
        asked = {"clock": clock, "merchants": [{"channels": [channel]}]}
        made = self.gateway.control("POST", "/sandboxes", asked).json
        self.path = f"/sandboxes/{made['id']}"
        (merchant,) = self.gateway.control("GET", self.path).json["merchants"]
        self.channel = f"{self.path}/merchants/{merchant['id']}/channels"
        self.channel += f"/{merchant['channels'][0]['id']}"
        self.who = Credentials(made["token"], made["entity_id"])
        self.institute = institute

    def plan(self, plan: str) -> None:
        """Plant a fault in the file of the day."""
        asked = {"institute": self.institute, "plan": plan}
        assert (
            self.gateway.control("POST", f"{self.path}/settlement-faults", asked).status_code == 201
        )

    def take(self, *currencies: str) -> None:
        """Let the channel take these instead."""
        asked = {"currencies": list(currencies)}
        assert self.gateway.control("PATCH", self.channel, asked).status_code == 200

    def pay(self, amount: str, currency: str) -> None:
        sent = {"paymentType": "DB", "amount": amount, "currency": currency}
        assert self.gateway.post(who=self.who, **sent).status_code == 200

    def settle(self, by: str) -> None:
        """Run what is over after this time."""
        self.gateway.control("POST", f"{self.path}/clock/advance", {"by": by})
        asked = {"institute": self.institute}
        assert self.gateway.control("POST", f"{self.path}/settlements", asked).status_code < 300

    def sums(self) -> list[dict]:
        """The sums of all merchant accounts in all runs."""
        runs = self.gateway.control("GET", f"{self.path}/settlements").json["runs"]
        shown = (
            self.gateway.control("GET", f"{self.path}/settlements/{each['id']}") for each in runs
        )
        return [account for each in shown for account in each.json["accounts"]]

    def lines(self) -> list[SettledRecord]:
        """What the merchant has been delivered."""
        return [
            each for file in self.folder.glob("*/outgoing/**/*.csv") for each in read_records(file)
        ]


@pytest.fixture(params=INSTITUTES)
def shop(request: pytest.FixtureRequest, tmp_path: Path):
    made = Shop(tmp_path, request.param)
    yield made
    made.gateway.close()


def payouts(shop: Shop) -> dict[str, tuple[str, str]]:
    """Amount and currency of each payout, by its status."""
    return {
        each["SettlementStatus"]: (each["SettlementAmount"], each["SettlementCurrency"])
        for each in shop.lines()
        if each["PaymentType"] == "BATCH"
    }


@pytest.mark.parametrize("later", [["JPY"], ["EUR"], []])
def test_a_rejected_payout_is_repeated_in_its_own_currency(shop: Shop, later: list[str]) -> None:
    shop.pay("1000.00", "USD")
    shop.plan("payout: rejected\n")
    shop.settle("1h")
    shop.take(*later)

    shop.settle("8d")

    paid = payouts(shop)
    assert paid["SUCCESS"] == paid["FAILED"]
    assert paid["FAILED"][1] == "USD"
    assert all(each["agrees"] for each in shop.sums() if each["lines"]), shop.sums()


def test_a_file_that_is_late_keeps_its_currency(shop: Shop) -> None:
    shop.pay("1000.00", "USD")
    shop.plan("file: late\n")
    shop.settle("1h")
    shop.take("EUR")
    shop.pay("5.00", "EUR")
    shop.settle("8d")

    assert {each["SettlementCurrency"] for each in shop.lines()} == {"USD", "EUR"}
    assert {each["currency"] for each in shop.sums()} == {"USD", "EUR"}
    assert all(each["agrees"] for each in shop.sums()), shop.sums()
