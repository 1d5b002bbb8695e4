"""Card numbers are found however they are typed, and times and counters are none."""

import pytest

from pos_emulator.card_numbers import (
    has_card_number,
    has_card_number_inside,
    without_card_numbers,
)


@pytest.mark.parametrize(
    "text",
    [
        "4012888888881881", "order 4012888888881881/1", "4012 8888 8888 1881", "378282246310005",
        "1 1 1 1 4012.8888.8888.1881 1", "2223000048400011", "4222222222222", "٤٠١٢٨٨٨٨٨٨٨٨١٨٨١",
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


def test_numbers_of_json_count_too():
    assert has_card_number_inside({"amount": 4012888888881881})
    assert not has_card_number_inside({"amount": 12.5, "flag": True, "none": None})
