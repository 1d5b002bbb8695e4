"""The security code of a form that waits for a summary page is stored nowhere. Choice: D-42."""

from datetime import timedelta
from pathlib import Path

import pytest

from simulator.adapters.sandboxes.unstored_codes import ENTRIES_MAX, LASTS, UnstoredCodes
from simulator.service.checkouts.summaries import kept_fields
from simulator.tests.checkouts.test_form_summaries import PAYER, confirm, keep, stored
from simulator.tests.kit.checkout_shop import DECLINE, Shop, code_of
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.making import NOON
from simulator.tests.kit.twins import HandClock

CODE = {"card.cvv": "739"}
DEMANDING = {"merchants": [{"channels": [{"cvv": "required"}]}]}


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway, **DEMANDING)


def opened(shop: Shop, checkout: str) -> str:
    """What the record of a kept form holds, for one who has its key."""
    kept = stored(shop, checkout)
    assert kept is not None
    return shop.gateway.ports(shop.sandbox).vault.open(checkout, kept.sealed)


def waiting(shop: Shop, checkout: str) -> dict[str, str]:
    """The code that waits for a confirmation."""
    kept = stored(shop, checkout)
    assert kept is not None
    return dict(shop.gateway.ports(shop.sandbox).codes.find(checkout, kept.sealed))


def test_the_record_of_a_form_has_no_code_and_the_payment_has(shop: Shop) -> None:
    checkout = shop.prepare()
    keep(shop, checkout, {**PAYER, **CODE})
    record = opened(shop, checkout)

    confirm(shop, checkout)

    assert "card.number" in record and '"739"' not in record and "cvv" not in record
    assert code_of(shop.get(f"/{checkout}/payment")) == "000.100.110"


@pytest.mark.parametrize(
    ("channel", "code"), [({"cvv": "required"}, "000.200.000"), ({}, "000.100.110")]
)
def test_after_a_restart_a_form_is_paid_with_without_its_code(
    tmp_path: Path, channel: dict[str, str], code: str
) -> None:
    before = Gateway(tmp_path, durability="disk")
    shop = Shop(before, merchants=[{"channels": [channel]}])
    checkout = shop.prepare()
    keep(shop, checkout, {**PAYER, **CODE})
    before.close()

    shop.gateway = after = Gateway(tmp_path, durability="disk")

    led = confirm(shop, checkout)
    assert led.status_code == 303 and led.headers["Location"].startswith("https://shop.example/")
    assert code_of(shop.get(f"/{checkout}/payment")) == code
    if channel:
        keep(shop, checkout, {**PAYER, **CODE})
        confirm(shop, checkout)
    assert code_of(shop.get(f"/{checkout}/payment")) == "000.100.110"
    after.close()


def test_any_payment_of_the_checkout_erases_the_code(shop: Shop) -> None:
    checkout = shop.prepare()
    keep(shop, checkout, {**PAYER, **CODE})
    kept = stored(shop, checkout)
    assert waiting(shop, checkout) == CODE

    shop.pay(checkout, **DECLINE)

    assert not shop.gateway.ports(shop.sandbox).codes.find(checkout, kept.sealed)


def test_the_end_of_the_checkout_erases_the_code(shop: Shop) -> None:
    codes = shop.gateway.ports(shop.sandbox).codes
    late, removed = shop.prepare(), shop.prepare()
    for each in (late, removed):
        keep(shop, each, {**PAYER, **CODE})
    sealed = {each: stored(shop, each).sealed for each in (late, removed)}

    shop.ask("DELETE", f"/{removed}")
    shop.advance("30m")

    assert not any(codes.find(each, sealed[each]) for each in (late, removed))


def test_a_form_without_a_code_is_not_paid_with_the_code_of_another(shop: Shop) -> None:
    checkout = shop.prepare()
    keep(shop, checkout, {**PAYER, **CODE})
    keep(shop, checkout, {name: value for name, value in PAYER.items() if name != "card.cvv"})

    confirm(shop, checkout)

    assert code_of(shop.get(f"/{checkout}/payment")) == "000.200.000"


def test_only_so_many_codes_wait_and_only_so_long() -> None:
    clock = HandClock(NOON)
    codes = UnstoredCodes(clock)
    for number in range(ENTRIES_MAX + 1):
        codes.keep(f"{number}", "sealed", CODE)
    assert not codes.find("0", "sealed")
    assert codes.find("1", "sealed") == CODE and not codes.find("1", "of another form")

    clock.advance(LASTS - timedelta(seconds=1))
    codes.keep("new", "sealed", CODE)
    clock.advance(timedelta(seconds=1))

    assert codes.find("new", "sealed") == CODE
    assert not codes.find("2", "sealed")


def test_the_code_of_a_form_is_kept_with_the_fields_it_belongs_to(shop: Shop) -> None:
    checkout = shop.prepare()
    keep(shop, checkout, {**PAYER, **CODE})
    kept = stored(shop, checkout)
    assert kept is not None
    ports = shop.gateway.ports(shop.sandbox)
    assert kept_fields(ports, kept).sent["card.cvv"] == "739"
    assert "cvv" not in repr(kept_fields(ports, kept))
