"""Webhook events of registrations, schedules and risk checks."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import islice
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from simulator.catalogue.events import (
    CHANGED,
    DESCHEDULED,
    REGISTERED,
    REMOVED,
    RESCHEDULED,
    SCHEDULED,
)
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.ports import Store, unit_of
from simulator.domain.core.records import (
    CardSummary,
    Outcome,
    Payment,
    PaymentSource,
    PaymentType,
    Registration,
    State,
)
from simulator.domain.schedules.schedules import Schedule
from simulator.domain.webhooks.envelopes import decode_payload
from simulator.domain.webhooks.records import Delivery, WebhookEvent
from simulator.service.payments.pipeline import take_payment
from simulator.service.webhooks.deliveries import READ_FIRST, find_events
from simulator.service.webhooks.events import (
    EventRecords,
    prepare_payment_events,
    prepare_record_events,
)
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.making import CARD, NOON, RecordingDispatcher, a_context, new_ids
from simulator.tests.kit.webhooks import WebhookSandbox, an_endpoint

ALL = ("PAYMENT", "REGISTRATION", "SCHEDULE", "RISK", "SETTLEMENT")
REMOVED_WELL = Outcome(code="000.100.110")


def a_context_with_endpoint(profile: str = "field", **overrides: str) -> ChannelContext:
    """A context in a sandbox whose endpoint gets events of all types."""
    psp = a_context().stamp.psp
    dispatcher = RecordingDispatcher(an_endpoint(entity=psp, types=ALL))
    return a_context(profile=profile, overrides=overrides, dispatcher=dispatcher)


def a_payment(context: ChannelContext, **more: str) -> Payment:
    """A payment that was approved."""
    sent = {"paymentType": "DB", "amount": "92.00", "currency": "EUR", **CARD, **more}
    return take_payment(context, sent, new_ids(context))


def a_registration(context: ChannelContext, **fields: object) -> Registration:
    """A registration of a card."""
    card = CardSummary(bin="420000", last4Digits="0000", expiryMonth="05", expiryYear="2034")
    usual = {"id": "8" * 32, "stamp": context.stamp, "created_at": NOON, "brand": "VISA"}
    made = {"card": card, "outcome": Outcome(code="000.100.112"), "ndc": "made"}
    return Registration(**{**usual, **made, **fields})


def a_schedule(context: ChannelContext) -> Schedule:
    """A schedule of twelve euros."""
    sent = {"amount": "12", "currency": "EUR", "paymentType": "DB", "job.hour": "7"}
    return Schedule(
        id="9" * 32,
        stamp=context.stamp,
        created_at=NOON,
        ndc="n",
        registration="8" * 32,
        sent=sent,
        began=NOON,
    )


def events_in(records: EventRecords) -> list[tuple[str, str | None, Mapping[str, object]]]:
    """Type, action and payload of the events."""
    events = [each for each in records if isinstance(each, WebhookEvent)]
    return [(each.type, each.action, decode_payload(each)) for each in events]


@pytest.mark.parametrize(
    ("change", "action"), [(REGISTERED, "CREATED"), (CHANGED, "UPDATED"), (REMOVED, "DELETED")]
)
@pytest.mark.parametrize("profile", ["specification", "field"])
def test_a_change_of_a_registration_emits_an_event(profile: str, change: str, action: str) -> None:
    context = a_context_with_endpoint(profile)
    registration = a_registration(context, sent={"customer.givenName": "Jane"})
    records = prepare_record_events(
        context.ports, registration, change, now=NOON, outcome=REMOVED_WELL, ndc="asked"
    )
    ((kind, named, payload),) = events_in(records)
    assert (kind, named) == ("REGISTRATION", action)
    assert payload["id"] == registration.id
    assert (payload["result"]["code"], payload["ndc"]) == ("000.100.110", "asked")
    # What is removed is not shown once more. Choice: D-331.
    is_shown = change != REMOVED
    assert ("card" in payload, "customer" in payload) == (is_shown, is_shown)
    assert [each.under_way for each in records if isinstance(each, Delivery)] == [True]


def test_a_registration_of_a_bank_account_shows_that_account() -> None:
    context = a_context_with_endpoint()
    account = {"bankAccount.holder": "Jane Jones", "bankAccount.country": "DE"}
    registration = a_registration(context, card=None, account=account, brand="DIRECTDEBIT_SEPA")
    ((_, _, payload),) = events_in(
        prepare_record_events(context.ports, registration, CHANGED, now=NOON)
    )
    assert payload["bankAccount"] == {"holder": "Jane Jones", "country": "DE"}
    assert (payload["paymentMethod"], "card" in payload) == ("DD", False)


@pytest.mark.parametrize(
    ("change", "action"),
    [(SCHEDULED, "CREATED"), (RESCHEDULED, "UPDATED"), (DESCHEDULED, "DELETED")],
)
def test_a_change_of_a_schedule_emits_an_event(change: str, action: str) -> None:
    context = a_context_with_endpoint(**{"D-82": "send"})
    ((kind, named, payload),) = events_in(
        prepare_record_events(context.ports, a_schedule(context), change, now=NOON)
    )
    assert (kind, named) == ("SCHEDULE", action)
    assert (payload["id"], payload["registrationId"]) == ("9" * 32, "8" * 32)
    kind = "DS" if change == DESCHEDULED else "SD"
    assert (payload["paymentType"], payload["source"]) == (kind, "SCHEDULER")
    assert (payload["presentationAmount"], payload["presentationCurrency"]) == ("12.00", "EUR")


@pytest.mark.parametrize(
    ("host", "more", "code"),
    [
        ("test", {}, "000.100.110"),
        ("test", {"testMode": "EXTERNAL"}, "000.100.112"),
        ("live", {}, "000.000.000"),
        ("live", {"testMode": "INTERNAL"}, "000.100.110"),
    ],
)
def test_an_event_of_a_schedule_has_the_code_of_its_answer(host, more, code) -> None:
    context = a_context_with_endpoint(**{"D-82": "send"})
    schedule = a_schedule(context)
    schedule = replace(schedule, host=host, sent={**schedule.sent, **more})
    for change in (SCHEDULED, RESCHEDULED, DESCHEDULED):
        ((_, _, payload),) = events_in(
            prepare_record_events(context.ports, schedule, change, now=NOON)
        )
        assert payload["result"]["code"] == code


@pytest.mark.parametrize(("host", "code"), [("test", "000.100.110"), ("live", "000.000.000")])
def test_a_registration_without_a_request_has_the_code_of_its_host(host: str, code: str) -> None:
    context = a_context_with_endpoint()
    registration = a_registration(context, host=host, outcome=None)
    ((_, _, payload),) = events_in(
        prepare_record_events(context.ports, registration, REMOVED, now=NOON)
    )
    assert payload["result"]["code"] == code


def test_a_scheduled_payment_emits_payment_and_schedule_events() -> None:
    context = a_context_with_endpoint()
    context.ports.store.commit(unit_of(a_schedule(context)))
    outcome = Outcome(code="000.100.110", details={"ConnectorTxID1": "1"})
    paid = replace(
        a_payment(context), schedule="9" * 32, source=PaymentSource.SCHEDULER, outcome=outcome
    )
    payment, schedule = events_in(
        prepare_payment_events(context.ports, paid, (), before=State.OPEN, now=NOON)
    )
    assert (payment[0], payment[2]["id"], payment[2]["source"]) == (
        "PAYMENT", paid.id, "SCHEDULER",
    )  # fmt: skip
    assert (schedule[0], schedule[2]["id"], schedule[2]["referencedId"]) == (
        "SCHEDULE", "9" * 32, paid.id,
    )  # fmt: skip
    assert schedule[2]["presentationAmount"] == "92.00"
    assert schedule[2]["resultDetails"] == {"ConnectorTxID1": "1"}


def test_a_risk_check_alone_emits_a_risk_event() -> None:
    context = a_context_with_endpoint()
    checked = replace(a_payment(context), type=PaymentType.RI, referenced="7" * 32)
    ((kind, action, payload),) = events_in(
        prepare_payment_events(context.ports, checked, (), before=State.OPEN, now=NOON)
    )
    assert (kind, action) == ("RISK", None)
    assert (payload["paymentType"], payload["paymentMethod"]) == ("RI", "RM")
    assert payload["referencedId"] == "7" * 32


def test_a_risk_check_of_a_payment_emits_a_referring_risk_event() -> None:
    context = a_context_with_endpoint()
    payment = a_payment(context)
    outcome = replace(payment.outcome, risk_score=-7)
    payment = replace(payment, outcome=outcome, screened_by="risk system")
    records = prepare_payment_events(context.ports, payment, (), before=State.OPEN, now=NOON)
    (kind, _, payload) = events_in(records)[1]
    assert (kind, payload["paymentType"], payload["paymentMethod"]) == ("RISK", "RI", "RM")
    assert payload["referencedId"] == payment.id != payload["id"]
    assert payload["risk"] == {"score": "-7"}


def test_profile_field_names_actions_of_registrations_alone() -> None:
    context = a_context_with_endpoint()
    ports, registration = context.ports, a_registration(context)
    prepared = (
        prepare_record_events(ports, registration, REMOVED, now=NOON),
        prepare_record_events(ports, a_schedule(context), SCHEDULED, now=NOON),
    )
    assert [action for records in prepared for _, action, _ in events_in(records)] == [
        "DELETED",
        None,
    ]


def test_the_specification_knows_neither_schedules_nor_risks() -> None:
    context = a_context_with_endpoint("specification")
    assert prepare_record_events(context.ports, a_schedule(context), SCHEDULED, now=NOON) == ()
    payment = replace(a_payment(context), screened_by="risk system")
    records = prepare_payment_events(context.ports, payment, (), before=State.OPEN, now=NOON)
    assert [kind for kind, _, _ in events_in(records)] == ["PAYMENT"]


def test_without_an_endpoint_a_changed_record_emits_nothing() -> None:
    context = a_context(profile="field")
    assert prepare_record_events(context.ports, a_registration(context), REMOVED, now=NOON) == ()


def test_a_registration_that_a_payment_used_emits_nothing() -> None:
    context = a_context_with_endpoint()
    payment = a_payment(context)
    used = a_registration(context, payment="7" * 32)
    records = prepare_payment_events(context.ports, payment, (used,), before=State.OPEN, now=NOON)
    assert [kind for kind, _, _ in events_in(records)] == ["PAYMENT"]


@pytest.mark.parametrize(("profile", "types"), [("specification", ALL[:2]), ("field", ALL)])
def test_an_endpoint_gets_every_type_of_its_sandbox(
    gateway: Gateway, profile: str, types: tuple[str, ...]
) -> None:
    sandbox = WebhookSandbox(gateway, profile=profile)
    assert tuple(sandbox.endpoint["types"]) == types
    one = sandbox.ask("POST", "/webhooks", {"url": "inbox", "types": ["RISK"]})
    assert one.status_code == (201 if "RISK" in types else 400)
    if one.status_code == 400:
        assert "profile field" in one.json["error"]["expected"]


def test_events_of_the_field_are_triggered_there_alone(gateway: Gateway) -> None:
    here, there = WebhookSandbox(gateway), WebhookSandbox(gateway, profile="field")
    asked = {"event": "risk.created", "payment": here.pay()["id"]}
    refused = here.ask("POST", "/notices", asked)
    assert (refused.status_code, refused.json["error"]["where"]) == (400, "event")
    payment = there.pay(createRegistration="true")
    for name, status in (("risk.created", 201), ("registration.deleted", 201),
                         ("schedule.updated", 400)):  # fmt: skip
        asked = {"event": name, "payment": payment["id"]}
        assert there.ask("POST", "/notices", asked).status_code == status
    kinds = [each["type"] for each in there.inbox(4)]
    assert kinds[2:] == ["RISK", "REGISTRATION"]


class Counted(NamedTuple):
    """The store of a sandbox, which counts what is read of it by pages; of that alone more is
    read.
    """

    inner: Store
    read: list[int]

    def page(self, *place: Any, start: int, most: int) -> tuple[Iterator[Any], int]:
        self.read.append(most)
        return self.inner.page(*place, start=start, most=most)

    def get_many(self, kind: type[Any], identities: Sequence[str]) -> dict[str, Any]:
        return self.inner.get_many(kind, identities)

    def pause(self, failures: int) -> None:
        self.inner.pause(failures)


@pytest.mark.parametrize("count", [0, 1, 10, 99, 100, 101, 250])
@pytest.mark.parametrize("wanted", [1, 10, 1000])
def test_of_many_events_no_more_are_read_than_are_shown(
    gateway: Gateway, count: int, wanted: int
) -> None:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    ports: Any = gateway.ports(sandbox)
    events = [
        WebhookEvent(id=f"{number:032x}", type="PAYMENT", payload=msgspec.Raw(b"{}"),
                     created_at=NOON + timedelta(seconds=number))
        for number in range(count)
    ]  # fmt: skip
    ports.store.commit(unit_of(*events))
    store = Counted(ports.store, [])

    found = list(islice(find_events(SimpleNamespace(store=store)), wanted))

    assert [each.id for each in found] == [each.id for each in events[::-1]][:wanted]
    assert sum(store.read) <= max(READ_FIRST, 3 * wanted)
