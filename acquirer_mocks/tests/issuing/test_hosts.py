"""What an issuer keeps of a card it keeps for each host: a test payment changes no live one."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from acquirer_mocks.tests.issuing.cards import SmallCard
from acquirer_mocks.tests.issuing.counters import Counter, ExternalCounter, InternalCounter, Till
from simulator.domain.acquiring.chip_cards import ChipCard
from simulator.domain.acquiring.issuing import CardAccount, Movement
from simulator.domain.core.hosts import LIVE
from simulator.domain.core.ports import unit_of
from simulator.tests.acquiring.test_external import Shop, code_of
from simulator.tests.kit.gateway import Gateway
from simulator.tests.sandboxes.test_snapshots import restore, snapshot

PAID = {
    "paymentBrand": "MASTER", "card.number": SmallCard("poor").profile.number,
    "card.expiryYear": "2031", "card.expiryMonth": "12",
}  # fmt: skip


class Tills(NamedTuple):
    """A till of each host at one counter."""

    test: Till
    live: Till


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    made = Gateway(tmp_path, durability="os")
    yield made
    made.close()


@pytest.fixture(params=["INTERNAL", "EXTERNAL"])
def tills(request: pytest.FixtureRequest, gateway: Gateway) -> Tills:
    is_internal = request.param == "INTERNAL"
    counter: Counter = InternalCounter() if is_internal else ExternalCounter(gateway)
    return Tills(Till(counter), Till(counter, LIVE))


@pytest.mark.parametrize("read", ["05", "07", "90"])
def test_wrong_pins_of_one_host_block_no_pin_on_the_other(tills: Tills, read: str) -> None:
    card = SmallCard("gold")
    answers = [tills.test.sell(card, read=read, pin="9999").response for _ in range(3)]
    assert answers == ["55", "55", "75"]
    assert tills.live.sell(card, read=read, pin="1234").response == "00"
    assert tills.test.sell(card, read=read, pin="1234").response == "75"


def test_taps_of_one_host_count_on_no_other(tills: Tills) -> None:
    card = SmallCard("gold")
    for till in tills:
        answers = [till.sell(card, "10.00", read="07").response for _ in range(6)]
        assert answers == ["00"] * 5 + ["65"]


def test_a_counter_of_one_host_is_none_on_the_other(tills: Tills) -> None:
    card = SmallCard("gold")
    chip = card.chip()
    assert [till.sell(card, chip=chip).response for till in tills] == ["00", "00"]
    assert [till.sell(card, chip=chip).response for till in tills] == ["05", "05"]


def test_each_host_has_an_account_of_a_card(tills: Tills) -> None:
    card = SmallCard("poor")
    for till in tills:
        assert [till.sell(card, "45.00").response for _ in range(2)] == ["00", "51"]


def test_what_earlier_builds_kept_is_of_the_test_host(tills: Tills) -> None:
    card = SmallCard("poor")
    kept = (ChipCard(id="poor.01", wrong_pins=3), CardAccount(id="poor.EUR", taken=Decimal(50)))
    tills.test.counter.store.commit(unit_of(*kept))
    assert tills.live.sell(card, "45.00", pin="1234").response == "00"
    assert tills.test.sell(card, "45.00", pin="1234").response == "75"
    assert tills.test.sell(card, "45.00").response == "51"


@pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])
def test_a_live_payment_and_what_refers_to_it_have_the_live_account(
    gateway: Gateway, mode: str
) -> None:
    shop = Shop(gateway)
    for who in (shop.who, shop.live):
        asked = {**PAID, "paymentType": "PA", "amount": "45.00", "testMode": mode}
        first = gateway.post(who=who, **asked).json
        assert code_of(first) == code_of(gateway.post(who=who, **{**asked, "amount": "5.00"}).json)
        assert code_of(gateway.post(who=who, **asked).json) == "800.100.155"
        capture = {"entityId": who.entity_id, "paymentType": "CP", "amount": "45.00"}
        path = f"/v1/payments/{first['id']}"
        captured = gateway.send(path, {**capture, "currency": "EUR"}, who).json
        assert code_of(captured) == code_of(first)
    taken = snapshot(gateway, shop.identity).content
    assert restore(gateway, taken).status_code == 200
    accounts = [shop.ports.store.get(CardAccount, f"poor.EUR{end}") for end in ("", ".live")]
    assert [(each.held, each.taken) for each in accounts] == [(Decimal(5), Decimal(45))] * 2


def test_a_capture_is_of_the_account_of_its_authorization(gateway: Gateway) -> None:
    """Also of a live one that an earlier build authorized on the account of both hosts."""
    shop = Shop(gateway)
    first = gateway.post(who=shop.live, **PAID, paymentType="PA", amount="45.00").json
    store = shop.ports.store
    movement, account = store.get(Movement, first["id"]), CardAccount(id="poor.EUR")
    as_before = {"account": account.id, "version": movement.version}
    store.commit(unit_of(replace(movement, **as_before), replace(account, held=Decimal(45))))
    capture = {"entityId": shop.live.entity_id, "paymentType": "CP", "amount": "45.00"}
    gateway.send(f"/v1/payments/{first['id']}", {**capture, "currency": "EUR"}, shop.live)
    account = store.get(CardAccount, "poor.EUR")
    assert (account.held, account.taken) == (Decimal(0), Decimal(45))
