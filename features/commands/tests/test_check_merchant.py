"""`sandgate check-merchant` as its user meets it: output, reports, exit status, refusals."""

import json
import os
import shlex
import signal
import ssl
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import trustme
import typer
from typer.testing import CliRunner, Result

from features.commands.check_merchant import checks_markdown, main
from features.merchant_side.checks.table import CHECKS
from features.merchant_side.option_values import OptionValueError, demand_own_hosts
from features.merchant_side.payment_states import MerchantPaymentState, state_reader_by_command
from features.merchant_side.tests.merchants import EXAMPLE, KEY, ROOT, listening
from features.merchant_side.tests.mutant_merchants import BOX
from features.merchant_side.webhook_messages import new_payment
from reports.events import CaseVerdict, read_events

NAMED = {bad.name: bad for bad in BOX}
CLOSED_PORT = "http://127.0.0.1:1/hook"
RESTART = """
cd {folder}
test -e pid && kill -9 $(cat pid)
{python} {example} --port "$1" --database shop.db > out 2>&1 & echo $! > pid
until grep -q listening out; do sleep 0.05; done
"""
SECRET = "s3cret-of-the-address"


def run(*arguments: str, key: str = KEY.hex()) -> Result:
    app = typer.Typer()
    app.command()(main)
    environment = {"SANDGATE_WEBHOOK_SECRET": key, "COLUMNS": "100", "TERM": "dumb"}
    return CliRunner().invoke(app, list(arguments), env=environment)


def test_a_good_merchant_ends_with_0_and_reports_that_hold_no_secret(tmp_path: Path) -> None:
    files = {name: tmp_path / f"{name}.out" for name in ("json", "junit", "html", "events")}
    with listening((), "http://127.0.0.1:1/") as url:
        result = run(
            "--webhook-url", f"{url}/webhook?token={SECRET}", "--state-url", f"{url}/state",
            "--only", "refuses:wrong-key", "--only", "understands", "--settle", "0.05",
            *(word for name, file in files.items() for word in (f"--{name}", str(file))),
        )  # fmt: skip

    assert result.exit_code == 0, result.output
    assert "7 passed" in result.output
    assert json.loads(files["json"].read_text())["summary"]["counts"]["passed"] == 7
    assert ElementTree.parse(files["junit"]).getroot().get("tests") == "7"
    assert len(list(read_events(files["events"].read_bytes().splitlines()))) == 9
    written = result.output + "".join(file.read_text() for file in files.values())
    assert "/webhook" in written
    for secret in (KEY.hex(), KEY.hex().upper(), SECRET):
        assert secret not in written


def test_a_report_holds_the_one_command_that_repeats_a_check_and_no_secret(tmp_path: Path) -> None:
    stream = tmp_path / "events.jsonl"
    result = run(
        "--webhook-url", f"{CLOSED_PORT}?token={SECRET}", "--restart-command",
        f"sh again 'my shop' {KEY.hex()}",
        "--state-url", f"http://127.0.0.1:1/state?id={{id}}&token={SECRET}&{SECRET}",
        "--allow-remote", "a.example", "--allow-remote", "b.example", "--settle", "0.25",
        "--paid-text", "all done", "--listen", "127.0.0.1:0", "--body-format", "wrapped",
        "--only", "takes", "--events", str(stream),
    )  # fmt: skip
    case = next(each for each in read_events(stream.read_bytes().splitlines())
                if isinstance(each, CaseVerdict))  # fmt: skip

    assert result.exit_code == 1, result.output
    words = shlex.split(case.repeat)
    assert words[:3] == ["SANDGATE_WEBHOOK_SECRET=$SANDGATE_WEBHOOK_SECRET", "sandgate",
                         "check-merchant"]  # fmt: skip
    given = sorted(zip(words[3::2], words[4::2], strict=True))
    assert given == sorted([
        ("--webhook-url", f"{CLOSED_PORT}?token=YOUR-VALUE"),
        ("--restart-command", "YOUR-VALUE"),
        ("--state-url", "http://127.0.0.1:1/state?id={id}&token=YOUR-VALUE&YOUR-VALUE"),
        ("--allow-remote", "a.example"), ("--allow-remote", "b.example"), ("--settle", "0.25"),
        ("--paid-text", "all done"), ("--listen", "127.0.0.1:0"), ("--body-format", "wrapped"),
        ("--only", "takes:payment"),
    ])  # fmt: skip
    assert not any(secret in stream.read_text() for secret in (SECRET, KEY.hex()))


