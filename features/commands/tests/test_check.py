"""`sandgate check`: run as anybody runs it, from a folder that has nothing to do with ours."""

import json
import os
import shlex
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from features.conformance.session import CASE_S_MAX, case_timeout_s
from features.target.records import RequestLimits, Target
from features.tests.minimal_gateway import CAPABILITY, REFUSED, TOKEN, GatewaySettings
from features.tests.shop_folder import SANDGATE, cases_in, check, events_in, furnished
from reports.events import CaseVerdict, RunEnded, RunStarted

CARD = "4200000000000000"


def test_a_gateway_of_its_own_is_passed(folder: Path) -> None:
    wanted = ("--only", "PAY-13", "--only", "FIELD:card.cvv", "--only", "D-57", "-n", "2")
    ran = check(folder, *wanted, "--events", "events.jsonl")
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
    began, *cases, ended = events_in(folder / "events.jsonl")
    assert isinstance(began, RunStarted)
    assert isinstance(ended, RunEnded)
    assert began.cases == len(cases) == ended.counts["passed"]
    assert (ended.exit_status, ended.paced_s) == (0, 0)
    by_id = cases_in(folder / "events.jsonl")
    registration = by_id["A registration is a known payment type"]
    assert registration.decisions == ["D-57"]
    assert [step.verdict for step in registration.steps] == ["passed"] * len(registration.steps)
    boundary = by_id["FIELD:card.cvv:too-long"]
    (step,) = boundary.steps
    assert step.exchanges[-1].sent["card.cvv"] == "***"
    assert step.exchanges[-1].status == 400
    assert f"{len(cases)} passed" in ran.stdout


class Said(NamedTuple):
    """How a run ended, the verdicts in its stream by case, and all that was written and shown."""

    status: int
    shown: str
    cases: dict[str, CaseVerdict]
    everything: str


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory, gateway: GatewaySettings) -> Said:
    """What a folder of a user's own features says of the little gateway."""
    folder = furnished(tmp_path_factory.mktemp("judged"), gateway)
    feature = folder / "own" / "shop.feature"
    text = feature.read_text().replace("the sandbox clock is frozen", "the clock stands still")
    feature.write_text(text)
    ran = check(folder, "target.toml", "--features", "own", "--events", "events.jsonl")
    stream = folder / "events.jsonl"
    everything = stream.read_text() + ran.stdout + ran.stderr
    return Said(ran.returncode, ran.stdout + ran.stderr, cases_in(stream), everything)


def test_features_of_ones_own_are_judged_by_our_steps_and_ones_own(judged: Said) -> None:
    cases = judged.cases
    assert judged.status == 1, judged.shown
    assert {name: case.verdict for name, case in cases.items()} == {
        "A debit succeeds": "passed",
        "A debit is shown as it was sent #1": "failed",
        "Time passes": "not-checkable",
        "A step is mistyped": "error",
        "A tag is forgotten": "error",
    }
    assert cases["Time passes"].reason == "the target does not offer clock"
    result = cases["A debit is shown as it was sent #1"]
    assert [step.verdict for step in result.steps] == ["passed", "passed", "failed"]
    assert result.failure is not None
    assert (result.failure.expected, result.failure.came) == ("'4711'", "'420000******0000'")
    assert result.example["thing"] == "tea"
    again = "sandgate check target.toml --features own --only 'A debit is shown as it was sent #1'"
    assert result.repeat == again
    assert again in judged.shown
    assert "1 case: the target does not offer clock" in judged.shown


def test_what_is_wrong_with_a_feature_is_reported_with_the_nearest(judged: Said) -> None:
    cases = judged.cases
    mistyped, untagged = cases["A step is mistyped"].failure, cases["A tag is forgotten"].failure
    assert mistyped is not None
    assert "When the merchant <verb> <amount> <currency>" in mistyped.text
    assert [step.verdict for step in cases["A step is mistyped"].steps] == ["failed", "not-reached"]
    assert untagged is not None
    assert "@needs:clock" in untagged.came


def test_a_run_of_errors_alone_is_reported(folder: Path) -> None:
    ran = check(
        folder, "target.toml", "--features", "own", "--only", "A step is mistyped",
        "--junit", "j.xml", "--html", "h.html", "--format", "json",
    )  # fmt: skip
    assert ran.returncode == 2, ran.stderr
    assert "<error" in (folder / "j.xml").read_text() and (folder / "h.html").exists()
    assert [each["verdict"] for each in json.loads(ran.stdout)["cases"]] == ["error"]
    assert "written: j.xml" in ran.stderr and "an earlier run" not in ran.stderr


