"""The command line: what it offers, what it prints, and how it ends when something is wrong."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.catalogue.choices import CHOICES
from simulator.grammar.version import __version__
from simulator.settings import ROWS
from simulator.tests.kit.running import clean_environment

ROOT = Path(__file__).parents[3]


def run(*arguments: str, folder: Path = ROOT, **environ: str) -> subprocess.CompletedProcess:
    environment = {**clean_environment(), "PATH": "/usr/bin:/bin", "COLUMNS": "200", **environ}
    return subprocess.run(
        [sys.executable, "-m", "simulator", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def test_the_help_names_every_command():
    shown = run("--help").stdout

    for command in (
        "serve", "config", "explain", "catalogue", "openapi", "behaviours", "version",
        "run", "wait", "doctor", "decisions", "states",
    ):  # fmt: skip
        assert command in shown


def test_serve_offers_every_setting():
    shown = run("serve", "--help").stdout

    assert [row.option for row in ROWS if row.option not in shown] == []


def test_version_prints_the_version():
    assert run("version").stdout == f"sandgate {__version__}\n"


def test_config_prints_the_order_and_where_each_value_came_from(tmp_path):
    (tmp_path / "sandgate.toml").write_text("live-port = 9\n")

    shown = run("config", "--port", "7", folder=tmp_path, SANDGATE_TLS_PORT="8").stdout
    lines = {line.split()[0]: line.split()[1:] for line in shown.splitlines()[2:]}

    assert shown.splitlines()[0].endswith("command line, environment, configuration file, default.")
    assert lines["port"] == ["7", "option", "--port"]
    assert lines["tls-port"] == ["8", "variable", "SANDGATE_TLS_PORT"]
    assert lines["live-port"] == ["9", "file", "sandgate.toml"]
    assert lines["host"] == ["127.0.0.1", "default"]


def test_a_wrong_setting_shows_no_number_of_a_card(tmp_path):
    (tmp_path / "sandgate.toml").write_text("4111111111111111 = 1\n")

    ended = run("config", folder=tmp_path)

    assert (ended.returncode, "411111******1111" in ended.stderr) == (2, True)
    assert "4111111111111111" not in ended.stderr


NUMBER = "4200000000000000"
CALLS_WITH_A_NUMBER = (
    ("load", "--users", NUMBER), ("check", "--only", NUMBER), ("trace", "--format", NUMBER),
    ("report", NUMBER), ("serve", f"--{NUMBER}"), (NUMBER,), ("sandbox", NUMBER), ("demo", NUMBER),
    ("check-merchant", NUMBER), ("reconcile", "file", NUMBER), ("config", "--config", NUMBER),
    ("load", "--users", " ".join(NUMBER)),
)  # fmt: skip


@pytest.mark.parametrize("arguments", CALLS_WITH_A_NUMBER, ids=" ".join)
def test_what_is_said_against_a_call_shows_no_number_of_a_card(arguments, tmp_path):
    ended = run(*arguments, folder=tmp_path)

    assert ended.returncode == 2 and "******" in ended.stderr
    assert NUMBER not in ended.stderr.replace(" ", "")


def test_config_masks_the_control_key():
    assert "hush-hush" not in run("config", "--control-key", "hush-hush").stdout


def test_a_wrong_setting_ends_with_one_line_and_status_2():
    ended = run("serve", "--port", "99999")

    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        "sandgate: port: expected a port from 0 to 65535, got '99999' (option --port)\n"
    )


def test_a_host_that_others_reach_is_refused_without_a_control_key():
    ended = run("serve", "--host", "0.0.0.0")

    assert ended.returncode == 2
    assert "--control-key" in ended.stderr


def test_an_unknown_decision_is_refused_by_its_name(tmp_path):
    ended = run("serve", "--port", "0", "--override", "D-999=field", folder=tmp_path)

    assert (ended.returncode, ended.stdout) == (2, "")
    assert "D-999" in ended.stderr
    assert "Traceback" not in ended.stderr


WRONG_CALLS = [
    #  arguments                                    message
    (("serve", "--profile", "unknown"),              "profile: expected specification or field"),
    (("serve", "--override", "D-14=nothing"),       "overrides.D-14: expected one of"),
    (("serve", "--throttle", "unknown"),             "throttle table: expected off, sandbox"),
    (("serve", "--live-throttle", "/none/a.toml"),  "expected a file that can be read"),
    (("serve", "--config", "/none/a.toml"),         "expected a file that can be read"),
    (("serve", "--nothing",),                       "No such option"),
    (("config", "--override", "D-999=field"),       "got 'D-999'"),
    (("config", "--throttle", "unknown"),            "throttle table: expected off, sandbox"),
    (("openapi", "--profile", "unknown"),            "profile: expected one of"),
    (("explain", "amount", "--profile", "unknown"),  "profile: expected one of"),
    (("throttles", "show", "unknown"),               "throttle table: expected off, sandbox"),
    (("throttles", "show", "/none/a.toml"),         "expected a file that can be read"),
    (("behaviours", "show", "unknown"),              "behaviour: expected one of"),
    (("behaviours", "check", "/none/a.yaml"),       "expected a behaviour file or a folder"),
    (("webhooks", "decrypt", "/none/a", "--iv", "0" * 24, "--tag", "0" * 32, "--secret", "0" * 64),
                                                    "/none/a: expected a file to read"),
    (("wait", "nowhere"),                           "URL: expected an address"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"), WRONG_CALLS, ids=[" ".join(row[0]) for row in WRONG_CALLS]
)
def test_a_wrong_call_ends_with_status_2_and_says_what_was_expected(tmp_path, arguments, message):
    ended = run(*arguments, folder=tmp_path)

    assert (ended.returncode, ended.stdout) == (2, "")
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "Errno" not in ended.stderr


@pytest.mark.parametrize("deeper", ["", "deeper"])
def test_a_file_in_place_of_the_data_folder_is_reported(tmp_path, deeper):
    (tmp_path / "data").touch()
    place = tmp_path / "data" / deeper

    ended = run("serve", "--port", "0", "--data", str(place))

    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        f"sandgate: {place}: expected a folder to write in, got: a file in its place; "
        "name another one with --data\n"
    )


def test_explain_prints_the_rule_of_a_parameter():
    shown = run("explain", "billing.houseNumber2").stdout

    assert "billing.houseNumber2" in shown
    assert "billing.houseNumber1" in shown


def test_explain_of_an_unknown_parameter_names_the_nearest():
    ended = run("explain", "billing.houseNumbr2")

    assert ended.returncode == 2
    assert "billing.houseNumber2" in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr


def test_explain_knows_the_commands_and_a_test_card_with_blanks():
    assert "interrupted" in run("explain", "check").stdout
    assert "challenge" in run("explain", "4200 0000 0000 0018").stdout


def test_the_catalogue_is_one_json_object_a_field():
    rows = json.loads(run("catalogue", "--json").stdout)

    assert len(rows) > 380
    assert {"name", "table", "direction", "format", "need", "min", "max", "pattern", "values",
            "rule", "origin", "operations"} <= set(rows[0])  # fmt: skip


@pytest.mark.parametrize("profile", ["specification", "field"])
def test_the_openapi_document_is_printed(profile):
    document = json.loads(run("openapi", "--profile", profile).stdout)

    assert document["openapi"].startswith("3.1")
    assert "/v1/payments" in document["paths"]


def test_behaviours_are_mounted_when_they_are_called():
    assert "approve" in run("behaviours", "list").stdout
    assert "valid" in run("behaviours", "check").stdout


def test_every_decision_may_be_named_in_an_override(tmp_path):
    overrides = [part for row in CHOICES for part in ("--override", f"{row.id}=field")]

    assert run("config", *overrides, folder=tmp_path).returncode == 0
