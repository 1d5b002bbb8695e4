"""What an agreement gives a merchant: how often it may charge alone, and until when."""

from datetime import timedelta

import gevent
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.domain.core.errors import Refusal
from simulator.service.payments.pending import release_pending
from simulator.service.payments.recovery import reverse_open_attempts
from simulator.tests.kit.making import APPROVED, DECLINED, NOON, a_context
from simulator.tests.kit.serial import (
    INSTALLMENTS,
    PENDING,
    Referring,
    agreement_in,
    charged,
    code_of,
    first_of,
    in_series,
    next_of,
    paid,
)
from simulator.tests.kit.twins import HandClock


def test_installments_end_with_the_last_one() -> None:
    context = a_context(acquirer=Referring())
    first = first_of(context, **INSTALLMENTS)
    for _ in range(2):
        next_of(context, first)
    assert code_of(next_of, context, first) == "600.200.501"
    assert agreement_in(context, "ref-1").taken == 3


def test_a_declined_authorization_does_not_count() -> None:
    context = a_context(acquirer=Referring(APPROVED, DECLINED, APPROVED))
    first = first_of(context, **INSTALLMENTS)
    next_of(context, first)
    agreement = agreement_in(context, "ref-1")
    assert (agreement.taken, agreement.reserved) == (1, 0)


def test_a_verification_of_nothing_is_no_authorization() -> None:
    context = a_context(acquirer=Referring())
    first_of(context, paymentType="PA", amount="0.00", **INSTALLMENTS)
    assert agreement_in(context, "ref-1").taken == 0


def test_a_registration_is_no_authorization_whatever_its_amount() -> None:
    context = a_context(acquirer=Referring())
    first_of(context, paymentType="RG", **INSTALLMENTS)
    assert agreement_in(context, "ref-1").taken == 0


def test_a_pending_authorization_holds_its_place() -> None:
    context = a_context(acquirer=Referring(APPROVED, PENDING))
    first = first_of(context, **{**INSTALLMENTS, "standingInstruction.numberOfInstallments": "2"})
    pending = next_of(context, first)
    assert code_of(next_of, context, first) == "600.200.501"
    release_pending(context.ports, pending.id, DECLINED)
    next_of(context, first)


def test_no_authorizations_are_made_after_the_expiry() -> None:
    clock = HandClock(NOON)
    context = a_context(acquirer=Referring(), clock=clock)
    first = first_of(context, **INSTALLMENTS)
    clock.advance(timedelta(days=41))
    assert f"{clock.now():%Y-%m-%d}" == "2026-12-31"
    next_of(context, first)
    clock.advance(timedelta(days=1))
    assert code_of(next_of, context, first) == "600.200.501"


@pytest.mark.parametrize(
    ("limits", "days", "refused"),
    [("limits", 1, False), ("all", 27, True), ("all", 28, False), ("ignore", 400, False)],
)
def test_which_terms_are_enforced_is_a_choice(limits: str, days: int, refused: bool) -> None:
    clock = HandClock(NOON)
    context = a_context(acquirer=Referring(), clock=clock, overrides={"D-125": limits})
    first = first_of(context, **INSTALLMENTS)
    clock.advance(timedelta(days=days))
    if refused:
        assert code_of(next_of, context, first) == "600.200.501"
    else:
        assert next_of(context, first).agreement is not None


def test_what_follows_an_earlier_authorization_is_not_the_next_one() -> None:
    context = a_context(acquirer=Referring())
    first = first_of(context, **{**INSTALLMENTS, "standingInstruction.numberOfInstallments": "1"})
    assert code_of(next_of, context, first) == "600.200.501"
    practice = {"standingInstruction.industryPractice": "DELAYED_CHARGES"}
    assert next_of(context, first, **practice).agreement is None


BY_THE_SHOPPER = in_series("REPEATED", "CIT")
PURCHASE = {"standingInstruction.type": "UNSCHEDULED"}
ONE = {**INSTALLMENTS, "standingInstruction.numberOfInstallments": "1"}


@pytest.mark.parametrize(
    "place",
    [
        {**BY_THE_SHOPPER, "standingInstruction.type": "INSTALLMENT"},
        {**BY_THE_SHOPPER, "recurringType": "REPEATED"},
        BY_THE_SHOPPER,
        {"standingInstruction.mode": "REPEATED"},
        {"standingInstruction.type": "RECURRING", "standingInstruction.source": "CIT"},
    ],
)
def test_an_authorization_by_the_shopper_is_limited_and_counted_too(place) -> None:
    context = a_context(acquirer=Referring())
    two = {**INSTALLMENTS, "standingInstruction.numberOfInstallments": "2"}
    first = first_of(context, **two)
    charged(context, first, **place)
    assert agreement_in(context, "ref-1").taken == 2
    assert code_of(charged, context, first, **place) == "600.200.501"
    assert code_of(next_of, context, first) == "600.200.501"


def test_the_shopper_makes_no_authorizations_after_the_expiry() -> None:
    clock = HandClock(NOON)
    context = a_context(acquirer=Referring(), clock=clock)
    first = first_of(context, **INSTALLMENTS)
    clock.advance(timedelta(days=42))
    assert code_of(charged, context, first, **BY_THE_SHOPPER) == "600.200.501"


