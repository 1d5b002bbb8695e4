"""The step `acs`: which words it takes, and which scripts speak of it."""

import json
from typing import get_args

import pytest

from scenarios.records import AcsStep, behaviour_of, document_of
from scenarios.schema import SCHEMA, problems_of
from simulator.domain.steering.delivery_faults import find_delivery_fault
from simulator.domain.steering.matching_scripts import steers_acquirer, steers_acs
from simulator.tests.kit.steering import script_of
from simulator.tests.kit.twins import START

WORDS = {"name": "example", "title": "Example", "description": "For a test."}


def saying(acs: object, **others) -> dict:
    """The document of a behaviour with this step."""
    return {**WORDS, "steps": {"acs": acs, **others}}


@pytest.mark.parametrize("word", get_args(AcsStep))
def test_every_word_of_the_step_is_taken_and_kept(word):
    assert problems_of(saying(word)) == []
    assert document_of(behaviour_of(saying(word)))["steps"] == {"acs": word}


def test_schema_and_records_know_the_same_words():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    listed = schema["$defs"]["steps"]["properties"]["acs"]["enum"]
    assert tuple(listed) == get_args(AcsStep)


@pytest.mark.parametrize("word", ["", "challenged", {"challenge": {}}, None])
def test_any_other_word_is_refused_by_its_place(word):
    assert [problem.where for problem in problems_of(saying(word))] == ["steps.acs"]


def test_a_script_speaks_for_the_acs_beside_others():
    both = script_of(saying("reject", acquirer={"approve": {}}))
    assert steers_acs(both)
    assert steers_acquirer(both)
    assert not steers_acs(script_of())


def test_a_script_that_speaks_for_the_acs_is_not_counted_by_notifications():
    from simulator.domain.core.records import AccountHierarchy, Payment, PaymentType, State

    payment = Payment(
        id="8" * 32, type=PaymentType.DB, state=State.PENDING, created_at=START, ndc="n",
        short_id="1", stamp=AccountHierarchy("p", "d", "m", "c", "a", "i"),
    )  # fmt: skip
    script = script_of(saying("reject", webhooks={"lose": {}}))
    assert find_delivery_fault(payment, [script]) == (None, ())
