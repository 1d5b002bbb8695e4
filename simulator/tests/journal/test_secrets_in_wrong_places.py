"""Card numbers, tokens and keys typed into any field of any operation: nothing repeats them."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from falcon.testing import Result

from simulator.domain.masking.masking import glance, mask_explanation, mask_text, masked
from simulator.domain.masking.shown_parameters import masked_parameters
from simulator.tests.kit.gateway import CONTROL_KEY, Gateway

PREFIX = "/_sandbox/v1"
KEY = "84b44f140aa3a3bcff885150de67ae89a6e5d74872685b0d"
TOKEN_HASH = KEY + "0123456789abcdef"
SECRETS = ("5454545454545454", "4929 4212 3460 0821", KEY)
METHODS = ("post", "put", "patch")
PLACE = re.compile(r"\{\w+\}")


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    made = Gateway(tmp_path_factory.mktemp("secrets") / "data", is_described=False)
    yield made
    made.close()


@pytest.fixture(scope="module")
def operations(gateway: Gateway) -> list[tuple[str, str, Mapping[str, Any]]]:
    """Method, path and schema of the body of each operation of the control API."""
    document = gateway.client.simulate_get("/_sandbox/openapi.json").json
    return [
        (method, path, _body_of(operation, document))
        for path, known in document["paths"].items()
        for method, operation in known.items()
        if method in METHODS
    ]


def _body_of(operation: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    content = operation.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    return _followed(schema, document)


def _followed(schema: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema with the names of its members."""
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def _documents(schema: Mapping[str, Any], secret: str) -> Iterator[object]:
    """Bodies with the secret in each place: as a member, its name, in a list, and as the whole."""
    for name in schema.get("properties", {}):
        yield from ({name: secret}, {name: [secret]}, {name: {secret: secret}})
    yield from ({secret: 1}, [secret], secret, dict.fromkeys(schema.get("properties", {}), secret))


@pytest.mark.parametrize("secret", SECRETS)
def test_no_answer_of_the_control_api_repeats_a_secret(
    gateway: Gateway, operations: list[tuple[str, str, Mapping[str, Any]]], secret: str
) -> None:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    assert len(operations) > 20
    for method, path, schema in operations:
        filled = PLACE.sub("nothing", path.replace("{identity}", sandbox).replace("{id}", sandbox))
        for document in _documents(schema, secret):
            answer = gateway.client.simulate_request(
                method.upper(),
                f"{PREFIX}{filled.removeprefix(PREFIX)}",
                body=json.dumps(document),
                headers={"Authorization": f"Bearer {CONTROL_KEY}"},
            )
            assert secret not in answer.text, (method, path, document, answer.text)
            assert answer.status_code < 500, (method, path, document, answer.text)


@pytest.mark.parametrize("secret", SECRETS)
def test_no_name_is_a_secret(gateway: Gateway, secret: str) -> None:
    merchants = [{"name": f"Shop {secret}"}]

    refused = gateway.control("POST", "/sandboxes", {"merchants": merchants})

    assert refused.status_code == 400
    assert refused.json["error"]["where"] == "merchants[0].name"
    assert secret not in refused.text


ACCOUNT = {
    "holder": "Jane Jones",
    "number": "DE89370400440532013000",
    "bic": "COBADEFFXXX",
    "country": "DE",
}
SERVER = {"host": "127.0.0.1", "host_key": "ssh-ed25519 AAAA", "password": "hush-hush-hush"}
WEBHOOKS, SCRIPTS = "/sandboxes/{sandbox}/webhooks", "/sandboxes/{sandbox}/scripts"
DECLINE = {"steps": {"acquirer": {"decline": {"code": "800.100.151"}}}}
# What of a script is compared with texts of merchants.
COMPARED = (
    {"behaviour": "decline", "match": {"merchantTransactionId": "SECRET"}},
    {"behaviour": "decline", "match": {"holder": "SECRET"}},
    {"behaviour": "decline", "match": {"customParameters": {"order": "SECRET"}}},
    {"behaviour": {**DECLINE, "match": {"holder": "SECRET"}}},
    {"behaviour": {"steps": {"risk": {"deny": {"accounts": ["SECRET"]}}}}},
    {"behaviour": {"steps": {"risk": {"fingerprint": {"deny": ["SECRET"]}}}}},
)


def approving(step: Mapping[str, Any]) -> dict[str, Any]:
    """A script by which the acquirer approves in this way."""
    return {"behaviour": {"steps": {"acquirer": {"approve": step}}}}


