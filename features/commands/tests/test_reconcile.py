"""`sandgate reconcile check`: its status, what it prints, and the reports it writes."""

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
import typer
from typer.testing import CliRunner

from features.commands.reconcile import check, file
from features.reconciling.settlement_csv import read_records
from features.reconciling.tests.day import faulty_day
from features.reconciling.tests.programs import run_program
from features.reconciling.tests.test_rules import (
    HEADER,
    LINES,
    OF_BEFORE,
    PAYOUT,
    REJECTED,
    SALE,
    changed,
    written,
)


def checked(*arguments: str) -> tuple[int, str]:
    """The status of a run of the command, and all it printed."""
    return ended(check, *arguments)


def ended(command: Callable[..., None], *arguments: str) -> tuple[int, str]:
    """The status of a command, and all it printed."""
    app = typer.Typer()
    app.command()(command)
    done = CliRunner().invoke(app, arguments)
    return done.exit_code, done.output


@pytest.fixture
def key(tmp_path: Path) -> str:
    """The key of a day with every fault."""
    return str(faulty_day().write_key(tmp_path / "KEY.jsonl"))


def test_a_careful_program_ends_with_status_0(tmp_path: Path, key: str) -> None:
    result = run_program(faulty_day(), tmp_path / "r.csv")

    status, printed = checked("--key", key, "--result", str(result))

    assert status == 0, printed
    assert "faults: precision 1.0000, recall 1.0000" in printed
    assert "misses: 0" in printed


def test_a_broken_program_ends_with_status_3_and_every_report_says_why(
    tmp_path: Path, key: str
) -> None:
    result = run_program(faulty_day(), tmp_path / "r.csv", without="fee_wrong")
    xml, page, document = (tmp_path / name for name in ("r.xml", "r.html", "r.json"))

    status, printed = checked(
        "--key", key, "--result", str(result),
        "--junit", str(xml), "--html", str(page), "--json", str(document),
    )  # fmt: skip

    assert status == 3
    assert "not found: tx-0102 (fee_wrong): planted: fee_wrong" in printed
    failed = [case.get("name") for case in ElementTree.parse(xml).iter("testcase") if len(case)]
    assert failed == ["fee_wrong"]
    assert "planted: fee_wrong" in page.read_text()
    assert json.loads(document.read_text())["classes"]["fee_wrong"]["missed"] == 1


def test_no_report_is_written_over_another(tmp_path: Path, key: str) -> None:
    result, one = run_program(faulty_day(), tmp_path / "r.csv"), str(tmp_path / "one")

    status, printed = checked("--key", key, "--result", str(result), "--junit", one, "--html", one)

    assert status == 2
    assert "expected a file of its own for each" in printed
    assert not Path(one).exists()


def test_reports_escape_what_a_result_holds(tmp_path: Path, key: str) -> None:
    result = tmp_path / "r.json"
    rows = [{"settlementTxId": "<script>\u0007", "verdict": "NOT_MATCHED", "payments": ""}]
    result.write_text(json.dumps(rows))
    page, xml = tmp_path / "r.html", tmp_path / "r.xml"

    status, printed = checked(
        "--key", key, "--result", str(result), "--html", str(page), "--junit", str(xml)
    )

    assert status == 3
    assert "<script>" not in page.read_text() and "\u0007" not in printed
    assert ElementTree.parse(xml).getroot().get("failures") != "0"


def test_a_file_that_cannot_be_read_ends_with_status_2(tmp_path: Path, key: str) -> None:
    status, printed = checked("--key", key, "--result", str(tmp_path / "none.csv"))

    assert status == 2
    assert "expected a file that can be read" in printed


NUMBER = "5454545454545454"
DEEP = "[" * 20_000 + "]" * 20_000
HEAD = "settlementTxId,payments,verdict,difference\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("deep.json", f'[{{"a": {DEEP}}}]'),
        ("number.csv", f"{HEAD}S1,p1,{NUMBER},\n"),
        ("number.json", f'[{{"verdict": "{NUMBER}"}}]'),
        ("columns.csv", f"{NUMBER},verdict\n"),
    ],
)
def test_a_hostile_result_ends_with_status_2_and_is_not_repeated(
    tmp_path: Path, key: str, name: str, content: str
) -> None:
    (tmp_path / name).write_text(content)

    status, printed = checked("--key", key, "--result", str(tmp_path / name))

    assert status == 2 and NUMBER not in printed


@pytest.mark.parametrize(
    "content", [f'{{"kind": "line", "a": {DEEP}}}', f'{{"kind": "{NUMBER}"}}', DEEP]
)
def test_a_hostile_key_ends_with_status_2_and_is_not_repeated(tmp_path: Path, content: str) -> None:
    (tmp_path / "KEY.jsonl").write_text(content)
    (tmp_path / "result.csv").write_text(HEAD)

    status, printed = checked(
        "--key", str(tmp_path / "KEY.jsonl"), "--result", str(tmp_path / "result.csv")
    )

    assert status == 2 and NUMBER not in printed


def test_no_broken_rule_repeats_a_card_number(tmp_path: Path) -> None:
    lines = [changed(each, {"Cashflow": NUMBER}) if each == SALE else each for each in LINES]
    path = str(written(tmp_path, *lines))

    for given in ((path,), (path, "--format", "json")):
        status, printed = ended(file, *given)
        assert status == 3 and NUMBER not in printed


