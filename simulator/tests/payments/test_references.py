"""Who may refer to whom, for how much, and with which code the rest is refused, in the order of
precedence.
"""

from datetime import timedelta
from decimal import Decimal

import pytest
from msgspec.structs import replace

from simulator.domain.core.errors import Refusal, UnknownReference
from simulator.domain.core.records import Payment, PaymentType, State
from simulator.domain.payments.references import open_amount
from simulator.service.payments.payments import read_payment, refer_payment, take_payment
from simulator.tests.kit.making import CARD, DECLINED, Answering, a_seat, a_ticket

UNKNOWN = "8" + "0" * 31


def paid(seat, kind="PA", amount="100.00", **more) -> Payment:
    """An initial payment of 100.00 EUR."""
    sent = {"paymentType": kind, "amount": amount, "currency": "EUR", **CARD, **more}
    return take_payment(seat, sent, a_ticket(seat))


def refer(seat, to, kind, amount=None, currency="EUR") -> Payment:
    """A payment that refers to the id `to`."""
    sent = {"paymentType": kind}
    if amount is not None:
        sent |= {"amount": amount, "currency": currency}
    return refer_payment(seat, to, sent, a_ticket(seat))


def now(seat, payment) -> Payment:
    """The payment as stored."""
    return read_payment(seat, payment.id)


def refused(seat, to, kind, amount=None, currency="EUR") -> str:
    """The code of the refusal, which leaves no trace."""
    before = seat.ports.store.get(Payment, to)
    with pytest.raises(Refusal) as caught:
        refer(seat, to, kind, amount, currency)
    assert seat.ports.store.get(Payment, to) == before
    return caught.value.code


def test_several_partial_captures_may_take_exactly_the_authorised_sum() -> None:
    seat = a_seat()
    authorised = paid(seat)
    refer(seat, authorised.id, "CP", "60.00")
    assert now(seat, authorised).state is State.PARTLY_CAPTURED
    refer(seat, authorised.id, "CP", "40.00")
    assert now(seat, authorised).state is State.CAPTURED
    assert open_amount(now(seat, authorised)) == 0


@pytest.mark.parametrize("amount", ["40.01", "100.00", "9999999999.99"])
def test_a_capture_may_not_exceed_what_is_open(amount: str) -> None:
    seat = a_seat()
    authorised = paid(seat)
    refer(seat, authorised.id, "CP", "60.00")
    assert refused(seat, authorised.id, "CP", amount) == "700.400.100"


@pytest.mark.parametrize("kind", ["DB", "CD"])
def test_partial_refunds_end_at_the_sum(kind: str) -> None:
    seat = a_seat()
    debit = paid(seat, kind)
    refer(seat, debit.id, "RF", "99.99")
    assert refused(seat, debit.id, "RF", "0.02") == "700.400.200"
    refer(seat, debit.id, "RF", "0.01")
    assert now(seat, debit).state is State.REFUNDED
    assert refused(seat, debit.id, "RF", "0.01") == "700.400.200"


def test_a_capture_is_refunded_by_its_own_id() -> None:
    seat = a_seat()
    capture = refer(seat, paid(seat).id, "CP", "60.00")
    refer(seat, capture.id, "RF", "60.00")
    assert now(seat, capture).state is State.REFUNDED


def test_a_reversal_voids_the_whole_authorisation() -> None:
    seat = a_seat()
    authorised = paid(seat)
    reversal = refer(seat, authorised.id, "RV")
    assert reversal.money == authorised.money
    assert now(seat, authorised).state is State.REVERSED
    assert refused(seat, authorised.id, "CP", "1.00") == "700.400.100"
    assert refused(seat, authorised.id, "RV") == "700.400.300"


def test_a_reversal_names_the_whole_amount_or_none() -> None:
    seat = a_seat()
    authorised = paid(seat)
    assert refused(seat, authorised.id, "RV", "50.00") == "700.100.200"
    refer(seat, authorised.id, "RV", "100.00")


def test_a_captured_authorisation_is_not_reversed() -> None:
    seat = a_seat()
    authorised = paid(seat)
    refer(seat, authorised.id, "CP", "1.00")
    assert refused(seat, authorised.id, "RV") == "700.400.300"


def test_a_rebill_charges_the_card_again() -> None:
    acquirer = Answering()
    seat = a_seat(acquirer=acquirer)
    debit = paid(seat, "DB")
    rebill = refer(seat, debit.id, "RB", "30.00")
    assert rebill.state is State.COMPLETED
    assert acquirer.asks[-1].number == CARD["card.number"]
    refer(seat, rebill.id, "RF", "30.00")


