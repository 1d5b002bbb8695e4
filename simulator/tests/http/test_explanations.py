"""A result is described by the text of its code; what explains it is in other members."""

import pytest

from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.catalogue.results import NO_SESSION, RESULTS
from simulator.grammar.choices import PROFILES
from simulator.tests.kit.gateway import CONTROL_KEY, ORDER, Credentials, Gateway

UNKNOWN = "8" * 32
NO_LIVE_BRAND = {"paymentBrand": "UNHEARD_OF"}


def asked(gateway: Gateway, who: Credentials) -> dict[str, dict]:
    """One answer of each kind that is refused, by what is wrong with its request."""
    sent = {"entityId": who.entity_id, **ORDER}
    paid = gateway.send("/v1/payments", sent, who).json["id"]
    refer = {"entityId": who.entity_id, "paymentType": "RF", "amount": "1.00", "currency": "EUR"}
    wrong_token = Credentials("no-token", who.entity_id)
    headers = {"Authorization": f"Bearer {who.token}"}
    get = gateway.client.simulate_get
    return {
        "card": gateway.send("/v1/payments", {**sent, "card.number": "4200000000000001"}, who).json,
        "brand": gateway.send("/v1/payments", {**sent, **NO_LIVE_BRAND}, who).json,
        "parameter": gateway.send("/v1/payments", {**sent, "amount": "1,00"}, who).json,
        "reference": gateway.send(f"/v1/payments/{UNKNOWN}", refer, who).json,
        "amount": gateway.send(f"/v1/payments/{paid}", {**refer, "amount": "99.00"}, who).json,
        "token": gateway.send("/v1/payments", sent, wrong_token).json,
        "header": gateway.client.simulate_post("/v1/payments").json,
        "entity": gateway.send("/v1/payments", {**sent, "entityId": UNKNOWN}, who).json,
        "path": get("/v1/paymets", headers=headers).json,
        "method": get("/v1/payments", headers=headers).json,
        "large": gateway.client.simulate_post(
            "/v1/payments", body=b"a=1&" * 50_000, headers=headers
        ).json,
        "control": gateway.control("POST", "/sandboxes", {"profile": "x"}).json,
    }


@pytest.mark.parametrize("profile", PROFILES)
def test_a_description_is_the_text_of_the_code_and_nothing_else(
    gateway: Gateway, profile: str
) -> None:
    for cause, answer in asked(gateway, gateway.sandbox(profile=profile)).items():
        result = answer["result"]
        assert result["description"] == RESULTS[result["code"]].text, cause
        explained = answer.get("resultDetails", {}).get("ExtendedDescription")
        assert explained or result["parameterErrors"], cause
        assert explained != result["description"], cause


def test_an_unknown_checkout_has_the_text_that_clients_compare_with(gateway: Gateway) -> None:
    who = gateway.sandbox(profile="field")
    answer = gateway.client.simulate_get(
        f"/v1/checkouts/{UNKNOWN}.uat01/payment",
        params={"entityId": who.entity_id},
        headers={"Authorization": f"Bearer {who.token}"},
    ).json
    assert answer["result"] == {"code": "200.300.404", "description": NO_SESSION}
    assert "30 minutes" in answer["resultDetails"]["ExtendedDescription"]


@pytest.mark.parametrize("path", sorted({row.path for row in OPERATIONS.values()}))
def test_an_unknown_path_is_named_with_the_nearest_one(gateway: Gateway, path: str) -> None:
    word = max(path.split("/"), key=len)
    mistyped = path.replace(word, f"{word[0]}{word[2:]}").replace("{id}", UNKNOWN)
    answer = gateway.client.simulate_get(mistyped).json
    explained = answer["resultDetails"]["ExtendedDescription"]
    shown = mistyped.replace(UNKNOWN, "{id}")
    assert explained.startswith(f"there is no path {shown}; nearest known: /")
    assert explained.endswith(f": {path}")


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
def test_a_method_that_a_path_does_not_have_is_named_with_those_it_has(
    gateway: Gateway, method: str
) -> None:
    methods: dict[str, set[str]] = {}
    for row in OPERATIONS.values():
        methods.setdefault(row.path, set()).add(row.method)
    for path, allowed in methods.items():
        answer = gateway.client.simulate_request(method, path.replace("{id}", UNKNOWN))
        explained = answer.json["resultDetails"]["ExtendedDescription"]
        assert answer.status_code == 405
        assert explained.startswith(f"{path}: expected ")
        assert explained.endswith(f"; got {method}")
        assert all(each in explained for each in allowed)


def test_no_id_and_no_secret_of_a_path_is_repeated(gateway: Gateway) -> None:
    secret = "5a" * 24
    answer = gateway.client.simulate_get(f"/redirects/{UNKNOWN}/{UNKNOWN}/{secret}").json
    explained = answer["resultDetails"]["ExtendedDescription"]
    assert secret not in explained
    assert UNKNOWN not in explained
    assert "there is no path /redirects/{id}/{id}/{id}; nearest known: /redirect/" in explained


def test_an_explanation_shows_no_card_number(gateway: Gateway) -> None:
    answer = gateway.post(paymentBrand="4200000000000000").json
    assert "4200000000000000" not in answer["resultDetails"]["ExtendedDescription"]


def test_a_card_number_is_masked_in_the_words_of_the_control_api(gateway: Gateway) -> None:
    headers = {"Authorization": f"Bearer {CONTROL_KEY}"}
    answer = gateway.client.simulate_post(
        "/_sandbox/v1/sandboxes", json={"profile": "4200000000000000"}, headers=headers
    )
    assert "4200000000000000" not in answer.json["resultDetails"]["ExtendedDescription"]