# Method, path and body of what is stored and shown as it is; SECRET stands for the secret.
STORED = (
    ("POST", "/sandboxes/{sandbox}/merchants", {"name": "SECRET"}),
    ("PATCH", "/sandboxes/{sandbox}/merchants/{merchant}", {"name": "SECRET"}),
    ("POST", "/sandboxes/{sandbox}/merchants/{merchant}/channels", {"name": "SECRET"}),
    ("POST", "/sandboxes/{sandbox}/merchants/{merchant}/channels",
     {"clearing_institute": "SECRET"}),
    ("POST", "/sandboxes/{sandbox}/merchants/{merchant}/channels",
     {"bank_account": {**ACCOUNT, "holder": "SECRET"}}),
    ("POST", "/sandboxes/{sandbox}/merchants/{merchant}/channels",
     {"bank_account": {**ACCOUNT, "bic": "SECRET"}}),
    ("POST", "/sandboxes/{sandbox}/merchants/{merchant}/channels",
     {"bank_account": {**ACCOUNT, "country": "SECRET"}}),
    ("PATCH", "/sandboxes/{sandbox}/merchants/{merchant}/channels/{channel}",
     {"clearing_institute": "SECRET"}),
    ("POST", "/sandboxes/{sandbox}/merchants/{merchant}/tokens", {"alias": "SECRET"}),
    ("PUT", "/sandboxes/{sandbox}/merchants/{merchant}/sftp-push", {**SERVER, "user": "SECRET"}),
    ("PUT", "/sandboxes/{sandbox}/merchants/{merchant}/sftp-push",
     {**SERVER, "user": "shop", "folder": "SECRET"}),
    ("PUT", "/sandboxes/{sandbox}/throttle", {"throttle": {"name": "SECRET", "limits": []}}),
    ("POST", "/people", {"name": "SECRET", "role": "operator"}),
    ("POST", WEBHOOKS, {"url": "https://shop.example/SECRET", "skip_activation": True}),
    ("POST", WEBHOOKS, {"url": "https://shop.example/?till=SECRET", "skip_activation": True}),
    ("PATCH", WEBHOOKS + "/{endpoint}", {"url": "https://shop.example/#SECRET"}),
    ("POST", SCRIPTS, {"behaviour": {**DECLINE, "title": "Decline SECRET"}}),
    ("POST", SCRIPTS, {"behaviour": {**DECLINE, "description": "It declines SECRET."}}),
    ("POST", SCRIPTS, approving({"details": {"Note": "SECRET"}})),
    ("POST", SCRIPTS, approving({"details": {"SECRET": "a note"}})),
    ("POST", "/sandboxes/{sandbox}/settlement-faults",
     {"institute": "Sandgate Clearing", "plan": "counts: {missing: 1}  # SECRET"}),
    *(("POST", SCRIPTS, each) for each in COMPARED),
)  # fmt: skip
# Those that take digits alone.
STORED_DIGITS = (
    ("POST", SCRIPTS, {"behaviour": {**DECLINE, "name": "card-SECRET"}}),
    ("POST", SCRIPTS, approving({"status_text": "SECRET"})),
    ("POST", "/sandboxes/{sandbox}/merchants/{merchant}/channels",
     {"form_brands": [{"brands": ["VISA"], "amount_min": "SECRET"}]}),
    ("POST", "/sandboxes/{sandbox}/merchants/{merchant}/channels",
     {"bank_account": {**ACCOUNT, "number": "SECRET"}}),
)  # fmt: skip


@pytest.mark.parametrize(
    "secret", ["5454545454545454", "5454-5454-5454-5454", "5454_5454_5454_5454"]
)
@pytest.mark.parametrize(("method", "path", "body"), STORED)
def test_no_text_that_is_stored_as_it_is_holds_a_card_number(
    gateway: Gateway, method: str, path: str, body: Mapping[str, Any], secret: str
) -> None:
    answer = _stored(gateway, method, path, body, secret)

    assert answer.status_code == 400
    assert "text without a card number, token, key or password" in answer.text
    assert secret not in answer.text


@pytest.mark.parametrize(("method", "path", "body"), [row for row in STORED if row[1] != "/people"])
def test_nor_does_it_hold_a_key(
    gateway: Gateway, method: str, path: str, body: Mapping[str, Any]
) -> None:
    answer = _stored(gateway, method, path, body, KEY)

    assert answer.status_code == 400
    assert "text without a card number, token, key or password" in answer.text
    assert KEY not in answer.text


@pytest.mark.parametrize(("method", "path", "body"), STORED_DIGITS)
def test_nor_do_texts_of_digits(
    gateway: Gateway, method: str, path: str, body: Mapping[str, Any]
) -> None:
    answer = _stored(gateway, method, path, body, "4539578763621486")

    assert answer.status_code == 400
    assert "text without a card number, token, key or password" in answer.text


