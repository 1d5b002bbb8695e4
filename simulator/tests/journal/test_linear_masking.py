"""Masking costs as much as the text is long; long requests are cut before it."""

from collections.abc import Callable
from pathlib import Path
from time import process_time
from urllib.parse import urlencode

import msgspec
import pytest

from simulator.domain.masking.masking import cut_text, glance, mask_text, shown_text
from simulator.domain.masking.shown_parameters import (
    PARAMETERS_MAX,
    SECRETS_MAX,
    masked_parameters,
)
from simulator.tests.kit.gateway import FORM, Gateway
from simulator.web.http.answers import ERRORS_MAX

# What texts are made of: each came close to a pattern again and again.
ALPHABETS = (
    "9", "0000 ", "4 2-", "1 ", "424242424242a", "4242424242424242a", "0123456789abcdef", "ab12",
    "a" * 47 + " ", "8" + "4" * 20 + "a" * 11 + "_", "token=", "pin='", 'key="', "cvv:", "bearer ",
    "cvv.", "cvv%5D", "<cvv ", "<cvv>", "cvv", "%22cvv",
    "bearer" + " " * 40, "basic abcdefg", "[", "a[1]", "=", "&", "x", "é4", "４", "٤ ", "4\n4",
    "\\4", "4\\n", "\\u0034", "4\u200b", "://", "?",
    "4:", "4;4:", "42:00;", "4' '", "4%20", "%204", "\\x20", "4\\u00a0", "4    ", "4;;;;;;;;;",
    "4539148803436467D341210112345678 ", "4539148803436467D", "4539148803436467=3412101", "5A08",
    "5A084539148803436467", "57", "cid", "cav", "card", "fulltrack", "cardvalidation",
    "//a:b", "//a:b@", "@//", "//:", '//"', "//a%3Ab%40", "%2F%2Fa%3Ab", "%252F%252F", "https://a:",
    "eyJ", "eyJhIjox", "eyJ%2B", "ewo", "eyJhIjoi\n", '{"signature":"ephemeralPublicKey","data":',
    "\\u002f", "u002f\\", "/\\", "https:/", "https:/a:b", 's:/a:b",', "%25252F%25252Fa%25253Ab",
)  # fmt: skip
SHORT, LONG = 1 << 15, 1 << 18
# Of the ratio of the lengths; a quadratic pattern costs eight times as much.
SLACK = 3.0
# A short text may be passed on at a look, where the long one is searched; a quadratic search of it
# takes seconds.
LEAST_S = 0.1


