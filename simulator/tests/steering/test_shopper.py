"""What a behaviour lets the shopper of a redirected payment do, and what it leaves to others."""

import pytest

from scenarios.records import behaviour_of, document_of
from scenarios.schema import problems_of
from simulator.domain.acquiring.requests import Visit
from simulator.domain.steering.order import PENDING_CODE, steer
from simulator.domain.steering.scripts import read_default
from simulator.tests.kit.steering import ask_of, channel_of, script_of, shipped_rules

RULES = shipped_rules()
WORDS = {"name": "example", "title": "Example", "description": "For a test."}


def doing(bank, **others):
    """The document of a behaviour whose shopper does this."""
    return {**WORDS, "steps": {"bank": bank, **others}}


def steered(*scripts, channel=None, redirects=True, **ask):
    asked = ask_of(redirects=redirects, brand="EPS", number=None, **ask)
    return steer(asked, RULES, channel=channel or channel_of(), scripts=scripts)


def test_a_redirected_ask_is_pending_and_knows_what_follows_once_the_shopper_paid():
    steering = steered(channel=channel_of(default_behaviour="insufficient-funds"))

    assert steering.outcome.code == PENDING_CODE
    assert steering.paid.code == "800.100.203"
    assert steering.visit is None


def test_another_ask_is_answered_at_once():
    steering = steered(script_of(doing("cancel")), redirects=False)

    assert steering.outcome.code == "000.100.110"
    assert (steering.paid, steering.visit, steering.scripts) == (None, None, ())


def test_a_behaviour_that_is_pending_is_not_completed_early():
    steering = steered(channel=channel_of(default_behaviour="pending-then-approved"))

    assert steering.paid is None
    assert steering.then.code == "000.100.110"


def test_the_newest_script_that_fits_speaks_for_the_shopper():
    newest = script_of(doing("cancel"), identity="s3", match={"brand": "IDEAL"})
    newer, old = script_of(doing("fail"), identity="s2"), script_of(doing("pay"))

    steering = steered(newest, newer, old)

    assert steering.visit == Visit("fail", "script s2")
    assert [(each.id, each.matched) for each in steering.scripts] == [("s3", 0), ("s2", 1)]


def test_a_script_for_the_shopper_leaves_the_acquirer_to_others():
    declines = script_of(identity="s2")

    steering = steered(script_of(doing("pay")), declines)

    assert steering.paid.code == "800.100.151"
    assert steering.visit == Visit("pay", "script s1")


def test_one_behaviour_may_speak_for_both():
    both = doing("pay", acquirer={"decline": {"code": "800.100.155"}})

    steering = steered(script_of(both))

    assert (steering.paid.code, steering.visit) == ("800.100.155", Visit("pay", "script s1"))


def test_a_channel_may_have_a_shopper_who_always_does_the_same():
    assert read_default("shopper-cancels", RULES.behaviours) == "shopper-cancels"

    steering = steered(channel=channel_of(default_behaviour="shopper-cancels"))

    assert steering.visit == Visit("cancel", "channel default")
    assert steering.paid.code == "000.100.110"


@pytest.mark.parametrize("bank", ["buy", "", {"pay": {}}, None])
def test_a_shopper_does_one_of_four_things(bank):
    (problem,) = problems_of(doing(bank))[:1]

    assert problem.where == "steps.bank"
    assert "pay, cancel, fail, leave" in problem.expected


def test_a_behaviour_is_written_out_as_it_was_read():
    document = doing("leave")

    assert document_of(behaviour_of(document))["steps"] == {"bank": "leave"}
