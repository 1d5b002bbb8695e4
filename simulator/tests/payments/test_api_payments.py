"""The payment resources in the process: answers, echoes, secrets, what is stored."""

import re
from pathlib import Path

import pytest

from simulator.tests.kit.gateway import Gateway

NDC = re.compile(r"[0-9a-f]{32}-[0-9a-f]{32}")


def test_a_payment_is_answered_as_clients_read_it(gateway: Gateway) -> None:
    answer = gateway.post(merchantTransactionId="order-4711")
    body = answer.json
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json;charset=UTF-8"
    assert list(body)[:7] == [
        "id", "paymentType", "paymentBrand", "amount", "currency", "descriptor", "result",
    ]  # fmt: skip
    assert body["result"]["code"] == "000.100.110"
    assert "Request successfully processed" in body["result"]["description"]
    assert body["card"] == {
        "bin": "420000",
        "last4Digits": "0000",
        "holder": "Jane Jones",
        "expiryMonth": "05",
        "expiryYear": "2034",
    }
    assert body["merchantTransactionId"] == "order-4711"
    assert NDC.fullmatch(body["ndc"])
    assert re.fullmatch(r"8[0-9a-f]{31}", body["id"])
    assert re.fullmatch(r"[0-9-]{10} [0-9:]{8}\+0000", body["timestamp"])


def test_a_payment_is_read_again_as_it_was_answered(gateway: Gateway) -> None:
    taken = gateway.post(**{"customParameters[SHOPPER_a.b]": "1", "billing.city": "Graz"}).json
    read = gateway.read(taken["id"]).json
    assert taken["customParameters"] == {"SHOPPER_a.b": "1"}
    volatile = {"ndc", "timestamp"}
    assert {name: read[name] for name in read.keys() - volatile} == {
        name: taken[name] for name in taken.keys() - volatile
    }
    assert read["ndc"] != taken["ndc"]


def test_a_declined_payment_is_400_and_stored(gateway: Gateway) -> None:
    answer = gateway.post(**{"card.holder": "800.100.151"})
    assert answer.status_code == 400
    assert answer.json["result"]["code"] == "800.100.151"
    assert not {"amount", "currency", "descriptor"} & answer.json.keys()
    assert gateway.read(answer.json["id"]).json["result"]["code"] == "800.100.151"


def test_a_refused_request_has_an_id_of_its_own_and_stores_nothing(gateway: Gateway) -> None:
    answer = gateway.post(**{"card.number": "4200000000000001"})
    assert (answer.status_code, answer.json["result"]["code"]) == (400, "100.100.101")
    assert gateway.read(answer.json["id"]).status_code == 404


def test_every_violation_is_named_and_no_secret_shown(gateway: Gateway) -> None:
    answer = gateway.post(
        **{"card.number": "12a4", "card.cvv": "x9x", "amount": "92.0", "currency": "eur"}
    )
    errors = {each["name"]: each for each in answer.json["result"]["parameterErrors"]}
    assert answer.json["result"]["code"] == "200.300.404"
    assert "id" not in answer.json
    assert set(errors) == {"amount", "currency", "card.number", "card.cvv"}
    assert errors["amount"]["value"] == "92.0"
    assert errors["card.number"]["value"] is None
    assert "12a4" not in answer.text and "x9x" not in answer.text


def test_an_unknown_parameter_names_the_nearest_known_one(gateway: Gateway) -> None:
    answer = gateway.post(**{"billing.houseNumber": "1"})
    (error,) = answer.json["result"]["parameterErrors"]
    assert "nearest known: billing.houseNumber" in error["message"]


def test_the_field_profile_ignores_unknown_parameters(gateway: Gateway) -> None:
    merchant = gateway.sandbox(profile="field")
    assert gateway.post(who=merchant, **{"billing.houseNumber": "1"}).status_code == 200


def test_a_refusal_that_field_would_accept_says_so(gateway: Gateway) -> None:
    (error,) = gateway.post(merchantTransactionId="123").json["result"]["parameterErrors"]
    assert "profile field accepts it" in error["message"]