def test_a_bad_merchant_ends_with_1_and_the_fix_is_named() -> None:
    with listening(NAMED["accepts-anything"].edits, "http://127.0.0.1:1/") as url:
        result = run("--webhook-url", f"{url}/webhook", "--only", "refuses:wrong-key")

    assert result.exit_code == 1
    for words in ("expected  an answer that is not 2xx", "came      200", "fix       let the",
                  "rules     W1, D-85", "1 failed", "--only refuses:wrong-key"):  # fmt: skip
        assert words in result.output


def test_what_cannot_be_checked_is_said_and_is_no_pass() -> None:
    with listening((), "http://127.0.0.1:1/") as url:
        result = run("--webhook-url", f"{url}/webhook",
                       *(word for each in ("takes:payment", "survives:twice-once", "return:paid")
                         for word in ("--only", each)))  # fmt: skip

    assert result.exit_code == 3
    assert "neither --state-url nor --state-command was given" in result.output
    assert "--shop-result-url was not given" in result.output
    assert "1 passed, 2 not checkable" in result.output
    assert "this is not a pass" in result.output


def test_a_form_that_was_not_asked_for_is_no_hindrance() -> None:
    with listening((), "http://127.0.0.1:1/") as url:
        result = run("--webhook-url", f"{url}/webhook", "--only", "takes:payment",
                       "--only", "takes:other-form")  # fmt: skip

    assert result.exit_code == 0
    assert "1 passed, 1 not requested" in result.output


def test_without_a_receiver_one_check_fails_and_says_so() -> None:
    result = run("--webhook-url", CLOSED_PORT)

    assert result.exit_code == 1
    assert f"1 failed, {len(CHECKS) - 3} not checkable, 2 not requested" in result.output
    assert "no answer: connection refused" in result.output
    assert "start what is to answer at this address" in result.output
    assert "store it, answer 200" not in result.output


def test_a_shop_that_prepares_nothing_at_the_judge_is_reported_where_it_should() -> None:
    with listening((), "http://127.0.0.1:1/") as url:
        result = run("--webhook-url", f"{url}/webhook", "--shop-start-url", f"{url}/buy",
                       "--shop-result-url", f"{url}/done", "--listen", "127.0.0.1:0",
                       "--only", "return:unpaid")  # fmt: skip

    assert result.exit_code == 3
    assert "expected --shop-start-url to prepare a checkout at http://127.0.0.1:" in result.output


def test_a_receiver_behind_tls_is_judged_by_who_trusts_its_certificate(tmp_path: Path) -> None:
    authority, trusted = trustme.CA(), tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(trusted))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)

    with listening((), "http://127.0.0.1:1/", context) as url:
        given = ["--webhook-url", f"{url}/webhook", "--state-url", f"{url}/state",
                 "--only", "takes:payment", "--only", "understands:paid"]  # fmt: skip
        distrusted, judged = run(*given), run(*given, "--ca-file", str(trusted))

    assert (distrusted.exit_code, judged.exit_code) == (1, 0)
    assert "certificate" in distrusted.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--webhook-url", ""], "expected an address such as"),
        (["--webhook-url", "ftp://127.0.0.1/"], "expected an address such as"),
        *(
            (["--webhook-url", url], "expected an address such as")
            for url in (
                "http://127.0.0.1:99999/",
                "http://127.0.0.1:0/",
                "http://[::1",
                "http://a..b/",
                "http://127.0.0.1/ü",
                "http://127.0.0.1:²/",
            )
        ),
        (["--state-url", "http://a..b/", "--allow-remote", "a..b"], "expected an address such as"),
        (["--webhook-url", "http://me:pass@127.0.0.1/"], "without user and password"),
        (["--webhook-url", "http://192.0.2.1/"], "--allow-remote 192.0.2.1"),
        (["--state-url", "http://192.0.2.1/"], "--allow-remote 192.0.2.1"),
        (["--shop-result-url", "http://192.0.2.1/"], "--allow-remote 192.0.2.1"),
        (["--only", "refusez"], "such as refuses"),
        (["--body-format", "xml"], "expected hex or wrapped"),
        (["--key-file", "missing"], "SANDGATE_WEBHOOK_SECRET, got both"),
        *(
            (["--listen", value], "expected HOST:PORT")
            for value in (
                "8090",
                "127.0.0.1:²",
                "127.0.0.1:١",
                "127.0.0.1:65536",
                f"h:{'1' * 5000}",
            )
        ),
        (["--listen", "a..b:80"], "expected a free port"),
        (["--state-command", "echo 'x"], "expected a command"),
        (["--state-command", "echo", "--state-url", CLOSED_PORT], "got both"),
        (["--restart-command", "echo 'x"], "expected a command"),
        *((["--settle", value], "expected seconds from 0") for value in ("inf", "1e300")),
        (["--settle", "-1"], "--settle"),
        (["--watch", "inf"], "expected seconds from 0"),
        (["--time-limit", "nan"], "--time-limit"),
        (["--ca-file", "missing"], "expected certificates"),
        (["--json", "/proc/none/report"], "expected a file to write"),
    ],
)
def test_a_wrong_call_ends_with_2_and_says_what_was_expected(arguments, words) -> None:
    given = ["--webhook-url", CLOSED_PORT, "--shop-result-url", CLOSED_PORT, *arguments]

    result = run(*given)

    assert result.exit_code == 2
    assert words in " ".join(result.output.replace("│", " ").split())


