"""The registration resources in the process: paths, answers, statuses, what no answer shows."""

import json
from itertools import product
from pathlib import Path

import pytest
from falcon.testing import Result

from simulator.catalogue.fields.accounts import ACCOUNT_NUMBERS, STORED_ACCOUNT
from simulator.client import Client, Control
from simulator.tests.kit.gateway import FORM, ORDER, Credentials, Gateway
from simulator.tests.kit.running import serving

CARD = {name: value for name, value in ORDER.items() if name.startswith(("card.", "paymentBrand"))}
MONEY = {"paymentType": "DB", "amount": "9.90", "currency": "EUR"}
UNKNOWN = "8" + "0" * 31
PLACE = {"standingInstruction.mode": "REPEATED", "standingInstruction.source": "MIT"}
MIGRATED = {
    "recurringMigration.paymentType": "DB",
    "recurringMigration.amount": "9.90",
    "recurringMigration.requestTimestamp": "2026-01-31 13:07:09+0000",
    "recurringMigration.connectorTxId1": "830128374650192",
    "recurringMigration.connectorTxId2": "two",
    "recurringMigration.connectorTxId3": "three",
}


def send(gateway: Gateway, path: str, sent: dict, who: Credentials | None = None) -> Result:
    who = who or gateway.merchant
    return gateway.send(f"/v1/registrations{path}", {"entityId": who.entity_id, **sent}, who)


def make(gateway: Gateway, who: Credentials | None = None, **more: str) -> str:
    return send(gateway, "", {**CARD, **more}, who).json["id"]


def ask(gateway: Gateway, method: str, path: str, who: Credentials | None = None) -> Result:
    who = who or gateway.merchant
    return gateway.client.simulate_request(
        method,
        path,
        params={"entityId": who.entity_id},
        headers={"Authorization": f"Bearer {who.token}"},
        extras={"sandgate.listener": who.listener},
    )


def test_a_registration_is_answered_as_clients_read_it(gateway: Gateway) -> None:
    answer = send(gateway, "", {**CARD, "customParameters[shop]": "7"})
    assert answer.status_code == 200
    assert list(answer.json) == [
        "id", "paymentBrand", "result", "card", "customParameters", "buildNumber", "timestamp",
        "ndc",
    ]  # fmt: skip
    assert answer.json["result"]["code"] == "000.100.110"
    assert answer.json["card"]["last4Digits"] == "0000"


def test_the_type_may_be_named(gateway: Gateway) -> None:
    assert send(gateway, "", {**CARD, "paymentType": "RG"}).status_code == 200


def test_another_type_registers_nothing(gateway: Gateway) -> None:
    (error,) = send(gateway, "", {**CARD, "paymentType": "DB"}).json["result"]["parameterErrors"]
    assert error["name"] == "paymentType"


def test_a_declined_registration_is_400_and_has_the_same_members(gateway: Gateway) -> None:
    answer = send(gateway, "", {**CARD, "customParameters[forceResultCode]": "800.100.152"})
    assert answer.status_code == 400
    assert answer.json["result"]["code"] == "800.100.152"
    assert {"id", "paymentBrand", "card"} <= answer.json.keys()
    assert "paymentType" not in answer.json


def test_a_registration_is_read_as_it_was_answered(gateway: Gateway) -> None:
    identity = make(gateway, **{"billing.city": "Graz"})
    read = ask(gateway, "GET", f"/v1/registrations/{identity}").json
    assert (read["id"], read["billing"]) == (identity, {"city": "Graz"})
    assert read["paymentBrand"] == "VISA"


def test_a_payment_by_registration_is_answered_as_a_payment(gateway: Gateway) -> None:
    identity = make(gateway)
    answer = send(gateway, f"/{identity}/payments", {**MONEY, "card.cvv": "123"})
    assert answer.status_code == 200
    assert answer.json["registrationId"] == identity
    assert answer.json["card"]["last4Digits"] == "0000"
    assert gateway.read(answer.json["id"]).json["registrationId"] == identity
    assert gateway.refer(answer.json["id"], "RF", amount="9.90", currency="EUR").status_code == 200


