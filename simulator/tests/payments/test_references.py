"""Who may refer to whom, for how much, and with which code the rest is refused, in the order of
precedence.
"""

from datetime import timedelta
from decimal import Decimal

import pytest
from msgspec.structs import replace

from simulator.domain.core.errors import Refusal, UnknownReferenceError
from simulator.domain.core.records import Payment, PaymentType, State
from simulator.domain.payments import references
from simulator.domain.payments.references import EFFECTS, REFERENCES_MAX, open_amount
from simulator.domain.payments.responses import AFTER
from simulator.service.payments.contexts import read_payment
from simulator.service.payments.pipeline import refer_payment, take_payment
from simulator.tests.kit.making import CARD, DECLINED, Answering, a_context, new_ids
from simulator.tests.kit.serial import PENDING

UNKNOWN = "8" + "0" * 31


def paid(context, kind="PA", amount="100.00", **more) -> Payment:
    """An initial payment of 100.00 EUR."""
    sent = {"paymentType": kind, "amount": amount, "currency": "EUR", **CARD, **more}
    return take_payment(context, sent, new_ids(context))


def refer(context, to, kind, amount=None, currency="EUR") -> Payment:
    """A payment that refers to the id `to`."""
    sent = {"paymentType": kind}
    if amount is not None:
        sent |= {"amount": amount, "currency": currency}
    return refer_payment(context, to, sent, new_ids(context))


def now(context, payment) -> Payment:
    """The payment as stored."""
    return read_payment(context, payment.id)


def refused(context, to, kind, amount=None, currency="EUR") -> str:
    """The code of the refusal, which leaves no trace."""
    before = context.ports.store.get(Payment, to)
    with pytest.raises(Refusal) as caught:
        refer(context, to, kind, amount, currency)
    assert context.ports.store.get(Payment, to) == before
    return caught.value.code


def test_several_partial_captures_may_take_exactly_the_authorized_sum() -> None:
    context = a_context()
    authorized = paid(context)
    refer(context, authorized.id, "CP", "60.00")
    assert now(context, authorized).state is State.PARTLY_CAPTURED
    refer(context, authorized.id, "CP", "40.00")
    assert now(context, authorized).state is State.CAPTURED
    assert open_amount(now(context, authorized)) == 0


@pytest.mark.parametrize("amount", ["40.01", "100.00", "9999999999.99"])
def test_a_capture_may_not_exceed_what_is_open(amount: str) -> None:
    context = a_context()
    authorized = paid(context)
    refer(context, authorized.id, "CP", "60.00")
    assert refused(context, authorized.id, "CP", amount) == "700.400.100"


def test_a_verification_of_a_card_is_reversed_without_an_amount_like_any_other() -> None:
    # A reversal names no amount, and was refused because 0.00 would be too small.
    context = a_context()
    verified = paid(context, amount="0.00")

    refused_capture = refused(context, verified.id, "CP", "0.00")
    voided = refer(context, verified.id, "RV")

    assert refused_capture == "100.550.300"
    assert voided.state is State.COMPLETED and str(voided.money) == "0.00 EUR"
    assert now(context, verified).state is State.REVERSED
    assert refused(context, verified.id, "RV") == "700.400.300"


def test_a_reversed_authorization_has_nothing_left_and_the_refusal_says_so() -> None:
    context = a_context()
    authorized = paid(context)
    refer(context, authorized.id, "RV")

    for kind in ("CP", "RC"):
        with pytest.raises(Refusal, match=f"{kind}: expected at most 0.00 EUR of a PA"):
            refer(context, authorized.id, kind, "1.00")


@pytest.mark.parametrize("kind", ["DB", "CD"])
def test_partial_refunds_end_at_the_sum(kind: str) -> None:
    context = a_context()
    debit = paid(context, kind)
    refer(context, debit.id, "RF", "99.99")
    assert refused(context, debit.id, "RF", "0.02") == "700.400.200"
    refer(context, debit.id, "RF", "0.01")
    assert now(context, debit).state is State.REFUNDED
    assert refused(context, debit.id, "RF", "0.01") == "700.400.200"


