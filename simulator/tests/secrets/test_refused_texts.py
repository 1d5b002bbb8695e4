"""Where a text is refused, no part of the answer shows the secret in it, nor does its sentence."""

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import product
from typing import Any
from urllib.parse import quote

import pytest

from simulator.derive.schemas.examples import EXAMPLES
from simulator.domain.masking.masking import mask_reason
from simulator.tests.kit.checkout_shop import CARD, SESSION
from simulator.tests.kit.gateway import CONTROL_KEY, Credentials, Gateway
from simulator.web.control.description.openapi import control_openapi_document

NUMBER = "4200000000000000"
# Each text, and what of it must not be shown.
TEXTS = {
    "card.cvv=123": "=123",
    "card.cvv: lemur": "lemur",
    "authentication.password=zebra": "zebra",
    NUMBER: NUMBER,
}
DOCUMENT = control_openapi_document()
UNKNOWN = "8" + "0" * 31
OPERATIONS = {
    each["operationId"]: (method.upper(), path, each)
    for path, item in DOCUMENT["paths"].items()
    for method, each in item.items()
    if method != "parameters"
}
TAKING = [name for name, (_, _, each) in OPERATIONS.items() if "requestBody" in each]
NAMED = re.compile(r"{(\w+)}")
ASKED = [name for name, (_, _, each) in OPERATIONS.items() if "parameters" in each]
Place = tuple[str | int, ...]


def resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in schema:
        schema = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def places_in(schema: Mapping[str, Any], at: Place = ()) -> Iterator[Place]:
    """Where a document of this schema may have a text, and members that it does not know."""
    schema = resolved(schema)
    yield at
    if len(at) < 5:
        for either in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
            yield from places_in(either, at)
        for name, member in schema.get("properties", {}).items():
            yield from places_in(member, (*at, name))
        if "items" in schema:
            yield from places_in(schema["items"], (*at, 0))


def with_text(document: Any, place: Place, text: str, *, is_name: bool) -> Any:
    """The document with a text at this place, or a member of this name."""
    if not place:
        return {**document, text: text} if is_name and isinstance(document, dict) else text
    first, rest = place[0], place[1:]
    if first == 0:
        return [with_text(document[0] if isinstance(document, list) and document else {}, rest,
                          text, is_name=is_name)]  # fmt: skip
    document = dict(document) if isinstance(document, dict) else {}
    inner = document.get(first, {})
    return {**document, first: with_text(inner, rest, text, is_name=is_name)}


class Opened:
    """A sandbox with one of each thing that an operation may name."""

    def __init__(self, gateway: Gateway):
        self.gateway = gateway
        made = gateway.control("POST", "/sandboxes", {}).json
        merchant = made["entities"]["merchants"][0]
        who = Credentials(made["token"], made["entity_id"])
        sent = {"entityId": who.entity_id, **EXAMPLES["create_checkout"]["payment"].sent}
        self.ids = {
            "id": made["id"],
            "merchant": merchant["id"],
            "channel": merchant["channels"][0]["id"],
            "checkout": gateway.send("/v1/checkouts", sent, who).json["id"],
        }
        root = f"/sandboxes/{made['id']}"
        for name, path in (("terminal", "/terminals"), ("endpoint", "/webhooks")):
            document = {"url": "http://127.0.0.1:9/"} if name == "endpoint" else {}
            answer = gateway.control("POST", f"{root}{path}", document)
            self.ids[name] = answer.json.get("id", UNKNOWN)

    def address(self, path: str, **ids: str) -> str:
        names = ("script", "payment", "notice", "key", "ndc", "token", "person", "run", "account",
                 "held", "terminal", "endpoint")  # fmt: skip
        return path.format(**{**dict.fromkeys(names, UNKNOWN), **self.ids, **ids})

    def refused(self, method: str, path: str, document: object, query: str = "") -> str:
        """The whole answer, where it is a refusal."""
        answer = self.gateway.client.simulate_request(
            method,
            f"/_sandbox/v1{path}",
            query_string=query,
            json=document,
            headers={"Authorization": f"Bearer {CONTROL_KEY}"},
        )
        return answer.text if answer.status_code >= 400 else ""


@pytest.mark.parametrize("name", TAKING)
def test_no_operation_shows_the_secret_in_a_text_that_it_refuses(
    gateway: Gateway, name: str
) -> None:
    opened, shown = Opened(gateway), []
    method, path, described = OPERATIONS[name]
    ((_, content),) = described["requestBody"]["content"].items()
    places = dict.fromkeys(places_in(content["schema"]))
    for place, text, is_name in product(places, TEXTS, (False, True)):
        example = deepcopy(content.get("example", {}))
        sent = with_text(example, place, text, is_name=is_name)
        said = opened.refused(method, opened.address(path), sent)
        shown += [(place, text, said[:600])] if TEXTS[text] in said else []
    assert not shown, "\n".join(map(str, shown))


