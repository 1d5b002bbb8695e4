"""`sandgate load` against real gateways: figures, certificate, oracle, reports, exit status."""

import csv
import re
import shutil
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from features.target.writing import format_target_file
from load.cli import main
from load.payloads import CARDS, DECLINES
from load.place import Place, own_place
from load.plan import Plan
from load.run import Outcome, conduct
from load.servers import gateway
from load.telling import headline
from load.tests.commands import Ran, read_json, sandgate_load, start_load
from load.thresholds import Thresholds
from simulator.client.ports import free_port

NUMBERS = [card.number for card in (*CARDS, *(row.card for row in DECLINES))]
SECONDS_LIMITED, SECONDS_ALONE = 7, 4
# Many times more than the table admits; a busy machine answers no more.
LIMITED_ANSWERS = 500
EVERY_SECOND = """
name = "every-second"

[[limits]]
operation = "create_payment"
scope = "merchant"
limit = 60
window_s = 1

[[limits]]
operation = "*"
scope = "merchant"
limit = 40
window_s = 1
"""
THRESHOLDS = """
[overall]
error_share = 0
throughput_min = 1

[operations.create_payment]
p95_ms = 60000
"""


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> tuple[Ran, Path]:
    """A run of all people against a gateway of its own, with every report."""
    folder = tmp_path_factory.mktemp("alone")
    (folder / "kept.toml").write_text(THRESHOLDS)
    ran = sandgate_load(
        "-u", "20", "-t", f"{SECONDS_ALONE}s", "--think", "0.1", "--processes", "2",
        "--thresholds", "kept.toml",
        "--html", "report.html", "--json", "report.json", "--csv", "figures",
        "--loglevel", "WARNING", folder=folder,
    )  # fmt: skip
    return ran, folder


def test_a_run_ends_well_with_a_throughput_and_a_clean_certificate(alone):
    ran, folder = alone

    assert ran.status == 0, ran.errors + ran.output
    assert re.search(r"throughput: [0-9.,]+ right answers a second, with a clean", ran.output)
    certificate = read_json(folder / "report.json")["certificate"]
    assert certificate["is_clean"]
    assert [clause["verdict"] for clause in certificate["clauses"]] == ["kept"] * 4
    assert min(clause["cases"] for clause in certificate["clauses"]) > 0


def test_everybody_took_part_and_nothing_was_answered_wrongly(alone):
    told = read_json(alone[1] / "report.json")

    asked = {"create_payment", "refer_payment", "read_payment", "create_checkout", "pay_checkout",
             "read_checkout_payment", "create_registration", "pay_registration"}  # fmt: skip
    assert asked <= set(told["operations"])
    assert told["operations"]["create_payment"]["refused"] > 0
    assert (told["overall"]["failed"], told["overall"]["unanswered"]) == (0, 0)
    assert told["failures"] == {}


def test_the_time_to_a_webhook_is_a_figure(alone):
    lag = read_json(alone[1] / "report.json")["time_to_webhook"]

    assert lag["payments"] > 50
    assert lag["p50_ms"] <= lag["p95_ms"] <= lag["max_ms"]


def test_every_threshold_is_told_with_its_verdict(alone):
    ran, folder = alone

    told = read_json(folder / "report.json")["thresholds"]
    assert [(row["threshold"], row["verdict"]) for row in told] == [
        ("error_share", "kept"), ("throughput_min", "kept"), ("p95_ms", "kept"),
    ]  # fmt: skip
    assert re.search(r"create_payment +p95_ms +60,?000", ran.output)


def test_the_files_of_the_run_and_those_of_locust_are_written(alone):
    _, folder = alone

    with (folder / "figures_operations.csv").open(newline="") as rows:
        table = list(csv.DictReader(rows))
    assert table[-1]["operation"] == "all"
    assert float(table[-1]["answers/s"].replace(",", "")) > 1
    assert (folder / "figures_stats.csv").exists()
    assert "<html" in (folder / "report.locust.html").read_text()
    assert 'href="report.locust.html"' in (folder / "report.html").read_text()