@pytest.mark.parametrize("missing", ["amount", "currency", "paymentType"])
def test_a_payment_by_registration_needs_no_more_than_type_and_amount(
    gateway: Gateway, missing: str
) -> None:
    sent = {name: value for name, value in MONEY.items() if name != missing}
    answer = send(gateway, f"/{make(gateway)}/payments", sent)
    assert [e["name"] for e in answer.json["result"]["parameterErrors"]] == [missing]


def test_a_card_number_is_no_parameter_of_a_payment_by_registration(gateway: Gateway) -> None:
    answer = send(gateway, f"/{make(gateway)}/payments", {**MONEY, **CARD})
    names = {error["name"] for error in answer.json["result"]["parameterErrors"]}
    assert names == {"card.number", "card.expiryMonth", "card.expiryYear"}
    assert "4200000000000000" not in answer.text


@pytest.mark.parametrize("profile", ["specification", "field"])
@pytest.mark.parametrize(
    ("path", "name"), [*product([""], STORED_ACCOUNT), *product(["/payments"], ACCOUNT_NUMBERS)]
)
def test_another_account_is_another_registration(
    gateway: Gateway, profile: str, path: str, name: str
) -> None:
    who, name = gateway.sandbox(profile=profile), name.replace("[]", "[0]")
    stored = f"/{make(gateway, who)}"
    sent = {name: "5454545454545454", "card.holder": "Jo Doe", **(MONEY if path else {})}
    answer = send(gateway, stored + path, sent, who)
    assert [each["name"] for each in answer.json["result"]["parameterErrors"]] == [name]
    assert "5454545454545454" not in answer.text and "profile field" not in answer.text
    assert send(gateway, stored, {}, who).json["card"]["holder"] == CARD["card.holder"]


@pytest.mark.parametrize("profile", ["specification", "field"])
def test_authorizing_and_capturing_in_one_type_is_the_fields(
    gateway: Gateway, profile: str
) -> None:
    who = gateway.sandbox(profile=profile)
    sent = {**MONEY, "paymentType": "PA.CP"}
    answer = send(gateway, f"/{make(gateway, who)}/payments", sent, who)
    assert answer.status_code == (200 if profile == "field" else 400)


@pytest.mark.parametrize("in_body", [True, False])
def test_removal_takes_its_parameters_in_query_or_body(gateway: Gateway, in_body: bool) -> None:
    identity = make(gateway)
    where = {"body": f"entityId={gateway.merchant.entity_id}&testMode=EXTERNAL"}
    removed = gateway.client.simulate_delete(
        f"/v1/registrations/{identity}",
        headers={"Authorization": f"Bearer {gateway.merchant.token}", "Content-Type": FORM},
        **(where if in_body else {"params": {"entityId": gateway.merchant.entity_id}}),
    )
    assert removed.status_code == 200
    assert removed.json["id"] == identity
    assert removed.json["result"]["code"] == "000.100.110"
    assert ask(gateway, "GET", f"/v1/registrations/{identity}").status_code == 404
    charged = send(gateway, f"/{identity}/payments", MONEY)
    assert (charged.status_code, charged.json["result"]["code"]) == (400, "100.150.202")


def test_an_update_changes_the_card_and_answers_the_registration(gateway: Gateway) -> None:
    identity = make(gateway)
    answer = send(gateway, f"/{identity}", {"card.expiryYear": "2036"})
    assert answer.status_code == 200
    assert answer.json["card"]["expiryYear"] == "2036"
    assert send(gateway, f"/{identity}/payments", MONEY).json["card"]["expiryYear"] == "2036"


