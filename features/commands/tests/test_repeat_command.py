"""The command that repeats a check, in the reports of `sandgate check-merchant`."""

import shlex
from pathlib import Path

import pytest

from features.commands.tests.test_check_merchant import CLOSED_PORT, SECRET, run
from reports.events import CaseVerdict, read_events


@pytest.mark.parametrize(
    "words",
    [
        "-u joe:SECRET", "-H 'X-Api: SECRET'", "--password=SECRET", "--token SECRET", "'-pSECRET'",
        "PGPASSWORD=SECRET psql", "http://joe:SECRET@127.0.0.1/", "SECRET",
    ],
)  # fmt: skip
@pytest.mark.parametrize("option", ["--state-command", "--restart-command"])
def test_no_report_shows_what_a_command_that_is_passed_on_may_hold(
    tmp_path: Path, option: str, words: str
) -> None:
    files = {name: tmp_path / f"{name}.out" for name in ("json", "junit", "html", "events")}
    given = (option, f"true {words.replace('SECRET', SECRET)}")
    reports = [word for name, file in files.items() for word in (f"--{name}", str(file))]
    result = run("--webhook-url", CLOSED_PORT, *given, "--only", "takes:payment", *reports)

    written = [file.read_text(encoding="utf-8") for file in files.values()]
    assert all(f"{option} YOUR-VALUE" in each for each in written)
    assert not [each for each in (result.output, *written) if SECRET in each]


def test_a_report_shows_a_command_of_plain_words(tmp_path: Path) -> None:
    command, report = "sh restart-shop './my shop'", tmp_path / "events.jsonl"
    run("--webhook-url", CLOSED_PORT, "--restart-command", command, "--only", "takes:payment",
        "--events", str(report))  # fmt: skip

    case = next(each for each in read_events(report.read_bytes().splitlines())
                if isinstance(each, CaseVerdict))  # fmt: skip
    assert command in shlex.split(case.repeat)