# A number that passes the check, and begins as those of no brand; and hashes.
LIKE_SECRETS = ("9999999999999995", "453957876362", KEY[:40], KEY + KEY[:16])


@pytest.mark.parametrize("text", LIKE_SECRETS)
@pytest.mark.parametrize("body", COMPARED)
def test_what_merchants_may_send_can_be_named_in_a_script(
    gateway: Gateway, body: Mapping[str, Any], text: str
) -> None:
    assert _stored(gateway, "POST", SCRIPTS, body, text).status_code == 201


def _stored(
    gateway: Gateway, method: str, path: str, body: Mapping[str, Any], secret: str
) -> Result:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]
    merchant = sandbox["merchants"][0]
    known = {"sandbox": sandbox["id"], "merchant": merchant["id"], "endpoint": "nothing"}
    filled = path.format(**known, channel=merchant["channels"][0]["id"])
    return gateway.control(method, filled, json.loads(json.dumps(body).replace("SECRET", secret)))


@pytest.mark.parametrize(
    "name", ["merchantTransactionId", "merchantMemo", "descriptor", "currency"]
)
def test_the_journal_shows_no_key_under_a_name_that_says_nothing(
    gateway: Gateway, name: str
) -> None:
    made = gateway.post(**{name: KEY})

    assert KEY not in _journal(gateway)
    assert made.json["ndc"] in _journal(gateway)


def test_the_journal_shows_no_key_in_the_place_of_an_id(gateway: Gateway) -> None:
    who = {"Authorization": f"Bearer {gateway.merchant.token}"}
    for path in (f"/v1/checkouts/{KEY}/payment", f"/v1/payments/{KEY}", f"/v1/query/{KEY}"):
        asked = {"entityId": gateway.merchant.entity_id}
        gateway.client.simulate_get(path, params=asked, headers=who)

    assert KEY not in _journal(gateway)


def test_a_look_at_bytes_sees_keys_as_a_walk_through_texts_does() -> None:
    ids = json.dumps({"id": "8" + "a" * 31, "ndc": KEY[:32], "odd": KEY[:39]})
    assert glance(ids.encode()) == ids.encode() and mask_explanation(ids) == ids
    for key in (KEY, TOKEN_HASH):
        assert glance(json.dumps({"a": f"x {key}."}).encode()) is None
        assert key not in mask_explanation(f"x {key}.")


# What may stand right before a key: escapes end in letters and digits, and other writing too.
GLUED = (
    "note:\n", "note:\t", "note:\r\n", "note\\n", "note\\u000a", "x%20", "%2Fpay%3Ftoken%3D",
    "next=%2F", "a", "g", "0",
)  # fmt: skip


@pytest.mark.parametrize("before", GLUED, ids=range(len(GLUED)))
@pytest.mark.parametrize("key", [KEY, KEY.upper(), TOKEN_HASH])
def test_a_key_is_masked_behind_any_sign(before: str, key: str) -> None:
    assert key not in mask_explanation(f"{before}{key} and more")
    assert glance(json.dumps({"a": f"{before}{key}"}).encode()) is None


@pytest.mark.parametrize("before", GLUED, ids=range(len(GLUED)))
@pytest.mark.parametrize("name", ["merchantMemo", "customParameters[a]", "shopperResultUrl"])
def test_neither_journal_nor_refusal_shows_a_key_behind_an_escape(
    gateway: Gateway, name: str, before: str
) -> None:
    made = gateway.post(**{name: before + KEY})
    refused = gateway.post(amount=before + KEY)

    assert KEY not in _journal(gateway)
    assert made.json["ndc"] in _journal(gateway)
    assert KEY not in refused.text


def test_a_name_with_a_key_behind_an_escape_is_refused(gateway: Gateway) -> None:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]
    path = f"/sandboxes/{sandbox['id']}/merchants"
    for before in GLUED:
        answer = gateway.control("POST", path, {"name": before + KEY})
        assert answer.status_code == 400
        assert KEY not in answer.text