def test_a_life_is_extended_with_nothing_but_the_entity(gateway: Gateway) -> None:
    identity = make(gateway)
    assert send(gateway, f"/{identity}/extendlife", {}).json["result"]["code"] == "000.100.110"
    again = send(gateway, f"/{identity}/extendlife", {})
    assert (again.status_code, again.json["result"]["code"]) == (400, "100.150.206")


def test_the_registrations_of_others_and_of_the_other_host_stay_unseen(gateway: Gateway) -> None:
    identity = make(gateway)
    other_merchant = gateway.sandbox()
    for who in (other_merchant, gateway.live):
        assert ask(gateway, "GET", f"/v1/registrations/{identity}", who).status_code == 404
        assert ask(gateway, "DELETE", f"/v1/registrations/{identity}", who).status_code == 404
        assert send(gateway, f"/{identity}/payments", MONEY, who).status_code == 404
    assert ask(gateway, "GET", f"/v1/registrations/{identity}").status_code == 200


@pytest.mark.parametrize("kind", ["CP", "RF"])
def test_what_refers_to_a_payment_stores_no_account(gateway: Gateway, kind: str) -> None:
    paid = gateway.post(paymentType="PA" if kind == "CP" else "DB").json["id"]
    more = {**MONEY, "createRegistration": "true"}
    more.pop("paymentType", None)
    referred = gateway.refer(paid, kind, **more)
    assert referred.status_code == 200
    assert "registrationId" not in referred.json


def test_a_live_registration_says_so_by_its_code(gateway: Gateway) -> None:
    identity = make(gateway, gateway.live)
    removed = ask(gateway, "DELETE", f"/v1/registrations/{identity}", gateway.live)
    assert removed.json["result"]["code"] == "000.000.000"


@pytest.mark.parametrize("profile", ["specification", "field"])
def test_a_registration_is_asked_for_as_a_payment_by_clients_of_the_field(
    gateway: Gateway, profile: str
) -> None:
    who = gateway.sandbox(profile=profile)
    beside = gateway.post(who=who, createRegistration="true").json["registrationId"]
    alone = make(gateway, who)
    assert gateway.read(alone, who).json["id"] == alone
    read = gateway.read(beside, who)
    assert read.status_code == (200 if profile == "field" else 404)
    assert profile != "field" or read.json["card"]["last4Digits"] == "0000"


def test_the_field_writes_1_for_true(gateway: Gateway) -> None:
    who = gateway.sandbox(profile="field")
    identity = gateway.post(who=who, createRegistration="1").json["registrationId"]
    assert send(gateway, f"/{identity}/payments", MONEY, who).status_code == 200


def test_a_migration_is_taken_where_an_rg_is(gateway: Gateway) -> None:
    alone = send(gateway, "", {**CARD, **MIGRATED}).json
    assert alone["recurringMigration"]["connectorTxId3"] == "three"
    payment = gateway.post(paymentType="RG", amount=None, currency=None, **MIGRATED).json
    for identity in (alone["id"], payment["id"]):
        charged = send(gateway, f"/{identity}/payments", {**MONEY, **PLACE}).json
        known = charged["standingInstruction"]["initialTransactionId"]
        assert known == MIGRATED["recurringMigration.connectorTxId1"]


def test_a_migration_is_no_part_of_another_payment(gateway: Gateway) -> None:
    errors = gateway.post(**MIGRATED).json["result"]["parameterErrors"]
    assert [error["name"] for error in errors] == ["paymentType"]
    incomplete = {name: value for name, value in MIGRATED.items() if "paymentType" not in name}
    errors = send(gateway, "", {**CARD, **incomplete}).json["result"]
    assert [e["name"] for e in errors["parameterErrors"]] == ["recurringMigration.paymentType"]