def test_no_card_token_or_key_is_in_anything_a_run_writes(alone):
    ran, folder = alone

    written = [path for path in folder.iterdir() if path.suffix != ".toml"]
    for text in (*(path.read_text() for path in written), ran.output, ran.errors):
        assert not [number for number in NUMBERS if number in text]
        assert "Bearer" not in text


@pytest.fixture(scope="module")
def limited(tmp_path_factory) -> tuple[Ran, Ran, Path]:
    """A master and a worker that load a gateway of another process, limited every second."""
    folder = tmp_path_factory.mktemp("limited")
    (folder / "table.toml").write_text(EVERY_SECOND)
    port = str(free_port())
    with gateway(folder / "data") as server:
        described(folder, **server.facts)
        worker = start_load("--worker", "--master-port", port, folder=folder)
        led = sandgate_load(
            "target.toml", "--master", "--master-bind-port", port, "-u", "6", "--think", "0",
            "-t", f"{SECONDS_LIMITED}s", "--users", "merchant,receiver",
            "--throttle", "table.toml", "--json", "report.json", folder=folder,
        )  # fmt: skip
        output, errors = worker.communicate(timeout=30)
    shutil.rmtree(folder / "data")
    return led, Ran(worker.returncode, output, errors), folder


def test_the_oracle_holds_nothing_against_the_gateway(limited):
    told = read_json(limited[2] / "report.json")["oracle"]

    assert told["wrong"] == []
    assert told["answers"] >= LIMITED_ANSWERS
    assert told["marks"]["must be refused"] > 100
    assert told["marks"]["must be admitted"] > 100
    # On a busy machine more is under way at each edge; the proof asks for less than 1 %.
    assert told["undecidable_share"] < 0.1


def test_what_a_worker_was_told_comes_together_on_the_master(limited):
    led, worked, folder = limited

    certificate = read_json(folder / "report.json")["certificate"]
    assert certificate["is_clean"], led.output
    assert {clause["verdict"] for clause in certificate["clauses"]} == {"kept"}
    assert certificate["clauses"][0]["cases"] > 100
    assert (led.status in (0, 3), worked.status) == (True, 0), led.output + worked.errors


def test_throttled_answers_are_neither_errors_nor_throughput(limited):
    overall = read_json(limited[2] / "report.json")["overall"]

    assert overall["throttled"] > 100
    assert (overall["failed"], overall["unanswered"]) == (0, 0)


@pytest.fixture(scope="module")
def deceived() -> Outcome:
    """A run against a gateway that admits one too many a second, and tells of nothing."""
    table = {"name": "twenty", "limits": [
        {"operation": "create_payment", "scope": "merchant", "limit": 20, "window_s": 1},
    ]}  # fmt: skip

    def make_plan(place: Place, ledger: Path) -> Plan:
        place.control.set_throttles(place.sandbox, throttle=with_limit(table, 21))
        place.control.arm_script(place.sandbox, "webhook-never")
        return Plan(
            base_url=place.target.base_url, token=place.token, entity_id=place.entity_id,
            ledger=str(ledger), people=("merchant", "receiver"), users=4, spawn_rate=4.0,
            seconds=4.0, think_s=0.02,
        )  # fmt: skip

    with own_place(table) as place:
        return conduct(place, make_plan, Thresholds(), progress=lambda _: None)


def with_limit(table: dict, limit: int) -> dict:
    return {"name": "another", "limits": [{**table["limits"][0], "limit": limit}]}


def test_a_gateway_that_admits_one_too_many_is_caught(deceived):
    assert deceived.findings is not None
    assert deceived.findings.wrong
    assert {wrong.mark for wrong in deceived.findings.wrong} == {"must be refused"}
    assert deceived.exit_status == 1


def test_a_gateway_that_tells_of_nothing_gets_no_certificate_and_no_figure(deceived):
    verdicts = [clause.verdict for clause in deceived.certificate.clauses]

    assert verdicts == ["kept", "kept", "BROKEN", "kept"]
    assert "was never told" in deceived.certificate.faults[0]
    assert headline(deceived) == "no figure: the certificate is not clean"


