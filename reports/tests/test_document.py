"""The JSON document keeps its schema, and the schema that is shipped is the one of the records."""

import json

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from reports.document import document_of, schema
from reports.events import StepResult, line_of
from reports.requirements import FEATURES, requirements
from reports.run import run_of
from reports.tests.anything import SOME_CASES
from reports.tests.streams import HOSTILE, events_of, exchange, failed, one_of_each, passed

STORED = FEATURES.parent / "reports" / "report.schema.json"
VALIDATOR = Draft202012Validator(schema())


def read(judged, /, **began) -> dict:
    return json.loads(document_of(run_of(events_of(judged, **began))))


def test_the_stored_schema_is_the_one_of_the_records():
    Draft202012Validator.check_schema(schema())

    assert json.loads(STORED.read_text("utf-8")) == schema(), (
        "write it anew: python -m reports.document > reports/report.schema.json"
    )


@settings(max_examples=25, deadline=None)
@given(SOME_CASES)
def test_any_stream_gives_a_document_of_the_schema(cases):
    VALIDATOR.validate(read(cases))


@pytest.mark.parametrize("sign", ["\x7f", "\x9b", "\u202e", "\u2028", "\u2066", "\u200f"])
def test_no_file_of_json_steers_the_window_that_it_is_shown_in(sign):
    events = events_of([passed(title=f"a{sign}b\U0001f600\xe9")])
    run = run_of(events)

    for written in (document_of(run), b"".join(map(line_of, events))):
        assert sign not in written.decode() and "\U0001f600\xe9" in written.decode()
    assert read([passed(title=f"a{sign}b")])["cases"][0]["title"] == f"a{sign}b"


def test_a_document_without_a_verdict_breaks_the_schema():
    document = read(one_of_each())
    del document["summary"]["exit_status"]
    document["cases"][0]["verdict"] = "good"

    assert len(list(VALIDATOR.iter_errors(document))) == 2


def test_the_summary_says_what_the_run_came_to():
    summary = read(one_of_each())["summary"]

    assert (summary["title"], summary["exit_status"], summary["complete"]) == ("Failed", 1, True)
    assert summary["counts"]["waived"] == 1
    assert [waiver["state"] for waiver in summary["waivers"]] == ["in force", "expired"]
    assert [waiver["cases"] for waiver in summary["waivers"]] == [5, 1]


def test_a_run_that_was_cut_off_is_not_complete():
    summary = read([passed()], ends=False)["summary"]

    assert (summary["complete"], summary["exit_status"]) == (False, 3)
    assert "cut off" in summary["lacks"]


def test_nothing_is_left_out_of_it():
    body = HOSTILE + "x" * 1_000_000
    steps = [StepResult("When", HOSTILE, "passed", [exchange(body=body)])]

    [case] = read([passed(steps=steps)])["cases"]

    assert case["steps"][0]["exchanges"][0]["body"] == body


def test_the_matrix_has_every_requirement_and_the_worst_of_its_cases(monkeypatch):
    monkeypatch.setattr("reports.document.planned", lambda: {"RCN-01": "comes later"})
    matrix = {row["id"]: row for row in read([*one_of_each(), failed(requirements=["END-01"])])[
        "matrix"]}  # fmt: skip

    assert list(matrix) == [row.id for row in requirements()]
    assert matrix["END-01"]["state"] == "failed"
    assert matrix["END-01"]["counts"] == {"passed": 1, "failed": 1}
    assert matrix["PAY-10"]["state"] == "waived"
    assert matrix["EVT-01"]["state"] == "not-checkable"
    assert matrix["EVT-01"]["reasons"] == ["the target does not offer webhooks"]
    assert matrix["RCN-01"]["state"] == "planned"
    assert matrix["SVC-01"]["state"] == "no-case"
