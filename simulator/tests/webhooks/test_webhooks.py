"""Notifications as a developer meets them: what is sandbox, to whom, and what scripts do to it."""

import json
from pathlib import Path

import gevent
import pytest
from msgspec.structs import replace

from simulator.catalogue.events import EVENTS
from simulator.derive.documents.events import events_markdown
from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import State
from simulator.domain.webhooks.records import Delivery, WebhookEvent
from simulator.service.payments.pipeline import take_payment
from simulator.service.webhooks.events import prepare_payment_events
from simulator.tests.kit.gateway import ORDER, Gateway
from simulator.tests.kit.making import CARD, RecordingDispatcher, a_context, new_ids
from simulator.tests.kit.sinks import sink, status, unused_port
from simulator.tests.kit.webhooks import WebhookSandbox, an_endpoint

ROOT = Path(__file__).resolve().parents[3]
CREATED, UPDATED = "PAYMENT CREATED", "PAYMENT UPDATED"
REGISTERED = "REGISTRATION CREATED"
PART = {"amount": "1.00", "currency": "EUR"}


@pytest.fixture
def sandbox(gateway: Gateway) -> WebhookSandbox:
    return WebhookSandbox(gateway)


# fmt: off
INITIAL = (
    # parameters                                              events
    ({"paymentType": "PA"},                                   [CREATED]),
    ({"paymentType": "DB"},                                   [CREATED]),
    ({"paymentType": "CD"},                                   [CREATED]),
    ({"card.holder": "800.100.151"},                          [CREATED]),
    ({"createRegistration": "true"},                          [CREATED, REGISTERED]),
    ({"createRegistration": "true",
      "card.holder": "800.100.151"},                          [CREATED]),
)
REFERRING = (
    # first  then   events of the second
    ("PA",   "CP",  [CREATED]),
    ("PA",   "RV",  [CREATED]),
    ("PA",   "RC",  [CREATED]),
    ("DB",   "RF",  [CREATED]),
    ("DB",   "RB",  [CREATED]),
)
# fmt: on


@pytest.mark.parametrize(("sent", "events"), INITIAL, ids=str)
def test_an_initial_payment_emits_its_events(
    sandbox: WebhookSandbox, sent: dict, events: list[str]
) -> None:
    sandbox.pay(**sent)
    assert sandbox.events(len(events)) == events


@pytest.mark.parametrize(("first", "then", "events"), REFERRING)
def test_a_referring_payment_emits_its_own_event_and_names_the_other(
    sandbox: WebhookSandbox, first: str, then: str, events: list[str]
) -> None:
    paid = sandbox.pay(paymentType=first)
    later = sandbox.refer(paid, then, **({} if then == "RV" else PART))
    assert sandbox.events(1 + len(events)) == [CREATED, *events]
    payload = sandbox.inbox()[1]["payload"]
    assert (payload["id"], payload["referencedId"]) == (later["id"], paid["id"])
    assert "referencedId" not in later
    assert "referencedId" not in sandbox.inbox()[0]["payload"]


def test_a_registration_emits_its_event_alone(sandbox: WebhookSandbox) -> None:
    registered = sandbox.pay(paymentType="RG", amount=None, currency=None)
    assert sandbox.events(1) == [REGISTERED]
    payload = sandbox.inbox()[0]["payload"]
    assert payload["id"] == registered["id"]
    assert payload["card"]["last4Digits"] == "0000"


def test_a_pending_payment_emits_two_events(sandbox: WebhookSandbox) -> None:
    sandbox.arm("pending-then-approved")
    payment = sandbox.pay()
    sandbox.advance("1m")
    assert sandbox.events(2) == [CREATED, UPDATED]
    first, second = (each["payload"] for each in sandbox.inbox())
    assert (first["result"]["code"], second["result"]["code"]) == ("000.200.000", "000.100.110")
    assert first["id"] == second["id"] == payment["id"]


def test_the_referenced_payment_emits_an_event_where_d81_sends_it(
    gateway: Gateway,
) -> None:
    sandbox = WebhookSandbox(gateway, overrides={"D-81": "send"})
    paid = sandbox.pay(paymentType="PA")
    sandbox.refer(paid, "CP", **PART)
    assert sandbox.events(3) == [CREATED, CREATED, UPDATED]
    assert sandbox.inbox()[2]["payload"]["id"] == paid["id"]


