"""What the description of the control API says of bodies: JSON or a file, as the routes read it."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from simulator.derive.schemas.examples import EXAMPLES
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.web.control.description.openapi import control_openapi_document

JSON = "application/json"
DOCUMENT = control_openapi_document()
BODIES: dict[str, dict[str, Any]] = {
    each["operationId"]: each["requestBody"]["content"]
    for item in DOCUMENT["paths"].values()
    for method, each in item.items()
    if method != "parameters" and "requestBody" in each
}


@pytest.mark.parametrize("name", BODIES)
def test_an_object_is_json_with_an_example_and_a_text_is_a_file(name: str) -> None:
    ((media, described),) = BODIES[name].items()
    schema = {**described["schema"], "components": DOCUMENT["components"]}
    validator = Draft202012Validator(schema)

    if media == JSON:
        assert list(validator.iter_errors(described["example"])) == []
    else:
        assert media == "application/octet-stream"
        assert validator.is_valid("text"), f"{name} takes JSON"
        assert not validator.is_valid({}), f"{name} takes JSON"


def test_one_body_alone_is_a_file() -> None:
    assert [name for name, content in BODIES.items() if JSON not in content] == ["restore_snapshot"]


@pytest.mark.parametrize(
    ("name", "method", "path", "status"),
    [
        ("settle",                  "POST", "/settlements",                     200),
        ("plant_settlement_faults", "POST", "/settlement-faults",               201),
        ("make_wallet_token",       "POST", "/wallet/tokens",                   201),
        ("set_form_brands",         "PUT",  "/checkouts/{checkout}/brands",     200),
    ],
)  # fmt: skip
def test_an_example_to_try_first_is_taken(
    gateway: Gateway, name: str, method: str, path: str, status: int
) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    who = Credentials(made["token"], made["entity_id"])
    sent = {"entityId": who.entity_id, **EXAMPLES["create_checkout"]["payment"].sent}
    checkout = gateway.send("/v1/checkouts", sent, who).json["id"]
    url = f"/sandboxes/{made['id']}{path.format(checkout=checkout)}"

    assert gateway.control(method, url, BODIES[name][JSON]["example"]).status_code == status