def test_a_name_is_truncated_after_48_characters_and_not_refused(gateway: Gateway) -> None:
    answer = gateway.post(**{"customer.givenName": "x" * 49, "customer.surname": "y" * 48})
    assert answer.json["customer"] == {"givenName": "x" * 48, "surname": "y" * 48}


def test_street2_is_ignored_beside_a_house_number(gateway: Gateway) -> None:
    sent = {
        "billing.street1": "High Street",
        "billing.street2": "Rear",
        "billing.houseNumber1": "4",
    }
    assert gateway.post(**sent).json["billing"] == {"street1": "High Street", "houseNumber1": "4"}


def test_only_amount_affects_processing(gateway: Gateway) -> None:
    body = gateway.post(taxAmount="19.00", **{"shipping.cost": "5.00"}).json
    assert body["amount"] == "92.00"


def test_the_descriptor_is_merchant_name_then_descriptor_then_generated(gateway: Gateway) -> None:
    sent = {"descriptor": "Order 1", "merchant.name": "The Shop"}
    assert gateway.post(**sent).json["descriptor"] == "The Shop"
    assert gateway.post(descriptor="Order 1").json["descriptor"] == "Order 1"
    generated = gateway.post().json["descriptor"]
    assert re.fullmatch(r"\d{4}\.\d{4}\.\d{4} Sandgate Channel", generated)


def test_a_memo_is_answered_nowhere(gateway: Gateway) -> None:
    assert "merchantMemo" not in gateway.post(merchantMemo="for accounting").json


@pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])
def test_the_success_code_shows_the_test_mode(gateway: Gateway, mode: str) -> None:
    code = {"INTERNAL": "000.100.110", "EXTERNAL": "000.100.112"}[mode]
    assert gateway.post(testMode=mode).json["result"]["code"] == code


def test_the_brand_is_detected_where_none_is_sent(gateway: Gateway) -> None:
    body = gateway.post(paymentBrand=None, **{"card.number": "5454545454545454"}).json
    assert body["paymentBrand"] == "MASTER"


def test_a_registration_beside_a_payment_has_its_own_id(gateway: Gateway) -> None:
    body = gateway.post(createRegistration="true").json
    assert re.fullmatch(r"[0-9a-f]{32}", body["registrationId"])
    assert body["registrationId"] != body["id"]


def test_an_rg_stores_the_card_without_an_amount(gateway: Gateway) -> None:
    body = gateway.post(paymentType="RG", amount=None, currency=None).json
    assert body["registrationId"] == body["id"]
    assert gateway.read(body["id"]).json["paymentType"] == "RG"


def test_another_merchants_payment_is_unseen(gateway: Gateway) -> None:
    mine = gateway.post().json["id"]
    other = gateway.sandbox()
    assert gateway.read(mine, other).status_code == 404
    assert gateway.post(who=other._replace(entity_id=gateway.merchant.entity_id)).status_code == 403


def test_merchants_of_one_sandbox_do_not_see_each_other(gateway: Gateway) -> None:
    made = gateway.control(
        "POST", "/sandboxes", {"merchants": [{"name": "One"}, {"name": "Two"}]}
    ).json
    one, two = (
        gateway.merchant._replace(token=each["token"], entity_id=each["channels"][0]["id"])
        for each in made["entities"]["merchants"]
    )
    mine = gateway.post(who=one).json["id"]
    assert gateway.read(mine, one).status_code == 200
    assert gateway.read(mine, two).status_code == 404
    assert gateway.post(who=two._replace(entity_id=one.entity_id)).status_code == 403


def test_the_alias_of_entity_id_is_taken(gateway: Gateway) -> None:
    alias = {"authentication.entityId": gateway.merchant.entity_id}
    sent = {
        "paymentType": "DB",
        "amount": "1.00",
        "currency": "EUR",
        "card.number": "4200000000000000",
    }
    expiry = {"card.expiryMonth": "05", "card.expiryYear": "2034"}
    assert gateway.send("/v1/payments", {**alias, **sent, **expiry}).status_code == 200


def test_an_id_that_does_not_exist_is_404_or_400_by_profile(gateway: Gateway) -> None:
    unknown = "8" + "0" * 31
    assert gateway.read(unknown).status_code == 404
    field = gateway.sandbox(profile="field")
    assert gateway.read(unknown, field).status_code == 400


