"""Every request field at its boundaries: shortest and longest accepted, nearest refused.

The cases are computed from the catalogue: every sample of a field, a test for each field.
"""

import pytest

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.fields.parameters import OTHER_TABLES, PAYMENT_TABLES
from simulator.derive.checks.acceptance import resolved
from simulator.derive.checks.check import compile_check
from simulator.derive.checks.compiled_rows import sent_rows
from simulator.derive.checks.samples import Sample, concrete, key_samples_of, samples_of
from simulator.grammar.choices import choose
from simulator.grammar.operations import Operation
from simulator.grammar.parameters import Param

# An operation that accepts every request field there is, overridePaymentType too.
EVERYTHING = Operation("create_checkout", "POST", "/", (*PAYMENT_TABLES, *OTHER_TABLES))
PROFILES = {profile: choose(CHOICES, profile) for profile in ("specification", "field")}
CHECKS = {profile: compile_check(EVERYTHING, chosen) for profile, chosen in PROFILES.items()}
ROWS = list(sent_rows(EVERYTHING))


def refused(profile: str, row: Param, name: str, value: str) -> bool:
    """Whether the row itself refuses; relations to parameters that are not sent do not count."""
    violations = CHECKS[profile].violations_of({name: value})
    return any(found.name == name and found.rule == row.name for found in violations)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_field_takes_what_its_format_says(row: Param) -> None:
    samples = samples_of(resolved(row.format, PROFILES["specification"]))

    wrong = [
        (known, sample.case)
        for known in row.concrete_names
        for sample in samples
        if refused("specification", row, concrete(known), sample.value) is sample.taken
    ]

    assert wrong == []


SWITCHED = [row for row in ROWS if resolved(row.format, PROFILES["field"]).switches]


@pytest.mark.parametrize("row", SWITCHED, ids=lambda row: row.name)
def test_a_field_that_a_choice_switches_takes_what_its_other_format_says(row: Param) -> None:
    wrong = [
        sample.case
        for sample in samples_of(resolved(row.format, PROFILES["field"]))
        if refused("field", row, concrete(row.name), sample.value) is sample.taken
    ]

    assert wrong == []


KEYS = [
    pytest.param(row, sample, id=f"{row.name}:{sample.case}")
    for row in ROWS
    for sample in key_samples_of(row)
]


@pytest.mark.parametrize(("row", "sample"), KEYS)
def test_a_key_takes_what_its_format_says(row: Param, sample: Sample):
    value = samples_of(row.format)[0].value
    name = concrete(row.name, key=sample.value)
    assert refused("specification", row, name, value) is not sample.taken


def test_there_is_a_case_of_both_kinds_for_every_field():
    for row in ROWS:
        assert {sample.taken for sample in samples_of(row.format)} == {True, False}, row.name