@pytest.mark.parametrize(
    ("arguments", "first", "second"),
    [
        (["--html", "one", "--json", "one"], "--html", "--json"),
        (["--events", "one", "--json", "over/../one"], "--events", "--json"),
        (["--junit", "link", "--json", "one"], "--junit", "--json"),
        (["--json", "key", "--key-file", "key"], "--json", "--key-file"),
    ],
)
def test_two_options_that_mean_one_file_are_refused_and_the_file_stays_as_it_is(
    arguments, first, second, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("link").symlink_to("one")
    Path("over").mkdir()
    Path("key").write_text(KEY.hex())
    before = sorted(tmp_path.rglob("*"))

    result = run("--webhook-url", CLOSED_PORT, *arguments, key="")
    said = " ".join(result.output.replace("│", " ").split())

    assert result.exit_code == 2, said
    assert f"Invalid value for {first}: expected another file than {second} has" in said
    assert sorted(tmp_path.rglob("*")) == before
    assert Path("key").read_text() == KEY.hex()


def test_a_call_that_is_refused_leaves_no_file_and_no_folder_behind(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    kept.write_text("of last time")

    result = run("--webhook-url", CLOSED_PORT, "--html", str(tmp_path / "made" / "for" / "r.html"),
                   "--json", str(kept), "--listen", "a..b:80",
                   "--shop-result-url", CLOSED_PORT)  # fmt: skip

    assert result.exit_code == 2
    assert list(tmp_path.iterdir()) == [kept]
    assert kept.read_text() == "of last time"


def test_reports_do_not_depend_on_a_stream_that_cannot_be_read_back(tmp_path: Path) -> None:
    report = tmp_path / "report.html"

    result = run("--webhook-url", CLOSED_PORT, "--only", "takes:payment", "--html", str(report),
                   "--events", "/dev/null")  # fmt: skip

    assert result.exit_code == 1, result.output
    assert "1 failed" in result.output
    assert "takes:payment" in report.read_text()


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--events", "--events: expected a file that takes the stream, got: No space left"),
        ("--junit", "/dev/full: expected a file to write, got: No space left on device"),
    ],
)
def test_a_file_that_takes_no_more_costs_no_verdict(option, said, tmp_path: Path) -> None:
    report = tmp_path / "report.html"

    result = run("--webhook-url", CLOSED_PORT, "--only", "takes:payment", "--html", str(report),
                   option, "/dev/full")  # fmt: skip

    assert result.exit_code == 1
    assert f"sandgate: {said}" in result.output
    assert "1 failed" in result.output
    assert "takes:payment" in report.read_text()


def test_the_stream_in_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    events = tmp_path / "new" / "events.jsonl"

    result = run("--webhook-url", CLOSED_PORT, "--only", "takes:payment", "--events", str(events))

    assert result.exit_code == 2, result.output
    assert "Invalid value for --events: expected a file to write" in result.output
    assert not events.parent.exists()


