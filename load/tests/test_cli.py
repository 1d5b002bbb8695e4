"""`sandgate load` refuses invalid options before anything is started."""

import socket
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from features.target.writing import format_target_file
from load.cli import main
from load.gateway.server import start_gateway
from load.options.values import read_throttle_table
from simulator.client import Connection
from simulator.client.ports import free_port


def invoke(*options: str):
    """Invoke a command in this process that ends before Locust is imported."""
    app = typer.Typer()
    app.command(context_settings={"ignore_unknown_options": True})(main)
    return CliRunner().invoke(app, options)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--shape", "wave"], "--shape: expected one of flat, ramp"),
        (["-t", "soon"], "-t: expected a span such as 30s"),
        (["-u", "1000000"], "-u: expected 1 to 20000"),
        (["-u", "0"], "-u: expected 1 to 20000, got 0"),
        (["-r", "-5"], "-r: expected 0.01 to 20000, got -5"),
        (["-t", "0s"], "-t: expected 1 to 86400, got 0"),
        *((["-t", f"1{'0' * digits}s"], "-t: expected a span such as") for digits in (400, 5000)),
        (["-t", "٣s"], "-t: expected a span such as"),
        (["-u", "1" * 400], "-u: expected 1 to 20000, got 1111"),
        (["--seed", "1" * 400], "--seed: expected -1e+18 to 1e+18, got 1111"),
        (["--master", "--expect-workers", "0"], "--expect-workers: expected 1 to 1000, got 0"),
        (["--expect-workers", "1"], "--expect-workers: expected --master beside it"),
        (["--even"], "--even: expected --arrival open beside it"),
        (["--loglevel", "NOSUCH"], "--loglevel: expected one of DEBUG, INFO"),
        (["--master", "--master-bind-port", "abc"], "--master-bind-port: expected 1 to 65535, got"),
        (["--worker", "--master-port", "65536"], "--master-port: expected 1 to 65535, got '65536'"),
        (["--csv-full-history"], "--csv-full-history: expected --csv beside it"),
        (["--logfile", "/dev/null/x"], "--logfile: expected a file to write, got"),
        (["--processes", "0"], "--processes: expected 1 to 64, got 0"),
        (["--steps", "3"], "--steps: expected --shape step beside it, got --shape flat"),
        (["--processes", "2", "--master"], "got --master and --processes"),
        (["--processes", "2", "--worker"], "got --worker and --processes"),
        (["--master", "--worker"], "got --master and --worker"),
        (["--worker", "target.toml"], "expected no target"),
        (["--host", "http://elsewhere.example"], "--host: expected a target file"),
        (["--json", "/"], "--json: expected a file to write, got"),
        (["--html", "/"], "--html: expected a file to write, got"),
        (["--csv", "/dev/null/x"], "--csv: expected a file to write, got"),
        (["--users", "merchant,thief"], "--users: expected one of merchant"),
        (["--users", "receiver"], "expected a user that sends requests"),
        (["--rate", "5"], "--rate: expected --arrival open beside it"),
        (["--arrival", "open"], "--rate: expected 0.01 to 50000 with --arrival open, got none"),
        (["--thresholds", "none.toml"], "none.toml"),
        (
            ["--thresholds", "/tmp"],
            "expected a file with TOML as UTF-8, got /tmp: Is a directory",
        ),
        (["--throttle", "none.toml"], "expected a throttle table"),
        (["none.toml"], "none.toml"),
    ],
)
def test_an_invalid_option_ends_with_status_2_and_says_what_was_expected(options, said):
    ran = invoke(*options)

    assert ran.exit_code == 2, ran.output
    assert said in ran.output


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[overall]\np95_ms = nan", "overall.p95_ms: expected 0 to 3600000, got nan"),
        (b"[overall]\nerror_share = 7", "overall.error_share: expected 0 to 1, got 7"),
        (b"[overall]\np95_ms = 'x'", "overall.p95_ms: expected 0 to 3600000, got 'x'"),
        (b"[overall]\np95_ms = true", "overall.p95_ms: expected 0 to 3600000, got true"),
        (b"[overall]\np95_ms = [1]", "overall.p95_ms: expected 0 to 3600000, got a list"),
        (
            b"[operations.read_payment]\nthroughput_min = -5",
            "operations.read_payment.throughput_min: expected 0 to 1000000, got -5",
        ),
        (
            b"[operations.create_paymnt]\np99_ms = 5",
            "operations: expected one of 14 names (nearest: create_payment), got 'create_paymnt'",
        ),
        (
            b"[operations.x]\np99_ms = 5",
            "operations: expected one of create_payment, refer_payment",
        ),
        (
            b"[overall]\np95 = 5",
            "overall: expected one of 4 names (nearest: p95_ms), got 'p95'",
        ),
        (b"[total]", "expected one of overall, operations, got 'total'"),
        (b"overall = 1", "overall: expected a table, got 1"),
        (b"operations.read_payment = 1", "operations.read_payment: expected a table, got 1"),
        (b"\xff\xfe", "expected a file with TOML as UTF-8"),
        (b"p95_ms =", "expected TOML, got: Invalid value (at end of document)"),
        (b"x = " + b"[" * 20_000, "expected TOML, got: tables nested too deeply"),
        (b"operations" + b".x" * 3_000 + b" = 1", "operations: expected one of create_payment"),
        (
            b"[overall]\np95_ms = 1" + b"0" * 400,
            "overall.p95_ms: expected 0 to 3600000, got a number of 401 digits",
        ),
        (
            b"[overall]\np95_ms = 1" + b"0" * 5000,
            "expected TOML, got: a number with too many digits",
        ),
    ],
)
def test_invalid_thresholds_are_refused(tmp_path, content, said):
    path = tmp_path / "thresholds.toml"
    path.write_bytes(content)

    ran = invoke("--thresholds", str(path))

    assert ran.exit_code == 2, ran.output
    assert said in ran.output and len(ran.output.splitlines()) == 1


