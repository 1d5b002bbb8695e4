import pytest

from scenarios.amounts import AMOUNTS
from scenarios.errors import ScriptError
from scenarios.loader import load_behaviours
from scenarios.records import behaviour_of, counts
from scenarios.schema import problems_of
from simulator.domain.steering.order import steer
from simulator.domain.steering.scripts import read_default, read_script, show_script
from simulator.tests.kit.steering import ask_of, channel_of, script_of, shipped_rules

BEHAVIOURS = load_behaviours()
INLINE = {"steps": {"acquirer": {"approve": {"avs": "N"}}}}


def test_a_behaviour_is_armed_by_name():
    script = read_script(
        {"behaviour": "stolen-card", "match": {"brand": "VISA"}, "times": 3}, BEHAVIOURS
    )
    assert behaviour_of(script.behaviour) == BEHAVIOURS["stolen-card"]
    assert (script.match, script.times) == ({"brand": "VISA"}, 3)


def test_a_behaviour_is_armed_inline_and_needs_no_name():
    script = read_script({"behaviour": INLINE}, BEHAVIOURS)
    assert behaviour_of(script.behaviour).steps.acquirer.approve.avs == "N"
    assert (script.match, script.times) == ({}, None)


@pytest.mark.parametrize(
    "acquirer",
    [
        {"decline": {"code": "800.100.151"}, "fail_times": 2.0, "then": {"approve": {}}},
        {"latency": {"fixed": {"seconds": float("nan")}}, "approve": {}},
        {"latency": {"fixed": {"seconds": 10**400}}, "approve": {}},
        {"latency": {"lognormal": {"median_s": 1, "sigma": 1, "seed": 1.0}}, "approve": {}},
    ],
    ids=str,
)
def test_a_strange_number_is_either_usable_or_refused(acquirer):
    try:
        script = read_script({"behaviour": {"steps": {"acquirer": acquirer}}}, BEHAVIOURS)
    except ScriptError:
        return
    steering = steer(
        ask_of(), shipped_rules(), channel=channel_of(), scripts=(script_of(script.behaviour),)
    )
    assert steering.outcome.code in ("800.100.151", "000.100.110")


def test_the_script_s_criteria_stand_beside_those_of_its_behaviour_and_win():
    inline = {**INLINE, "match": {"brand": "VISA", "type": "DB"}}
    script = read_script({"behaviour": inline, "match": {"type": "PA"}}, BEHAVIOURS)
    assert script.match == {"brand": "VISA", "type": "PA"}


def declining_later(code):
    return {"pending": {"seconds": 60, "then": {"decline": {"code": code}}}}


# document, where, expected, got
BAD = [
    ([], "document", "a mapping", "a list"),
    (None, "document", "a mapping", "nothing"),
    ({}, "behaviour", "the name of a behaviour, or one inline", "nothing"),
    ({"behavior": "approve"}, "behavior", "(nearest: behaviour)", "unknown field"),
    ({"behaviour": {"step": {}}}, "behaviour.step", "(nearest: steps)", "unknown field"),
    ({"behaviour": "stolen"}, "behaviour", "(nearest: stolen-card)", "'stolen'"),
    ({"behavior": {"steps": {}}}, "behavior", "(nearest: behaviour)", "unknown field 'behavior'"),
    ({"behaviour": 5}, "behaviour", "a text in quotes", "a number"),
    ({"behaviour": {}}, "behaviour.steps", "a value", "nothing"),
    ({"behaviour": {"steps": {}}}, "behaviour.steps", "at least 1", "a mapping with nothing"),
    (
        {"behaviour": {"steps": {"webhooks": {"loose": {}}}}},
        "behaviour.steps.webhooks.loose",
        "nearest: lose",
        "unknown field 'loose'",
    ),
    (
        {"behaviour": {"steps": {"acquirer": {"decline": {"code": "800.100.149"}}}}},
        "behaviour.steps.acquirer.decline.code",
        "nearest: 800.100.1",
        "'800.100.149'",
    ),
    *(
        (
            {"behaviour": {"steps": {"acquirer": declining_later(code)}}},
            "behaviour.steps.acquirer.pending.then.decline.code",
            expected,
            code,
        )
        for code, expected in [
            ("800.400.500", "a final result code"),
            ("123.456.789", "a result code of the catalogue (nearest: "),
            ("000.100.110", "a code that declines"),
        ]
    ),
    (
        {"behaviour": "approve", "time": 1},
        "time",
        "(nearest: times)",
        "unknown field 'time'",
    ),
    ({"behaviour": "approve", "times": 0}, "times", "at least 1", "the number 0"),
    ({"behaviour": "approve", "times": "2"}, "times", "a whole number", "'2'"),
    ({"behaviour": "approve", "times": True}, "times", "a whole number", "true"),
    (
        {"behaviour": "approve", "match": {"brnd": "VISA"}},
        "match.brnd",
        "(nearest: brand)",
        "unknown field 'brnd'",
    ),
    (
        {"behaviour": "approve", "match": {"amount": 92.0}},
        "match.amount",
        "in quotes",
        "a number",
    ),
    (
        {"behaviour": "approve", "match": {"amount": {}}},
        "match.amount",
        "entries of at least 1",
        "a mapping",
    ),
    ({"behaviour": "approve", "match": {"type": "XX"}}, "match.type", "one of PA, DB", "'XX'"),
    (
        {"behaviour": "approve", "match": {"operation": "create_payment"}},
        "match.operation",
        "for steps of transport alone",
        "'create_payment'",
    ),
    (
        {"behaviour": "answer-cut", "match": {"operation": "create_paymnt"}},
        "match.operation",
        "(nearest: create_payment)",
        "'create_paymnt'",
    ),
    (
        {"behaviour": "answer-cut", "match": {"payment": "8a" * 16}},
        "match.payment",
        "a request of a client has no id yet",
        "'8a8a",
    ),
    (
        {"behaviour": {"steps": {"transport": {"reset": {}, "cut": {}}}}},
        "behaviour.steps.transport",
        "exactly one of reset, close, cut",
        "reset and cut",
    ),
    (
        {"behaviour": {"steps": {"transport": {"cut": {}}, "bank": "pay"}}},
        "behaviour.steps",
        "entries of at most 1",
        "a mapping",
    ),
    (
        {"behaviour": {"steps": {"transport": {"no_answer": {"seconds": 301}}}}},
        "behaviour.steps.transport.no_answer.seconds",
        "at most 300",
        "301",
    ),
    (
        {"behaviour": {"steps": {"transport": {"proxy_error": {"status": 500}}}}},
        "behaviour.steps.transport.proxy_error.status",
        "one of 502, 503, 504",
        "500",
    ),
    (
        {"behaviour": "approve", "match": {"bin": "4" * 9}},
        "match.bin",
        "of the form",
        "'444444444'",
    ),
    (
        {"behaviour": "approve", "match": {"brand": "VIZA"}},
        "match.brand",
        "(nearest: VISA)",
        "'VIZA'",
    ),
    (
        {"behaviour": "approve", "match": {"amount": {"min": "9.00", "max": "8.99"}}},
        "match.amount.min",
        "at most the max, 8.99",
        "'9.00'",
    ),
    (
        {"behaviour": {**INLINE, "match": {"brand": "VIZA"}}},
        "match.brand",
        "(nearest: VISA)",
        "'VIZA'",
    ),
]


