"""The limits of a series that rests on no agreement of the shopper hold all the same."""

from datetime import timedelta

import gevent
import pytest

from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import Payment
from simulator.service.payments.pending import release_pending
from simulator.tests.kit.making import APPROVED, DECLINED, NOON, a_context
from simulator.tests.kit.serial import (
    PENDING,
    Referring,
    charged,
    code_of,
    first_of,
    in_series,
    next_of,
    paid,
)
from simulator.tests.kit.twins import HandClock

TYPE, NUMBER = "standingInstruction.type", "standingInstruction.numberOfInstallments"
EXPIRY, FREQUENCY = "standingInstruction.expiry", "standingInstruction.frequency"
REFERENCE = "standingInstruction.initialTransactionId"
PLAN = {TYPE: "INSTALLMENT"}
TWO = {**PLAN, NUMBER: "2"}
ALONE, BY_MERCHANT = in_series("REPEATED", "MIT"), in_series("INITIAL", "MIT")


def stored_card(context: ChannelContext, **more: str) -> Payment:
    """A card that is stored with a payment, which begins no series unless it says so."""
    return paid(context, createRegistration="true", **more)


def count_charges(context: ChannelContext, first: Payment, **sent: str) -> int:
    """How many of four payments with the stored card are not refused."""
    made = 0
    for _ in range(4):
        try:
            charged(context, first, **sent)
        except Refusal as refused:
            assert refused.code == "600.200.501"
            break
        made += 1
    return made


@pytest.mark.parametrize(
    ("begins", "made"),
    [
        ({**BY_MERCHANT, **TWO}, 1),
        ({"standingInstruction.mode": "INITIAL", **TWO}, 1),
        ({"recurringType": "INITIAL", **TWO}, 1),
        ({**BY_MERCHANT, **TWO, "amount": "0.00", "paymentType": "PA"}, 2),
        ({"paymentType": "RG", **BY_MERCHANT, **TWO}, 2),
    ],
)
@pytest.mark.parametrize(
    "goes_on",
    [
        {**ALONE, **PLAN},
        ALONE,
        {**in_series("REPEATED", "CIT"), **PLAN},
        {"recurringType": "REPEATED", **PLAN},
        PLAN,
        {**ALONE, **PLAN, NUMBER: "9"},
    ],
)
def test_a_series_without_an_agreement_is_held_to_its_number(begins, made: int, goes_on) -> None:
    context = a_context(acquirer=Referring())
    first = stored_card(context, **begins)
    assert count_charges(context, first, **goes_on) == made


def test_a_series_that_begins_with_a_stored_card_is_held_to_its_number() -> None:
    context = a_context(acquirer=Referring())
    first = stored_card(context)
    charged(context, first, **BY_MERCHANT, **TWO)
    assert count_charges(context, first, **ALONE, **PLAN) == 1


def test_a_number_that_later_payments_send_holds_too() -> None:
    context = a_context(acquirer=Referring())
    first = stored_card(context)
    assert count_charges(context, first, **ALONE, **TWO) == 2
    assert code_of(charged, context, first, **ALONE, **PLAN) == "600.200.501"


def test_another_series_with_the_card_goes_on() -> None:
    context = a_context(acquirer=Referring())
    first = stored_card(context)
    assert count_charges(context, first, **ALONE, **TWO) == 2
    assert count_charges(context, first, **ALONE, **{TYPE: "RECURRING"}) == 4
    purchase = {**in_series("REPEATED", "CIT"), TYPE: "UNSCHEDULED"}
    assert count_charges(context, first, **purchase) == 4
    charged(context, first)


@pytest.mark.parametrize("source", ["MIT", "CIT"])
def test_a_new_beginning_counts_anew(source: str) -> None:
    context = a_context(acquirer=Referring())
    first = stored_card(context)
    assert count_charges(context, first, **ALONE, **TWO) == 2
    charged(context, first, **in_series("INITIAL", source), **TWO)
    assert count_charges(context, first, **ALONE, **TWO) == 1


def test_a_series_inside_an_agreement_is_held_to_both() -> None:
    context = a_context(acquirer=Referring(), clock=(clock := HandClock(NOON)))
    card = {TYPE: "UNSCHEDULED", EXPIRY: "2026-12-31"}
    first = first_of(context, **card)
    charged(context, first, **BY_MERCHANT, **TWO)
    next_of(context, first, **PLAN)
    assert code_of(next_of, context, first, **PLAN) == "600.200.501"
    next_of(context, first, **{TYPE: "RECURRING"})
    clock.advance(timedelta(days=60))
    assert code_of(next_of, context, first, **{TYPE: "RECURRING"}) == "600.200.501"