def text_of(alphabet: str, length: int) -> str:
    """A text of one alphabet."""
    return (alphabet * (length // len(alphabet) + 1))[:length]


def seconds_for(work: Callable[[str], object], text: str) -> float:
    """The least time of three tries."""
    took = []
    for _ in range(3):
        began = process_time()
        work(text)
        took.append(process_time() - began)
    return min(took)


def _glance(text: str) -> object:
    return glance(msgspec.json.encode({"memo": text}))


def _parameters(text: str) -> object:
    return masked_parameters({"merchantMemo": text, "card.cvv": "123"})


@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("work", [mask_text, _glance, _parameters])
def test_masking_is_linear_in_the_length_of_a_text(
    work: Callable[[str], object], alphabet: str
) -> None:
    short = seconds_for(work, text_of(alphabet, SHORT // 8))
    long = seconds_for(work, text_of(alphabet, LONG // 8))

    assert long < max(LEAST_S, short * LONG / SHORT * SLACK)


def test_of_a_long_request_the_beginning_is_kept():
    sent = {f"customParameters[name{number}]": "x" * 300 for number in range(500)}
    sent["customParameters[memo]"] = "the end"

    shown = masked_parameters(sent)

    assert shown.is_cut
    assert list(shown.parameters) == list(sent)[:PARAMETERS_MAX]
    assert shown.parameters["customParameters[name0]"] == "x" * 200 + "... (300 characters)"


def test_a_secret_at_the_cut_of_a_value_is_not_shown_in_part():
    secret = "abcdefghijklmnopqrstuvwxyz" * 8
    sent = {"card.number": secret, "merchantMemo": "-" * 190 + secret + "y" * 20_000}

    assert "abc" not in str(masked_parameters(sent).parameters)


def test_of_more_secrets_than_can_be_sought_nothing_is_shown():
    sent = {f"customParameters[pin{number}]": f"secret{number}" for number in range(SECRETS_MAX)}
    sent |= {"card.number": "4200000000000000", "merchantMemo": "secret7"}

    assert set(masked_parameters(sent).parameters.values()) == {"***"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x" * 300, "x" * 255),
        ("x" * 250 + "4200000000000000", "x" * 250),
        ("x" * 240 + "4200 0000 0000 0000", "x" * 240),
        ("4" * 300, ""),
        ("x" * 245 + " 42.00 EUR", "x" * 245 + " 42.00 EUR"),
    ],
)
def test_no_part_of_a_number_is_left_at_a_cut(text: str, shown: str) -> None:
    assert cut_text(text, 255) == shown
    assert shown_text(text) == shown


@pytest.mark.parametrize("alphabet", ["9", "1 ", "424242424242a", "ab12", "bearer ", "é4"])
def test_a_request_costs_as_much_as_it_is_long(tmp_path: Path, alphabet: str) -> None:
    gateway = Gateway(tmp_path / "data")

    def ask(memo: str) -> None:
        answer = gateway.post(merchantMemo=memo)
        assert answer.status_code == 400
        assert len(answer.text) < 1000

    short = seconds_for(ask, text_of(alphabet, 1 << 14))
    long = seconds_for(ask, text_of(alphabet, 1 << 18))
    gateway.close()

    assert long < short * 8 * SLACK


def test_a_long_name_is_refused_unread(gateway: Gateway) -> None:
    def ask(name: str) -> None:
        answer = gateway.send("/v1/payments", {name: "x"})
        assert answer.status_code == 413
        assert "bytes in the name of a parameter: expected at most 255" in answer.text

    ask("a" * 256)
    ask("é" * 128)
    short = seconds_for(ask, "a[" * (1 << 14))
    long = seconds_for(ask, "a[" * (1 << 17))

    assert long < short * 8 * SLACK


@pytest.mark.parametrize("name", ["a" * 255, "é" * 127, "%41" * 85])
def test_a_name_of_255_bytes_is_read(gateway: Gateway, name: str) -> None:
    filler = {"merchantMemo": "x" * 100_000}

    for more in ({}, filler):
        answer = gateway.send("/v1/payments", {name: "x", **more})
        assert answer.status_code == 400
        assert "is not an allowed parameter" in answer.text


def test_of_many_wrong_parameters_an_answer_names_a_thousand(gateway: Gateway) -> None:
    answer = gateway.send("/v1/payments", {f"wrong{number}": "x" for number in range(5000)})

    assert answer.status_code == 400
    errors = answer.json["result"]["parameterErrors"]
    assert len(errors) == ERRORS_MAX
    assert {"paymentType", "wrong0"} <= {each["name"] for each in errors}


def test_a_long_body_is_read_as_its_pieces_would_be(gateway: Gateway) -> None:
    filler = {f"customParameters[filler{number:04}]": "é" * 200 for number in range(200)}
    answer = gateway.post(**filler)
    twice = gateway.client.simulate_post(
        "/v1/payments",
        headers={"Authorization": f"Bearer {gateway.merchant.token}"},
        body=urlencode([("amount", "1.00"), *filler.items(), ("amount", "2.00")]),
        content_type=FORM,
    )

    assert answer.status_code == 200
    assert answer.json["customParameters"].keys() == {name[17:-1] for name in filler}
    errors = {each["name"]: each["message"] for each in twice.json["result"]["parameterErrors"]}
    assert errors["amount"] == "must be sent once, came 2 times"