@pytest.mark.parametrize("ending", ["toml", "json"])
def test_a_table_of_a_file_is_read_by_the_ending_of_its_name(tmp_path, ending):
    path = tmp_path / f"slow.{ending}"
    path.write_text({"toml": "limits = []", "json": '{"limits": []}'}[ending])

    assert read_throttle_table(str(path)) == {"name": "slow", "limits": []}


@pytest.mark.parametrize("content", [
    "x = " + "[" * 20_000, "x" + ".x" * 3_000 + " = 1", "x = 2030-01-01", f"x = 1{'0' * 5000}",
])  # fmt: skip
def test_a_table_that_cannot_be_sent_is_refused_in_one_line(tmp_path, content):
    path = tmp_path / "table.toml"
    path.write_text(content)

    ran = invoke("--throttle", str(path))

    assert ran.exit_code == 2, ran.output
    assert "table.toml: expected a throttle table, got: " in ran.output
    assert len(ran.output.splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--html", "one", "--json", "one"], "--json: expected another file than --html has"),
        (["--html", "l.html", "--json", "l.locust.html"],
         "--html (Locust's own page): expected another file than --json has"),
        (["--csv", "a", "--json", "./a_stats.csv"], "--csv: expected another file than --json has"),
        (["--logfile", "one", "--json", "one"], "--logfile: expected another file than --json has"),
        (["--thresholds", "one", "--html", "one"],
         "--html: expected another file than --thresholds has"),
        (["one", "--json", "one"], "--json: expected another file than TARGET has"),
        (["--thresholds", "l.locust.html", "--html", "l.html"],
         "--html (Locust's own page): expected another file than --thresholds has"),
    ],
)  # fmt: skip
def test_two_options_that_name_the_same_file_are_refused(options, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    ran = invoke(*options)

    assert ran.exit_code == 2, ran.output
    assert said in ran.output
    assert list(tmp_path.iterdir()) == []


def test_a_table_needs_a_target_with_a_control_api(tmp_path):
    target = write_target(tmp_path, base_url="http://127.0.0.1:1/", token="t", entity_id="e")

    ran = invoke(target, "--throttle", "sandbox")

    assert ran.exit_code == 2
    assert "--throttle: expected a target with control_url" in ran.output


def test_an_unknown_table_is_refused():
    ran = invoke("--throttle", "nosuch")

    assert ran.exit_code == 2, ran.output
    assert "--throttle: expected a throttle table, got" in ran.output


@pytest.mark.parametrize("role", [["--master"], ["--processes", "2"]])
@pytest.mark.parametrize("host", ["203.0.113.9", "nowhere", "a..b", "x;y"])
def test_an_address_of_no_machine_to_listen_on_as_a_master_is_refused(role, host):
    ran = invoke(*role, "--master-bind-host", host)

    assert ran.exit_code == 2, ran.output
    said = f"--master-bind-host: expected an address of this machine, got {host!r}"
    assert said in ran.output and len(ran.output.splitlines()) == 1


@pytest.mark.parametrize("more", [[], ["--master-bind-host", "*"]])
def test_a_port_of_a_master_that_is_taken_is_refused(more):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ran = invoke("--master", "--master-bind-port", str(port), *more)

    assert ran.exit_code == 2, ran.output
    said = f"--master-bind-port: expected a free port, got {port}: address already in use."
    assert said in ran.output and len(ran.output.splitlines()) == 1


def write_target(folder: Path, **facts: str) -> str:
    path = folder / "target.toml"
    path.write_text(format_target_file(facts))
    return str(path)


def test_a_target_on_another_machine_is_refused_without_owned(tmp_path):
    far = write_target(tmp_path, base_url="https://pay.example/", token="t", entity_id="e")

    ran = invoke(far)

    assert ran.exit_code == 2
    assert "expected a gateway on this machine, got pay.example; add --owned" in ran.output


def test_a_target_without_a_control_api_is_asked_before_the_run_too(tmp_path):
    nowhere = f"http://127.0.0.1:{free_port()}/"
    gone = write_target(tmp_path, base_url=nowhere, token="t", entity_id="e")

    ran = invoke(gone, "-t", "1h")

    assert ran.exit_code == 3
    expected = f"base_url: expected a gateway at {nowhere}, got: connection refused"
    assert f"no figure: {expected}. Start it, or correct the address" in ran.output


def test_the_merchant_api_is_asked_before_the_run_beside_the_control_api(tmp_path):
    nowhere = f"http://127.0.0.1:{free_port()}/"
    with start_gateway(tmp_path / "data") as server, start_gateway(tmp_path / "other") as other:
        wrong = {
            nowhere: f"base_url: expected a gateway at {nowhere}, got: connection refused",
            other.facts["base_url"]: "base_url: expected the gateway of which http",
        }
        for base_url, said in wrong.items():
            ran = invoke(write_target(tmp_path, **{**server.facts, "base_url": base_url}), "-t1h")
            assert (ran.exit_code, f"no figure: {said}" in ran.output) == (3, True), ran.output
        key = {"Authorization": f"Bearer {server.facts['control_key']}"}
        listed = Connection(server.facts["control_url"]).ask("GET", "sandboxes", headers=key)
        assert len(listed.at("sandboxes")) == 1


def test_an_unreachable_gateway_gives_no_figure(tmp_path):
    nowhere = f"http://127.0.0.1:{free_port()}/"
    gone = write_target(
        tmp_path, base_url=nowhere, token="t", entity_id="e",
        control_url=f"{nowhere}_sandbox/v1/", control_key="k",
    )  # fmt: skip

    ran = invoke(gone)

    assert ran.exit_code == 3
    expected = f"control_url: expected a gateway at {nowhere}_sandbox/v1/, got: connection refused"
    assert f"no figure: {expected}. Start it, or correct the address" in ran.output
