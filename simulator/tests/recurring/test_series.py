"""Series of payments: places in one, references of acquirers, 3-D Secure, migration."""

import pytest
from msgspec.structs import replace

from simulator.catalogue.fields.recurring import THREE_D_SECURE_DUTIES
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import Violations
from simulator.domain.core.records import Outcome, Registration
from simulator.domain.recurring import ISSUED, is_in_series, is_merchant_initiated
from simulator.service.payments.pending import release_pending
from simulator.service.registrations import charge, register, remove_registration
from simulator.tests.kit.making import APPROVED, CARD, DECLINED, a_context, new_ids
from simulator.tests.kit.serial import (
    INSTALLMENTS,
    ORDER,
    PENDING,
    Referring,
    agreement_in,
    code_of,
    first_of,
    in_series,
    next_of,
    paid,
    reference_in,
)

SECURED = {"three_d_secure": {"VISA": "1.0.2"}}
MPI = {
    "threeDSecure.eci": "05",
    "threeDSecure.verificationId": "AAABBWFlmQAAAABjRWWZEEFgFz8=",
    "threeDSecure.enrollmentStatus": "Y",
    "threeDSecure.authenticationStatus": "Y",
}
MIGRATED = {
    "recurringMigration.paymentType": "DB",
    "recurringMigration.amount": "9.90",
    "recurringMigration.requestTimestamp": "2026-01-31 13:07:09",
    "recurringMigration.connectorTxId1": "830128374650192",
}


# places


@pytest.mark.parametrize(
    ("sent", "alone"),
    [
        ({}, False),
        (in_series("INITIAL", "CIT"), False),
        (in_series("REPEATED", "CIT"), False),
        (in_series("REPEATED", "MIT"), True),
        (in_series("INITIAL", "MIT"), True),
        ({"standingInstruction.mode": "REPEATED"}, False),
        ({"recurringType": "REPEATED"}, True),
        ({"recurringType": "INITIAL"}, False),
        ({"recurringType": "REPEATED", **in_series("REPEATED", "CIT")}, False),
    ],
)
def test_the_source_says_whether_a_shopper_takes_part(sent, alone) -> None:
    assert is_merchant_initiated(sent) is alone


def test_a_plain_payment_is_in_no_series() -> None:
    assert not is_in_series(ORDER)
    assert is_in_series({**ORDER, "recurringType": "INITIAL"})


@pytest.mark.parametrize("mode", ["INITIAL", "REPEATED"])
@pytest.mark.parametrize("source", ["CIT", "MIT"])
def test_every_place_of_the_matrix_is_taken(mode: str, source: str) -> None:
    context = a_context(acquirer=Referring())
    payment = paid(context, recurringType=mode, **in_series(mode, source))
    assert payment.outcome is not None and payment.outcome.code == APPROVED.code
    assert payment.sent["recurringType"] == mode


def test_the_older_and_the_newer_parameter_name_one_place() -> None:
    sent = {"recurringType": "INITIAL", **in_series("REPEATED", "CIT")}
    assert code_of(paid, a_context(), **sent) == "100.900.500"


# references


def test_the_reference_comes_with_the_shoppers_first_payment_alone() -> None:
    context = a_context(acquirer=Referring())
    assert reference_in(first_of(context)) == "ref-1"
    assert reference_in(paid(context, **in_series("REPEATED", "CIT"))) is None
    assert reference_in(paid(context, **in_series("INITIAL", "MIT"))) is None
    assert reference_in(paid(context, recurringType="INITIAL")) is None


def test_no_reference_comes_with_a_decline_or_while_it_is_pending() -> None:
    for outcome in (DECLINED, PENDING):
        context = a_context(acquirer=Referring(outcome))
        assert reference_in(first_of(context)) is None


def test_the_reference_comes_with_the_final_success_of_a_pending_payment() -> None:
    context = a_context(acquirer=Referring(PENDING))
    first = first_of(context)
    final = Outcome(code=APPROVED.code, details={ISSUED: "late"})
    settled = release_pending(context.ports, first.id, final)
    assert reference_in(settled) == "late"
    assert reference_in(next_of(context, settled)) == "late"


def test_the_registration_brings_the_reference_to_the_acquirer() -> None:
    acquirer = Referring()
    context = a_context(acquirer=acquirer)
    payment = next_of(context, first_of(context))
    name = "standingInstruction.initialTransactionId"
    assert acquirer.asks[-1].parameters[name] == reference_in(payment) == "ref-1"


def test_a_registration_made_before_gets_the_agreement_it_is_used_for() -> None:
    context = a_context(acquirer=Referring())
    made = register(context, CARD, new_ids(context))
    sent = {"paymentType": "PA", "amount": "0.00", "currency": "EUR"}
    first = charge(context, made.id, sent | in_series("INITIAL", "CIT"), new_ids(context))
    assert reference_in(next_of(context, first)) == reference_in(first) == "ref-2"


def test_a_reference_is_good_for_a_card_that_is_sent_too() -> None:
    context = a_context(acquirer=Referring())
    first_of(context)
    again = {"standingInstruction.initialTransactionId": "ref-1"}
    assert paid(context, **in_series("REPEATED", "MIT"), **again).agreement is not None