def test_a_reference_limits_the_shopper_as_a_registration_does() -> None:
    context = a_context(acquirer=Referring())
    first_of(context, **ONE)
    reference = {"standingInstruction.initialTransactionId": "ref-1"}
    assert code_of(paid, context, **BY_THE_SHOPPER, **reference) == "600.200.501"
    assert code_of(paid, context, **reference) == "600.200.501"


def test_a_purchase_beside_a_plan_is_none_of_its_authorizations() -> None:
    context = a_context(acquirer=Referring())
    first = first_of(context, **ONE)
    assert charged(context, first, **BY_THE_SHOPPER, **PURCHASE).agreement is None
    assert charged(context, first).agreement is None


def test_the_expiry_of_stored_details_holds_for_purchases_with_them() -> None:
    clock = HandClock(NOON)
    context = a_context(acquirer=Referring(), clock=clock)
    first = first_of(context, **PURCHASE, **{"standingInstruction.expiry": "2026-12-31"})
    assert charged(context, first, **BY_THE_SHOPPER, **PURCHASE).agreement is not None
    clock.advance(timedelta(days=42))
    assert code_of(charged, context, first, **BY_THE_SHOPPER, **PURCHASE) == "600.200.501"


def test_a_new_start_is_none_of_the_authorizations_before_it() -> None:
    context = a_context(acquirer=Referring())
    first = first_of(context, **ONE)
    again = {**in_series("INITIAL", "CIT"), "standingInstruction.type": "RECURRING"}
    assert charged(context, first, **again).agreement is None


@pytest.mark.parametrize("kind", ["CD", "RG"])
def test_what_charges_nothing_is_no_authorization(kind: str) -> None:
    context = a_context(acquirer=Referring())
    first_of(context, **ONE)
    reference = {"standingInstruction.initialTransactionId": "ref-1"}
    alone = in_series("REPEATED", "MIT", paymentType=kind, **reference)
    assert paid(context, **alone).agreement is None


def test_no_installments_allow_no_first_one_either() -> None:
    context = a_context(acquirer=Referring())
    none = {**INSTALLMENTS, "standingInstruction.numberOfInstallments": "0"}
    assert code_of(first_of, context, **none) == "600.200.501"
    first_of(context, paymentType="PA", amount="0.00", **none)
    free = a_context(acquirer=Referring(), overrides={"D-125": "ignore"})
    first_of(free, **none)


def test_an_expiry_alone_that_is_past_is_refused() -> None:
    context = a_context(acquirer=Referring())
    assert code_of(paid, context, **{"standingInstruction.expiry": "2020-01-01"}) == "600.200.501"


def test_a_slow_authorization_is_held_while_it_is_under_way_and_counted_once() -> None:
    clock = HandClock(NOON, jumps=True)
    context = a_context(acquirer=Referring(delay_s=5), clock=clock)
    first = first_of(context, **INSTALLMENTS)
    next_of(context, first)
    agreement = agreement_in(context, "ref-1")
    assert (agreement.taken, agreement.reserved) == (2, 0)


def test_two_at_once_never_take_the_last_place_both() -> None:
    clock, acquirer = HandClock(NOON), Referring()
    context = a_context(acquirer=acquirer, clock=clock)
    first = first_of(context, **{**INSTALLMENTS, "standingInstruction.numberOfInstallments": "2"})
    acquirer.take(timedelta(seconds=5))
    under_way = gevent.spawn(next_of, context, first)
    gevent.sleep(0)
    assert agreement_in(context, "ref-1").reserved == 1
    assert code_of(next_of, context, first) == "600.200.501"
    clock.advance(timedelta(seconds=5))
    assert under_way.get(timeout=5).outcome.code == APPROVED.code
    assert agreement_in(context, "ref-1").taken == 2


def test_an_attempt_that_a_crash_left_open_gives_its_place_back() -> None:
    clock, acquirer = HandClock(NOON), Referring()
    context = a_context(acquirer=acquirer, clock=clock)
    first = first_of(context, **INSTALLMENTS)
    acquirer.take(timedelta(seconds=5))
    lost = gevent.spawn(next_of, context, first)
    gevent.sleep(0)
    lost.kill()
    assert agreement_in(context, "ref-1").reserved == 1
    reverse_open_attempts(context.ports)
    assert (agreement_in(context, "ref-1").reserved, agreement_in(context, "ref-1").taken) == (0, 1)


@given(st.lists(st.sampled_from([APPROVED, DECLINED, PENDING]), max_size=12), st.integers(1, 5))
@settings(max_examples=50, deadline=None)
def test_no_order_of_answers_gives_more_than_was_agreed(answers, most: int) -> None:
    context = a_context(acquirer=Referring(APPROVED, *answers, APPROVED))
    terms = {**INSTALLMENTS, "standingInstruction.numberOfInstallments": str(most)}
    first = first_of(context, **terms)
    made = []
    for _ in range(len(answers) + most):
        try:
            made.append(next_of(context, first))
        except Refusal:
            break
    for payment in made:
        if payment.outcome == PENDING:
            release_pending(context.ports, payment.id, APPROVED)
    agreement = agreement_in(context, "ref-1")
    assert agreement.reserved == 0
    assert agreement.taken <= most