def test_a_sentence_of_0_1_0_works_and_its_new_wording_is_printed(judged: Said) -> None:
    untagged = judged.cases["A tag is forgotten"]
    assert untagged.steps[0].text == "the sandbox clock is frozen"
    assert "'the clock stands still'; write 'the sandbox clock is frozen'" in judged.shown


def test_no_secret_is_in_what_is_written_or_shown(judged: Said) -> None:
    exchange = judged.cases["A debit succeeds"].steps[0].exchanges[0]
    assert exchange.sent["card.number"] == "420000******0000"
    assert "seen" in exchange.body
    assert exchange.body["redirect"]["url"].endswith("/***")
    for secret in (CARD, TOKEN, CAPABILITY, "'123'", '"123"'):
        assert secret not in judged.everything


def test_a_scenario_whose_payment_was_refused_is_failed_for_that(
    folder: Path, gateway: GatewaySettings
) -> None:
    """A reference to an unknown payment is refused, as this scenario expects."""
    scenario = (
        "Feature: Captures\n  Scenario: A capture is refused\n    Given a debit of 92.00 EUR\n"
        "    When the merchant captures 1.00 EUR of it\n"
        f'    Then the response shows result.code "{REFUSED}"\n'
    )
    (folder / "own" / "shop.feature").write_text(scenario)
    gateway.refuses = True
    ran = check(folder, "target.toml", "--features", "own", "--events", "events.jsonl")
    gateway.refuses = False
    assert ran.returncode == 1, ran.stdout + ran.stderr
    (case,) = cases_in(folder / "events.jsonl").values()
    assert [step.verdict for step in case.steps] == ["failed", "not-reached", "not-reached"]
    (exchange,) = case.steps[0].exchanges
    assert exchange.body["result"]["code"] == REFUSED
    assert case.failure is not None
    assert case.failure.what == "what the scenario is given: a debit of 92.00 EUR"
    assert case.failure.expected == "an answer with id"
    assert REFUSED in case.failure.text


def test_a_throttled_request_is_waited_for_and_its_test_case_is_not_checkable(
    folder: Path, gateway: GatewaySettings
) -> None:
    steps = ("a debit of 92.00 EUR", "the merchant reads it", "the payment succeeds")
    lines = "    Given {}\n    When {}\n    Then {}\n".format(*steps)
    scenarios = [f"  Scenario: {name}\n{lines}" for name in ("Prepared again", "Throttled")]
    (folder / "own" / "shop.feature").write_text("Feature: Limits\n" + "".join(scenarios))
    # The first request only asks whether anybody is there; the second is made again as the third.
    gateway.throttles = {len(gateway.paths) + number for number in (2, 6)}
    ran = check(folder, "target.toml", "--features", "own", "--events", "events.jsonl")
    assert ran.returncode == 3, ran.stdout + ran.stderr
    cases = cases_in(folder / "events.jsonl")
    assert cases["Prepared again"].verdict == "passed"
    assert [each.status for each in cases["Prepared again"].steps[0].exchanges] == [429, 200]
    assert cases["Throttled"].verdict == "not-checkable"
    ended = events_in(folder / "events.jsonl")[-1]
    assert isinstance(ended, RunEnded)
    assert ended.paced_s >= 2
    assert "waited for the limits of the target" in ran.stdout
    assert "1 case: the target throttled a request of this test case" in ran.stdout


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_wait_that_the_target_demands_is_said_when_it_begins(
    folder: Path, gateway: GatewaySettings, workers: str
) -> None:
    steps = ("Given a debit of 92.00 EUR", "When the merchant reads it")
    lines = "".join(f"    {step}\n" for step in (*steps, "Then the payment succeeds"))
    (folder / "own" / "shop.feature").write_text(f"Feature: A\n  Scenario: Waits\n{lines}")
    gateway.throttles, gateway.retry_after = {len(gateway.paths) + 2}, "2"
    options = ("--features", "own", "-n", workers, "--events", "events.jsonl")
    ran = check(folder, "target.toml", *options)
    gateway.retry_after = "1"
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Waiting 2 s: the target throttles requests, Retry-After: 2\n" in ran.stdout
    assert len(events_in(folder / "events.jsonl")) == 3


