from datetime import timedelta

import pytest

from scenarios.records import Decline, behaviour_of
from simulator.domain.core.errors import Refusal
from simulator.domain.steering.order import FORCED_CODE, ORDER, steer
from simulator.tests.kit.steering import (
    TEST_CARD,
    ask_of,
    behaviour_document,
    channel_of,
    declining,
    script_of,
    shipped_rules,
)

RULES = shipped_rules()
TWO_ANSWERS = {"flaky", "pending", "pending-then-approved", "pending-then-declined"}


# Every level's own way to decide a request, in the printed order. All may be given at once.
LEVELS = {
    "script": "800.100.151",
    "forceResultCode": "800.100.155",
    "card.holder": "800.100.152",
    "test card": "800.100.159",
    "amount": "800.100.203",
    "channel default": "800.100.183",
}


def steered(levels, kind="DB"):
    """The result code when only these levels have something to say."""
    parameters = {}
    if "forceResultCode" in levels:
        parameters[FORCED_CODE] = LEVELS["forceResultCode"]
    if "card.holder" in levels:
        parameters["card.holder"] = LEVELS["card.holder"]
    ask = ask_of(
        kind,
        parameters=parameters,
        number=TEST_CARD if "test card" in levels else "5454545454545454",
        amount="10.51" if "amount" in levels else "92.00",
    )
    channel = channel_of(
        amount_behaviours="amount" in levels,
        default_behaviour="do-not-honour" if "channel default" in levels else "approve",
    )
    scripts = (script_of(),) if "script" in levels else ()
    return steer(ask, RULES, channel=channel, scripts=scripts).outcome.code


def test_the_order_is_the_one_the_page_prints():
    assert [level.name for level in ORDER] == list(LEVELS)


@pytest.mark.parametrize("position", range(len(LEVELS)), ids=LEVELS)
def test_each_level_beats_every_level_below_it(position):
    names = list(LEVELS)
    assert steered(names[position:]) == LEVELS[names[position]]


@pytest.mark.parametrize("name", LEVELS)
def test_each_level_decides_where_it_is_alone(name):
    assert steered([name]) == LEVELS[name]


def test_nothing_steers_an_ordinary_payment():
    steering = steer(ask_of(), RULES, channel=channel_of())
    assert (steering.outcome.code, steering.decided_by) == ("000.100.110", "channel default")
    assert not steering.delay
    assert steering.scripts == ()


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({}, "000.100.110"),
        ({"testMode": "INTERNAL"}, "000.100.110"),
        ({"testMode": "EXTERNAL"}, "000.100.112"),
    ],
)
def test_an_approval_takes_the_success_code_of_its_test_mode(sent, code):
    assert steer(ask_of(parameters=sent), RULES, channel=channel_of()).outcome.code == code


@pytest.mark.parametrize("kind", ["PA", "DB", "CD", "PA.CP"])
def test_an_initial_payment_scores_100(kind):
    assert steer(ask_of(kind), RULES, channel=channel_of()).outcome.risk_score == 100


@pytest.mark.parametrize("kind", ["CP", "RF", "RV", "RB", "RC"])
def test_a_referencing_payment_scores_0(kind):
    assert steer(ask_of(kind, number=None), RULES, channel=channel_of()).outcome.risk_score == 0


def test_a_registration_has_no_risk_score():
    assert steer(ask_of("RG", amount=None), RULES, channel=channel_of()).outcome.risk_score is None


@pytest.mark.parametrize(
    ("code", "nearest"),
    [
        ("800.100.15", "nearest: 800.100.150"),
        ("800.100.149", "nearest: 800.100.150"),
        ("800.100.999", "nearest: 800.100.501"),
        ("...", "nearest: "),
        ("4200000000000000", "got 16 characters"),
        ("", "a result code of the catalogue"),
    ],
)
def test_the_refusal_of_an_unknown_forced_code_names_the_nearest(code, nearest):
    with pytest.raises(Refusal, match=nearest) as refused:
        steer(ask_of(parameters={FORCED_CODE: code}), RULES, channel=channel_of())
    assert refused.value.code == "600.200.810"