@pytest.mark.parametrize("name", ASKED)
def test_no_operation_shows_the_secret_in_a_query_that_it_refuses(
    gateway: Gateway, name: str
) -> None:
    opened = Opened(gateway)
    method, path, described = OPERATIONS[name]
    names = [each["name"] for each in described["parameters"] if each["in"] == "query"]
    for text, secret in TEXTS.items():
        for query in (*(f"{each}={quote(text, safe='')}" for each in names), quote(text)):
            said = opened.refused(method, opened.address(path), None, query)
            assert secret not in said, (query, said)


def test_no_operation_shows_the_secret_in_an_address(gateway: Gateway) -> None:
    opened, shown = Opened(gateway), []
    for (method, path, _), text in product(OPERATIONS.values(), TEXTS):
        ids = [opened.address(path, **{each: text}) for each in NAMED.findall(path)]
        for address, asked in product((*ids, f"{opened.address(path)}/{text}"), (method, "PATCH")):
            said = opened.refused(asked, address, {})
            shown += [(asked, address, said)] if TEXTS[text] in said else []
    assert not shown, "\n".join(map(str, shown))


def test_names_of_parameters_are_no_secrets_in_what_is_said_of_them() -> None:
    said = "registrationId: card.cvv: the registration has none"

    assert mask_reason(said) == said
    assert mask_reason(f"{said}, got card.cvv: 123") == f"{said}, got card.cvv: ***"
    assert mask_reason("4200: 0000: 0000: 0000: no") == "420000******0000: no"


@pytest.mark.parametrize("name", ["password", "card.cvv", "customParameters[token]"])
@pytest.mark.parametrize("begins", ["", "sandgate: "])
def test_what_looks_like_a_name_behind_that_of_a_secret_is_hidden(begins: str, name: str) -> None:
    shown = mask_reason(f"{begins}{name}: hunter2: expected a file, got nothing")

    assert shown.startswith(f"{begins}{name}: ***") and "hunter2" not in shown


MERCHANT = {
    "/v1/payments": {**SESSION, **CARD},
    "/v1/checkouts": SESSION,
    "/v1/registrations": CARD,
    "/scheduling/v1/schedules": {
        **SESSION, "registrationId": UNKNOWN, "job.expression": "0 0 7 21 * ? *",
        "job.second": "0", "job.hour": "7", "job.dayOfMonth": "21", "job.startDate": "2030-01-01",
    },
}  # fmt: skip


@pytest.mark.parametrize("path", MERCHANT)
def test_no_answer_to_a_merchant_shows_the_secret_in_a_text_that_it_refuses(
    gateway: Gateway, path: str
) -> None:
    for text, secret in TEXTS.items():
        for name in (*MERCHANT[path], "merchantTransactionId", text):
            answer = gateway.send(
                path, {**MERCHANT[path], "entityId": gateway.merchant.entity_id, name: text}
            )
            said = answer.text if answer.status_code >= 400 else ""
            assert secret not in said, (name, said)


@pytest.mark.parametrize("header", ["Content-Type", "Content-Encoding"])
def test_no_answer_shows_the_secret_in_a_header_that_it_refuses(
    gateway: Gateway, header: str
) -> None:
    for text, secret in TEXTS.items():
        answer = gateway.client.simulate_post(
            "/v1/payments",
            body="a=b",
            headers={"Authorization": f"Bearer {gateway.merchant.token}", header: text},
        )
        assert answer.status_code >= 400 and secret not in answer.text, answer.text


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("https://jane:hush@shop.example/x?k=op3n", "https://***@shop.example/x?***"),
        ("ftp://shop.example/x?k=op3n", "ftp://shop.example/x?***"),
        ("https:/shop.example?k=op3n", "https:/shop.example?***"),
    ],
)
def test_a_receiver_that_is_refused_is_shown_without_its_query(
    gateway: Gateway, sent: str, shown: str
) -> None:
    answer = gateway.post(notificationUrl=sent)

    (error,) = answer.json["result"]["parameterErrors"]
    assert (error["name"], error["value"]) == ("notificationUrl", shown)
    (sandbox,) = gateway.control("GET", "/sandboxes").json["sandboxes"]
    journal = gateway.control("GET", f"/sandboxes/{sandbox['id']}/journal")
    assert shown in journal.text and "op3n" not in answer.text + journal.text
