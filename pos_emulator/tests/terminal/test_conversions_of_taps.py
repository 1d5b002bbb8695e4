"""A tap pays in the currency of the card: once more, because a cryptogram is for one amount.

The cards are of EUR. Choice: D-614.
"""

from decimal import Decimal
from types import SimpleNamespace

import pytest

from pos_emulator.card.faults import CardFaultKind, Fault
from pos_emulator.terminal.conversion.offers import CurrencyChoice
from pos_emulator.terminal.records import CurrencyOffer, Ending, Stage, TillOrder
from pos_emulator.tests.terminal.shop import SALE, Shop, ended
from pos_emulator.tests.terminal.test_conversions import RATES, at_gateway, is_balanced


@pytest.fixture
def counter(shop: Shop) -> Shop:
    """A shop whose terminal has rates, and a holder who pays in the card's currency."""
    shop.options["rates"] = RATES
    shop.restart()
    return shop


def prompts(shop: Shop) -> list[str]:
    return [each.text for each in shop.desk.prompts]


def tap(shop: Shop, *cards: str, amount: str = "24.00"):
    return shop.order(amount, cards=[shop.tap(name) for name in cards], currency="USD")


@pytest.mark.parametrize("card", ["gold", "offline", "tap"])
def test_who_chooses_the_cards_currency_taps_again(counter: Shop, card: str):
    entry = tap(counter, card)

    assert prompts(counter) == ["PRESENT CARD", "TAP AGAIN"]
    again = counter.desk.prompts[1]
    assert again.readers == {"tap"} and again.conversion.amount == Decimal("20.70")
    assert len(counter.desk.currencies) == 1
    assert ended(entry) == (Stage.APPROVED, Ending.APPROVED)
    assert entry.printed.entry_mode == "CONTACTLESS"
    assert at_gateway(counter, entry) == (Decimal("20.70"), "EUR")
    assert entry.approved == Decimal("24.00")
    is_balanced(counter)


def test_who_keeps_the_tills_currency_has_tapped(counter: Shop):
    counter.desk.pays_in = "USD"

    entry = tap(counter, "gold")

    assert prompts(counter) == ["PRESENT CARD"] and len(counter.desk.currencies) == 1
    assert at_gateway(counter, entry) == (Decimal("24.00"), "USD")
    is_balanced(counter)


def test_the_pin_is_asked_for_once_above_the_limit(counter: Shop):
    entry = tap(counter, "gold", amount="90.00")

    assert len(counter.desk.pin_prompts) == 1 and counter.desk.pin_prompts[0].amount == 7763
    assert at_gateway(counter, entry) == (Decimal("77.63"), "EUR")


def test_an_incorrect_pin_does_not_ask_for_the_currency_again(counter: Shop):
    entry = counter.order(
        "90.00", cards=[counter.tap("gold")], pins=["9999", "1234"], currency="USD"
    )

    assert prompts(counter) == ["PRESENT CARD", "TAP AGAIN", "WRONG PIN, TAP AGAIN"]
    assert len(counter.desk.currencies) == 1 and entry.ending is Ending.APPROVED
    assert at_gateway(counter, entry) == (Decimal("77.63"), "EUR")


def test_another_card_is_offered_for_itself(counter: Shop):
    entry = tap(counter, "gold", "online-only")

    assert prompts(counter) == ["PRESENT CARD", "TAP AGAIN", "TAP AGAIN", "TAP AGAIN"]
    assert len(counter.desk.currencies) == 2
    assert at_gateway(counter, entry) == (Decimal("20.70"), "EUR")
    is_balanced(counter)


def test_a_card_that_says_no_currency_pays_in_the_tills(counter: Shop):
    entry = tap(counter, "tap-old")

    assert counter.desk.currencies == []
    assert at_gateway(counter, entry) == (Decimal("24.00"), "USD")


@pytest.mark.parametrize(("kind", "is_offered"), [("40", False), ("00", False), ("80", True)])
def test_what_the_card_decides_itself_is_not_offered(kind: str, is_offered: bool):
    """The models send each tap online; a terminal with a floor limit does not."""
    asked = []

    def answer(offer: CurrencyOffer) -> bool:
        asked.append(offer)
        return False

    parts = SimpleNamespace(rates=RATES, stand=SimpleNamespace(choose_currency=answer))
    values = {"9F27": bytes.fromhex(kind), "9F42": bytes.fromhex("0978")}
    order = TillOrder(amount=Decimal("4.00"), currency="USD")

    CurrencyChoice(parts, order).at_tap(SimpleNamespace(values=values, account_number=lambda: "42"))

    assert bool(asked) is is_offered


def test_a_card_that_is_to_be_inserted_keeps_the_currency(counter: Shop):
    counter.sandbox.arm("soft-decline", times=1)

    entry = counter.order(
        "24.00", cards=[counter.tap("gold"), counter.tap("gold"), counter.insert("gold")],
        currency="USD",
    )  # fmt: skip

    assert prompts(counter) == ["PRESENT CARD", "TAP AGAIN", "INSERT CARD"]
    assert len(counter.desk.currencies) == 1 and entry.printed.entry_mode == "CHIP"
    assert at_gateway(counter, entry) == (Decimal("20.70"), "EUR")
    is_balanced(counter)


def test_another_card_that_is_inserted_is_offered_for_itself(counter: Shop):
    broken = counter.insert("gold", Fault(CardFaultKind.ERROR, "AC1"))

    entry = counter.order("24.00", cards=[broken, counter.insert("offline")], currency="USD")

    assert len(counter.desk.currencies) == 2, prompts(counter)
    assert at_gateway(counter, entry) == (Decimal("20.70"), "EUR")


def test_red_at_the_choice_ends_the_tap(counter: Shop):
    counter.desk.pays_in = None

    entry = tap(counter, "gold")

    assert entry.ending is Ending.CANCELED and counter.books()["lines"] == []


def test_a_lost_answer_to_the_second_tap_is_taken_back(counter: Shop):
    counter.sandbox.arm("connection-reset", times=1, match=SALE)

    entry = tap(counter, "gold")

    assert ended(entry) == (Stage.REVERSED, Ending.UNREACHABLE)
    is_balanced(counter)


def test_without_a_network_nothing_is_charged(counter: Shop):
    counter.terminal.network_up = False

    entry = tap(counter, "gold")

    assert entry.ending is Ending.UNREACHABLE and entry.conversion.currency == "EUR"
    counter.terminal.network_up = True
    is_balanced(counter)
