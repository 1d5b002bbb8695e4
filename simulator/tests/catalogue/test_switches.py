"""The switches of decisions that change an answer, each way."""

import re

import pytest
from falcon.testing import create_environ

from simulator.catalogue.choices import CHOICES
from simulator.grammar.choices import UnknownChoiceError, choose
from simulator.tests.kit.gateway import Gateway


def test_a_declined_payment_shows_its_amount_where_the_switch_says_so(gateway: Gateway) -> None:
    merchant = gateway.sandbox(overrides={"D-17": "show"})
    answer = gateway.post(who=merchant, **{"card.holder": "800.100.151"})
    assert answer.json["amount"] == "92.00"


def test_a_decline_is_200_where_the_switch_says_so(gateway: Gateway) -> None:
    merchant = gateway.sandbox(overrides={"D-20": "200"})
    assert gateway.post(who=merchant, **{"card.holder": "800.100.151"}).status_code == 200


def test_referenced_id_appears_in_the_answer_where_the_switch_says_so(gateway: Gateway) -> None:
    paid = gateway.post(paymentType="PA").json["id"]
    capture = gateway.refer(paid, "CP", amount="1.00", currency="EUR")
    assert "referencedId" not in capture.json
    merchant = gateway.sandbox(profile="field")
    paid = gateway.post(who=merchant, paymentType="PA").json["id"]
    sent = {"entityId": merchant.entity_id, "paymentType": "RV"}
    assert gateway.send(f"/v1/payments/{paid}", sent, merchant).json["referencedId"] == paid


def test_pa_cp_is_taken_in_the_field_profile_only(gateway: Gateway) -> None:
    field = gateway.sandbox(profile="field")
    assert gateway.post(paymentType="PA.CP").status_code == 400
    assert gateway.post(who=field, paymentType="PA.CP").json["paymentType"] == "PA.CP"


@pytest.mark.parametrize(
    ("options", "status", "taken"),
    [
        ({}, 400, None),
        ({"profile": "field"}, 200, "PA.CP"),
        ({"profile": "field", "overrides": {"D-180": "refuse"}}, 400, None),
        ({"overrides": {"D-180": "accept"}}, 200, "PA.CP"),
    ],
)
def test_a_capture_with_a_registration_is_taken_where_the_switch_says_so(
    gateway: Gateway, options: dict[str, object], status: int, taken: str | None
) -> None:
    merchant = gateway.sandbox(**options)
    stored = gateway.post(who=merchant, createRegistration="true").json["registrationId"]
    sent = {
        "entityId": merchant.entity_id, "paymentType": "CP", "amount": "9.00", "currency": "EUR",
    }  # fmt: skip
    answer = gateway.send(f"/v1/registrations/{stored}/payments", sent, merchant)
    assert (answer.status_code, answer.json.get("paymentType")) == (status, taken)


def test_the_ndc_has_the_sign_of_its_profile(gateway: Gateway) -> None:
    field = gateway.sandbox(profile="field")
    assert re.fullmatch(r"[0-9a-f]{32}_[0-9a-f]{32}", gateway.post(who=field).json["ndc"])


def test_options_has_a_result_and_other_methods_are_405(gateway: Gateway) -> None:
    answer = gateway.client.simulate_options("/v1/payments")
    assert answer.status_code == 200
    assert answer.json["result"]["code"] == "000.000.100"
    assert gateway.client.simulate_patch("/v1/payments").status_code == 405


@pytest.mark.parametrize("method", ["FOO", "foo", "M-SEARCH", "CONNECT", "PROPFIND"])
def test_a_method_outside_the_standards_is_405_as_well(gateway: Gateway, method: str) -> None:
    environ = {**create_environ("/v1/payments"), "REQUEST_METHOD": method}
    statuses = []
    pieces = gateway.client.app(environ, lambda status, fields: statuses.append((status, fields)))

    ((status, fields),) = statuses
    assert status.startswith("405")
    assert "POST" in dict(fields)["allow"]
    assert b"200.300.403" in b"".join(pieces)


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.id)
def test_every_value_of_a_choice_can_be_had(choice: object) -> None:
    for value in choice.options:
        assert choose(CHOICES, "specification", {choice.id: value})[choice.name] == value


@pytest.mark.parametrize(
    ("profile", "overrides"),
    [("unknown", {}), ("field", {"D-00": "x"}), ("field", {"D-13": "500"})],
)
def test_an_unknown_choice_names_what_there_is(profile: str, overrides: dict) -> None:
    with pytest.raises(UnknownChoiceError, match="expected one of|the number of a decision"):
        choose(CHOICES, profile, overrides)