def test_the_simulator_gives_a_reference_and_knows_it_again(gateway: Gateway) -> None:
    place = {"standingInstruction.mode": "INITIAL", "standingInstruction.source": "CIT"}
    first = gateway.post(**place).json
    reference = first["standingInstruction"]["initialTransactionId"]
    assert first["resultDetails"]["CardholderInitiatedTransactionID"] == reference
    assert reference.isalnum() and len(reference) == 15
    name = "standingInstruction.initialTransactionId"
    assert gateway.post(**PLACE, **{name: reference}).status_code == 200
    strange = gateway.post(**PLACE, **{name: reference[::-1] + "1"})
    assert (strange.status_code, strange.json["result"]["code"]) == (400, "600.200.501")
    declined = gateway.post(**place, **{"card.holder": "800.100.152"}).json
    assert "initialTransactionId" not in declined["standingInstruction"]
    assert "CardholderInitiatedTransactionID" not in declined.get("resultDetails", {})


def test_no_number_and_no_code_of_a_stored_card_is_shown_or_journalled(gateway: Gateway) -> None:
    identity = make(gateway)
    answers = [
        send(gateway, f"/{identity}/payments", {**MONEY, "card.cvv": "987"}),
        ask(gateway, "GET", f"/v1/registrations/{identity}"),
        send(gateway, f"/{identity}", {"card.expiryYear": "2036"}),
        ask(gateway, "DELETE", f"/v1/registrations/{identity}"),
    ]
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    journal = gateway.control("GET", f"/sandboxes/{sandbox}/journal").text
    assert identity in journal
    for text in (*(each.text for each in answers), journal):
        assert CARD["card.number"] not in text
    assert '"987"' not in journal


PERSONAL = {
    "customer.givenName": "Jane-secret", "customer.surname": "Jones-secret",
    "customer.email": "jane-secret@shop.example", "customer.ip": "203.0.113.77",
    "billing.street1": "Street-secret 7", "billing.city": "City-secret",
    "shipping.city": "Port-secret", "corporate.name": "Acme-secret",
    "customParameters[note]": "note-secret", "cart.items[0].recipient.lastName": "Doe-secret",
    "merchantMemo": "memo-secret", "card.holder": "Holder secret",
}  # fmt: skip


@pytest.mark.parametrize("way", ["/v1/registrations", "/v1/payments", "with a payment"])
def test_stored_events_of_a_removed_registration_have_nothing_of_the_shopper(
    gateway: Gateway, way: str
) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    who = Credentials(made["token"], made["entity_id"])
    base = f"/sandboxes/{made['id']}"
    gateway.control("POST", f"{base}/webhooks", {"url": "inbox", "format": "json"})
    sent = {"entityId": who.entity_id, **CARD, **PERSONAL}
    if way == "/v1/payments":
        sent["paymentType"] = "RG"
    if way == "with a payment":
        money = {"amount": "92.00", "currency": "EUR", "paymentType": "DB"}
        sent |= {**money, "createRegistration": "true"}
    stored = gateway.send("/v1/payments" if "payment" in way else way, sent, who).json
    identity = stored.get("registrationId", stored["id"])
    changed = send(gateway, f"/{identity}", {"card.holder": "Other secret"}, who)
    assert changed.status_code == 200, changed.json
    assert "secret" in _stored_events(gateway, base)["REGISTRATION"]

    assert ask(gateway, "DELETE", f"/v1/registrations/{identity}", who).status_code == 200

    events = _stored_events(gateway, base)
    assert "secret" not in events["REGISTRATION"] and "last4Digits" not in events["REGISTRATION"]
    assert events["REGISTRATION"].count(f'"id": "{identity}"') == 3
    assert '"result"' in events["REGISTRATION"] and '"VISA"' in events["REGISTRATION"]
    # The event of a payment that the shopper made stays as it is, like the payment.
    if way == "with a payment":
        assert "secret" in events["PAYMENT"]
    else:
        assert "secret" not in events.get("PAYMENT", "")


