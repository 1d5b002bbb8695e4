"""Registrations: what is kept, what a payment takes from one, what is left, which events it has."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import UnknownReferenceError
from simulator.domain.core.records import Outcome, Payment, Registration
from simulator.domain.webhooks.envelopes import decode_payload
from simulator.domain.webhooks.records import WebhookEvent
from simulator.service.payments.pipeline import take_payment
from simulator.service.registrations import (
    extend_life,
    read_by_any_id,
    read_registration,
    register,
    remove_registration,
    update_registration,
)
from simulator.service.sandboxes.due_work import run_due
from simulator.tests.kit.making import (
    CARD,
    DECLINED,
    FITTING,
    NOON,
    Answering,
    RecordingDispatcher,
    a_context,
    new_ids,
)
from simulator.tests.kit.stored import (
    NO_HOLDER,
    ONE_EURO,
    SHOPPER,
    charged,
    refusal_of,
    registered,
    registered_account,
)
from simulator.tests.kit.twins import HandClock
from simulator.tests.kit.webhooks import an_endpoint

# what is made


def update(
    context: ChannelContext, identity: str, sent: dict[str, str]
) -> tuple[Registration, Outcome]:
    return update_registration(context, identity, sent, new_ids(context), check=FITTING)


def test_a_registration_keeps_the_card_sealed_under_its_own_id() -> None:
    context = a_context()
    made = registered(context, **SHOPPER)
    assert made.card is not None and made.card.last4Digits == "0000"
    assert made.sealed_card is not None
    assert context.ports.vault.open(made.id, made.sealed_card.number) == CARD["card.number"]
    assert made.sent == SHOPPER


def test_a_registration_beside_a_payment_keeps_the_shopper_and_nothing_of_the_order() -> None:
    context = a_context()
    order = {**CARD, **ONE_EURO, **SHOPPER, "cart.items[0].name": "Lamp"}
    payment = take_payment(context, {**order, "createRegistration": "true"}, new_ids(context))
    made = read_registration(context, payment.registration or "")
    assert made.id != payment.id
    assert made.sent == SHOPPER


def test_a_bank_account_is_registered_and_charged() -> None:
    context = a_context()
    made = registered_account(context)
    payment = charged(context, made.id)
    assert payment.brand == "DIRECTDEBIT_SEPA"
    assert payment.sent["bankAccount.iban"] == made.account["bankAccount.iban"]
    assert payment.card is None


def test_a_virtual_account_is_registered_beside_a_payment_and_charged() -> None:
    context = a_context()
    sent = {"paymentBrand": "VIRTUAL_ACCOUNT", "virtualAccount.accountId": "jane"}
    payment = take_payment(
        context, {**ONE_EURO, **sent, "createRegistration": "true"}, new_ids(context)
    )
    again = charged(context, payment.registration or "")
    assert again.sent["virtualAccount.accountId"] == "jane"
    assert again.brand == "VIRTUAL_ACCOUNT"


def test_a_declined_rg_leaves_no_registration_and_its_id_says_so() -> None:
    context = a_context(acquirer=Answering(DECLINED))
    made = register(context, CARD, new_ids(context))
    assert isinstance(made, Payment)
    assert refusal_of(charged, context, made.id) == "100.150.203"


def test_a_pending_rg_is_no_registration_yet() -> None:
    context = a_context(acquirer=Answering(Outcome(code="000.200.000")))
    made = register(context, CARD, new_ids(context))
    assert refusal_of(charged, context, made.id) == "100.150.201"


# what a payment takes from one


def test_a_payment_by_registration_has_its_brand_and_card_and_makes_no_second() -> None:
    acquirer = Answering()
    context = a_context(acquirer=acquirer)
    made = registered(context)
    payment = charged(context, made.id, createRegistration="true", **{"card.cvv": "123"})
    assert (payment.brand, payment.registration) == ("VISA", made.id)
    assert payment.card == made.card
    assert acquirer.asks[-1].number == CARD["card.number"]
    assert acquirer.asks[-1].cvv == "123"
    assert context.ports.store.get(Registration, payment.id) is None


def test_what_is_sent_of_another_card_counts_for_nothing() -> None:
    context = a_context()
    made = registered(context)
    payment = charged(context, made.id, paymentBrand="MASTER", **{"card.expiryYear": "2040"})
    assert (payment.brand, payment.card) == ("VISA", made.card)


@pytest.mark.parametrize(
    ("stored", "asked", "holder"),
    [
        (NO_HOLDER, "true",  "Ann Other"),
        (NO_HOLDER, "1",     "Ann Other"),
        (NO_HOLDER, "false", None),
        (NO_HOLDER, "",      None),
        (CARD,      "true",  "Jane Jones"),
    ],
)  # fmt: skip
def test_a_holder_fills_an_empty_one_for_that_payment_alone(stored, asked, holder) -> None:
    context = a_context()
    made = register(context, stored, new_ids(context))
    more = {"overrideHolder": asked} if asked else {}
    payment = charged(context, made.id, **more, **{"card.holder": "Ann Other"})
    assert payment.card is not None and payment.card.holder == holder
    assert read_registration(context, made.id) == made


def test_a_card_that_expired_meanwhile_is_refused() -> None:
    clock = HandClock(NOON)
    context = a_context(clock=clock)
    made = registered(context, **{"card.expiryYear": "2026", "card.expiryMonth": "11"})
    clock.advance(timedelta(days=11))
    assert refusal_of(charged, context, made.id) == "100.100.303"


# ids


@pytest.mark.parametrize(
    ("identity", "code"),
    [("8" + "0" * 31, "100.150.200"), ("8" * 31, "100.150.101"), ("8" * 31 + "!", "100.150.101")],
)
def test_an_id_that_names_nothing_has_its_own_code(identity: str, code: str) -> None:
    context = a_context()
    for call in (read_registration, charged):
        with pytest.raises(UnknownReferenceError) as caught:
            call(context, identity)
        assert caught.value.code == code


def test_the_id_of_a_payment_is_not_that_of_a_registration() -> None:
    context = a_context()
    payment = take_payment(context, {**CARD, **ONE_EURO}, new_ids(context))
    assert refusal_of(charged, context, payment.id) == "100.150.204"


def test_another_merchants_registration_stays_unseen() -> None:
    context = a_context()
    made = registered(context)
    other_merchant = ChannelContext(
        context.ports, context.channel, replace(context.stamp, merchant="8" * 32), context.host
    )
    assert refusal_of(charged, other_merchant, made.id) == "100.150.200"
    assert (
        refusal_of(remove_registration, other_merchant, made.id, {}, new_ids(context))
        == "100.150.200"
    )


def test_a_registration_is_read_as_a_payment_where_the_field_does_that() -> None:
    for profile, found in (("specification", False), ("field", True)):
        context = a_context(profile=profile)
        order = {**CARD, **ONE_EURO, "createRegistration": "true"}
        identity = take_payment(context, order, new_ids(context)).registration or ""
        if found:
            assert read_by_any_id(context, identity) == read_registration(context, identity)
        else:
            assert refusal_of(read_by_any_id, context, identity) == "700.400.580"


# changing


def test_an_update_keeps_what_it_does_not_name() -> None:
    context = a_context()
    made = registered(context, **SHOPPER)
    changes = {"card.expiryYear": "2036", "billing.city": "Linz"}
    changed, outcome = update(context, made.id, changes)
    assert outcome.code == "000.100.110"
    assert changed.card == replace(made.card, expiryYear="2036")
    assert changed.sent == {**SHOPPER, "billing.city": "Linz"}
    assert charged(context, made.id).card == changed.card


def test_retention_moves_with_the_expiry_of_the_card() -> None:
    context = a_context()
    made = registered(context)
    later, _ = update(context, made.id, {"card.expiryYear": "2036"})
    assert (made.due, later.due) == (
        datetime(2035, 8, 1, tzinfo=UTC), datetime(2037, 8, 1, tzinfo=UTC),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("is_card", "changes", "code"),
    [
        (True,  {"card.expiryYear": "2025"},       "100.100.303"),
        (True,  {"bankAccount.holder": "Ann Other"}, "100.150.205"),
        (False, {"card.holder": "Ann Other"},      "100.150.205"),
    ],
)  # fmt: skip
def test_an_update_that_does_not_fit_changes_nothing(is_card, changes, code) -> None:
    context = a_context()
    made = registered(context) if is_card else registered_account(context)
    assert refusal_of(update, context, made.id, changes) == code
    assert read_registration(context, made.id) == made


# removing


def test_a_removed_registration_keeps_no_account_and_cannot_be_used() -> None:
    context = a_context()
    made = registered(context, **SHOPPER)
    left, outcome = remove_registration(context, made.id, {}, new_ids(context))
    assert outcome.code == "000.100.110"
    assert (left.card, left.sealed_card, left.account, left.sent) == (None, None, {}, {})
    assert refusal_of(charged, context, made.id) == "100.150.202"
    assert refusal_of(update, context, made.id, {}) == "100.150.202"
    assert refusal_of(remove_registration, context, made.id, {}, new_ids(context)) == "100.150.202"
    with pytest.raises(UnknownReferenceError, match=r"100\.150\.202"):
        read_registration(context, made.id)


def test_removal_takes_the_account_out_of_the_rg_too() -> None:
    context = a_context()
    for made in (registered(context), registered_account(context)):
        remove_registration(context, made.id, {}, new_ids(context))
        rg = context.ports.store.get(Payment, made.id)
        assert rg is not None
        assert (rg.card, rg.sealed_card) == (None, None)
        assert not [name for name in rg.sent if name.startswith("bankAccount.")]


def test_payments_made_before_a_removal_stay_as_they_are() -> None:
    context = a_context()
    made = registered(context)
    payment = context.ports.store.get(Payment, charged(context, made.id).id)
    remove_registration(context, made.id, {}, new_ids(context))
    assert payment is not None and payment.sealed_card is not None
    assert context.ports.store.get(Payment, payment.id) == payment


# its events


def events_of(context: ChannelContext) -> list[tuple[str, str | None, str]]:
    """Type, action and id of every webhook event, oldest first."""
    events = list(context.ports.store.between(WebhookEvent, "date", "", "9999-12-31"))
    return [(each.type, each.action, decode_payload(each)["id"]) for each in events]


def test_every_change_of_a_registration_is_an_event_and_a_payment_with_it_is_none() -> None:
    context = a_context(dispatcher=RecordingDispatcher())
    listener = an_endpoint(entity=context.stamp.merchant, types=("REGISTRATION",))
    context.ports.dispatcher.endpoints = {listener.entity: (listener,)}
    made = registered(context)
    charged(context, made.id)
    update(context, made.id, {"card.expiryYear": "2036"})
    extend_life(context, made.id, {}, new_ids(context))
    remove_registration(context, made.id, {}, new_ids(context))
    actions = ["CREATED", "UPDATED", "UPDATED", "DELETED"]
    assert events_of(context) == [("REGISTRATION", action, made.id) for action in actions]
    assert len(context.ports.dispatcher.deliveries) == 4


def test_the_end_of_retention_is_an_event() -> None:
    clock = HandClock(NOON)
    context = a_context(clock=clock, dispatcher=RecordingDispatcher())
    made = registered(context)
    listener = an_endpoint(entity=context.stamp.merchant, types=("REGISTRATION",))
    context.ports.dispatcher.endpoints = {listener.entity: (listener,)}
    assert made.due is not None
    clock.advance(made.due - clock.now())
    run_due(context.ports)
    assert events_of(context) == [("REGISTRATION", "DELETED", made.id)]


def test_the_use_of_a_bank_account_is_no_new_registration() -> None:
    context = a_context(dispatcher=RecordingDispatcher())
    made = registered_account(context)
    listener = an_endpoint(entity=context.stamp.merchant, types=("REGISTRATION",))
    context.ports.dispatcher.endpoints = {listener.entity: (listener,)}
    charged(context, made.id)
    assert events_of(context) == []