def test_a_capture_is_refunded_by_its_own_id() -> None:
    context = a_context()
    capture = refer(context, paid(context).id, "CP", "60.00")
    refer(context, capture.id, "RF", "60.00")
    assert now(context, capture).state is State.REFUNDED


def test_a_reversal_voids_the_whole_authorization() -> None:
    context = a_context()
    authorized = paid(context)
    reversal = refer(context, authorized.id, "RV")
    assert reversal.money == authorized.money
    assert now(context, authorized).state is State.REVERSED
    assert refused(context, authorized.id, "CP", "1.00") == "700.400.100"
    assert refused(context, authorized.id, "RV") == "700.400.300"


def test_a_reversal_names_the_whole_amount_or_none() -> None:
    context = a_context()
    authorized = paid(context)
    assert refused(context, authorized.id, "RV", "50.00") == "700.100.200"
    refer(context, authorized.id, "RV", "100.00")


def test_a_captured_authorization_is_not_reversed() -> None:
    context = a_context()
    authorized = paid(context)
    refer(context, authorized.id, "CP", "1.00")
    assert refused(context, authorized.id, "RV") == "700.400.300"


def test_a_rebill_charges_the_card_again() -> None:
    acquirer = Answering()
    context = a_context(acquirer=acquirer)
    debit = paid(context, "DB")
    rebill = refer(context, debit.id, "RB", "30.00")
    assert rebill.state is State.COMPLETED
    assert acquirer.asks[-1].number == CARD["card.number"]
    refer(context, rebill.id, "RF", "30.00")


def test_a_receipt_reports_money_for_an_authorization() -> None:
    context = a_context()
    authorized = paid(context)
    receipt = refer(context, authorized.id, "RC", "100.00")
    assert receipt.state is State.COMPLETED
    refer(context, receipt.id, "RF", "100.00")


@pytest.mark.parametrize(
    ("kind", "code"),
    [("CP", "700.400.510"), ("RV", "700.400.530"), ("RF", "700.400.520"), ("RC", "700.400.560")],
)
def test_a_declined_payment_cannot_be_referred_to(kind: str, code: str) -> None:
    context = a_context(acquirer=Answering(DECLINED))
    declined = paid(context)
    assert refused(context, declined.id, kind, None if kind == "RV" else "1.00") == code


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
    context = a_context()
    assert refused(context, paid(context, first).id, kind, None if kind == "RV" else "1.00") == code


@pytest.mark.parametrize(
    ("kind", "code"), [("CP", "700.400.510"), ("RV", "700.400.530"), ("RC", "700.400.560")]
)
def test_an_unknown_id_has_the_code_of_an_unsuitable_reference(kind: str, code: str) -> None:
    with pytest.raises(UnknownReferenceError) as caught:
        refer(a_context(), UNKNOWN, kind, "1.00")
    assert caught.value.code == code


def test_another_currency_is_refused() -> None:
    context = a_context()
    assert refused(context, paid(context).id, "CP", "1.00", "USD") == "700.100.500"


@pytest.mark.parametrize(("to", "kind"), [("PA", "RV"), ("DB", "CB")])
def test_another_currency_is_refused_without_an_amount_too(to: str, kind: str) -> None:
    context = a_context()
    sent = {"paymentType": kind, "currency": "USD"}
    with pytest.raises(Refusal) as caught:
        refer_payment(context, paid(context, to).id, sent, new_ids(context))
    assert caught.value.code == "700.100.500"


@pytest.mark.parametrize(
    ("to", "kind", "amount", "other", "code"),
    [
        ("PA", "CP", "60.00", ("RV", None), "700.400.300"),
        ("PA", "CP", "60.00", ("CP", "50.00"), "700.400.100"),
        ("PA", "RV", None, ("CP", "1.00"), "700.400.100"),
        ("DB", "RF", "100.00", ("RF", "1.00"), "700.400.200"),
        ("DB", "RF", "100.00", ("CB", None), "700.400.400"),
    ],
)
def test_a_refusal_says_what_a_pending_payment_reserves(to, kind, amount, other, code) -> None:
    acquirer = Answering()
    context = a_context(acquirer=acquirer)
    parent = paid(context, to)
    acquirer.outcomes = [PENDING]
    refer(context, parent.id, kind, amount)
    with pytest.raises(Refusal) as caught:
        refer(context, parent.id, *other)
    assert caught.value.code == code
    reserved = now(context, parent).reserved
    said = f"{reserved} EUR of it are reserved by a payment or chargeback that is still pending"
    assert said in str(caught.value.detail)