@pytest.mark.parametrize(
    ("document", "where", "expected", "got"), BAD, ids=[str(row[0]) for row in BAD]
)
def test_an_error_in_a_script_names_the_place_what_was_expected_and_what_came(
    document, where, expected, got
):
    with pytest.raises(ScriptError) as error:
        read_script(document, BEHAVIOURS)
    assert error.value.where == where
    assert expected in error.value.expected
    assert got in error.value.got


@pytest.mark.parametrize(
    "match",
    [
        {"amount": {"min": "9.00", "max": "9.00"}},
        {"amount": {"min": "10.00", "max": "9999.00"}},
        {"amount": {"max": "0"}},
        {"brand": "MOBILE_WALLET"},
    ],
    ids=str,
)
def test_a_match_that_something_may_fit_is_armed(match):
    assert read_script({"behaviour": "approve", "match": match}, BEHAVIOURS).match == match


def test_a_criterion_of_the_script_replaces_that_of_its_behaviour():
    inline = {**INLINE, "match": {"brand": "VIZA"}}
    script = read_script({"behaviour": inline, "match": {"brand": "VISA"}}, BEHAVIOURS)
    assert script.match == {"brand": "VISA"}


def test_a_script_is_shown_with_what_it_has_seen():
    script = script_of(
        matched=1, asked=4, near_misses=("brand: expected VISA, got MASTER",), times=2
    )
    document = show_script(script)
    assert document["near_misses"] == ["brand: expected VISA, got MASTER"]
    assert (document["matched"], document["asked"], document["times"]) == (1, 4, 2)
    assert problems_of({"behaviour": document["behaviour"], "match": {}}, kind="script") == []


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({}, "never matched"),
        ({"matched": 1}, "matched"),
        ({"matched": 2, "times": 2}, "used up"),
        ({"matched": 1, "times": 2}, "matched"),
        ({"match": {"nth": 3}, "fitted": 3, "matched": 1}, "used up"),
        ({"match": {"nth": 3}, "fitted": 2}, "never matched"),
    ],
)
def test_a_script_says_where_it_stands(fields, state):
    assert show_script(script_of(**fields))["state"] == state


def test_a_channel_default_must_be_known_and_may_not_count():
    assert read_default("slow", BEHAVIOURS) == "slow"
    with pytest.raises(ScriptError, match="nearest: slow"):
        read_default("slw", BEHAVIOURS)
    with pytest.raises(ScriptError, match="got a list"):
        read_default([], BEHAVIOURS)
    with pytest.raises(ScriptError, match="does not count its answers"):
        read_default("flaky", BEHAVIOURS)
    with pytest.raises(ScriptError, match="of the acquirer alone"):
        read_default("connection-reset", BEHAVIOURS)


def test_every_amount_names_a_shipped_behaviour_that_needs_no_script():
    assert not [name for name in AMOUNTS.values() if counts(BEHAVIOURS[name])]