@pytest.mark.parametrize("code", ["000.200.000", "800.400.500", "000.100.203"])
def test_a_code_that_is_no_final_answer_cannot_be_forced(code):
    with pytest.raises(Refusal, match="final result code"):
        steer(ask_of(parameters={FORCED_CODE: code}), RULES, channel=channel_of())


@pytest.mark.parametrize("code", ["000.400.010", "000.100.110", "000.000.000"])
def test_the_custom_parameter_may_force_a_success(code):
    outcome = steer(ask_of(parameters={FORCED_CODE: code}), RULES, channel=channel_of()).outcome
    assert (outcome.code, outcome.decided_by) == (code, FORCED_CODE)


@pytest.mark.parametrize("holder", ["000.100.110", "000.400.101", "123.456.789", "000.999.999"])
def test_a_holder_that_names_an_unknown_code_or_one_of_000_is_refused(holder):
    with pytest.raises(Refusal) as refused:
        steer(ask_of(parameters={"card.holder": holder}), RULES, channel=channel_of())
    assert refused.value.code == "600.200.810"


@pytest.mark.parametrize(
    "holder", ["Jane Jones", "800.100.15", "800.100.1522", "800-100-152", "Jane Joness"]
)
def test_a_holder_of_any_other_form_is_just_a_name(holder):
    outcome = steer(ask_of(parameters={"card.holder": holder}), RULES, channel=channel_of()).outcome
    assert outcome.decided_by == "channel default"


def test_a_holder_does_not_steer_a_registration():
    sent = {"card.holder": "800.100.152"}
    outcome = steer(ask_of("RG", amount=None, parameters=sent), RULES, channel=channel_of()).outcome
    assert outcome.code == "000.100.110"


def test_an_amount_does_not_steer_a_capture():
    ask = ask_of("CP", amount="10.51", number=None)
    steering = steer(ask, RULES, channel=channel_of(amount_behaviours=True))
    assert steering.outcome.code == "000.100.110"


def test_amounts_do_nothing_where_the_channel_has_not_switched_them_on():
    assert steer(ask_of(amount="10.51"), RULES, channel=channel_of()).outcome.code == "000.100.110"


def test_the_newest_script_that_fits_answers_and_older_ones_are_not_asked():
    newest = script_of(declining("800.100.151"), identity="new")
    oldest = script_of(declining("800.100.159"), identity="old")
    steering = steer(ask_of(), RULES, channel=channel_of(), scripts=(newest, oldest))
    assert steering.outcome.code == "800.100.151"
    assert [script.id for script in steering.scripts] == ["new"]


def test_a_script_that_does_not_fit_is_counted_with_its_near_miss_and_the_next_is_asked():
    other = script_of(identity="other", match={"brand": "MASTER"})
    fits = script_of(declining("800.100.159"), identity="fits")
    steering = steer(ask_of(), RULES, channel=channel_of(), scripts=(other, fits))
    assert steering.decided_by == "script fits"
    missed = steering.scripts[0]
    assert (missed.asked, missed.matched) == (1, 0)
    assert missed.near_misses == ("brand: expected MASTER, got VISA",)
    assert steering.near_misses == ("script other: brand: expected MASTER, got VISA",)


def run(script, count, **ask):
    """The codes of `count` requests in a row, and the script after them."""
    codes = []
    for _ in range(count):
        steering = steer(ask_of(**ask), RULES, channel=channel_of(), scripts=(script,))
        script = steering.scripts[0] if steering.scripts else script
        codes.append(steering.outcome.code)
    return codes, script


