"""What is passed on to Locust: nothing that takes the load, or the token, anywhere else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from load.ledger import Book
from load.making import Answers, environment_in, locust_command
from load.passing import NotPassedOn, passed_on
from load.servers import ROOT
from load.tests.making import a_plan, told


@pytest.mark.parametrize(
    ("option", "instead"),
    [
        ("--host=http://elsewhere.example", "a target file"),
        ("--hos", "to pass on to Locust"),
        ("-H", "a target file"),
        ("-f", "--users"),
        ("--config", "the options of sandgate load"),
        ("--run-time", "-t"),
        ("--spawn-rate", "-r"),
        ("--headless", "nothing"),
    ],
)
def test_an_option_that_is_ours_is_refused_with_what_to_say_instead(option, instead):
    with pytest.raises(NotPassedOn, match=f"expected .*{instead}"):
        passed_on([option, "x"])


def test_a_target_is_found_wherever_it_stands():
    before = passed_on(["here.toml", "--loglevel", "DEBUG", "--print-stats"])
    behind = passed_on(["-L", "DEBUG", "--print-stats", "here.toml"])

    assert before == behind
    assert before.target == Path("here.toml")
    assert before.options == ("--loglevel=DEBUG", "--print-stats")
    assert before.has("--loglevel") and not before.has("--logfile")
    assert (before.value_of("--loglevel"), before.value_of("--print-stats")) == ("DEBUG", "")
    assert passed_on(["-L", "debug"]).options == ("--loglevel=debug",)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a.toml", "b.toml"], "expected one target, got a.toml and b.toml"),
        (["--loglevel"], "--loglevel: expected a value, got none"),
        (["--print-stats=yes"], "--print-stats: expected no value"),
        (["-L", "loud"], "--loglevel: expected one of DEBUG, .*, got 'loud'"),
        (["--master-port", "0"], "--master-port: expected 1 to 65535, got '0'"),
        (["--master-bind-port=²"], "--master-bind-port: expected 1 to 65535, got '²'"),
        (["--expect-workers-max-wait", "1.5"], "expected 0 to 86400, got '1.5'"),
    ],
)
def test_what_means_nothing_is_refused(arguments, said):
    with pytest.raises(NotPassedOn, match=said):
        passed_on(arguments)


def test_ours_is_said_last():
    command = locust_command(a_plan(), ["--loglevel=DEBUG"])

    assert command.index("--loglevel=DEBUG") < command.index("-f") < command.index("--host")


def test_locust_reads_no_settings_but_those_it_is_given(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCUST_HOST", "http://elsewhere.example")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".locust.conf").write_text("processes = 3\n")
    alone = tmp_path / "alone"
    alone.mkdir()
    asking = "from locust.argument_parser import parse_options as p; o = p([]); " \
             "print(o.host, o.processes)"  # fmt: skip

    ran = subprocess.run(
        [sys.executable, "-c", asking], cwd=alone, env=environment_in(alone), text=True,
        capture_output=True, check=True,
    )  # fmt: skip

    assert ran.stdout.splitlines()[-1].split() == ["None", "None"]
    assert str(ROOT) in environment_in(alone)["PYTHONPATH"].split(os.pathsep)


def test_the_answers_of_a_ledger_are_counted_by_what_is_new(tmp_path):
    ledger, book = tmp_path / "ledger.jsonl", Book()
    answers = Answers(ledger)
    assert answers.count() == 0
    book.write(told("one"))
    first = book.take()
    ledger.write_bytes(first + first[:10])
    assert (answers.count(), answers.read_bytes) == (1, len(first))

    with ledger.open("ab") as kept:
        kept.write(first[10:])

    assert (answers.count(), answers.read_bytes) == (2, 2 * len(first))