STRANGE = {"standingInstruction.initialTransactionId": "of another gateway"}


@pytest.mark.parametrize(
    ("agreements", "sent", "code"),
    [
        ("known",    STRANGE, "600.200.501"),
        ("known",    {},      None),
        ("any",      STRANGE, None),
        ("any",      {},      None),
        ("required", STRANGE, "600.200.501"),
        ("required", {},      "600.200.501"),
    ],
)  # fmt: skip
def test_the_channel_says_what_a_payment_of_the_merchant_alone_rests_on(
    agreements, sent, code
) -> None:
    context = a_context(channel={"agreements": agreements})
    sent = {**sent, **in_series("REPEATED", "MIT")}
    if code is None:
        assert paid(context, **sent).outcome == APPROVED
    else:
        assert code_of(paid, context, **sent) == code


def test_a_set_up_of_the_merchant_alone_needs_nothing_before_it() -> None:
    context = a_context(channel={"agreements": "required"})
    assert paid(context, **in_series("INITIAL", "MIT")).outcome == APPROVED


def test_the_reference_of_one_merchant_is_nothing_to_another() -> None:
    context = a_context(acquirer=Referring())
    first_of(context)
    other = ChannelContext(
        context.ports, context.channel, replace(context.stamp, merchant="8" * 32), context.host
    )
    again = {"standingInstruction.initialTransactionId": "ref-1"}
    assert code_of(paid, other, **in_series("REPEATED", "MIT"), **again) == "600.200.501"


def test_an_agreement_outlives_its_registration() -> None:
    context = a_context(acquirer=Referring())
    first = first_of(context)
    remove_registration(context, first.registration or "", {}, new_ids(context))
    again = {"standingInstruction.initialTransactionId": "ref-1"}
    assert paid(context, **in_series("REPEATED", "MIT"), **again).outcome is not None


# 3-D Secure


@pytest.mark.parametrize("kind", THREE_D_SECURE_DUTIES)
@pytest.mark.parametrize("place", ["channel", "another MPI"])
def test_a_series_with_three_d_secure_says_how_long_and_how_often(kind: str, place: str) -> None:
    context = a_context(channel=SECURED if place == "channel" else {})
    sent = {} if place == "channel" else MPI
    sent |= {"standingInstruction.type": kind, **in_series("INITIAL", "CIT")}
    with pytest.raises(Violations) as caught:
        paid(context, **sent)
    assert tuple(each.name for each in caught.value.violations) == THREE_D_SECURE_DUTIES[kind]
    assert paid(context, **{**INSTALLMENTS, **sent}).outcome == APPROVED


@pytest.mark.parametrize(
    ("channel", "sent", "why"),
    [
        ({},      in_series("INITIAL", "CIT"),                       "no 3-D Secure"),
        (SECURED, in_series("REPEATED", "MIT"),                      "no shopper to authenticate"),
        (SECURED, {**in_series("INITIAL", "CIT"), "paymentType": "CD"}, "a credit"),
        (SECURED, {**in_series("INITIAL", "CIT"), "standingInstruction.type": "UNSCHEDULED"},
                                                                     "no plan"),
    ],
)  # fmt: skip
def test_other_payments_of_a_series_need_not_say_it(channel, sent, why) -> None:
    sent = {"standingInstruction.type": "RECURRING", **sent}
    assert paid(a_context(channel=channel), **sent).outcome == APPROVED, why


# migration


def test_a_migration_brings_an_agreement_that_needs_no_payment_here() -> None:
    acquirer = Referring()
    context = a_context(acquirer=acquirer, channel={"agreements": "required"})
    made = register(context, {**CARD, **MIGRATED}, new_ids(context))
    assert isinstance(made, Registration)
    assert {name: made.sent[name] for name in MIGRATED} == MIGRATED
    assert MIGRATED.items() <= acquirer.asks[0].parameters.items()
    sent = {"paymentType": "DB", "amount": "9.90", "currency": "EUR"}
    payment = charge(context, made.id, sent | in_series("REPEATED", "MIT"), new_ids(context))
    assert reference_in(payment) == MIGRATED["recurringMigration.connectorTxId1"]


def test_a_migration_without_a_reference_is_an_agreement_all_the_same() -> None:
    context = a_context(channel={"agreements": "required"})
    made = register(context, {**CARD, "recurringMigration.paymentType": "PA"}, new_ids(context))
    sent = {"paymentType": "PA", "amount": "9.90", "currency": "EUR"}
    payment = charge(context, made.id, sent | in_series("REPEATED", "MIT"), new_ids(context))
    assert reference_in(payment) is None
    assert payment.outcome == APPROVED


def test_a_reference_that_is_migrated_twice_stays_one_agreement() -> None:
    context = a_context()
    terms = {**CARD, **MIGRATED, **INSTALLMENTS}
    one, two = (register(context, terms, new_ids(context)) for _ in range(2))
    sent = {"paymentType": "DB", "amount": "9.90", "currency": "EUR"}
    for made in (one, two):
        charge(context, made.id, sent | in_series("REPEATED", "MIT"), new_ids(context))
    assert agreement_in(context, MIGRATED["recurringMigration.connectorTxId1"]).taken == 2
