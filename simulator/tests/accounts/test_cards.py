"""Card rules: brand, detection, check digit, expiry and code, each refused with its own code."""

from datetime import date

import pytest
from msgspec.structs import replace

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.choices import CHOICES
from simulator.catalogue.test_cards import TEST_CARDS
from simulator.domain.accounts.accounts import account_of
from simulator.domain.core.card_ranges import BIN_LENGTH, detected_brand
from simulator.domain.core.entities import Channel
from simulator.domain.core.errors import Refusal
from simulator.grammar.choices import choose
from simulator.service.payments.pipeline import take_payment
from simulator.tests.kit.making import CARD, a_context, new_ids

CHOSEN = choose(CHOICES, "specification")
TODAY = date(2026, 11, 20)
CHANNEL = Channel(id="8" * 32, name="Channel", merchant_account="8" * 32)


@pytest.mark.parametrize("card", TEST_CARDS, ids=lambda card: card.number)
def test_a_test_card_is_of_the_brand_it_is_listed_under(card: object) -> None:
    sent = {**CARD, "card.number": card.number, "card.cvv": "1" * BRANDS[card.brand].cvv_length}
    del sent["paymentBrand"]
    assert account_of(sent, CHANNEL, choices=CHOSEN, today=TODAY).brand == card.brand


# fmt: off
@pytest.mark.parametrize(
    ("code", "channel", "change"),
    [
        ("100.100.101", {},                         {"card.number": "4200000000000001"}),
        ("100.100.101", {},                         {"card.number": "4444444444444444"}),
        ("100.100.101", {},                         {"card.number": "42000000000000000"}),
        ("100.100.700", {},                         {"card.number": "5454545454545454"}),
        ("100.100.303", {},
         {"card.expiryMonth": "10", "card.expiryYear": "2026"}),
        ("100.100.303", {},
         {"card.expiryMonth": "12", "card.expiryYear": "1999"}),
        ("100.100.601", {},                         {"card.cvv": "1234"}),
        ("100.100.600", {"cvv": "required"},        {"card.cvv": None}),
        ("100.100.501", {},                         {"paymentBrand": "UNKNOWN"}),
        ("100.100.500", {"brand_detection": False}, {"paymentBrand": None}),
        ("100.100.501", {},
         {"paymentBrand": None, "card.number": "9999999999999995"}),
        ("600.200.201", {"brands": ("MASTER",)},    {}),
    ],
)
# fmt: on
def test_a_card_that_breaks_a_rule_is_refused(change: dict, channel: dict, code: str) -> None:
    sent = {name: value for name, value in {**CARD, **change}.items() if value is not None}
    with pytest.raises(Refusal) as caught:
        account_of(sent, replace(CHANNEL, **channel), choices=CHOSEN, today=TODAY)
    assert caught.value.code == code
    assert sent["card.number"] not in str(caught.value)


def test_a_card_is_good_until_the_end_of_its_month() -> None:
    sent = {**CARD, "card.expiryMonth": "11", "card.expiryYear": "2026"}
    assert account_of(sent, CHANNEL, choices=CHOSEN, today=TODAY).brand == "VISA"


def test_a_code_is_optional_where_the_channel_does_not_require_it() -> None:
    sent = {name: value for name, value in CARD.items() if name != "card.cvv"}
    assert account_of(sent, CHANNEL, choices=CHOSEN, today=TODAY).brand == "VISA"


def test_the_longest_range_wins() -> None:
    assert detected_brand("606282"[:BIN_LENGTH]) == "MAESTRO"
    assert detected_brand("622126"[:BIN_LENGTH]) == "UNIONPAY"
    assert detected_brand("999999"[:BIN_LENGTH]) is None


def test_a_card_does_not_show_its_number() -> None:
    account = account_of(CARD, CHANNEL, choices=CHOSEN, today=TODAY)
    assert CARD["card.number"] not in repr(account)


@pytest.mark.parametrize(("kind", "code"), [("DB", "100.550.300"), ("CD", "100.550.300")])
def test_an_amount_of_nothing_verifies_a_card_and_buys_nothing(kind: str, code: str) -> None:
    context = a_context()
    nothing = {"amount": "0.00", "currency": "EUR", **CARD}
    assert take_payment(context, {"paymentType": "PA", **nothing}, new_ids(context)).outcome
    with pytest.raises(Refusal) as caught:
        take_payment(context, {"paymentType": kind, **nothing}, new_ids(context))
    assert caught.value.code == code


def test_a_channel_takes_its_currencies_only() -> None:
    context = a_context(channel={"currencies": ["EUR"]})
    sent = {"paymentType": "DB", "amount": "1.00", "currency": "USD", **CARD}
    with pytest.raises(Refusal) as caught:
        take_payment(context, sent, new_ids(context))
    assert caught.value.code == "600.200.500"
