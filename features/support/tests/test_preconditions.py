"""A Given that the target refused prepares nothing, whatever it leaves its answer as."""

import pytest

from features import plugin
from features.gherkin import step_catalogue as catalogue
from features.steps.payments import payments, recurring, schedules, wallets
from features.steps.requests import throttling
from features.support.assertions import ConformanceAssertionError, Judge
from features.support.preconditions import demand_given_succeeded, given_fixture_of
from simulator.client import Answer

JUDGE = Judge({"PAY-01": "a rule"})
MADE = Answer(200, {}, {"id": "8a82", "result": {"code": "000.100.110"}})
DECLINED = Answer(402, {}, {"id": "8a82", "result": {"code": "800.100.152"}})
REMOVED = Answer(200, {}, {"result": {"code": "000.100.110"}})
REFUSED = Answer(400, {}, {"result": {"code": "200.300.404"}})
STORED = Answer(200, {}, {"registrationId": "8a83", "result": {"code": "000.100.110"}})
LISTED = Answer(200, {}, {"payments": []})


def own_step() -> None:
    """Stands for a step of a user's own."""


@pytest.fixture(autouse=True)
def _known() -> None:
    """Every shipped step is known once it was imported."""
    assert catalogue.definitions(plugin.STEP_MODULES)


@pytest.mark.parametrize("left", [MADE, DECLINED, REMOVED, [MADE, REMOVED], [], None, "text"])
def test_what_was_done_is_prepared(left: object) -> None:
    demand_given_succeeded("a debit of 92.00 EUR", payments.pay_before, left, JUDGE)


@pytest.mark.parametrize(
    "left", [REFUSED, [MADE, REFUSED], (REFUSED,), LISTED, Answer(503, {}, b"<html>")]
)
def test_what_was_refused_is_not(left: object) -> None:
    with pytest.raises(
        ConformanceAssertionError, match="what the scenario is given: it is rescheduled"
    ) as error:
        demand_given_succeeded(
            "it is rescheduled to 9.90 EUR", schedules.reschedule_before, left, JUDGE
        )
    assert error.value.expected == "an answer with id"
    assert "PAY-01" in str(error.value)


def test_a_given_whose_answer_cannot_be_read_says_what_came() -> None:
    for left, came in (
        (Answer(500, {"content-type": "text/html"}, b"<html>"), "500 text/html, no JSON"),
        (REFUSED, "one without"),
    ):
        with pytest.raises(ConformanceAssertionError) as error:
            demand_given_succeeded("a debit", payments.pay_before, left, JUDGE)
        assert error.value.came == came


@pytest.mark.parametrize("step", [recurring.start_series, schedules.store_card])
def test_what_is_charged_by_its_registration_has_one(step: object) -> None:
    demand_given_succeeded("a series", step, STORED, JUDGE)
    with pytest.raises(ConformanceAssertionError) as error:
        demand_given_succeeded("a series", step, MADE, JUDGE)
    assert error.value.expected == "an answer with registrationId"


@pytest.mark.parametrize("sentence", ["the merchant has tried twice", "the neighbour tries it"])
def test_who_only_tries_may_be_refused(sentence: str) -> None:
    demand_given_succeeded(sentence, throttling.has_tried, REFUSED, JUDGE)


def test_a_value_in_a_sentence_says_nothing_of_what_is_done() -> None:
    with pytest.raises(ConformanceAssertionError):
        demand_given_succeeded('a debit with memo "he tried"', payments.pay_before, REFUSED, JUDGE)


@pytest.mark.parametrize("left", [MADE, REMOVED, LISTED, Answer(204, {}, None)])
def test_a_step_of_a_users_own_may_ask_for_something_without_an_id(left: object) -> None:
    demand_given_succeeded("the list of yesterday", own_step, left, JUDGE)


@pytest.mark.parametrize("left", [REFUSED, Answer(503, {}, b"<html>"), Answer(404, {}, None)])
def test_what_a_step_of_a_users_own_was_refused_is_not_prepared(left: object) -> None:
    with pytest.raises(ConformanceAssertionError):
        demand_given_succeeded("the list of yesterday", own_step, left, JUDGE)


def test_a_given_is_known_by_what_it_leaves() -> None:
    assert given_fixture_of(payments.pay_before) == "payment"
    assert given_fixture_of(schedules.reschedule_before) == "chain"
    assert given_fixture_of(schedules.delete_card) is None
    assert given_fixture_of(own_step) is None


def test_what_is_a_given_and_a_when_is_known_as_either() -> None:
    """The one function leaves the payment, or the answer."""
    assert given_fixture_of(wallets.pay_by_token) == "payment"
