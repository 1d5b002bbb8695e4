"""Notifications as they travel: formats both ways, and what may go wrong with them."""

import re
from datetime import UTC, datetime

import msgspec
import pytest

from simulator.catalogue.fields.parameters import PAYMENT_TABLES
from simulator.domain.core.echo import echoed
from simulator.domain.webhooks.envelopes import (
    IV_HEADER,
    TAG_HEADER,
    UnreadableEnvelopeError,
    corrupt_envelope,
    encode,
    encode_event,
    invert_secret,
    open_envelope,
    remove_customer_data,
    seal_envelope,
)
from simulator.domain.webhooks.records import WebhookEvent

SECRET = "000102030405060708090a0b0c0d0e0f" * 2
IV = "a1b2c3d4e5f60718293a4b5c"
# Public vector of the gateway family.
VECTOR_BODY = "0A3471C72D9BE49A8520F79C66BBD9A12FF9"
VECTOR_HEADERS = {IV_HEADER: "0" * 24, TAG_HEADER: "CE573FB7A41AB78E743180DC83FF09BD"}
FORMATS = ("json", "hex", "wrapped")
TEXT = '{"type":"PAYMENT","payload":{"id":"8","card":{"holder":"Zoë"}}}'.encode()


def an_event(**fields: object) -> WebhookEvent:
    usual = {"id": "8" * 32, "type": "PAYMENT", "action": "CREATED", "payload": {"id": "8"}}
    return WebhookEvent(created_at=datetime(2026, 11, 20, tzinfo=UTC), **{**usual, **fields})


def test_the_known_vector_opens() -> None:
    assert open_envelope(VECTOR_HEADERS, VECTOR_BODY.encode(), [SECRET]) == {"type": "PAYMENT"}


def test_the_known_vector_is_what_is_made() -> None:
    made = seal_envelope(b'{"type":"PAYMENT"}', "hex", secret=SECRET, iv="0" * 24)
    assert made.body.decode() == VECTOR_BODY
    assert made.headers[TAG_HEADER] == VECTOR_HEADERS[TAG_HEADER]
    assert made.headers[IV_HEADER] == VECTOR_HEADERS[IV_HEADER]


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_reads_as_it_was_written(form: str) -> None:
    envelope = seal_envelope(TEXT, form, secret=SECRET, iv=IV)
    assert open_envelope(envelope.headers, envelope.body, [SECRET]) == msgspec.json.decode(TEXT)


@pytest.mark.parametrize(
    ("form", "content_type", "begins"),
    [
        ("json", "application/json", b'{"type"'),
        ("hex", "text/plain", b""),
        ("wrapped", "application/json", b'{"encryptedBody":"'),
    ],
)
def test_a_format_has_its_content_type(form: str, content_type: str, begins: bytes) -> None:
    envelope = seal_envelope(TEXT, form, secret=SECRET, iv=IV)
    assert envelope.headers["Content-Type"].startswith(content_type)
    assert envelope.body.startswith(begins)
    assert (IV_HEADER in envelope.headers) == (form != "json")


def test_header_names_and_hex_digits_count_in_any_case() -> None:
    headers = {name.lower(): value.lower() for name, value in VECTOR_HEADERS.items()}
    assert open_envelope(headers, VECTOR_BODY.lower().encode(), [SECRET.upper()]) == {
        "type": "PAYMENT"
    }


def test_the_first_secret_that_fits_opens() -> None:
    secrets = [invert_secret(SECRET), SECRET]
    assert open_envelope(VECTOR_HEADERS, VECTOR_BODY.encode(), secrets) == {"type": "PAYMENT"}


@pytest.mark.parametrize("form", ["hex", "wrapped"])
@pytest.mark.parametrize("secrets", [[], [invert_secret(SECRET)], ["no hex"], ["00"]])
def test_without_the_secret_nothing_opens(form: str, secrets: list[str]) -> None:
    envelope = seal_envelope(TEXT, form, secret=SECRET, iv=IV)
    with pytest.raises(UnreadableEnvelopeError):
        open_envelope(envelope.headers, envelope.body, secrets)


@pytest.mark.parametrize("form", FORMATS)
def test_a_corrupt_envelope_is_unreadable(form: str) -> None:
    envelope = corrupt_envelope(seal_envelope(TEXT, form, secret=SECRET, iv=IV), form)
    with pytest.raises(UnreadableEnvelopeError):
        open_envelope(envelope.headers, envelope.body, [SECRET])


