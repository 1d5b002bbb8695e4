"""The user part of an address holds a password or is a key: no text shows it."""

import json
from collections.abc import Callable
from urllib.parse import quote

import msgspec
import pytest

from simulator.client.shown.masking import masked_text
from simulator.domain.masking.masking import (
    cut_text,
    glance,
    has_secret_value,
    mask_explanation,
    mask_text,
    shown_text,
)
from simulator.domain.masking.shown_parameters import masked_parameters
from simulator.tests.kit.gateway import Credentials, Gateway

PASSWORD = "Zq7wPassw0rdX9"
URL = f"https://shop:{PASSWORD}@note.example/cb"
ADDRESSES = {
    URL: "https://***@note.example/cb",
    f"https://:{PASSWORD}@h": "https://***@h",
    f"HTTP://{PASSWORD}@h/x": "HTTP://***@h/x",
    f"postgresql://u:{PASSWORD}@db/x": "postgresql://***@db/x",
    f"jdbc:postgresql://u:{PASSWORD}@db": "jdbc:postgresql://***@db",
    f"sftp://u:{PASSWORD}@h:22/": "sftp://***@h:22/",
    f"//u:{PASSWORD}@h": "//***@h",
    f"https:///u:{PASSWORD}@h": "https:///***@h",
    f"https://https://u:{PASSWORD}@h": "https://https://***@h",
    f"https://u:12{PASSWORD}@[::1]:80/x": "https://***@[::1]:80/x",
    f"https://u:a/{PASSWORD}@h/cb": "https://***@h/cb",
    f"https://u:a?{PASSWORD}@h/cb": "https://***@h/cb",
    f"https://u:a#{PASSWORD}@h/cb": "https://***@h/cb",
    f"https://u:a@{PASSWORD}@h/cb": "https://***@h/cb",
    f"https://u:/{PASSWORD}@h/cb": "https://***@h/cb",
    f"https://u:?{PASSWORD}@h/cb": "https://***@h/cb",
    f"postgresql://u:#{PASSWORD}@h/cb": "postgresql://***@h/cb",
    f"https://u:a%2F{PASSWORD}%40@h/cb": "https://***@h/cb",
    f"https://u:a\"{PASSWORD}'@h/cb": "https://***@h/cb",
    f"https://u:\u00e9{PASSWORD}@h": "https://***@h",
    f'https://u:a",{PASSWORD}@h/cb': "https://***@h/cb",
    f"https://u:a'}}{PASSWORD}@h/cb": "https://***@h/cb",
    f'https://u:a"]{PASSWORD}@h/cb': "https://***@h/cb",
    f"https://u:a':{PASSWORD}@h/cb": "https://***@h/cb",
    f'https://u:a",7{PASSWORD}@h/cb': "https://***@h/cb",
    f"https://u:123#{PASSWORD}@h/cb": "https://***@h/cb",
    f"https:/u:{PASSWORD}@h/cb": "https:/***@h/cb",
    f"HTTP:/{PASSWORD}@h/cb": "HTTP:/***@h/cb",
    f"sftp:/u:{PASSWORD}@h/cb": "sftp:/***@h/cb",
}


def encoded(text: str) -> str:
    return quote(text, safe="")


