import json

import pytest
import yaml
from jsonschema import Draft202012Validator
from yaml.composer import ComposerError

from scenarios.errors import BehaviourError
from scenarios.loader import SHIPPED, load_behaviour, load_behaviours
from scenarios.records import behaviour_of, counts, document_of
from scenarios.schema import SCHEMA, problems_of
from scenarios.story import StoryError, load_story
from scenarios.yaml_text import read_yaml
from simulator.domain.steering.known import KNOWN
from simulator.domain.steering.magic_values import in_words

GOOD = """\
name: good
title: Good
description: A behaviour for a test.
match:
  amount: {min: "1.00", max: "2.00"}
  nth: 2
steps:
  acquirer:
    latency: {fixed: {seconds: 0.5}}
    decline: {code: "800.100.151", cvv: "N"}
    fail_times: 3
    then:
      approve: {avs: "Z", risk_score: -5, details: {Note: text}}
"""

# what is replaced in GOOD, by what, and the error
BAD = [
    ("title: Good\n", "", "title: expected a value, got nothing"),
    ("name: good", "name: other", "name: expected 'good', the name of its file, got 'other'"),
    ("name: good", "name: Not Good", "name: expected a text of the form"),
    (
        "title: Good",
        "titel: Good",
        "titel: expected one of name, title, description, match, steps (nearest: title)",
    ),
    (
        'min: "1.00"',
        "min: 1.00",
        'match.amount.min: expected a text in quotes, such as "92.00", got a number',
    ),
    ('min: "1.00"', 'min: "1,00"', "match.amount.min: expected a text of the form"),
    ("nth: 2", "nth: 0", "match.nth: expected at least 1, got the number 0"),
    ("nth: 2", "nht: 2", "match.nht: expected one of"),
    ("seconds: 0.5", "seconds: -1", "steps.acquirer.latency.fixed.seconds: expected at least 0"),
    (
        "seconds: 0.5",
        "seconds: .nan",
        "steps.acquirer.latency.fixed.seconds: expected a number, got the number nan",
    ),
    ("seconds: 0.5", "seconds: .inf", "seconds: expected at most 3600, got the number inf"),
    (
        "seconds: 0.5",
        "secs: 1",
        "steps.acquirer.latency.fixed.secs: expected one of seconds (nearest: seconds)",
    ),
    ('cvv: "N"', 'cvv: "X"', "steps.acquirer.decline.cvv: expected one of M, N, P, S, U"),
    ('cvv: "N"', "cvv: no", "steps.acquirer.decline.cvv: expected one of M, N, P, S, U, got false"),
    ('avs: "Z"', 'avs: "Q"', "steps.acquirer.then.approve.avs: expected one of A, Z, N, U, F"),
    ("risk_score: -5", "risk_score: 100000", "risk_score: expected at most 99999"),
    ("fail_times: 3\n", "\n", "steps.acquirer.fail_times: expected a value, because then is given"),
    ("fail_times: 3", "fail_times: often", "fail_times: expected a whole number, got 'often'"),
    ('"800.100.151"', '"800.100.15"', "decline.code: expected a text of the form"),
    (
        '"800.100.151"',
        '"800.100.149"',
        "decline.code: expected a result code of the catalogue (nearest: 800.100.1",
    ),
    (
        '"800.100.151"',
        '"000.100.110"',
        "decline.code: expected a code that declines, got 000.100.110",
    ),
    (
        '"800.100.151"',
        '"000.200.000"',
        "decline.code: expected a final result code, got 000.200.000",
    ),
    ("then:", "hang: {}\n    then:", "steps.acquirer.hang: expected one of latency, approve"),
    ("steps:", "steps: []\nstep:", "steps: expected a mapping, got a list"),
    (
        "name: good",
        "name: good\nname: good",
        "name: expected a word that stands once, got it stands twice",
    ),
    (
        "name: good",
        "name: [",
        "document: expected a YAML file, got did not find expected ',' or ']' in line ",
    ),
    ("name: good", "!!python/object:os.system {}\n", "document: expected a YAML file, got "),
]


def written(folder, text):
    path = folder / "good.yaml"
    path.write_text(text)
    return path


def test_a_good_file_is_read_whole(tmp_path):
    behaviour = load_behaviour(written(tmp_path, GOOD), known=KNOWN)
    steps = behaviour.steps.acquirer
    assert behaviour.match == {"amount": {"min": "1.00", "max": "2.00"}, "nth": 2}
    assert (steps.latency.fixed.seconds, steps.decline.code, steps.fail_times) == (
        0.5,
        "800.100.151",
        3,
    )
    assert steps.then.approve.details == {"Note": "text"}


@pytest.mark.parametrize(
    ("good", "bad", "message"), BAD, ids=[row[1].strip() or row[0] for row in BAD]
)
def test_an_error_in_a_file_names_the_place_what_was_expected_and_what_came(
    tmp_path, good, bad, message
):
    assert good in GOOD
    with pytest.raises(BehaviourError) as error:
        load_behaviour(written(tmp_path, GOOD.replace(good, bad, 1)), known=KNOWN)
    assert message in str(error.value)
    assert str(error.value).startswith("good.yaml: ")


@pytest.mark.parametrize("text", ["", "[]", "just text", "3"])
def test_a_file_that_holds_no_mapping_is_refused(tmp_path, text):
    with pytest.raises(BehaviourError, match="expected a mapping"):
        load_behaviour(written(tmp_path, text), known=KNOWN)