def test_an_account_that_could_not_be_charged_is_not_charged_again() -> None:
    context = a_context()
    debit = paid(context, "DB", **{"card.expiryMonth": "12", "card.expiryYear": "2026"})
    refer(context, debit.id, "RB", "5.00")
    narrow = replace(context, channel=replace(context.channel, brands=("MASTER",)))
    assert refused(narrow, debit.id, "RB", "5.00") == "600.200.201"
    context.ports.clock.advance(timedelta(days=60))
    assert refused(context, debit.id, "RB", "5.00") == "100.100.303"
    refer(context, debit.id, "RF", "5.00")


def test_another_channel_of_the_merchant_is_refused() -> None:
    context = a_context()
    authorized = paid(context)
    other = replace(context, channel=replace(context.channel, id="8" + "1" * 31))
    assert refused(other, authorized.id, "CP", "1.00") == "700.400.700"


def test_a_declined_capture_gives_its_amount_back() -> None:
    acquirer = Answering()
    context = a_context(acquirer=acquirer)
    authorized = paid(context)
    acquirer.outcomes = [DECLINED]
    assert refer(context, authorized.id, "CP", "100.00").state is State.FAILED
    assert open_amount(now(context, authorized)) == Decimal("100.00")
    assert now(context, authorized).state is State.AUTHORIZED


def test_a_debit_is_reversed_before_its_cut_off_in_the_field_profile() -> None:
    context = a_context(profile="field")
    debit, late = paid(context, "DB"), paid(context, "DB")
    refer(context, debit.id, "RV")
    assert now(context, debit).state is State.REVERSED
    assert refused(context, debit.id, "RF", "1.00") == "700.400.200"
    context.ports.clock.advance(timedelta(days=1))
    assert refused(context, late.id, "RV") == "700.300.700"


def test_the_first_refusal_that_applies_wins() -> None:
    context = a_context()
    authorized = paid(context)
    other = replace(context, channel=replace(context.channel, id="8" + "1" * 31))
    assert refused(other, authorized.id, "RF", "900.00", "USD") == "700.400.700"
    assert refused(context, authorized.id, "RF", "900.00", "USD") == "700.400.520"
    assert refused(context, authorized.id, "CP", "900.00", "USD") == "700.100.500"
    assert refused(context, authorized.id, "CP", "900.00") == "700.400.100"


def test_every_referencing_type_is_an_own_payment_of_the_same_tree() -> None:
    context = a_context()
    authorized = paid(context)
    capture = refer(context, authorized.id, "CP", "10.00")
    assert capture.type is PaymentType.CP
    assert capture.referenced == authorized.id
    assert capture.stamp == authorized.stamp


def test_a_payment_captured_at_once_is_refunded_like_a_debit() -> None:
    context = a_context(profile="field")
    payment = paid(context, "PA.CP")
    assert payment.state is State.COMPLETED
    refer(context, payment.id, "RF", "100.00")
    assert now(context, payment).state is State.REFUNDED


def test_an_approval_of_every_effect_on_another_payment_is_applied_to_it() -> None:
    assert AFTER.keys() == EFFECTS.keys()


def test_a_thousand_payments_refer_to_one_and_no_more(monkeypatch):
    monkeypatch.setattr(references, "REFERENCES_MAX", 3)
    context = a_context()
    authorized, other = paid(context), paid(context)
    for _ in range(3):
        refer(context, authorized.id, "CP", "1.00")

    with pytest.raises(Refusal) as refused:
        refer(context, authorized.id, "CP", "1.00")
    assert refused.value.code == "700.500.001"
    assert now(context, authorized).taken == Decimal("3.00")
    assert refer(context, other.id, "CP", "1.00").state is not State.FAILED
    assert REFERENCES_MAX == 1000