def test_a_file_that_obeys_ends_with_status_0(tmp_path: Path) -> None:
    assert ended(file, str(written(tmp_path, *LINES))) == (0, "3 lines, broken rules: none\n")


def test_a_file_that_breaks_a_rule_ends_with_status_3_and_names_it(tmp_path: Path) -> None:
    lines = [changed(each, {"Cashflow": "\u001b"}) if each == SALE else each for each in LINES]
    path = str(written(tmp_path, *lines))

    status, printed = ended(file, path)

    assert status == 3
    assert "RCN-02 line 2, Cashflow: expected POS, NEG, got" in printed
    assert "\u001b" not in printed
    assert json.loads(ended(file, path, "--format", "json")[1])["records"] == 3


def test_a_payout_that_repeats_a_rejected_one_is_right_beside_its_earlier_file(
    tmp_path: Path,
) -> None:
    earlier = tmp_path / "earlier.csv"
    earlier.write_bytes(written(tmp_path, HEADER, REJECTED).read_bytes())
    path = str(written(tmp_path, *LINES, OF_BEFORE))
    (tmp_path / "stray.csv").write_bytes(f'{HEADER}\r\n"{SALE}\r\n'.encode())

    assert ended(file, path)[0] == 3
    assert ended(file, path, "--before", str(earlier))[0] == 0
    assert ended(file, path, "--before", str(tmp_path / "stray.csv"))[0] == 2


@pytest.mark.parametrize("content", (b"no header\r\n", b""))
def test_a_file_of_another_kind_ends_with_status_2(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.csv"
    path.write_bytes(content)

    assert ended(file, str(path))[0] == 2
    assert ended(file, str(tmp_path / "none.csv"))[0] == 2


@pytest.mark.parametrize(
    "value", ['"Jane" Jones', 'Jane "Jones"', '"Jane Jones', 'Jane Jones"', '"', '""Jane', "a\rb"]
)
def test_a_stray_quotation_mark_is_a_broken_rule_with_line_and_column(
    tmp_path: Path, value: str
) -> None:
    path = str(written(tmp_path, HEADER, SALE, SALE.replace("Jane Jones", value), PAYOUT))

    status, printed = ended(file, path)

    assert status == 3, printed
    assert "RCN-01 line 3, AccountHolder: expected quotation marks" in printed
    assert "\r" not in printed


def test_what_was_broken_before_a_stray_quotation_mark_is_named_too(tmp_path: Path) -> None:
    broken = changed(SALE, {"Cashflow": "+"})
    path = str(written(tmp_path, HEADER, broken, SALE.replace("Jane Jones", f'"{NUMBER}" x')))

    status, printed = ended(file, path, "--format", "json")

    assert status == 3 and NUMBER not in printed
    named = [(each["number"], each["column"]) for each in json.loads(printed)["broken"]]
    assert named == [(2, "Cashflow"), (3, "AccountHolder")]


def test_quotation_marks_around_a_whole_value_are_none_of_it(tmp_path: Path) -> None:
    quoted = SALE.replace("Jane Jones", '"Jane ""J""; Jones"').replace("SGCSV", '"SGCSV"')

    (record,) = read_records(written(tmp_path, HEADER, quoted))

    assert (record["AccountHolder"], record["SettlementFileFormat"]) == ('Jane "J"; Jones', "SGCSV")


def test_no_report_of_a_measure_repeats_a_card_number(tmp_path: Path) -> None:
    (tmp_path / "KEY.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in KEY_OF_NUMBERS))
    (tmp_path / "r.json").write_text(json.dumps(RESULT_OF_NUMBERS))
    given = ("--key", str(tmp_path / "KEY.jsonl"), "--result", str(tmp_path / "r.json"))
    files = [tmp_path / f"report.{name}" for name in ("html", "junit", "json")]
    options = [f"--{each.suffix[1:]}={each}" for each in files]

    status, printed = checked(*given, *options)
    _, document = checked(*given, "--format", "json")

    assert status == 3
    for text in (printed, document, *(each.read_text() for each in files)):
        assert NUMBER not in text
        assert "545454******5454" in text


TRUTH = {"status": "MATCHED", "payments": [NUMBER]}
KEY_OF_NUMBERS = (
    {"kind": "line", "file": "a", "settlementTxId": NUMBER, "truth": TRUTH, "why": NUMBER},
    {"kind": "line", "file": "a", "settlementTxId": "tx", "truth": TRUTH, "planted": NUMBER},
    {"kind": "absent", "payment": f"p {NUMBER}", "planted": f"x {NUMBER}", "why": NUMBER},
    {"kind": "file", "file": NUMBER, "planted": f"y {NUMBER}"},
    {"kind": "line", "settlementTxId": f"h {NUMBER}", "truth": TRUTH, "planted": NUMBER},
)
RESULT_OF_NUMBERS = [
    {"settlementTxId": NUMBER, "verdict": "NOT_MATCHED", "difference": NUMBER},
    {"settlementTxId": f"other {NUMBER}", "payments": NUMBER, "verdict": "MISSING"},
    {"settlementTxId": f"h {NUMBER}", "verdict": "MATCHED", "payments": [NUMBER]},
    {"payments": NUMBER, "verdict": "MISSING", "difference": NUMBER},
]
