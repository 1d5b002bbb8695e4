"""The options passed on to Locust: none that could redirect the load, or the token."""

from pathlib import Path

import pytest

from load.options.locust_options import LocustOptionError, parse_arguments


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
def test_an_option_that_is_not_passed_on_is_refused_with_what_to_use_instead(option, instead):
    with pytest.raises(LocustOptionError, match=f"expected .*{instead}"):
        parse_arguments([option, "x"])


def test_a_target_is_found_wherever_it_stands():
    before = parse_arguments(["here.toml", "--loglevel", "DEBUG", "--print-stats"])
    behind = parse_arguments(["-L", "DEBUG", "--print-stats", "here.toml"])

    assert before == behind
    assert before.target == Path("here.toml")
    assert before.options == ("--loglevel=DEBUG", "--print-stats")
    assert before.has("--loglevel") and not before.has("--logfile")
    assert (before.value_of("--loglevel"), before.value_of("--print-stats")) == ("DEBUG", "")
    assert parse_arguments(["-L", "debug"]).options == ("--loglevel=debug",)


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
    with pytest.raises(LocustOptionError, match=said):
        parse_arguments(arguments)
