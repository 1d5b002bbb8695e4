"""Account data of a chip or magstripe as long as an id is none: track 2, and tags with a number."""

from random import Random
from typing import Any

import msgspec
import pytest

from simulator.client.shown.masking import Masking
from simulator.domain.core.card_ranges import passes_luhn
from simulator.domain.masking.card_numbers import has_card_number
from simulator.domain.masking.masking import glance, mask_text, mask_url
from simulator.domain.masking.sure_numbers import mask_sure_numbers
from simulator.tests.kit.gateway import Gateway

# Of 13 to 19 digits.
NUMBERS = (
    "4222222222222", "36070500001020", "378282246310005", "4539148803436467", "5454545454545454",
    "6011111111111117", "4000000000000000006",
)  # fmt: skip
BEHIND = "341210112345678901"
ID_LENGTH = 32


def tag(name: str, digits: str) -> str:
    """A tag of an even count of signs."""
    value = digits + "F" * (len(digits) % 2)
    return f"{name}{len(value) // 2:02X}{value}"


def track(number: str, length: int = ID_LENGTH) -> str:
    return f"{number}D{BEHIND}"[:length]


TRACKS = (
    *map(track, NUMBERS),
    *(track(number, ID_LENGTH - 1) + "F" for number in NUMBERS),
    *(f"570E{track(number, 28)}" for number in NUMBERS),
    *(number.ljust(ID_LENGTH, "F") for number in NUMBERS),
)
LIKE_IDS = (
    *TRACKS,
    "5F2403341231" + tag("5A", "4539148803436467"),
    tag("5A", "4539148803436467") + "5F2403341231",
    tag("5A", "378282246310005") + "5F2403341231",
    "9C0100" + tag("5A", "4539148803436467") + "9C0100",
    tag("5A", "36070500001020") + "5F24033412315F"[:14],
    tag("5A", "4000000000000000006") + "82025C00",
    # In a template, with a long length, and behind other tags.
    "700E570C4539148803436467D3412201",
    "57810D4539148803436467D341220112",
    "9C0100570C4539148803436467D34122",
    "E20E570C5454545454545454D3412201",
)


def test_the_examples_have_the_length_of_an_id() -> None:
    assert all(map(passes_luhn, NUMBERS))
    assert {len(each) for each in LIKE_IDS} == {ID_LENGTH}


def number_in(text: str) -> str:
    """The number that account data hold."""
    (number,) = [each for each in NUMBERS if each in text]
    return number


@pytest.mark.parametrize("text", [*LIKE_IDS, *(each.lower() for each in LIKE_IDS)])
@pytest.mark.parametrize("around", ["{}", "/v1/payments/{}?entityId=x", "order {}, please"])
def test_account_data_as_long_as_an_id_is_masked(text: str, around: str) -> None:
    written, hidden = around.format(text), number_in(text)
    assert hidden not in mask_text(written)
    assert has_card_number(written)
    encoded = msgspec.json.encode({"memo": written})
    looked = glance(encoded)
    assert looked is None or hidden.encode() not in looked


@pytest.mark.parametrize("text", TRACKS)
def test_clients_mask_tracks(text: str) -> None:
    assert number_in(text) not in Masking().text(f"order {text}, please")


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("separator", ["D", "d", "="])
@pytest.mark.parametrize("length", [24, 31, 32, 33, 37])
def test_what_stands_behind_the_number_of_a_track_is_masked(
    number: str, separator: str, length: int
) -> None:
    text = f"{number}{separator}{BEHIND}"[:length]
    behind = text.split(separator)[1]
    if len(behind) < 7:
        return
    looked = glance(msgspec.json.encode([text]))
    assert behind not in mask_text(text)
    assert looked is None or behind.encode() not in looked


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    "name", ["JONES/JANE", "JONES%2FJANE", " /", "O'HARA-VAN DER LINDEN/MARY.DR"]
)
@pytest.mark.parametrize("caret", ["^", "%5E"])
def test_what_stands_behind_the_number_of_track_1_is_masked(
    number: str, name: str, caret: str
) -> None:
    for behind in ("34051011987600000", "3405101 1987  600ABC", "^1011987600000"):
        text = f"T1 %B{number}{caret}{name}{caret}{behind}? and more"
        looked = glance(msgspec.json.encode([text]))
        assert behind[-8:] not in mask_text(text)
        assert mask_text(text).endswith(f"{number[-4:]}{caret}***? and more")
        assert looked is None or behind[-8:].encode() not in looked


@pytest.mark.parametrize("number", NUMBERS)
def test_a_track_is_a_number_beyond_doubt(number: str) -> None:
    assert number not in mask_sure_numbers(f"order {track(number)} of today")


# Behind a digit, where the first digits of a number look like the end of an escape.
ESCAPES = (
    "Track1 %B{}^JONES/JANE^3405",
    "7 %C{}",
    "2026-11-29 %b{}",
    "1%{}",
    "order 1\\f{}",
    "5\\u00{}",
)


@pytest.mark.parametrize("number", [*NUMBERS, "4012888888881881", "5200000000000007"])
@pytest.mark.parametrize("escape", ESCAPES)
def test_a_number_behind_what_looks_like_an_escape_is_masked(number: str, escape: str) -> None:
    for spelled in (number, f"{number[:4]} {number[4:8]} {number[8:]}"):
        text = escape.format(spelled)
        looked = glance(text.encode())
        assert spelled not in mask_text(text)
        assert spelled not in mask_url(f"/v1/{text}")
        assert looked is None or spelled.encode() not in looked
    assert number not in Masking().text(escape.format(number))


def test_ids_stay_readable() -> None:
    draw = Random(31)
    ids = [f"{draw.getrandbits(128):032x}" for _ in range(10_000)]
    ids += ["4539148803436467a341210112345678",
            "4539148803436467d34121011234567a", "5a08453914880343646a5f2403341231"]  # fmt: skip
    for lower in ids:
        for written in (lower, lower.upper()):
            encoded = msgspec.json.encode([written])
            assert mask_text(written) == written
            assert glance(encoded) == encoded


def test_no_journal_shows_a_track_of_the_length_of_an_id(gateway: Gateway) -> None:
    text = track("4539148803436467")
    sent: dict[str, Any] = {"customer.givenName": "A", "customer.surname": text}
    paid = gateway.post(**sent)
    gateway.read(text)
    gateway.send("/v1/payments", {"merchantMemo": text, "wrong": text})
    (sandbox,) = gateway.control("GET", "/sandboxes").json["sandboxes"]
    journal = gateway.control("GET", f"/sandboxes/{sandbox['id']}/journal").text
    assert paid.json["id"] in journal
    assert "4539148803436467" not in journal and BEHIND[:15] not in journal


@pytest.mark.parametrize("text", [track("4539148803436467"), LIKE_IDS[-5]])
def test_no_name_is_account_data(gateway: Gateway, text: str) -> None:
    refused = gateway.control("POST", "/sandboxes", {"merchants": [{"name": f"Shop {text}"}]})
    assert refused.status_code == 400
    assert number_in(text) not in refused.text
