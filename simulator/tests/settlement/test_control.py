"""Settlement over the control API: run, show, plant faults, read the key, days by themselves."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import gevent
import pytest
from falcon.testing import create_environ

from simulator.adapters.background import Threads
from simulator.adapters.settlement.folders import PIECE_BYTES
from simulator.tests.kit.gateway import CONTROL_KEY, Credentials, Gateway

FROZEN = {"mode": "frozen", "at": "2030-01-03T12:00:00Z"}
SVG = "{http://www.w3.org/2000/svg}"
RUN = "2030-01-03.sandgate-clearing"


class Shop:
    """A merchant of a sandbox whose clock stands at noon of a bank day."""

    def __init__(self, folder: Path, **settings: object):
        self.folder = folder
        self.gateway = Gateway(folder, durability="disk", **settings)
        made = self.gateway.control("POST", "/sandboxes", {"clock": FROZEN}).json
        self.id = made["id"]
        (self.merchant,) = made["entities"]["merchants"]
        self.who = Credentials(made["token"], made["entity_id"])
        self.live = Credentials(made["live_token"], made["entity_id"], "live")

    def pay(self, **more: str) -> str:
        return str(self.gateway.post(who=self.who, paymentType="DB", **more).json["id"])

    def call(self, method: str, path: str, document: object = None) -> dict:
        return dict(self.gateway.control(method, f"/sandboxes/{self.id}{path}", document).json)

    def advance(self, by: str) -> None:
        self.call("POST", "/clock/advance", {"by": by})

    def restart(self) -> None:
        """Another process takes the folder up."""
        self.gateway.close()
        self.gateway = Gateway(self.folder, durability="disk")

    def is_mine(self, name: str) -> bool:
        """Whether the merchant of this shop sees a file."""
        folder = self.folder / self.id / "outgoing" / self.merchant["id"]
        return any(folder.rglob(name))

    def fetched(self, name: str) -> list[dict[str, str]]:
        """A file as its merchant sees it."""
        path = self.folder / self.id / "outgoing" / self.merchant["id"] / "reconciliation/2030-01"
        with (path / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file, delimiter=";"))


@pytest.fixture
def shop(tmp_path: Path):
    made = Shop(tmp_path)
    yield made
    made.gateway.close()


def test_nothing_is_settled_before_a_bank_day_is_over(shop: Shop) -> None:
    shop.pay()

    assert shop.call("POST", "/settlements", {}) == {"runs": [], "more": []}


def test_a_run_delivers_a_file_whose_sums_agree(shop: Shop) -> None:
    payment = shop.pay()
    shop.advance("1d")

    (run,) = shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})["runs"]
    shown = shop.call("GET", f"/settlements/{RUN}")

    (sums,) = shown["accounts"]
    (name,) = run["delivered"]
    assert shown["run"] == run
    assert (run["id"], run["state"], run["problem"]) == (RUN, "delivered", "")
    assert sums["agrees"] and sums["net"] == sums["payout"] == sums["posted"]
    assert payment in {row["UniqueID"] for row in shop.fetched(name)}


def test_no_payment_keeps_others_from_being_settled(shop: Shop) -> None:
    bank = {"card.number": "", "card.expiryMonth": "", "card.expiryYear": "", "card.cvv": "",
            "card.holder": "", "shopperResultUrl": "https://shop.test/"}  # fmt: skip
    paid = [
        shop.pay(),
        shop.pay(merchantTransactionId="order\n12345"),
        shop.pay(amount="9999999999.99", currency="EUR"),
        shop.pay(paymentBrand="SOFORTUEBERWEISUNG", **bank),
    ]
    large = [shop.pay(amount="9999999999.99", currency=each) for each in ("JPY", "KWD")]
    answers = [shop.gateway.read(each, shop.who).json for each in large]
    assert {each["result"]["code"] for each in answers} == {"800.100.174"}
    shop.advance("1d")

    runs = shop.call("POST", "/settlements", {})["runs"]
    settled = {row["UniqueID"] for run in runs for name in run["delivered"]
               for row in shop.fetched(name)}  # fmt: skip

    assert {(run["state"], run["problem"]) for run in runs} == {("delivered", "")}
    assert settled >= {*paid[:3]}
    assert settled.isdisjoint(large)


def test_a_long_brand_is_cut_to_the_length_of_its_column(shop: Shop) -> None:
    bank = {"bankAccount.country": "DE", "shopperResultUrl": "https://shop.test/",
            **dict.fromkeys(("card.number", "card.expiryMonth", "card.expiryYear", "card.cvv",
                             "card.holder"), "")}  # fmt: skip
    paid = shop.pay(paymentBrand="SOFORTUEBERWEISUNG", **bank)
    shop.call("POST", f"/pending/{paid}", {"outcome": "success"})
    shop.advance("1d")

    runs = shop.call("POST", "/settlements", {})["runs"]

    rows = [row for run in runs for name in run["delivered"] for row in shop.fetched(name)]
    assert [row["Brand"] for row in rows if row["UniqueID"] == paid] == ["SOFORTUEBERWEISU"]
    assert max(len(row["Brand"]) for row in rows) == 16


def test_a_run_is_drawn_from_its_sales_to_its_payout(shop: Shop) -> None:
    refunded = shop.pay()
    sent = {"entityId": shop.who.entity_id, "paymentType": "RF", "amount": "2.00"}
    shop.gateway.send(f"/v1/payments/{refunded}", {**sent, "currency": "EUR"}, shop.who)
    shop.advance("1d")
    shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})
    (sums,) = shop.call("GET", f"/settlements/{RUN}")["accounts"]

    drawn = shop.gateway.control("GET", f"/sandboxes/{shop.id}/settlements/{RUN}/picture.svg")

    texts = [each.text for each in ElementTree.fromstring(drawn.text).iter(f"{SVG}text")]
    assert drawn.headers["content-type"] == "image/svg+xml; charset=utf-8"
    assert f"merchant account {sums['merchant_account']}" in texts
    assert {"Sales 92.00 EUR", "Refunds 2.00 EUR", f"Payout {sums['payout']} EUR"} <= {*texts}
    assert f"Fees of payments {sums['fees']} EUR" in texts


def test_a_key_is_read_by_run_and_merchant_account(shop: Shop) -> None:
    payment = shop.pay()
    shop.advance("1d")
    shop.call("POST", "/settlement-faults", {
        "institute": "Sandgate Clearing", "plan": "counts: {amount_cent: 1}"})  # fmt: skip
    shop.call("POST", "/settlements", {})
    (account,) = shop.call("GET", f"/settlements/{RUN}")["accounts"]

    path = f"/sandboxes/{shop.id}/settlements/{RUN}/keys/{account['merchant_account']}"
    key = [json.loads(line) for line in shop.gateway.control("GET", path).text.splitlines()]

    planted = [row for row in key if row["planted"]]
    assert [row["planted"] for row in planted] == ["amount_cent"]
    assert planted[0]["truth"]["payments"] == [payment]


def test_a_plan_is_read_aside_in_turns_of_its_sandbox(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 64 KiB it takes some hundredths of a second; many may come at once."""
    done: list[tuple[str, str]] = []
    real = Threads.run

    def run(self: Threads, owner: str, work: Callable[..., object], *arguments: object) -> object:
        done.append((owner, work.__name__))
        return real(self, owner, work, *arguments)

    monkeypatch.setattr(Threads, "run", run)
    shop.call("POST", "/settlement-faults", {
        "institute": "Sandgate Clearing", "plan": "counts: {amount_cent: 1}"})  # fmt: skip

    assert (shop.id, "read_faults") in done


