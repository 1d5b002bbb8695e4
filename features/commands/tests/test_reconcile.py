"""`sandgate reconcile check`: its status, what it prints, and the reports it writes."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
import typer
from typer.testing import CliRunner

from features.commands.reconcile import check
from features.reconciling.tests.day import faulty_day
from features.reconciling.tests.programs import run_program


def checked(*arguments: str) -> tuple[int, str]:
    """The status of a run of the command, and all it printed."""
    app = typer.Typer()
    app.command()(check)
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
