"""Samples are what they say they are: at the limits of their format, inside or just outside."""

import re

import pytest

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.fields.parameters import TABLES
from simulator.derive.checks.acceptance import acceptance_of, resolved
from simulator.derive.checks.samples import concrete, samples_of
from simulator.grammar.choices import choose
from simulator.grammar.formats import (
    alphanumeric,
    amount,
    boolean,
    date,
    digits,
    holder,
    letters,
    text,
    url,
)

UNSENT = ("header", "structure")
FORMATS = list(
    {
        row.format: row.name
        for table in TABLES
        for row in table.rows
        if row.format.kind not in UNSENT
    }.items()
)


def taken(format):
    return {sample.case: sample.value for sample in samples_of(format) if sample.taken}


def refused(format):
    return {sample.case: sample.value for sample in samples_of(format) if not sample.taken}


@pytest.mark.parametrize("profile", ["specification", "field"])
def test_a_format_takes_its_taken_samples_and_refuses_the_others(profile):
    chosen = choose(CHOICES, profile)
    for format, name in FORMATS:
        holds = resolved(format, chosen)
        accepts = acceptance_of(holds)
        for sample in samples_of(holds):
            assert bool(accepts(sample.value)) is sample.taken, (name, sample)


def test_no_taken_sample_is_longer_or_shorter_than_the_limits():
    for format, name in FORMATS:
        for value in taken(format).values():
            assert max(format.min, 1) <= len(value) <= format.max, name


LINE_SIGNS = ("\n", "\r", "\t")
CONTROLS = (
    "\x00", "\x08", "\x0b", "\x0c", "\x1b", "\x1f", "\x7f", "\x80", "\x85", "\x9b", "\x9f",
    "\u2028", "\u2029", "\u202a", "\u202e", "\u2066", "\u2069", "\ufffd",
)  # fmt: skip
PATTERNED = [format for format, _ in FORMATS if format.strict_pattern]


def test_a_pattern_refuses_a_final_newline_even_where_an_engine_searches():
    values = [(format, value) for format in PATTERNED for value in taken(format).values()]
    for format, value in values:
        assert re.search(format.strict_pattern, value)
        is_taken = bool(acceptance_of(format)(f"{value}\n"))
        assert (re.search(format.strict_pattern, f"{value}\n") is not None) == is_taken, format


def test_the_samples_of_a_text_stand_at_both_ends_of_its_length():
    assert taken(text(10, min=8))["shortest"] == "x" * 8
    assert taken(text(10, min=8))["longest"] == "x" * 10
    assert refused(text(10, min=8))["too short"] == "x" * 7
    assert refused(text(10, min=8))["too long"] == "x" * 11


def test_no_sample_is_an_empty_value():
    assert "" not in {sample.value for format, _ in FORMATS for sample in samples_of(format)}


@pytest.mark.parametrize("format", [pytest.param(format, id=name) for format, name in FORMATS])
def test_no_format_takes_a_control_character_or_broken_utf_8(format):
    accepts = acceptance_of(format)
    for value in taken(format).values():
        for character in (*CONTROLS, *(() if format.kind == "text" else LINE_SIGNS)):
            assert not accepts(character + value[1:])
            assert not accepts(value[:-1] + character)


@pytest.mark.parametrize("format", [each for each, _ in FORMATS if each.kind == "text"])
def test_a_text_takes_line_breaks_and_tabs(format):
    accepts = acceptance_of(format)
    for value in taken(format).values():
        for sign in LINE_SIGNS:
            assert accepts(sign + value[1:])
            assert accepts(value[:-1] + sign)


@pytest.mark.parametrize(
    ("format", "value", "expected"),
    [
        (letters(20), "Jo\u00e3o", True),
        (letters(20), "Joa\u0303o", True),
        (letters(20), "\u5f35\u5049", True),
        (letters(20), "\u0410\u043d\u043d\u0430", True),
        (letters(20), "O'Neil-Smith Jr.", True),
        (letters(20), "O\u2019Neil", True),
        (letters(20), "\u0905\u0928\u093f\u0924\u093e", True),
        (letters(20), "Jane2", False),
        (letters(20), "Jane\u0663", False),
        (letters(20), "Jane_", False),
        (letters(20), "Jane \U0001f600", False),
        (letters(20), "Jane\u00a0", False),
        (holder(128, min=3), "800.100.151", True),
        (holder(128, min=3), "800.100.1511", False),
        (digits(1, 3), "\u0661", False),
        (alphanumeric(3), "\u00e4", False),
        (amount(), "0000000000.00", True),
        (amount(), "1e3", False),
        (boolean(), "TRUE", False),
        (date(), "2000-02-29", True),
        (date(), "1900-02-29", False),
        (date(), "2026-04-31", False),
        (url(2048), "shop://item", True),
        (url(2048), "javascript:alert(1)", False),
    ],
)
def test_a_format_decides_a_value_that_people_really_send(format, value, expected):
    assert bool(acceptance_of(format)(value)) is expected


def test_ascii_letters_are_a_choice():
    ascii_only = choose(CHOICES, "specification", {"D-01": "ascii"})
    accepts = acceptance_of(resolved(letters(20), ascii_only))
    assert accepts("Jane")
    assert not accepts("Jo\u00e3o")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("amount", "amount"),
        ("cart.items[n].name", "cart.items[0].name"),
        ("airline.passengers[n].legs[n].taxAmount", "airline.passengers[0].legs[0].taxAmount"),
        ("customParameters[name]", "customParameters[abc]"),
    ],
)
def test_a_concrete_name_can_be_sent(name, expected):
    assert concrete(name) == expected