def test_a_payment_lowers_the_number_of_its_agreement() -> None:
    context = a_context(acquirer=Referring())
    first = first_of(context, **PLAN, **{NUMBER: "9"})
    next_of(context, first, **TWO)
    assert code_of(next_of, context, first, **TWO) == "600.200.501"
    next_of(context, first, **PLAN)


def test_a_series_under_a_reference_alone_is_held_to_its_number() -> None:
    context = a_context(acquirer=Referring())
    first_of(context, **{TYPE: "UNSCHEDULED"})
    under = {**ALONE, **TWO, REFERENCE: "ref-1"}
    paid(context, **under)
    paid(context, **under)
    assert code_of(paid, context, **under) == "600.200.501"


@pytest.mark.parametrize(
    ("limits", "refused"), [("limits", ()), ("all", (FREQUENCY,)), ("ignore", None)]
)
def test_which_limits_are_enforced_is_a_choice(limits: str, refused: tuple[str, ...]) -> None:
    clock = HandClock(NOON)
    context = a_context(acquirer=Referring(), clock=clock, overrides={"D-125": limits})
    first = stored_card(context, **BY_MERCHANT, **PLAN, **{EXPIRY: "2026-12-31", FREQUENCY: "0028"})
    clock.advance(timedelta(days=1))
    made = count_charges(context, first, **ALONE, **PLAN)
    assert made == (0 if refused else 4)
    clock.advance(timedelta(days=60))
    assert count_charges(context, first, **ALONE, **PLAN) == (4 if refused is None else 0)


def test_a_frequency_that_later_payments_send_holds_too() -> None:
    clock = HandClock(NOON)
    context = a_context(acquirer=Referring(), clock=clock, overrides={"D-125": "all"})
    first = stored_card(context)
    often = {**ALONE, TYPE: "RECURRING", FREQUENCY: "0028"}
    assert count_charges(context, first, **often) == 1
    clock.advance(timedelta(days=28))
    assert count_charges(context, first, **often) == 1


def test_what_is_declined_does_not_count_and_what_is_pending_does() -> None:
    context = a_context(acquirer=Referring(APPROVED, DECLINED, APPROVED, PENDING, APPROVED))
    first = stored_card(context)
    charged(context, first, **ALONE, **TWO)
    charged(context, first, **ALONE, **TWO)
    pending = charged(context, first, **ALONE, **TWO)
    assert code_of(charged, context, first, **ALONE, **TWO) == "600.200.501"
    release_pending(context.ports, pending.id, DECLINED)
    charged(context, first, **ALONE, **TWO)
    assert code_of(charged, context, first, **ALONE, **TWO) == "600.200.501"


def test_what_is_pending_while_a_new_series_begins_is_of_that() -> None:
    context = a_context(acquirer=Referring(APPROVED, PENDING, APPROVED))
    first = stored_card(context)
    pending = charged(context, first, **ALONE, **TWO)
    charged(context, first, **BY_MERCHANT, **TWO)
    assert code_of(charged, context, first, **ALONE, **TWO) == "600.200.501"
    release_pending(context.ports, pending.id, DECLINED)
    assert count_charges(context, first, **ALONE, **TWO) == 1


def test_two_at_once_never_take_the_last_place_both() -> None:
    clock, acquirer = HandClock(NOON), Referring()
    context = a_context(acquirer=acquirer, clock=clock)
    first = stored_card(context)
    acquirer.take(timedelta(seconds=5))
    one = {**ALONE, **PLAN, NUMBER: "1"}
    under_way = gevent.spawn(charged, context, first, **one)
    gevent.sleep(0)
    assert code_of(charged, context, first, **one) == "600.200.501"
    clock.advance(timedelta(seconds=5))
    assert under_way.get(timeout=5).outcome.code == APPROVED.code


def test_what_the_merchant_begins_gives_no_reference() -> None:
    context = a_context(acquirer=Referring())
    first = stored_card(context, **BY_MERCHANT, **TWO)
    assert charged(context, first, **ALONE, **PLAN).agreement is None
