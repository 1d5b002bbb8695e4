"""The catalogue of steps: readable wordings, by noun, with an example of each."""

from functools import cache
from itertools import groupby

from features import plugin
from features.gherkin.step_catalogue import StepWording, catalogue, definitions, nearest
from features.steps import NOUNS

MODULES = plugin.STEP_MODULES


@cache
def every_wording() -> list[StepWording]:
    """The whole catalogue: made when a test asks for it, not by every worker that collects."""
    return catalogue(MODULES)


def test_every_definition_has_a_wording_that_can_be_read() -> None:
    assert len(every_wording()) >= len(definitions(MODULES))
    assert not [each for each in every_wording() if {"(", "\\", "?", "|"} & set(each.wording)]
    assert all(each.module.startswith("features.steps.") for each in every_wording())


def test_what_is_to_be_filled_in_stands_in_the_wording_by_its_name() -> None:
    said = {each.wording: each for each in every_wording()}
    entry = said["the merchant <verb> <amount> <currency>"]
    assert (entry.keyword, entry.module) == ("when", "features.steps.payments.payments")
    assert entry.example.startswith("the merchant ")
    assert "<count> of them succeed and the others are throttled" in said


def test_steps_are_listed_by_noun() -> None:
    nouns = [each.noun for each in every_wording()]
    assert list(dict.fromkeys(nouns)) == list(dict.fromkeys(NOUNS.values()))
    assert [noun for noun, _ in groupby(nouns)] == list(dict.fromkeys(nouns))
    assert {each.noun for each in catalogue(MODULES, ["webhooks"])} == {"webhooks", "profile field"}


def test_words_find_the_steps_that_say_them_whatever_their_wording() -> None:
    found = catalogue(MODULES, ["Captures", "of it"])
    assert found
    assert all("captures" in each.example and "of it" in each.example for each in found)
    assert catalogue(MODULES, ["no such word"]) == []


def test_a_mistyped_step_is_near_the_one_that_was_meant() -> None:
    assert nearest(MODULES, "when", "the merchnt debits 92.00 EUR")[0].wording == (
        "the merchant <verb> <amount> <currency>"
    )
    assert nearest(MODULES, "given", "zzz") == []