def test_approve_and_decline_at_once_are_refused(tmp_path):
    text = GOOD.replace("    fail_times", "    approve: {}\n    fail_times")
    with pytest.raises(
        BehaviourError,
        match="exactly one of approve, decline, pending, no_response, got approve and decline",
    ):
        load_behaviour(written(tmp_path, text), known=KNOWN)


def test_every_error_of_a_folder_names_its_file(tmp_path):
    (tmp_path / "one.yaml").write_text("name: one\n")
    (tmp_path / "two.yaml").write_text("{}")
    with pytest.raises(BehaviourError) as error:
        load_behaviours(tmp_path, known=KNOWN)
    assert "one.yaml: title: expected a value" in str(error.value)
    assert "two.yaml: name: expected a value" in str(error.value)


def test_a_file_that_was_not_validated_is_still_refused_where_its_shape_is_wrong(tmp_path):
    with pytest.raises(BehaviourError, match="hang"):
        load_behaviour(written(tmp_path, GOOD.replace("then:", "hang: {}\n    then:")))


def test_the_schema_is_a_good_2020_12_schema():
    Draft202012Validator.check_schema(json.loads(SCHEMA.read_text()))


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_shipped_behaviour_is_good_and_stays_the_same_as_a_document(path):
    behaviour = load_behaviour(path, known=KNOWN)
    assert behaviour_of(document_of(behaviour)) == behaviour
    assert yaml.safe_load(path.read_text())["name"] == path.stem


def test_the_quick_way_to_read_shipped_behaviours_gives_the_same():
    assert load_behaviours() == load_behaviours(known=KNOWN)


def test_only_a_behaviour_that_fails_some_times_counts():
    assert [name for name, behaviour in load_behaviours().items() if counts(behaviour)] == ["flaky"]


@pytest.mark.parametrize(
    ("approve", "where", "expected"),
    [
        ({"returned": {"days": 5, "code": "000.100.298"}}, "returned.code", "000.100.299"),
        ({"returned": {"days": 5, "code": "800.100.100"}}, "returned.code", "of the form"),
        ({"returned": {"code": "000.100.203"}}, "returned.days", "a value"),
        ({"returned": {"days": -1, "code": "000.100.203"}}, "returned.days", "at least 0"),
    ],
)
def test_a_return_that_cannot_be_is_refused(tmp_path, approve, where, expected):
    document = {"name": "one", "title": "One", "description": "One."}
    steps = {"acquirer": {"approve": approve}}
    (tmp_path / "one.yaml").write_text(yaml.safe_dump({**document, "steps": steps}))
    with pytest.raises(BehaviourError) as caught:
        load_behaviour(tmp_path / "one.yaml", known=KNOWN)
    assert where in str(caught.value)
    assert expected in str(caught.value)


def test_a_return_is_described_in_words():
    behaviours = load_behaviours()
    assert "charged back after 5 days with 000.100.203" in in_words(behaviours["returned-debit"])


DOUBLED = "".join(f"a{at}: &a{at} {{p: *a{at - 1}, q: *a{at - 1}}}\n" for at in range(1, 60))
UNREADABLE = {
    "an alias of the whole": "&a {x: *a}",
    "an alias of a list": "&a [*a]",
    "aliases that double": "a0: &a0 {x: 1}\n" + DOUBLED,
    "a number without end": f"name: {'9' * 5000}",
    "a date that is none": "name: 2001-99-99",
    "brackets without end": "[" * 3000,
    "a hexadecimal number without end": f"name: 0x{'F' * 5000}",
    "minutes and seconds without end": f"name: 1{':59' * 5000}",
    "a tag for another value": "name: !!bool x",
    "a tag for a date": "name: !!timestamp x",
    "a tag without a value": 'name: !!int ""',
    "a control character": "name: \x00",
    "an object": '!!python/object/apply:os.system ["id"]',
}


def test_an_alias_stands_for_what_was_written_before():
    assert read_yaml("a: &a {x: 1}\nb: *a\nc: {<<: *a, y: 2}") == {
        "a": {"x": 1}, "b": {"x": 1}, "c": {"x": 1, "y": 2},
    }  # fmt: skip


def test_values_are_counted_with_their_aliases():
    few = ", ".join(["1"] * 98)
    most = f"a: &a [{few}]\nb: [{', '.join(['*a'] * 99)}]"
    assert len(read_yaml(most)["b"]) == 99
    with pytest.raises(ComposerError, match="more than 10000 values"):
        read_yaml(most.replace("b: [", "b: [*a, *a, "))


@pytest.mark.parametrize("text", ["a: &a [*a]", "&a {b: *a}", "- &a\n- *a\n- &b [1, [*b]]"])
def test_what_contains_itself_is_refused_by_its_line(text):
    with pytest.raises(ComposerError, match="a value that contains itself") as refused:
        read_yaml(text)
    assert refused.value.problem_mark.line == text.count("\n")


def test_lists_in_lists_are_refused_before_they_take_the_library_long():
    assert read_yaml("[" * 99 + "]" * 99)
    for opening in ("[", "[\n", "{a: ", "- "):
        with pytest.raises(ComposerError, match="more than 100 in each other"):
            read_yaml(opening * 30_000)


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_cannot_be_read_is_refused_at_once(tmp_path, text):
    path = tmp_path / "odd.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BehaviourError, match="expected a YAML file"):
        load_behaviour(path, known=KNOWN)
    with pytest.raises(StoryError, match="expected YAML"):
        load_story(path)


def test_a_number_that_no_float_holds_is_too_large() -> None:
    found = problems_of({"steps": {"risk": {"score": 10**400}}}, kind="behaviour")
    assert ("steps.risk.score", "at most 99999") in [each[:2] for each in found]