SKIPS = """\
import pytest
from pytest_bdd import when

@when("the judge skips")
def skips():
    pytest.skip()

@when("the judge expects to fail")
def expects_to_fail():
    pytest.xfail()

@when("nothing is said")
def nothing_is_said():
    raise AssertionError

def pytest_bdd_apply_tag(tag, function):
    if tag.startswith("marked_"):
        return getattr(pytest.mark, tag.removeprefix("marked_"))(function) or True
"""


def test_a_waiver_whose_cases_were_not_chosen_is_not_judged(folder: Path) -> None:
    """It was called unused, and the advice was to take it out."""
    soon = datetime.now(UTC) + timedelta(days=7)
    waiver = f'[[waiver]]\nid = "Time passes"\nreason = "agreed"\nuntil = {soon:%Y-%m-%d}\n'
    (folder / "waivers.toml").write_text(waiver)
    words = ["--features", "own", "--waivers", "waivers.toml", "--only", "A debit succeeds"]
    ran = check(folder, "target.toml", *words)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Time passes (1 case), not judged, until" in ran.stdout
    assert "take out the waivers" not in ran.stdout


@pytest.mark.parametrize("waiver", [None, "[[waiver", '[[waiver]]\nid = "No such case"\n'])
def test_a_list_reads_the_waivers_too(folder: Path, waiver: str | None) -> None:
    """What a run would refuse is refused before it."""
    if waiver is not None:
        (folder / "waivers.toml").write_text(waiver)
    ran = check(folder, "--features", "own", "--waivers", "waivers.toml", "--list")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "waivers.toml" in ran.stderr


def test_what_the_judge_skipped_has_not_passed(folder: Path) -> None:
    paid = "    When the merchant debits 92.00 EUR\n    Then the payment succeeds\n"
    feature = (
        "Feature: Skips\n"
        f"  Scenario: Skipped\n    When the judge skips\n{paid}"
        f"  Scenario: Skipped at its end\n{paid}    When the judge skips\n"
        f"  Scenario: Let go\n    When the judge expects to fail\n{paid}"
        f"  @marked_xfail\n  Scenario: Expected\n    When nothing is said\n{paid}"
        f"  @marked_skip\n  Scenario: Not begun\n{paid}"
        f"  Scenario: FIELD: of dreams\n{paid}"
    )
    (folder / "own" / "shop.feature").write_text(feature)
    (folder / "own" / "conftest.py").write_text(SKIPS)
    ran = check(folder, "target.toml", "--features", "own", "--events", "events.jsonl")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    cases = cases_in(folder / "events.jsonl")
    # A title may begin like the address of a boundary.
    assert cases.pop("FIELD: of dreams").verdict == "passed"
    assert {case.verdict for case in cases.values()} == {"failed"}
    result = [case.failure.what for case in cases.values() if case.failure is not None]
    assert result == ["the test case was skipped without a lasting reason"] * 5


def test_a_throttled_request_proves_nothing_even_where_every_step_passes(
    folder: Path, gateway: GatewaySettings
) -> None:
    step, paid = "    When the merchant debits 92.00 EUR\n", "    Then the payment succeeds\n"
    feature = f"Feature: Limits\n  Scenario: Any answer will do\n{step}{paid}{step}"
    (folder / "own" / "shop.feature").write_text(feature)
    gateway.throttles = {len(gateway.paths) + 3}
    ran = check(folder, "target.toml", "--features", "own", "--events", "events.jsonl")
    assert ran.returncode == 3, ran.stdout + ran.stderr
    (case,) = cases_in(folder / "events.jsonl").values()
    assert [step.verdict for step in case.steps] == ["passed"] * 3
    assert case.verdict == "not-checkable"


def test_a_row_that_pays_by_no_card_is_not_checkable_where_the_target_names_no_brands(
    folder: Path,
) -> None:
    title = "Every payment is read as it was answered"
    rows = {"a debit": f"{title} #2", "a direct debit": f"{title} #10"}
    only = [word for row in rows.values() for word in ("--only", row)]
    check(folder, "target.toml", *only, "--events", "events.jsonl")
    cases = cases_in(folder / "events.jsonl")
    assert {name: cases[row].example["kind"] for name, row in rows.items()} == {
        name: name for name in rows
    }
    assert cases[rows["a debit"]].verdict == "failed"
    assert cases[rows["a direct debit"]].verdict == "not-checkable"
    assert cases[rows["a direct debit"]].reason == "the target does not offer brands"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["target.toml", "--only", "PAY-0I"], "no case is called 'PAY-0I'; the nearest are: PAY-"),
        (["--html", "nope/x.html"], "--html: expected a file to write, got: no such folder: nope"),
        (["gone.toml"], "base_url: expected a gateway at http://127.0.0.1:1/, got: "),
    ],
)
def test_a_wrong_call_says_so_at_once(folder: Path, words: Sequence[str], said: str) -> None:
    target = (folder / "target.toml").read_text()
    gone = target.replace(target.split('"')[1], "http://127.0.0.1:1/")
    (folder / "gone.toml").write_text(gone)
    ran = check(folder, *words)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert said in ran.stderr
    assert TOKEN not in ran.stderr
    assert not (folder / "nope").exists()