def test_a_script_armed_for_two_times_answers_twice_and_is_then_not_asked():
    codes, script = run(script_of(times=2), 4)
    assert codes == ["800.100.151"] * 2 + ["000.100.110"] * 2
    assert (script.matched, script.asked) == (2, 2)


def test_a_flaky_acquirer_fails_twice_and_then_approves():
    flaky = behaviour_document(
        {"decline": {"code": "900.100.400"}, "fail_times": 2, "then": {"approve": {"avs": "F"}}}
    )
    codes, _ = run(script_of(flaky), 4)
    assert codes == ["900.100.400"] * 2 + ["000.100.110"] * 2


def test_the_nth_call_is_counted_among_the_requests_that_fit_the_rest():
    script = script_of(match={"amount": "92.00", "nth": 2})
    _, after_other_amounts = run(script, 3, amount="5.00")
    codes, script = run(after_other_amounts, 3)
    assert codes == ["000.100.110", "800.100.151", "000.100.110"]
    assert (script.asked, script.fitted, script.matched) == (5, 2, 1)


def test_a_script_for_one_payment_comes_before_a_newer_one_for_any():
    newer = script_of(declining("800.100.152"), identity="s2")
    for_one = script_of(match={"payment": ask_of().payment})

    def code(payment: str) -> str:
        ask = ask_of(payment=payment)
        return steer(ask, RULES, channel=channel_of(), scripts=(newer, for_one)).outcome.code

    assert (code("8a" * 16), code("9a" * 16)) == ("800.100.151", "800.100.152")


def test_near_misses_are_distinct_and_few():
    script = script_of(match={"amount": "1.00"})
    for cents in range(30):
        _, script = run(script, 2, amount=f"2.{cents:02d}")
    assert len(script.near_misses) == 10
    assert script.near_misses[-1] == "amount: expected 1.00, got 2.29"


def test_a_script_drawn_latency_is_counted_by_the_script_itself():
    latency = {"lognormal": {"median_s": 1, "sigma": 0.5, "seed": 4}}
    script = script_of(behaviour_document({"latency": latency, "approve": {}}))
    first = steer(ask_of(), RULES, channel=channel_of(), scripts=(script,), count=17)
    again = steer(ask_of(), RULES, channel=channel_of(), scripts=(script,), count=99)
    later = steer(ask_of(), RULES, channel=channel_of(), scripts=first.scripts)
    assert first.delay == again.delay != later.delay


OF_THE_ACQUIRER = [name for name, row in RULES.behaviours.items() if row.steps.acquirer]


@pytest.mark.parametrize("name", [n for n in OF_THE_ACQUIRER if n not in TWO_ANSWERS])
def test_a_shipped_behaviour_does_what_it_says_as_a_channel_default(name):
    steps = RULES.behaviours[name].steps.acquirer
    outcome = steer(ask_of(), RULES, channel=channel_of(default_behaviour=name)).outcome
    said = steps.approve or steps.decline or Decline("900.100.301")
    assert outcome.code == (said.code if isinstance(said, Decline) else "000.100.110")
    assert (outcome.avs, outcome.cvv) == (said.avs, said.cvv)
    assert outcome.risk_score == (100 if said.risk_score is None else said.risk_score)


@pytest.mark.parametrize(
    ("name", "code", "after_s"),
    [
        ("pending", None, 0),
        ("pending-then-approved", "000.100.110", 60),
        ("pending-then-declined", "800.100.152", 60),
    ],
)
def test_a_pending_behaviour_says_what_becomes_of_it(name, code, after_s):
    steering = steer(ask_of(), RULES, channel=channel_of(default_behaviour=name))
    assert steering.outcome.code == "000.200.000"
    assert (steering.then and steering.then.code) == code
    assert steering.then_after == timedelta(seconds=after_s)


def test_scripts_are_not_changed_by_steering():
    script = script_of()
    steer(ask_of(), RULES, channel=channel_of(), scripts=(script,))
    assert script == script_of()
    assert behaviour_of(script.behaviour).name == "example"