@pytest.mark.parametrize(
    ("path", "document", "where"),
    [
        ("/settlements", {"institute": "Nowhere"}, "institute"),
        ("/settlements", {"date": "tomorrow"}, "date"),
        ("/settlement-faults", {"institute": "Sandgate Bank", "plan": "counts: {x: 1}"}, "plan"),
        ("/settlement-faults", {"institute": "Nowhere", "plan": ""}, "institute"),
    ],
)
def test_what_cannot_be_done_is_named(shop: Shop, path: str, document: dict, where: str) -> None:
    answer = shop.gateway.control("POST", f"/sandboxes/{shop.id}{path}", document)

    assert answer.status_code == 400
    assert where in answer.text


def test_an_unknown_run_and_an_unknown_account_have_nothing(shop: Shop) -> None:
    shop.pay()
    shop.advance("1d")
    shop.call("POST", "/settlements", {})

    for path in ("2030-01-02.sandgate-clearing", f"{RUN}/keys/nothing"):
        found = shop.gateway.control("GET", f"/sandboxes/{shop.id}/settlements/{path}")
        assert found.status_code == 404


def test_daily_runs_settle_each_bank_day_by_themselves(
    shop: Shop, caplog: pytest.LogCaptureFixture
) -> None:
    """The advance and the calendar come to the same day at once, which is no fault of either."""
    shop.pay()
    asked = {"institute": "Sandgate Clearing", "daily": True}
    shop.call("POST", "/settlements", asked)

    shop.advance("40d")

    runs = shop.call("GET", "/settlements")["runs"]
    assert len(runs) == 28
    assert [run["day"] for run in runs] == sorted(run["day"] for run in runs)
    assert {run["state"] for run in runs} == {"delivered"}
    assert [each.getMessage() for each in caplog.records if each.levelname == "ERROR"] == []
    assert shop.call("POST", "/settlements", asked | {"daily": False}) == {"runs": [], "more": []}