def test_the_payload_is_the_payment_response(sandbox: WebhookSandbox) -> None:
    answer = sandbox.pay(**{"customer.givenName": "Jane", "customer.surname": "Jones"})
    (arrived,) = sandbox.inbox(1)
    only_in_events = {"presentationAmount": "92.00", "presentationCurrency": "EUR"}
    assert arrived["payload"] == {**answer, **only_in_events}
    assert list(arrived["payload"])[0] == "id"


def test_profile_field_sends_more_and_no_action_of_payments(gateway: Gateway) -> None:
    sandbox = WebhookSandbox(gateway, profile="field")
    sandbox.pay(createRegistration="true")
    payment, registration = sandbox.inbox(2)
    assert (payment["action"], registration["action"]) == (None, "CREATED")
    payload = payment["payload"]
    assert payload["authentication"] == {"entityId": sandbox.merchant.entity_id}
    assert payload["channelName"] == "Sandgate Channel"
    assert (payload["source"], payload["paymentMethod"]) == ("OPP", "CC")
    assert payload["shortId"].count(".") == 2


@pytest.mark.parametrize("form", ["json", "hex", "wrapped"])
@pytest.mark.parametrize("fields", ["ALL", "NON_CUSTOMER_DATA"])
def test_every_format_and_choice_of_fields_arrives(
    gateway: Gateway, form: str, fields: str
) -> None:
    sandbox = WebhookSandbox(gateway, with_endpoint=False)
    sandbox.webhook(format=form, fields=fields)
    sandbox.pay(**{"customer.givenName": "Jane", "customer.surname": "Jones"})
    (arrived,) = sandbox.inbox(1)
    assert ("customer" in arrived["payload"]) == (fields == "ALL")
    assert ("holder" in arrived["payload"]["card"]) == (fields == "ALL")


def test_each_endpoint_gets_the_events_below_its_entity(gateway: Gateway) -> None:
    merchants = [{"name": "one", "channels": [{}, {}]}, {"name": "two"}]
    sandbox = WebhookSandbox(gateway, with_endpoint=False, merchants=merchants)
    entities = sandbox.made["entities"]
    first, second = entities["merchants"]
    for entity in (entities["psp"], entities["division"], first["id"], first["channels"][0]["id"],
                   first["channels"][1]["id"], second["id"]):  # fmt: skip
        sandbox.webhook(entity=entity)
    sandbox.pay()
    assert sandbox.events(4) == [CREATED] * 4
    (notice,) = sandbox.notices()
    assert len(notice["deliveries"]) == 4
    assert len({each["event_id"] for each in sandbox.inbox()}) == 1


def test_a_refused_payment_emits_nothing(sandbox: WebhookSandbox) -> None:
    sandbox.pay(**{"card.number": "4200000000000001"})
    sandbox.pay(amount="x")
    sandbox.refer({"id": "8" * 32}, "CP", **PART)
    assert sandbox.notices() == []


def test_without_an_endpoint_nothing_is_stored(gateway: Gateway) -> None:
    sandbox = WebhookSandbox(gateway, with_endpoint=False)
    sandbox.pay()
    assert sandbox.notices() == []


def test_a_change_and_its_events_are_one_unit_of_work() -> None:
    context = a_context()
    endpoint = an_endpoint(entity=context.stamp.psp)
    context = a_context(dispatcher=RecordingDispatcher(endpoint))
    sent = {"paymentType": "DB", "amount": "92.00", "currency": "EUR", **CARD}
    payment = take_payment(context, sent, new_ids(context))
    (unit,) = context.ports.store.units
    kinds = [type(record).__name__ for record in unit.puts]
    assert kinds == ["Payment", "WebhookEvent", "Delivery"]
    (delivery,) = context.ports.dispatcher.deliveries
    assert delivery.under_way
    assert context.ports.store.get(WebhookEvent, delivery.event_id).payment == payment.id