NOTATIONS = (
    "cvv=7391283", "card.cvv: 7391283", "CVV2:7391283", '{"cvv": 7391283}', "<cvv>7391283</cvv>",
    '{"card":{"cvv":"7391283"}}', "{'cvv': '7391283'}", '{"cvv":["7391283"]}', "cvv%3D7391283",
    r"{\"cvv\":\"7391283\"}", "customParameters%5Bcvv%5D=7391283", "cvn=7391283",
    '<ns:securityCode type="x">7391283</ns:securityCode>', "%7B%22cvv%22%3A%227391283%22%7D",
    "'cvv' => '7391283'", "cvv := 7391283", "cvv:: 7391283", "<cvv><![CDATA[7391283]]></cvv>",
    "cvv = '7391283", r"cvv\u003d7391283", "cvv\uff1a7391283", "cardPIN=7391283", "pass: 7391283",
    "pincode=7391283", "track2=;7391283", '{"pinBlock":"7391283"}',
    "userPin: 7391283", "verification_value=7391283",
)  # fmt: skip


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("name", ["merchantMemo", "customParameters[a]", "descriptor", "unknown"])
def test_the_journal_shows_no_code_whatever_notation_it_was_typed_in(
    gateway: Gateway, name: str, notation: str
) -> None:
    gateway.post(**{name: notation})

    assert "7391283" not in _journal(gateway)
    assert "7391283" not in mask_text(notation) and "***" in mask_text(notation)
    assert mask_text(mask_text(notation)) == mask_text(notation)


@pytest.mark.parametrize(
    "text",
    [
        "a shipping: 7391283",
        "the pin is red",
        "securities: 7391283",
        "monkey: 7391283",
        "passed: 7391283",
    ],
)
def test_other_words_with_a_value_stay_as_they_are(text: str) -> None:
    assert mask_text(text) == text


@pytest.mark.parametrize("value", ["2024*7391", "*7391", "12*7391", "420000******7391"])
@pytest.mark.parametrize("name", ["password", "card.cvv", "threeDSecure.v1.visa.password"])
def test_a_secret_that_looks_like_a_masked_number_is_hidden(name: str, value: str) -> None:
    assert masked({name: value}) == {name: "***"}
    assert value not in masked_parameters({name: value}).values


def test_a_number_that_is_masked_stays_as_it_is() -> None:
    assert masked({"card.number": "420000******7391"}) == {"card.number": "420000******7391"}
    assert masked({"card.number": "2024*7391"}) == {"card.number": "***"}


@pytest.mark.parametrize(
    "document",
    [
        {"cvv": 73951},
        {"pin": 7391},
        {"cvv": ["739"]},
        {"a": [{"cvv": [[739]]}]},
        {"cardNumber": 739},
    ],
)
def test_a_secret_is_hidden_whatever_type_it_has(document: object) -> None:
    assert "739" not in str(masked(document)) and "***" in str(masked(document))


def test_what_is_no_secret_stays_under_a_secret_name() -> None:
    document: dict[str, object] = {"cvv": True, "token": {"a": "till"}, "key": None, "number": 5}
    document["resultDetails"] = {"AuthCode": "123456", "threeDSReqAuthMethod": "02"}
    assert masked(document) == document


@pytest.mark.parametrize("text", ["a" * 300, "AbCdEf" * 20, "b" * 48])
def test_letters_alone_are_no_key(text: str) -> None:
    assert mask_text(text) == text
    assert glance(text.encode()) == text.encode()


def test_an_explanation_keeps_the_names_it_is_about() -> None:
    said = "tokens[0].hash: expected the hash of the token; got another"

    assert mask_explanation(said) == said


@pytest.mark.parametrize("name", ["mobileWallet.paymentToken", "card.cvv"])
def test_no_refused_parameter_repeats_a_secret_of_the_same_request(
    gateway: Gateway, name: str
) -> None:
    secret = "S3cretWalletTokenValue"
    answer = gateway.post(**{name: secret, "taxAmount": f"x{secret}"})
    assert answer.status_code == 400
    shown = {each["name"]: each["value"] for each in answer.json["result"]["parameterErrors"]}
    assert shown["taxAmount"] == "x***"
    assert secret not in answer.text


@pytest.mark.parametrize("wrong", [{"keys": "Passw0rd!xyzzy77"}, {"Passw0rd!xyzzy77": 1}])
def test_no_refused_member_repeats_a_secret_of_the_same_document(
    gateway: Gateway, wrong: Mapping[str, object]
) -> None:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]
    merchant = gateway.control("GET", f"/sandboxes/{sandbox['id']}").json["merchants"][0]["id"]
    path = f"/sandboxes/{sandbox['id']}/merchants/{merchant}/sftp"
    answer = gateway.control("PUT", path, {"password": "Passw0rd!xyzzy77", **wrong})
    assert answer.status_code == 400
    assert "Passw0rd!xyzzy77" not in answer.text and "***" in answer.text


def _journal(gateway: Gateway) -> str:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    path = f"{PREFIX}/sandboxes/{sandbox}/journal"
    key = {"Authorization": f"Bearer {CONTROL_KEY}"}
    return str(gateway.client.simulate_get(path, params={"limit": "500"}, headers=key).text)