def test_the_event_of_a_removal_names_its_channel_as_the_others_do(gateway: Gateway) -> None:
    made = gateway.control("POST", "/sandboxes", {"profile": "field"}).json
    who = Credentials(made["token"], made["entity_id"])
    base = f"/sandboxes/{made['id']}"
    gateway.control("POST", f"{base}/webhooks", {"url": "inbox", "format": "json"})
    identity = make(gateway, who)

    assert ask(gateway, "DELETE", f"/v1/registrations/{identity}", who).status_code == 200

    channel = f'"authentication": {{"entityId": "{who.entity_id}"}}'
    assert _stored_events(gateway, base)["REGISTRATION"].count(channel) == 2


def test_an_event_sent_again_after_a_removal_has_nothing_of_the_shopper(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as running:
        control = Control(running.facts["control_url"], running.facts["control_key"])
        made = control.create_sandbox()
        sandbox = made["id"]
        control.create_webhook(sandbox, "inbox")
        shop = Client(running.facts["base_url"], made["token"], made["entity_id"])
        identity = shop.post("v1/registrations", {**CARD, **PERSONAL}).body["id"]
        (first,) = control.inbox(sandbox, count=1, wait="10s")
        shop.delete(f"v1/registrations/{identity}")
        control.inbox(sandbox, count=2, wait="10s")
        control.resend_notice(sandbox, first["event_id"])
        *_, again = control.inbox(sandbox, count=3, wait="10s")
        shop.close()
        control.close()

    assert again["event_id"] == first["event_id"]
    assert "secret" in json.dumps(first["payload"])
    assert again["payload"]["id"] == identity and "secret" not in json.dumps(again["payload"])


def _stored_events(gateway: Gateway, base: str) -> dict[str, str]:
    """The payloads of the stored events as texts, by the types of these."""
    found: dict[str, str] = {}
    for each in gateway.control("GET", f"{base}/notices").json["notices"]:
        event = gateway.control("GET", f"{base}/notices/{each['id']}").json
        found[event["type"]] = found.get(event["type"], "") + json.dumps(event["payload"])
    return found


@pytest.mark.parametrize("way", ["/v1/registrations", "/v1/payments", "checkout"])
def test_nothing_is_left_of_the_shopper_after_a_removal(gateway: Gateway, way: str) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    who = Credentials(made["token"], made["entity_id"])
    sent = {**CARD, **PERSONAL, "merchantTransactionId": "registration-7"}
    if way == "checkout":
        checkout = gateway.send(
            "/v1/checkouts", {"entityId": who.entity_id, "createRegistration": "true"}, who
        ).json["id"]
        way = f"/v1/checkouts/{checkout}/registration"
        del sent["merchantMemo"], sent["merchantTransactionId"]
        sent = {name: sent[name] for name in sent if not name.startswith(("cart.", "corporate."))}
    if way == "/v1/payments":
        sent["paymentType"] = "RG"
    stored = gateway.send(way, {"entityId": who.entity_id, **sent}, who).json
    assert stored["result"]["code"] == "000.100.110", stored
    identity = stored["id"]
    updated = {"customer.email": "other-secret@shop.example"}
    send(gateway, f"/{identity}", updated, who)
    ask(gateway, "GET", f"/v1/registrations/{identity}", who)

    assert ask(gateway, "DELETE", f"/v1/registrations/{identity}", who).status_code == 200
    journal = gateway.control("GET", f"/sandboxes/{made['id']}/journal?limit=100").text
    day = {"date.from": "2001-01-01", "date.to": "2099-01-01"}
    report = gateway.client.simulate_get(
        "/v1/query", params={"entityId": who.entity_id, **day},
        headers={"Authorization": f"Bearer {who.token}"},
    ).text  # fmt: skip
    assert identity in report and identity in journal
    shown = [journal, report]
    for path in ("payments", "registrations", "query", "v3query"):
        path = {"v3query": "/v3/query"}.get(path, f"/v1/{path}")
        shown.append(ask(gateway, "GET", f"{path}/{identity}", who).text)
    assert [text for text in shown if "secret" in text or "203.0.113.77" in text] == []