def test_a_refused_save_hands_nothing_over() -> None:
    class Full:
        """A store that takes nothing."""

        def find(self, *asked: object) -> list:
            return []

        ids_found = find

        def get_many(self, *asked: object) -> dict:
            return {}

        def commit(self, unit: object) -> None:
            raise Refusal("800.100.100")

    context = a_context()
    context = a_context(
        dispatcher=RecordingDispatcher(an_endpoint(entity=context.stamp.psp)), store=Full()
    )
    sent = {"paymentType": "DB", "amount": "92.00", "currency": "EUR", **CARD}
    with pytest.raises(Refusal):
        take_payment(context, sent, new_ids(context))
    assert context.ports.dispatcher.deliveries == []


def test_without_an_endpoint_nothing_is_looked_up() -> None:
    context = a_context()
    sent = {"paymentType": "DB", "amount": "1.00", "currency": "EUR", **CARD}
    payment = take_payment(context, sent, new_ids(context))
    ports = replace(context.ports, store=None, ids=None, clock=None)
    now = payment.created_at
    assert prepare_payment_events(ports, payment, (), before=State.OPEN, now=now) == ()


def test_the_clock_drives_the_retries_of_a_failed_delivery(gateway: Gateway) -> None:
    sandbox = WebhookSandbox(gateway, with_endpoint=False)
    with sink(lambda number: status(500 if number < 4 else 200)) as server:
        sandbox.webhook(server.url, skip_activation=True)
        sandbox.pay()
        sandbox.ask("POST", "/drain", {})
        for span, attempts in (("59s", 1), ("1s", 2), ("1m59s", 2), ("1s", 3), ("1h", 4)):
            sandbox.advance(span)
            assert sandbox.notices()[0]["deliveries"][0]["attempts"] == attempts, span
    assert sandbox.notices()[0]["deliveries"][0]["state"] == "delivered"


def test_what_failed_is_listed_and_resent_under_the_same_identity(gateway: Gateway) -> None:
    sandbox = WebhookSandbox(gateway, with_endpoint=False)
    with sink(lambda number: status(503 if number == 1 else 200)) as server:
        sandbox.webhook(server.url, skip_activation=True)
        payment = sandbox.pay()
        sandbox.ask("POST", "/drain", {})
        (failed,) = sandbox.notices("?failed=true")
        assert failed["deliveries"][0]["status"] == 503
        assert sandbox.notices(f"?payment={payment['id']}") == sandbox.notices()
        assert sandbox.ask("POST", f"/notices/{failed['id']}/resend", {}).status_code == 200
        sandbox.ask("POST", "/drain", {})
        assert sandbox.notices("?failed=true") == []
    assert {each.headers["x-event-id"] for each in server.requests} == {failed["id"]}


def test_an_event_is_read_with_its_payload(sandbox: WebhookSandbox) -> None:
    payment = sandbox.pay()
    (notice,) = sandbox.notices()
    assert sandbox.ask("GET", f"/notices/{notice['id']}").json["payload"]["id"] == payment["id"]
    assert sandbox.ask("GET", "/notices/8").status_code == 404
    assert sandbox.ask("POST", "/notices/8/resend", {}).status_code == 404


def test_an_event_is_triggered_by_hand(sandbox: WebhookSandbox) -> None:
    payment = sandbox.pay(createRegistration="true")
    for name in ("payment.updated", "registration.created", "PAYMENT.CREATED"):
        asked = {"event": name, "payment": payment["id"]}
        assert sandbox.ask("POST", "/notices", asked).status_code == 201
    assert sandbox.events(5)[2:] == [UPDATED, REGISTERED, CREATED]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"event": "payment.deleted"}, "event"),
        ({"payment": "8" * 32}, "payment"),
        ({"event": "registration.created"}, "payment"),
    ],
)
def test_a_trigger_that_cannot_be_is_refused(
    sandbox: WebhookSandbox, change: dict, where: str
) -> None:
    asked = {"event": "payment.updated", "payment": sandbox.pay()["id"], **change}
    answer = sandbox.ask("POST", "/notices", asked)
    assert (answer.status_code, answer.json["error"]["where"]) == (400, where)


def test_a_trigger_without_an_endpoint_is_refused(gateway: Gateway) -> None:
    sandbox = WebhookSandbox(gateway, with_endpoint=False)
    asked = {"event": "payment.updated", "payment": sandbox.pay()["id"]}
    assert sandbox.ask("POST", "/notices", asked).json["error"]["where"] == "event"


