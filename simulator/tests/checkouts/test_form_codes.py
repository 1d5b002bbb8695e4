"""The security code of a form that waits for a summary page is stored nowhere. Choice: D-42."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from weakref import ref

import gevent
import pytest
from msgspec.structs import replace

from simulator.adapters.sandboxes.unstored_codes import ENTRIES_MAX, UnstoredCodes
from simulator.domain.checkouts.checkouts import Checkout, allowing
from simulator.domain.checkouts.summaries import KeptForm
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import DiskError
from simulator.domain.core.ports import unit_of
from simulator.service.checkouts.checkouts import Submission, prepare_checkout, remove_checkout
from simulator.service.checkouts.summaries import keep_form, kept_fields
from simulator.tests.checkouts.test_checkouts_at_once import MONEY
from simulator.tests.checkouts.test_form_summaries import PAYER, confirm, keep, stored
from simulator.tests.kit.checkout_shop import DECLINE, Shop, code_of
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.making import FITTING, a_context, new_ids
from simulator.tests.sandboxes.test_snapshots import restore, snapshot

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


WITHOUT_CODE = {name: value for name, value in PAYER.items() if name != "card.cvv"}


def test_a_form_without_a_code_is_not_paid_with_the_code_of_another(gateway: Gateway) -> None:
    shop = Shop(gateway)
    checkout = shop.prepare()
    keep(shop, checkout, {**PAYER, **CODE})

    assert keep(shop, checkout, WITHOUT_CODE).status_code == 200

    assert not waiting(shop, checkout)


def test_a_form_without_a_code_that_the_channel_requires_leaves_the_former(shop: Shop) -> None:
    checkout = shop.prepare()
    keep(shop, checkout, {**PAYER, **CODE})

    assert code_of(keep(shop, checkout, WITHOUT_CODE)) == "100.100.600"

    assert waiting(shop, checkout) == CODE


def test_only_so_many_codes_wait() -> None:
    codes = UnstoredCodes().of("sandbox")
    for number in range(ENTRIES_MAX + 1):
        codes.keep(f"{number}", "sealed", CODE)
    assert not codes.find("0", "sealed")
    assert codes.find("1", "sealed") == CODE and not codes.find("1", "of another form")


def test_codes_of_one_sandbox_never_make_room_for_those_of_another() -> None:
    codes = UnstoredCodes()
    one, other = codes.of("one"), codes.of("other")
    other.keep("checkout", "sealed", CODE)

    for number in range(ENTRIES_MAX + 1):
        one.keep(f"{number}", "sealed", CODE)

    assert other.find("checkout", "sealed") == CODE


def test_where_all_have_too_many_the_sandbox_that_has_most_makes_room() -> None:
    codes = UnstoredCodes(most_in_all=5)
    one, other, third = (codes.of(each) for each in ("one", "other", "third"))
    for name in ("first", "second", "last"):
        one.keep(name, "sealed", CODE)
    for each in (other, third):
        each.keep("its own", "sealed", CODE)

    third.keep("another", "sealed", CODE)

    assert not one.find("first", "sealed") and one.find("last", "sealed") == CODE
    assert all(each.find("its own", "sealed") == CODE for each in (other, third))
    assert third.find("another", "sealed") == CODE


def test_codes_that_are_gone_leave_their_room() -> None:
    codes = UnstoredCodes(most_in_all=1)
    for sandbox in ("one", "other"):
        kept = codes.of(sandbox)
        kept.keep("checkout", "sealed", CODE)
        kept.keep("checkout", "sealed", {})
        kept.keep("checkout", "sealed anew", CODE)
        codes.erase_all(sandbox)
        assert not kept.find("checkout", "sealed anew")

    one, other = codes.of("one"), codes.of("other")
    one.keep("checkout", "sealed", CODE)
    assert one.find("checkout", "sealed") == CODE and not other.find("checkout", "sealed")


def test_the_code_of_a_form_is_kept_with_the_fields_it_belongs_to(shop: Shop) -> None:
    checkout = shop.prepare()
    keep(shop, checkout, {**PAYER, **CODE})
    kept = stored(shop, checkout)
    assert kept is not None
    ports = shop.gateway.ports(shop.sandbox)
    assert kept_fields(ports, kept).sent["card.cvv"] == "739"
    assert "cvv" not in repr(kept_fields(ports, kept))


@pytest.mark.parametrize("end", ["reset", "restore", "delete"])
def test_the_end_of_an_epoch_erases_the_codes_of_its_sandbox_alone(shop: Shop, end: str) -> None:
    other = Shop(shop.gateway, **DEMANDING)
    kept = [(each, each.prepare()) for each in (shop, other)]
    for each, checkout in kept:
        keep(each, checkout, {**PAYER, **CODE})
    codes, sealed = shop.gateway.ports(shop.sandbox).codes, stored(*kept[0]).sealed
    address = f"/sandboxes/{shop.sandbox}"

    if end == "restore":
        taken = snapshot(shop.gateway, shop.sandbox).content
        assert restore(shop.gateway, taken).status_code == 200
    elif end == "reset":
        assert shop.gateway.control("POST", f"{address}/reset").status_code == 200
    else:
        assert shop.gateway.control("DELETE", address).status_code == 200

    assert not codes.find(kept[0][1], sealed)
    assert waiting(*kept[1]) == CODE


def test_sandboxes_with_the_same_checkouts_have_codes_of_their_own() -> None:
    codes = UnstoredCodes()
    one, other = codes.of("one"), codes.of("other")
    for each in (one, other):
        each.keep("checkout", "sealed", CODE)

    one.erase("checkout")

    assert not one.find("checkout", "sealed")
    assert other.find("checkout", "sealed") == CODE


CAPABILITY = "hash of a capability"


class Meanwhile:
    """A store in which something happens once, before a commit or after it."""

    def __init__(self, store: object, happen: Callable[[], object], *, is_before: bool):
        self._store, self._happen, self._is_before = store, happen, is_before

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def commit(self, unit: object) -> None:
        happen, self._happen = self._happen, lambda: None
        if self._is_before:
            happen()
        self._store.commit(unit)
        if not self._is_before:
            happen()


def prepared_in(context: ChannelContext) -> str:
    """The id of a checkout with the capability of a form."""
    identity, store = prepare_checkout(context, MONEY).id, context.ports.store
    store.commit(unit_of(allowing(store.get(Checkout, identity), CAPABILITY)))
    return identity


def kept_in(context: ChannelContext, checkout: str, code: str) -> None:
    """A form with this code is kept."""
    sent = {**PAYER, "card.cvv": code}
    submission = Submission(sent, CAPABILITY, FITTING, FITTING)
    keep_form(context, checkout, submission, new_ids(context))


def code_in(context: ChannelContext, checkout: str) -> str | None:
    """The code of the form that is kept, as a payment with it would have it."""
    kept = context.ports.store.get(KeptForm, checkout)
    return kept_fields(context.ports, kept).sent.get("card.cvv")


def with_meanwhile(
    context: ChannelContext, happen: Callable[[], object], *, is_before: bool
) -> ChannelContext:
    """The same sandbox, where something happens around the next commit."""
    store = Meanwhile(context.ports.store, happen, is_before=is_before)
    return replace(context, ports=replace(context.ports, store=store))


@pytest.mark.parametrize(("is_before", "last"), [(True, "111"), (False, "222")])
def test_of_two_forms_at_once_code_and_record_are_of_the_same(is_before: bool, last: str) -> None:
    context = a_context()
    checkout = prepared_in(context)

    kept_in(
        with_meanwhile(context, lambda: kept_in(context, checkout, "222"), is_before=is_before),
        checkout,
        "111",
    )

    assert code_in(context, checkout) == last


def test_a_form_that_is_not_kept_leaves_the_code_of_the_former() -> None:
    context = a_context()
    checkout = prepared_in(context)
    kept_in(context, checkout, "111")

    def refuse() -> None:
        raise DiskError("log", "it is full")

    with pytest.raises(DiskError):
        kept_in(with_meanwhile(context, refuse, is_before=True), checkout, "222")

    assert code_in(context, checkout) == "111"


def test_a_form_whose_checkout_ends_meanwhile_leaves_no_code() -> None:
    context = a_context()
    checkout = prepared_in(context)
    found: list[KeptForm] = []

    def remove() -> None:
        found.append(context.ports.store.get(KeptForm, checkout))
        remove_checkout(context, checkout)

    kept_in(with_meanwhile(context, remove, is_before=False), checkout, "111")

    assert not context.ports.codes.find(checkout, found[0].sealed)


class Held(dict):
    """Codes of which is known whether anything still has them."""


def test_a_code_is_gone_in_time_although_nothing_else_happens() -> None:
    codes = UnstoredCodes(lasts=timedelta(milliseconds=20)).of("sandbox")
    held = Held(CODE)
    known = ref(held)
    codes.keep("checkout", "sealed", held)
    del held
    assert known() is not None

    gevent.sleep(0.1)

    assert known() is None