def test_the_junit_report_has_the_name_of_the_command(tmp_path: Path) -> None:
    report = tmp_path / "r.xml"

    run("--webhook-url", CLOSED_PORT, "--only", "takes:payment", "--junit", str(report))

    assert '<testsuites name="sandgate check-merchant"' in report.read_text()


def test_a_key_file_that_never_ends_is_not_read_to_the_end() -> None:
    result = run("--webhook-url", CLOSED_PORT, "--key-file", "/dev/zero", key="")

    assert result.exit_code == 2
    assert "got more than 64 KiB" in " ".join(result.output.replace("│", " ").split())


@pytest.mark.parametrize("key", ["", "abc123abc123", "zz" * 32])
def test_a_wrong_key_is_not_repeated(key: str) -> None:
    result = run("--webhook-url", CLOSED_PORT, key=key)

    assert result.exit_code == 2
    assert not key or key not in result.output


def test_another_host_is_asked_only_by_who_names_it_twice() -> None:
    demand_own_hosts({"--webhook-url": "https://192.0.2.1/hook"}, ["192.0.2.1"])
    with pytest.raises(OptionValueError):
        demand_own_hosts({"--webhook-url": "https://192.0.2.1/hook"}, ["192.0.2.2"])


def test_a_command_prints_what_the_state_is() -> None:
    program = "import sys, json; print(json.dumps({'id': sys.argv[1], 'state': 'paid'}))"

    assert state_reader_by_command([sys.executable, "-c", program])(
        new_payment()
    ) == MerchantPaymentState("paid")


@pytest.mark.parametrize("program", [
    "print('paid')", "print('{}')", "exit(3)", "print('[' * 60000)", "print(' ' * 70000)",
    "import sys; sys.stdout.buffer.write(bytes([255, 254]))",
])  # fmt: skip
def test_a_command_that_prints_nothing_makes_a_check_not_checkable(program: str) -> None:
    with listening((), "http://127.0.0.1:1/") as url:
        result = run("--webhook-url", f"{url}/webhook", "--only", "understands:paid",
                       "--state-command", f'{sys.executable} -c "{program}"')  # fmt: skip

    assert result.exit_code == 3
    assert "--state-command: expected" in result.output


@pytest.mark.parametrize("command", ["false", "no-such-command-anywhere"])
def test_a_restart_that_fails_makes_its_check_not_checkable(command: str) -> None:
    with listening((), "http://127.0.0.1:1/") as url:
        result = run("--webhook-url", f"{url}/webhook", "--state-url", f"{url}/state",
                       "--only", "survives:restart", "--restart-command", command)  # fmt: skip

    assert result.exit_code == 3
    assert "--restart-command: expected" in result.output


def test_a_receiver_that_is_killed_and_started_again_still_knows(tmp_path: Path) -> None:
    script = tmp_path / "restart"
    script.write_text(RESTART.format(python=sys.executable, example=EXAMPLE, folder=tmp_path))
    environment = os.environ | {"SANDGATE_WEBHOOK_SECRET": KEY.hex()}
    subprocess.run(["sh", str(script), "0"], env=environment, check=True, timeout=30)
    url = (tmp_path / "out").read_text().split()[-1]
    port = url.rstrip("/").rpartition(":")[2]

    try:
        result = run("--webhook-url", f"{url}webhook", "--state-url", f"{url}state",
                       "--only", "survives:restart",
                       "--restart-command", f"sh {script} {port}")  # fmt: skip
    finally:
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)

    assert result.exit_code == 0, result.output


def test_the_page_holds_every_check_as_the_command_prints_them() -> None:
    assert run("--list").output == checks_markdown()
    page = (ROOT / "docs" / "reference" / "receiver-checks.md").read_text(encoding="utf-8")
    assert checks_markdown() in page, "paste what `sandgate check-merchant --list` prints"


def test_every_rule_that_a_check_names_is_one() -> None:
    tables = [ROOT / "features" / "spec" / f"{name}.csv" for name in
              ("requirements", "expectations")]  # fmt: skip
    known = {line.partition(",")[0] for table in tables for line in table.read_text().splitlines()}
    named = {rule for check in CHECKS for rule in check.rules if not rule.startswith("D-")}

    assert named <= known