def test_the_old_notification_url_is_called_once_a_payment_is_final(gateway: Gateway) -> None:
    sandbox = WebhookSandbox(gateway, with_endpoint=False)
    sandbox.arm("pending-then-approved", times=1)
    with sink() as server:
        payment = sandbox.pay(notificationUrl=server.url)
        sandbox.ask("POST", "/drain", {})
        assert server.requests == []
        sandbox.advance("1m")
        sandbox.pay(notificationUrl=server.url)
        sandbox.ask("POST", "/drain", {})
    (request,) = server.requests
    path = f"/hook?id={payment['id']}&resourcePath=%2Fv1%2Fpayments%2F{payment['id']}"
    assert request.line == f"GET {path} HTTP/1.1"
    assert sandbox.notices()[0]["type"] == "notificationUrl"


def test_a_call_of_a_closed_notification_url_is_tried_again(gateway: Gateway) -> None:
    sandbox = WebhookSandbox(gateway, with_endpoint=False)
    sandbox.arm("pending-then-approved")
    sandbox.pay(notificationUrl=f"http://127.0.0.1:{unused_port()}/")
    sandbox.advance("2m")
    assert sandbox.notices()[0]["deliveries"][0]["attempts"] == 2


def test_what_was_under_way_is_delivered_after_a_restart(tmp_path: Path) -> None:
    first = Gateway(tmp_path / "data", durability="os")
    sandbox = WebhookSandbox(first, with_endpoint=False)
    with sink(lambda number: gevent.sleep(60) if number == 1 else status(200)) as server:
        sandbox.webhook(server.url, skip_activation=True)
        payment = sandbox.pay()
        server.wait(1)
        first.close()
        second = Gateway(tmp_path / "data", durability="os")
        second.control("GET", f"/sandboxes/{sandbox.made['id']}/clock")
        requests = server.wait(2)
        second.close()
    assert len({each.headers["x-event-id"] for each in requests}) == 1
    assert len(requests) == 2
    assert payment["id"]


def test_the_same_calls_give_the_same_order_of_events(gateway: Gateway) -> None:
    orders = []
    for _ in range(2):
        sandbox = WebhookSandbox(gateway)
        for amount in ("1.00", "2.00", "3.00"):
            paid = sandbox.pay(paymentType="PA", amount=amount)
            sandbox.refer(paid, "CP", amount=amount, currency="EUR")
        sandbox.events(6)
        orders.append(
            [
                (each["payload"]["paymentType"], each["payload"]["amount"])
                for each in sandbox.inbox()
            ]
        )
    assert orders[0] == orders[1]
    assert [kind for kind, _ in orders[0]] == ["PA", "CP"] * 3


def test_a_reset_removes_endpoints_and_events(sandbox: WebhookSandbox) -> None:
    sandbox.pay()
    sandbox.ask("POST", "/reset", {})
    assert sandbox.ask("GET", "/webhooks").json == {"webhooks": []}
    assert sandbox.notices() == sandbox.inbox() == []


def test_the_page_prints_the_table_of_events() -> None:
    page = ROOT / "docs" / "reference" / "webhook-events.md"
    assert events_markdown() in page.read_text(encoding="utf-8")
    assert len({(row.change, kind) for row in EVENTS for kind in row.payment_types}) == sum(
        len(row.payment_types) for row in EVENTS
    )


def test_a_secret_of_an_endpoint_is_shown_once(sandbox: WebhookSandbox, tmp_path: Path) -> None:
    secret = sandbox.endpoint["secret"]
    sandbox.pay()
    sandbox.inbox(1)
    answers = [
        sandbox.ask("GET", path).json
        for path in ("/webhooks", f"/webhooks/{sandbox.endpoint['id']}", "/notices", "/inbox", "")
    ]
    assert secret not in json.dumps(answers)
    assert ORDER["card.number"] not in json.dumps(answers)


def test_a_delivery_names_its_lane() -> None:
    fields = {"id": "d", "event_id": "n", "began_at": an_endpoint().created_at}
    assert Delivery(**fields, endpoint="e").queue_key == "e"
    assert Delivery(**fields, url="http://shop.example/").queue_key == "http://shop.example/"