def test_a_receipt_reports_money_for_an_authorisation() -> None:
    seat = a_seat()
    authorised = paid(seat)
    receipt = refer(seat, authorised.id, "RC", "100.00")
    assert receipt.state is State.COMPLETED
    refer(seat, receipt.id, "RF", "100.00")


@pytest.mark.parametrize(
    ("kind", "code"),
    [("CP", "700.400.510"), ("RV", "700.400.530"), ("RF", "700.400.520"), ("RC", "700.400.560")],
)
def test_a_declined_payment_cannot_be_referred_to(kind: str, code: str) -> None:
    seat = a_seat(acquirer=Answering(DECLINED))
    declined = paid(seat)
    assert refused(seat, declined.id, kind, None if kind == "RV" else "1.00") == code


@pytest.mark.parametrize(
    ("first", "kind", "code"),
    [
        ("DB", "CP", "700.400.510"),
        ("PA", "RF", "700.400.520"),
        ("DB", "RV", "700.400.300"),
        ("CD", "RV", "700.400.530"),
        ("DB", "RC", "700.400.560"),
    ],
)
def test_an_unsuitable_type_has_a_code_by_what_was_asked(first: str, kind: str, code: str) -> None:
    seat = a_seat()
    assert refused(seat, paid(seat, first).id, kind, None if kind == "RV" else "1.00") == code


@pytest.mark.parametrize(
    ("kind", "code"), [("CP", "700.400.510"), ("RV", "700.400.530"), ("RC", "700.400.560")]
)
def test_an_unknown_id_has_the_code_of_an_unsuitable_reference(kind: str, code: str) -> None:
    with pytest.raises(UnknownReference) as caught:
        refer(a_seat(), UNKNOWN, kind, "1.00")
    assert caught.value.code == code


def test_another_currency_is_refused() -> None:
    seat = a_seat()
    assert refused(seat, paid(seat).id, "CP", "1.00", "USD") == "700.100.500"


def test_another_channel_of_the_merchant_is_refused() -> None:
    seat = a_seat()
    authorised = paid(seat)
    other = replace(seat, channel=replace(seat.channel, id="8" + "1" * 31))
    assert refused(other, authorised.id, "CP", "1.00") == "700.400.700"


def test_a_declined_capture_gives_its_amount_back() -> None:
    acquirer = Answering()
    seat = a_seat(acquirer=acquirer)
    authorised = paid(seat)
    acquirer.outcomes = [DECLINED]
    assert refer(seat, authorised.id, "CP", "100.00").state is State.FAILED
    assert open_amount(now(seat, authorised)) == Decimal("100.00")
    assert now(seat, authorised).state is State.AUTHORIZED


def test_a_debit_is_reversed_before_its_cut_off_in_the_field_profile() -> None:
    seat = a_seat(profile="field")
    debit, late = paid(seat, "DB"), paid(seat, "DB")
    refer(seat, debit.id, "RV")
    assert now(seat, debit).state is State.REVERSED
    assert refused(seat, debit.id, "RF", "1.00") == "700.400.200"
    seat.ports.clock.advance(timedelta(days=1))
    assert refused(seat, late.id, "RV") == "700.300.700"


def test_the_first_refusal_that_applies_wins() -> None:
    seat = a_seat()
    authorised = paid(seat)
    other = replace(seat, channel=replace(seat.channel, id="8" + "1" * 31))
    assert refused(other, authorised.id, "RF", "900.00", "USD") == "700.400.700"
    assert refused(seat, authorised.id, "RF", "900.00", "USD") == "700.400.520"
    assert refused(seat, authorised.id, "CP", "900.00", "USD") == "700.100.500"
    assert refused(seat, authorised.id, "CP", "900.00") == "700.400.100"


def test_every_referencing_type_is_an_own_payment_of_the_same_tree() -> None:
    seat = a_seat()
    authorised = paid(seat)
    capture = refer(seat, authorised.id, "CP", "10.00")
    assert capture.type is PaymentType.CP
    assert capture.referenced == authorised.id
    assert capture.stamp == authorised.stamp


def test_a_payment_captured_at_once_is_refunded_like_a_debit() -> None:
    seat = a_seat(profile="field")
    payment = paid(seat, "PA.CP")
    assert payment.state is State.COMPLETED
    refer(seat, payment.id, "RF", "100.00")
    assert now(seat, payment).state is State.REFUNDED