def called(*options: str):
    """A call that ends before anything is started, in this process."""
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
        (["--users", "receiver"], "expected somebody who pays"),
        (["--rate", "5"], "--rate: expected --arrival open beside it"),
        (["--arrival", "open"], "--rate: expected 0.01 to"),
        (["--thresholds", "none.toml"], "none.toml"),
        (["--thresholds", "/tmp"], "--thresholds: expected a file with TOML as UTF-8, got: [Errno"),
        (["--throttle", "none.toml"], "expected a throttle table"),
        (["none.toml"], "none.toml"),
    ],
)
def test_a_wrong_call_ends_with_status_2_and_says_what_was_expected(options, said):
    ran = called(*options)

    assert ran.exit_code == 2, ran.output
    assert said in ran.output


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[overall]\np95_ms = nan", "overall.p95_ms: expected 0 to 3600000, got nan"),
        (b"[overall]\nerror_share = 7", "overall.error_share: expected 0 to 1, got 7"),
        (b"[operations.x]\nthroughput_min = -5", "x.throughput_min: expected 0 to 1000000, got -5"),
        (b"\xff\xfe", "expected a file with TOML as UTF-8"),
        (b"x = " + b"[" * 20_000, "expected [overall] and [operations.NAME]"),
        (b"operations" + b".x" * 3_000 + b" = 1", "expected [overall] and [operations.NAME]"),
        (b"[overall]\np95_ms = 1" + b"0" * 400, "expected [overall] and [operations.NAME]"),
        (b"[overall]\np95_ms = 1" + b"0" * 5000, "expected [overall] and [operations.NAME]"),
    ],
)
def test_thresholds_that_mean_nothing_are_refused(tmp_path, content, said):
    path = tmp_path / "thresholds.toml"
    path.write_bytes(content)

    ran = called("--thresholds", str(path))

    assert ran.exit_code == 2, ran.output
    assert said in ran.output


@pytest.mark.parametrize("content", [
    "x = " + "[" * 20_000, "x" + ".x" * 3_000 + " = 1", "x = 2030-01-01", f"x = 1{'0' * 5000}",
])  # fmt: skip
def test_a_table_that_cannot_be_sent_is_refused_in_one_line(tmp_path, content):
    path = tmp_path / "table.toml"
    path.write_text(content)

    ran = called("--throttle", str(path))

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
def test_two_options_that_mean_one_file_are_refused(options, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    ran = called(*options)

    assert ran.exit_code == 2, ran.output
    assert said in ran.output
    assert list(tmp_path.iterdir()) == []


def test_a_table_needs_a_target_with_a_control_api(tmp_path):
    target = described(tmp_path, base_url="http://127.0.0.1:1/", token="t", entity_id="e")

    ran = called(target, "--throttle", "sandbox")

    assert ran.exit_code == 2
    assert "--throttle: expected a target with control_url" in ran.output


def test_a_table_that_nobody_knows_is_refused():
    ran = called("--throttle", "nosuch")

    assert ran.exit_code == 2, ran.output
    assert "--throttle: expected a throttle table, got" in ran.output


def described(folder: Path, **facts: str) -> str:
    path = folder / "target.toml"
    path.write_text(format_target_file(facts))
    return str(path)


def test_a_target_elsewhere_is_refused_unless_somebody_vouches_for_it(tmp_path):
    far = described(tmp_path, base_url="https://pay.example/", token="t", entity_id="e")

    ran = called(far)

    assert ran.exit_code == 2
    assert "expected a gateway on this machine, got pay.example; add --owned" in ran.output


def test_a_gateway_that_is_not_there_is_no_figure(tmp_path):
    nowhere = f"http://127.0.0.1:{free_port()}/"
    gone = described(
        tmp_path, base_url=nowhere, token="t", entity_id="e",
        control_url=f"{nowhere}_sandbox/v1/", control_key="k",
    )  # fmt: skip

    ran = called(gone)

    assert ran.exit_code == 3
    assert "no figure" in ran.output