def test_two_who_settle_a_day_at_once_get_the_same_run(shop: Shop) -> None:
    """Both once wrote the merchant's file, and one of them was answered 500."""
    shop.pay()
    shop.advance("2d")
    at_once = [gevent.spawn(shop.call, "POST", "/settlements", {}) for _ in range(4)]

    found = [each.get(timeout=20)["runs"] for each in at_once]

    assert found[0]
    assert all(each in (found[0], []) for each in found)
    (run,) = (each for each in shop.call("GET", "/settlements")["runs"] if each["id"] == RUN)
    assert len(run["delivered"]) == 1
    assert len(shop.fetched(run["delivered"][0])) > 1


def test_a_restart_keeps_runs_and_settles_nothing_again(shop: Shop) -> None:
    shop.pay()
    shop.advance("1d")
    before = shop.call("POST", "/settlements", {})["runs"]

    shop.restart()

    assert shop.call("POST", "/settlements", {}) == {"runs": [], "more": []}
    assert shop.call("GET", "/settlements")["runs"] == sorted(before, key=lambda run: run["id"])
    assert shop.call("GET", f"/settlements/{RUN}")["accounts"][0]["agrees"]


def test_a_sandbox_that_was_reset_gives_nothing_of_before(shop: Shop) -> None:
    before = shop.pay()
    shop.advance("1d")
    shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})
    shop.call("POST", "/reset", {})
    shop.call("PUT", "/clock", FROZEN)
    payment = shop.pay(amount="55.00")
    shop.advance("1d")

    (run,) = shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})["runs"]

    (name,) = run["delivered"]
    named = {row["UniqueID"] for row in shop.fetched(name)}
    assert payment in named and before not in named


def test_two_merchants_never_see_each_other(shop: Shop) -> None:
    other = shop.gateway.control("POST", f"/sandboxes/{shop.id}/merchants", {}).json
    shop.pay()
    theirs = Credentials(other["token"], other["channels"][0]["id"])
    paid = shop.gateway.post(who=theirs, paymentType="DB").json["id"]
    shop.advance("1d")

    shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})

    folder = shop.folder / shop.id / "outgoing" / shop.merchant["id"]
    mine = [path.read_text("utf-8") for path in folder.rglob("*.csv")]
    assert len(mine) == 1
    assert paid not in mine[0]


def test_a_line_of_another_merchant_is_left_out_and_counted(shop: Shop) -> None:
    other = shop.gateway.control("POST", f"/sandboxes/{shop.id}/merchants", {}).json
    theirs = Credentials(other["token"], other["channels"][0]["id"])
    paid = shop.gateway.post(who=theirs, paymentType="DB").json["id"]
    shop.pay()
    plan = {"institute": "Sandgate Clearing", "plan": "counts: {other_merchant: 1}"}
    shop.call("POST", "/settlement-faults", plan)
    shop.advance("1d")

    (run,) = shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})["runs"]

    mine, *_ = (name for name in run["delivered"] if shop.is_mine(name))
    assert run["problem"].startswith("1 lines name a payment or a merchant number of another")
    assert paid not in {row["UniqueID"] for row in shop.fetched(mine)}


def test_a_sandbox_that_was_emptied_settles_its_new_payments(shop: Shop) -> None:
    shop.pay()
    shop.advance("1d")
    shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})
    shop.call("POST", "/reset", {})
    assert not (shop.folder / shop.id / "outgoing").exists()
    shop.call("PUT", "/clock", FROZEN)

    payment = shop.pay(amount="7.00")
    shop.advance("1d")
    (run,) = shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})["runs"]

    (name,) = run["delivered"]
    assert payment in {row["UniqueID"] for row in shop.fetched(name)}


def test_a_long_key_is_sent_in_pieces(shop: Shop) -> None:
    shop.pay()
    shop.advance("1d")
    shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})
    account = shop.call("GET", f"/settlements/{RUN}")["accounts"][0]["merchant_account"]
    (file,) = (shop.folder / shop.id / "clearing").rglob(f"keys/{account}_*")
    file.write_bytes(file.read_bytes() * (3 * PIECE_BYTES // file.stat().st_size))
    path = f"/_sandbox/v1/sandboxes/{shop.id}/settlements/{RUN}/keys/{account}"
    environ = create_environ(path, headers={"Authorization": f"Bearer {CONTROL_KEY}"})

    pieces = list(shop.gateway.client.app(environ, lambda *_: None))

    assert b"".join(pieces) == file.read_bytes()
    assert max(map(len, pieces)) == PIECE_BYTES


def test_a_key_whose_file_is_gone_is_not_there(shop: Shop) -> None:
    shop.pay()
    shop.advance("1d")
    shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})
    for key in (shop.folder / shop.id / "clearing").rglob("keys/*"):
        key.unlink()

    account = shop.call("GET", f"/settlements/{RUN}")["accounts"][0]["merchant_account"]
    path = f"/sandboxes/{shop.id}/settlements/{RUN}/keys/{account}"

    assert shop.gateway.control("GET", path).status_code == 404