WRITTEN: dict[str, Callable[[str], str]] = {
    "plain": str,
    "percent": encoded,
    "percent, without slashes": quote,
    "percent, without colons": lambda text: quote(text, safe=":"),
    "percent twice": lambda text: encoded(encoded(text)),
    "percent three times": lambda text: encoded(encoded(encoded(text))),
    "JSON": lambda text: json.dumps({"a": text, "b": "c"}),
    "JSON with escapes": lambda text: json.dumps(text).replace("/", "\\/"),
    "JSON with codes": lambda text: (
        json.dumps(text).replace("/", "\\u002f").replace("@", "\\u0040").replace(":", "\\u003a")
    ),
    "JSON in JSON": lambda text: json.dumps([json.dumps({"a": text, "b": "c"}), "d"]),
    "JSON, percent": lambda text: encoded(json.dumps({"a": text, "b": "c"})),
    "in a query": lambda text: f"https://h/?a=b&url={encoded(text)}&c=d",
}
LEFT = (
    "anna@example.com", "mailto:anna@example.com", "https://shop.example/?mail=anna@example.com",
    "https://h:8080/?m=a@b", "https://h:8080/anna@b", "https://h/anna@b", "http://[::1]:8080/a@b",
    '{"u":"https://h","m":"anna@b"}', '{"u":"https://h:80","m":"anna@b"}', '["https://h:80","a@b"]',
    "['https://h:80','a@b']", "https%3A%2F%2Fh&m=a%40b", "https%3A%2F%2Fh%3A80&m=a%40b",
    "https://h:80\0a@b", "https://h:80\nanna@b", "<u>https://h:80</u><m>a@b</m>",
    "expected https://pay.example/, got 'a@b'", "ssh://git@host", "postgresql://user@host/database",
    json.dumps(json.dumps({"u": "https://h:80", "m": "a@b"})),
    encoded(json.dumps({"u": "https://h:80", "m": "a@b"})),
    encoded(encoded(encoded(json.dumps({"u": "https://h:80", "m": "a@b"})))),
    "https://shop.example,anna@example.com", "https://shop.example;anna@example.com",
    "https:/shop.example/anna@example.com", "https:/h:8080/anna@b", "https://h:80#top",
    '{"u":"https://h:x","n":1,"m":"a@b"}', '{"u":"https://h:x","n":null}', '["//a:b",1,"a@b"]',
    "[{'u':'//a:b'},'a@b']", '[["//a:b"],["a@b"]]', '{"u":"//a:b"}\n{"m":"a@b"}',
)  # fmt: skip


@pytest.mark.parametrize("way", WRITTEN)
@pytest.mark.parametrize("mask", [mask_text, mask_explanation, masked_text])
def test_no_text_shows_the_user_part_of_an_address(way: str, mask: Callable[[str], str]) -> None:
    for address in ADDRESSES:
        text = f"see {WRITTEN[way](address)} or write to anna@example.com"
        shown = mask(text)

        assert PASSWORD not in shown, text
        assert shown.endswith(" or write to anna@example.com")
        assert mask(shown) == shown


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_rest_of_the_address_stays(address: str) -> None:
    assert mask_text(f"<{address}>") == f"<{ADDRESSES[address]}>"


@pytest.mark.parametrize("text", LEFT)
def test_addresses_without_a_user_part_and_those_of_mail_stay(text: str) -> None:
    assert mask_text(text) == mask_explanation(text) == text


@pytest.mark.parametrize("way", WRITTEN)
def test_a_look_gives_up_where_a_user_part_may_be(way: str) -> None:
    for address in ADDRESSES:
        text = WRITTEN[way](address)

        assert has_secret_value(text.encode()), text
        assert glance(msgspec.json.encode({"a": text, "b": 1})) is None
        shown = masked_parameters({"shopperResultUrl": text, "merchantMemo": "a"})
        assert not shown.is_clean
        assert PASSWORD not in shown.values and PASSWORD not in str(shown.wholly)
        called = masked_parameters({"notificationUrl": text, "merchantMemo": "a"})
        assert PASSWORD not in str(called.wholly)


def test_usual_texts_are_only_looked_at() -> None:
    raw = (
        b'{"shopperResultUrl":"https://shop.example/back","customer":{"email":"anna@example.com"}}'
    )

    assert glance(raw) is raw
    sent = {"shopperResultUrl": "https://shop.example/back", "customer.email": "anna@example.com"}
    assert masked_parameters(sent).is_clean


def test_no_part_of_a_password_is_left_at_a_cut() -> None:
    for length in range(180, 255):
        text = f"{'x' * length} {URL} {'y' * 300}"

        for shown in (shown_text(text), cut_text(text, 255)):
            assert PASSWORD[:3] not in shown, shown


@pytest.mark.parametrize("name", ["notificationUrl", "shopperResultUrl", "merchantMemo",
                                  "customParameters[note]", "amount", "unknown"])  # fmt: skip
def test_neither_answer_nor_journal_shows_it(gateway: Gateway, name: str) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    sandbox = f"/sandboxes/{made['id']}"
    answer = gateway.post(who=Credentials(made["token"], made["entity_id"]), **{name: URL})
    journal = gateway.control("GET", f"{sandbox}/journal")

    assert answer.status_code in {200, 400}
    if answer.status_code == 400:
        assert PASSWORD not in answer.text
    assert "note.example" in journal.text
    assert PASSWORD not in journal.text
