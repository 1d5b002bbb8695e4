"""Card numbers are found however they are typed, and times and counters are none."""

from time import process_time

import pytest

from pos_emulator.card_numbers import (
    has_card_number,
    has_card_number_inside,
    without_card_numbers,
)

# Linear searches of so much take a fifth of it; quadratic ones take minutes.
LIMIT_S = 5.0


@pytest.mark.parametrize(
    "text",
    [
        "4012888888881881", "4000000000000000006", "5454545454545454", "6011000990139424",
        "order 4012888888881881/1", "4012 8888 8888 1881", "378282246310005",
        "1 1 1 1 4012.8888.8888.1881 1", "%34%30%31%328888%38%38%38%381881",
        "4012888888881881%31 %34%30%31%328888%38%38%38%381881",
        r"\u0034\u0030\u0031\u0032 8888\x38\x38\x38\x38 1881",
        "2223000048400011", "4222222222222", "٤٠١٢٨٨٨٨٨٨٨٨١٨٨١",
    ],
)  # fmt: skip
def test_a_card_number_is_found(text: str):
    assert has_card_number(text)
    assert has_card_number_inside({"a": [{"b": text}]}) and has_card_number_inside({text: None})
    assert not has_card_number(without_card_numbers(text))


@pytest.mark.parametrize(
    "text",
    ["", "4012888888881882", "20261123143015", "1763908215123", "0001-000012", "401288888888188"]
    + [f"2026112314{minute:02d}{second:02d}" for minute in range(60) for second in (0, 30)],
)
def test_what_is_no_card_number_stays(text: str):
    assert not has_card_number(text)
    assert without_card_numbers(text) == text


def test_of_a_card_number_the_last_digits_are_shown():
    assert without_card_numbers("got 4012 8888 8888 1881!") == "got **** **** **** 1881!"


@pytest.mark.parametrize(
    "between",
    [
        "_", ",", "+", "*", "|", "\t", "\u00a0", "\u2003", "\u3000", "\u00ad", "\u200b", "\u200f",
        "\u2060", "\ufeff", ":", "::", "%20", "%C2%A0", "\\n", "' '", '","', ") (", "    ", " - ",
    ],
)  # fmt: skip
@pytest.mark.parametrize("size", [1, 2, 4, 8])
def test_signs_between_the_digits_hide_no_number(between: str, size: int):
    number = "4012888888881881"
    groups = [number[place : place + size] for place in range(0, len(number), size)]
    text = f"order {between.join(groups)} of today"

    assert has_card_number(text)
    assert not has_card_number(without_card_numbers(text))


@pytest.mark.parametrize(
    "digits", ["４０１２８８８８８８８８１８８１", "⁴⁰¹²⁸⁸⁸⁸⁸⁸⁸⁸¹⁸⁸¹", "④⓪①②⑧⑧⑧⑧⑧⑧⑧⑧①⑧⑧①"]
)
def test_digits_of_other_forms_are_digits(digits: str):
    assert has_card_number(digits)
    assert without_card_numbers(digits) == "*" * 12 + digits[-4:]


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-23T19:30:15.123456789+02:00", "2026-11-23 19:30:15.123456", "2026:11:23 19:30:15",
        "4711/0812345678", "4711-20261126-094",
        "52.148.101.200:54321", "10.42.101.200:8443", "8a8294174b7ecb28014b9699220015ca",
        "8" + "4012888888881881" + "ab0123456789abc",
    ],
)  # fmt: skip
def test_times_addresses_and_ids_stay(text: str):
    assert not has_card_number(text)
    assert without_card_numbers(text) == text


@pytest.mark.parametrize("sign", ["4", "4;", "4 ", "4;4:", "40128888 ", "(", "%20", "4\\"])
def test_a_long_text_is_searched_in_no_time(sign: str):
    began = process_time()
    has_card_number(sign * 50_000)
    assert process_time() - began < LIMIT_S


def test_numbers_of_json_count_too():
    assert has_card_number_inside({"amount": 4012888888881881})
    assert not has_card_number_inside({"amount": 12.5, "flag": True, "none": None})