def test_a_case_is_judged_in_any_folder_and_repeated_by_what_is_shown(folder: Path) -> None:
    (folder / "own [1]").symlink_to(folder / "own")
    (folder / "own" / "shop.feature").unlink()
    (folder / "own" / "build").mkdir()
    # What a virtual environment is known by.
    (folder / "own" / "build" / "pyvenv.cfg").touch()
    steps = "    When the merchant debits 92.00 EUR\n    Then the payment succeeds\n"
    feature = f"Feature: A\n  Scenario: Card {CARD}\n{steps}"
    (folder / "own" / "build" / "shop.feature").write_text(feature)
    for name in (".own.feature", ".hidden/own.feature"):
        (folder / "own" / name).parent.mkdir(exist_ok=True)
        (folder / "own" / name).write_text(feature)
    words = ["--features", "own [1]"]
    for _ in range(2):
        ran = check(folder, "target.toml", *words, "--events", "events.jsonl")
        assert ran.returncode == 0, ran.stdout + ran.stderr
        (case,) = cases_in(folder / "events.jsonl").values()
        assert case.verdict == "passed"
        sandgate, command, target, *words = shlex.split(case.repeat)
        assert (sandgate, command, target) == ("sandgate", "check", "target.toml")
    assert CARD not in (folder / "events.jsonl").read_text()


def test_features_that_cannot_be_read_end_the_call_as_a_wrong_one(folder: Path) -> None:
    (folder / "own" / "shop.feature").write_text("")
    ran = check(folder, "target.toml", "--features", "own")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "shop.feature:1: expected a feature, got none" in ran.stderr


def test_a_case_is_not_given_up_while_the_limits_of_its_target_make_it_wait() -> None:
    def limit_s(**limits: float) -> int:
        ours = frozenset({"control"})
        return case_timeout_s(
            Target("http://h/", "t", "e", offers=ours, limits=RequestLimits(**limits))
        )

    assert limit_s() == CASE_S_MAX
    # Thirty requests at one in ten seconds.
    assert limit_s(per_second=0.1) >= CASE_S_MAX + 30 * 10
    assert limit_s(per_minute=6) >= CASE_S_MAX + 30 * 10
    # The limits of a target without a control API are unknown before they are reached.
    assert case_timeout_s(Target("http://h/", "t", "e")) >= CASE_S_MAX + 30 * 60


def test_a_conftest_that_breaks_is_reported_and_nothing_is_passed(folder: Path) -> None:
    (folder / "own" / "conftest.py").write_text("import no_such_module\n")
    ran = check(folder, "target.toml", "--features", "own")
    assert ran.returncode == 2
    assert "expected a folder that pytest can load, with its conftest.py" in ran.stderr
    assert "no_such_module" in ran.stderr


def test_a_folder_that_pytest_does_not_take_is_reported_in_words_of_pytest(folder: Path) -> None:
    (folder / "own").rename(folder / "own[1]")
    ran = check(folder, "target.toml", "--features", "own[1]")
    assert ran.returncode == 2
    assert "expected a folder that pytest can load, with its conftest.py; it wrote" in ran.stderr
    assert "[]" in ran.stderr


def test_the_cases_are_listed_with_what_they_are_about(folder: Path) -> None:
    ran = check(folder, "--list", "--only", "FIELD:card.cvv:too-long")
    assert ran.stdout == "FIELD:card.cvv:too-long\tLIM-04\n"


def test_the_steps_are_listed_as_json_and_by_words(folder: Path) -> None:
    ran = subprocess.run(
        [*SANDGATE, "steps", "captures", "of it", "--json"], cwd=folder,
        env={**os.environ}, capture_output=True, text=True,
    )  # fmt: skip
    found = json.loads(ran.stdout)
    assert {each["keyword"] for each in found} == {"when"}
    wording = "the merchant <verb> <amount> <currency> of <what>"
    assert wording in {each["wording"] for each in found}