def test_a_reset_forgets_payments_and_keeps_credentials(gateway: Gateway) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    merchant = gateway.merchant._replace(token=made["token"], entity_id=made["entity_id"])
    taken = gateway.post(who=merchant).json["id"]
    assert gateway.control("POST", f"/sandboxes/{made['id']}/reset").json["epoch"] == 2
    assert gateway.read(taken, merchant).status_code == 404
    assert gateway.post(who=merchant).status_code == 200


def test_a_deleted_sandbox_authenticates_no_client(gateway: Gateway) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    merchant = gateway.merchant._replace(token=made["token"], entity_id=made["entity_id"])
    assert gateway.post(who=merchant).status_code == 200
    assert gateway.control("DELETE", f"/sandboxes/{made['id']}").status_code == 200
    assert gateway.post(who=merchant).status_code == 403
    assert gateway.control("GET", f"/sandboxes/{made['id']}").status_code == 404


def test_a_receiver_that_demands_a_reference_gets_one(gateway: Gateway) -> None:
    channel = {"requires_merchant_transaction_id": True}
    merchant = gateway.sandbox(merchants=[{"channels": [channel]}])
    (error,) = gateway.post(who=merchant).json["result"]["parameterErrors"]
    assert error["name"] == "merchantTransactionId"
    assert gateway.post(who=merchant, merchantTransactionId="order-4711").status_code == 200


def test_cart_items_are_counted_unless_another_unit_is_named(gateway: Gateway) -> None:
    sent = {
        "cart.items[0].name": "Book",
        "cart.items[1].name": "Pears",
        "cart.items[1].quantityUnit": "KG",
    }
    items = gateway.post(**sent).json["cart"]["items"]
    assert [item["quantityUnit"] for item in items] == ["COUNT", "KG"]


def test_a_fault_is_500_with_a_result_and_no_detail(gateway: Gateway) -> None:
    gateway.client.app.add_route("/fault", Faulty())
    answer = gateway.client.simulate_get("/fault")
    assert (answer.status_code, answer.json["result"]["code"]) == (500, "999.999.999")
    assert "secret" not in answer.text
    assert gateway.post().status_code == 200


def test_a_fault_is_logged_by_its_route_without_what_the_path_holds(
    gateway: Gateway, caplog: pytest.LogCaptureFixture
) -> None:
    gateway.client.app.add_route("/fault/{key}", Faulty())
    key = "0" * 16 + "a" * 16
    assert gateway.client.simulate_get(f"/fault/{key}").status_code == 500
    assert "fault: GET /fault/{key}" in caplog.messages
    assert key not in caplog.text


class Faulty:
    """A resource with a fault."""

    def on_get(self, req: object, resp: object, key: str = "") -> None:
        """Fail."""
        raise KeyError("secret")


def test_the_default_sandbox_follows_the_profile_it_is_started_with(tmp_path: Path) -> None:
    first = Gateway(tmp_path, durability="disk")
    taken = first.post().json["id"]
    first.close()
    second = Gateway(tmp_path, durability="disk", profile="field", override={"D-13": "404"})
    assert second.merchant == first.merchant
    assert second.read(taken).json["id"] == taken
    assert second.post(unknown="x").status_code == 200
    assert second.read("8" + "0" * 31).status_code == 404
    second.close()


def test_what_the_field_profile_ignores_it_does_not_keep(gateway: Gateway) -> None:
    merchant = gateway.sandbox(profile="field")
    sent = {"cart.items[0]": "x", "cart.items[0].name": "Book", "cart.items[0].color": "red"}
    answer = gateway.post(who=merchant, **sent)
    assert answer.json["cart"]["items"] == [{"name": "Book", "quantityUnit": "COUNT"}]


def test_a_card_number_sent_as_a_name_is_not_shown(gateway: Gateway) -> None:
    for name in ("4111111111111111", "zz[4111111111111111]"):
        assert "4111111111111111" not in gateway.post(**{name: "1"}).text


def test_a_test_card_has_the_outcome_the_documents_promise(gateway: Gateway) -> None:
    answer = gateway.post(**{"card.number": "4200000000004309"})
    assert (answer.status_code, answer.json["result"]["code"]) == (400, "800.100.159")
