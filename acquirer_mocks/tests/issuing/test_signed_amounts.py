"""A chip signs what its holder saw: its cryptogram pays that amount in that currency."""

import pytest

from acquirer_mocks.tests.issuing.cards import SmallCard
from acquirer_mocks.tests.issuing.counters import Till
from simulator.domain.core.records import PaymentType

USD, JPY, KWD = "0840", "0392", "0414"


@pytest.mark.parametrize("read", ["05", "07"])
@pytest.mark.parametrize("amount", ["1000.00", "100.00", "1.01", "0.99"])
def test_a_cryptogram_for_another_amount_pays_nothing(till: Till, amount: str, read: str) -> None:
    card = SmallCard("gold")
    answer = till.sell(card, amount, read=read, chip=card.chip(amount=100))
    assert (answer.response, answer.outcome.code) == ("05", "800.100.183")
    (finding,) = till.findings()
    said = f"9F02: the card signed 1.00 EUR, {amount} EUR is asked for"
    assert (finding.response, finding.reason, answer.reason) == ("88", said, f"issuer: {said}")
    assert till.charged(card) == "0.00"


def test_a_cryptogram_for_another_currency_pays_nothing(till: Till) -> None:
    card = SmallCard("tap-old")
    answer = till.sell(card, "1.00", chip=card.chip(amount=100), currency="USD")
    assert (answer.response, answer.outcome.code) == ("88", "800.100.152")
    assert answer.reason == "issuer: 5F2A: the card signed currency 978, 840 is asked for"


@pytest.mark.parametrize("kind", [PaymentType.DB, PaymentType.PA])
def test_a_cryptogram_for_a_credit_charges_nothing(till: Till, kind: PaymentType) -> None:
    card = SmallCard("gold")
    answer = till.sell(card, chip=card.chip(**{"9C": "20"}), kind=kind)
    assert answer.response == "05"
    assert answer.reason == "issuer: 9C: the card signed a credit"


@pytest.mark.parametrize("kind", ["00", "01", "09"])
def test_sales_cash_and_sales_with_cash_charge(till: Till, kind: str) -> None:
    card = SmallCard("gold")
    chip = card.chip(**{"9C": kind, "9F03": "000000002000"})
    assert till.sell(card, chip=chip).response == "00"


@pytest.mark.parametrize(
    ("amount", "currency", "number", "signed"),
    [
        ("500.00", "JPY", JPY, 500),
        ("7.50", "KWD", KWD, 7500),
        ("92.00", "USD", USD, 9200),
    ],
)
def test_an_amount_is_signed_in_the_smallest_unit(
    till: Till, *, amount: str, currency: str, number: str, signed: int
) -> None:
    card = SmallCard("gold")
    chip = card.chip(amount=signed, **{"5F2A": number})
    assert till.sell(card, amount, chip=chip, currency=currency).response == "00"
    other = card.chip(amount=signed * 10, **{"5F2A": number})
    assert till.sell(card, amount, chip=other, currency=currency).response == "05"


def test_an_amount_that_is_none_pays_nothing(till: Till) -> None:
    card = SmallCard("gold")
    answer = till.sell(card, chip=card.chip(**{"9F02": "00000000FFFF"}))
    assert answer.reason == "issuer: 9F02: the card signed no amount, 92.00 EUR is asked for"


def test_the_counter_of_a_cryptogram_for_another_amount_is_used_up(till: Till) -> None:
    card = SmallCard("gold")
    chip = card.chip(amount=100)
    assert till.sell(card, "1000.00", chip=chip).response == "05"
    assert till.known(card).counter == 1
    assert till.sell(card, "1.00", chip=chip).reason.endswith("a payment is repeated")


def test_an_offline_approval_of_another_amount_may_be_charged_back(till: Till) -> None:
    card = SmallCard("offline")
    chip = card.chip(amount=100)
    assert till.sell(card).response == "00"
    # It comes late, behind a payment with a higher counter.
    assert till.sell(card, "30.00", chip=chip, is_offline=True).response == "00"
    (finding,) = till.findings()
    assert finding.may_be_charged_back
    assert finding.reason.startswith("9F02")


@pytest.mark.parametrize("amount", [0, 9200, 100])
def test_a_refund_is_for_any_amount_that_its_card_signed(till: Till, amount: int) -> None:
    card = SmallCard("gold")
    till.sell(card, pin="1234")
    chip = card.chip(amount=amount, **{"9C": "20"})
    assert till.sell(card, kind=PaymentType.CD, chip=chip).response == "00"
    assert till.charged(card) == "0.00"


def test_a_part_is_approved_of_the_amount_that_the_card_signed(till: Till) -> None:
    answer = till.sell(SmallCard("poor"), "100.00", pin="1234")
    assert (answer.response, answer.outcome.approved is not None) == ("10", True)