@pytest.mark.parametrize("body", [b"", b"xyz", b"{}", b'{"encryptedBody": 5}', b"\xff\xfe", b"[]"])
@pytest.mark.parametrize("headers", [{}, VECTOR_HEADERS, {IV_HEADER: "zz", TAG_HEADER: "zz"}])
def test_garbage_is_unreadable_and_nothing_worse(body: bytes, headers: dict) -> None:
    with pytest.raises(UnreadableEnvelopeError):
        open_envelope(headers, body, [SECRET])


@pytest.mark.parametrize("levels", [101, 500, 990, 5000, 100_000])
@pytest.mark.parametrize("nested", [("[", "]"), ('{"a":', "}")], ids=["lists", "objects"])
@pytest.mark.parametrize("is_whole", [True, False])
def test_an_event_that_is_nested_deeply_is_unreadable(
    levels: int, nested: tuple[str, str], is_whole: bool
) -> None:
    opens, closes = nested
    inner = opens * levels + (f"1{closes * levels}" if is_whole else "")
    text = f'{{"type":"PAYMENT","payload":{inner}}}'.encode()
    iv = "0" * 24
    sealed = seal_envelope(text, "hex", secret=SECRET, iv=iv)
    wrapped = b'{"encryptedBody":%b}' % inner.encode()
    for headers, body in (({}, text), (sealed.headers, sealed.body), (sealed.headers, wrapped)):
        with pytest.raises(UnreadableEnvelopeError, match="at most 100 levels|JSON object"):
            open_envelope(headers, body, [SECRET])


def test_the_wrapper_is_type_action_and_payload() -> None:
    assert encode_event(an_event(), with_customer=True) == (
        b'{"type":"PAYMENT","action":"CREATED","payload":{"id":"8"}}'
    )
    assert encode_event(an_event(action=None), with_customer=True) == (
        b'{"type":"PAYMENT","payload":{"id":"8"}}'
    )


def test_without_customer_data_no_shopper_is_named() -> None:
    payload = {
        "id": "8",
        "card": {"bin": "420000", "holder": "Jane Jones"},
        "customer": {"givenName": "Jane"},
        "billing": {"city": "Berlin"},
        "shipping": {"customer": {"givenName": "Jane"}},
        "cart": {"items": [{"name": "Book"}]},
    }
    assert remove_customer_data(payload) == {
        "id": "8",
        "card": {"bin": "420000"},
        "cart": {"items": [{"name": "Book"}]},
    }
    assert payload["card"] == {"bin": "420000", "holder": "Jane Jones"}


# What names a person, in each table.
WHO = re.compile(
    r"^(customer|billing|shipping|corporate)\."
    r"|(holder|email|phone|[Nn]umber1|\.iban|bankAccount\.number|dob|giftCard\.message)$"
    r"|(firstName|lastName|surname|givenName|passengers\[n\]\.name)$"
)
# The merchant's own, which he sends of himself.
OF_THE_MERCHANT = ("merchant.", "pos.")


def test_no_personal_field_of_the_catalogue_is_left() -> None:
    rows = [row for table in PAYMENT_TABLES for row in table.rows if row.echo or row.personal]
    names = {
        each.replace("[n]", "[0]").replace("[name]", "[a.b]").replace("[key]", "[key]"): row
        for row in rows
        for each in row.concrete_names
    }
    payload = {**echoed({name: f"<{name}>" for name in names}), "card": {"holder": "<card.holder>"}}
    left = encode(remove_customer_data(payload)).decode()
    personal = {name for name, row in names.items() if row.personal}
    assert len(personal) > 120
    assert [name for name in personal if f"<{name}>" in left] == []
    echoes = {name for name, row in names.items() if row.echo and not row.personal}
    assert [name for name in echoes if f"<{name}>" not in left] == []


def test_every_field_that_names_a_person_is_personal() -> None:
    rows = [row for table in PAYMENT_TABLES for row in table.rows if row.echo]
    found = [row.name for row in rows if WHO.search(row.name) and not row.personal]
    assert [name for name in found if not name.startswith(OF_THE_MERCHANT)] == []


def test_what_is_empty_without_personal_data_is_left_out() -> None:
    passengers = [{"name": "Jane", "legs": [{"flightNumber": "1"}]}]
    payload = {
        "airline": {"passengers": passengers, "agentCode": "7"},
        "cart": {"items": [{"recipient": {"city": "Berlin"}}, {"name": "Lamp"}]},
        "corporate": {"name": "Acme"},
    }
    assert remove_customer_data(payload) == {
        "airline": {"agentCode": "7"},
        "cart": {"items": [{}, {"name": "Lamp"}]},
    }
