"""Exchanges that share an ndc, as all about a checkout do in profile `field` (D-133): each is
shown, with what belongs to it and to no other.
"""

import pytest

from simulator.adapters.journal import MemoryJournal
from simulator.commands.control.journal import page_of
from simulator.domain.journal.exchanges import AcquirerExchange
from simulator.tests.kit.checkout_shop import Shop
from simulator.tests.kit.gateway import Gateway

DECLINED = {"card.holder": "800.100.153"}


class Shared:
    """A checkout that was posted to: what was wrong, what was declined, and its status."""

    def __init__(self, gateway: Gateway):
        self.shop = Shop(gateway, profile="field")
        self.gateway = gateway
        self.ndc = self.shop.prepare()
        for more in ({"card.expiryMonth": "13"}, DECLINED):
            assert self.shop.pay(self.ndc, **more).json["ndc"] == self.ndc
        assert self.shop.get(f"/{self.ndc}/payment").json["ndc"] == self.ndc

    def ask(self, path: str) -> dict:
        return self.gateway.control("GET", f"/sandboxes/{self.shop.sandbox}/{path}").json

    def shown(self, query: str = "") -> dict:
        return self.ask(f"journal/{self.ndc}{query}")


@pytest.fixture
def shared(gateway: Gateway) -> Shared:
    return Shared(gateway)


def test_the_newest_that_is_no_reading_is_shown_with_the_others_beside_it(shared: Shared) -> None:
    entry = shared.shown()
    assert (entry["method"], entry["code"]) == ("POST", "800.100.153")
    assert entry["decided_by"] == "card.holder"
    others = [(each["method"], each["code"]) for each in entry["exchanges"]]
    assert others == [
        ("POST", "000.200.100"),
        ("POST", "200.300.404"),
        ("POST", "800.100.153"),
        ("GET", "800.100.153"),
    ]
    assert "card.expiryMonth" in entry["exchanges"][1]["rules"][0]


def test_each_is_shown_by_its_number_with_what_belongs_to_it(shared: Shared) -> None:
    made, wrong, declined, read = (each["number"] for each in shared.shown()["exchanges"])
    by_number = {each: shared.shown(f"?number={each}") for each in (made, wrong, declined, read)}
    assert [by_number[each]["number"] for each in by_number] == [made, wrong, declined, read]
    assert by_number[wrong]["status"] == 400
    assert any("card.expiryMonth" in each for each in by_number[wrong]["rules"])
    decided = [by_number[each]["decided_by"] for each in (made, wrong, declined, read)]
    assert decided == ["", "", "card.holder", ""]
    assert [len(by_number[each]["messages"]) > 0 for each in by_number] == [
        False, False, True, False,
    ]  # fmt: skip


def test_a_search_mixes_them_neither(shared: Shared) -> None:
    found = shared.ask("journal?path=/v1/checkouts")["entries"]
    assert [each["decided_by"] for each in found] == ["", "card.holder", "", ""]


def test_a_status_that_is_read_meanwhile_takes_nothing_of_the_payment(
    shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = MemoryJournal.hold_acquirer_exchange

    def hold_and_read(journal: MemoryJournal, exchange: AcquirerExchange) -> None:
        hold(journal, exchange)
        assert shared.shop.get(f"/{shared.ndc}/payment").status_code == 200

    monkeypatch.setattr(MemoryJournal, "hold_acquirer_exchange", hold_and_read)
    assert shared.shop.pay(shared.ndc).status_code == 200

    reading, paying = shared.shown()["exchanges"][-2:]
    shown = {
        each["method"]: shared.shown(f"?number={each['number']}") for each in (reading, paying)
    }
    assert (shown["GET"]["decided_by"], shown["GET"]["messages"]) == ("", [])
    assert shown["POST"]["decided_by"] == "channel default"
    assert [each["sender"] for each in shown["POST"]["messages"]] == ["gateway", "acquirer"]


def test_a_number_of_another_exchange_is_unknown(shared: Shared) -> None:
    path = f"/sandboxes/{shared.shop.sandbox}/journal/{shared.ndc}?number="
    assert shared.gateway.control("GET", f"{path}999").status_code == 404
    assert shared.gateway.control("GET", f"{path}x").status_code == 400


def test_a_page_lists_the_others(shared: Shared) -> None:
    text = "\n".join(line.plain for line in page_of(shared.shown()))
    assert "requests with this ndc (--number shows one)" in text
    assert text.count("/payment") >= 3
    assert "card.expiryMonth" in text
