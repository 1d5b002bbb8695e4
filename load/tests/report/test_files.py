"""The written reports: whatever their names and texts hold."""

import csv
import json
import os
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest

from load.report.files import locust_page_beside, write_reports
from load.report.rows import operation_rows, step_rows
from load.results.knee import find_knee
from load.results.thresholds import Bounds, Thresholds
from load.tests.records import CLEAN, FAULTY, RUN, create_outcome, create_plan, create_record


@pytest.mark.parametrize("name", ["r\udcff.html", "r #1 100%?.html", "Bericht \u00fc.html"])
def test_the_page_links_the_one_of_locust_whatever_its_name(tmp_path: Path, name: str) -> None:
    page = tmp_path / name
    beside = locust_page_beside(page)
    beside.touch()

    write_reports(create_outcome(RUN, CLEAN), html=page, csv="", json=None)

    _, _, link = page.read_text(encoding="utf-8").partition('<a href="')
    assert unquote_to_bytes(link.partition('"')[0]) == os.fsencode(beside.name)


def test_a_text_that_no_encoding_has_is_written_as_an_escape(tmp_path: Path) -> None:
    outcome = create_outcome(RUN, CLEAN, plan=create_plan(run="run \udcff"))
    written = write_reports(
        outcome, html=tmp_path / "r.html", csv=str(tmp_path / "r"), json=tmp_path / "r.json"
    )

    assert len([path.read_text(encoding="utf-8") for path in written]) == 3


def test_figures_of_files_are_plain_numbers_however_large(tmp_path: Path) -> None:
    run = [create_record(at=n / 200, duration_s=1.2345678) for n in range(1_403)]
    bounds = Bounds(p95_ms=123_456.5, error_share=0.0001)
    plan = create_plan(shape="step", steps=1, users=2_000)
    found = create_outcome(run, CLEAN, plan=plan, thresholds=Thresholds(bounds))
    outcome = found._replace(knee=find_knee(found.summary.steps, 5_000))
    write_reports(outcome, html=None, csv=str(tmp_path / "r"), json=tmp_path / "r.json")

    with (tmp_path / "r_operations.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    document = json.loads((tmp_path / "r.json").read_text())
    assert (rows[-1]["requests"], rows[-1]["kept"], rows[-1]["p95 ms"]) == (
        "1403", "1403", "1234.568",
    )  # fmt: skip
    assert [float(text) for name, text in rows[0].items() if name != "operation"]
    assert document["overall"]["p95_ms"] == 1234.568
    assert document["overall"]["throughput"] == float(rows[-1]["answers/s"]) == 140.3
    limits = {row["threshold"]: row["limit"] for row in document["thresholds"]}
    assert limits == {"p95_ms": 123_456.5, "error_share": 0.0001}
    assert document["steps"][0]["load"] == 2_000
    assert document["steps"][0]["p95 ms"] == 1234.568
    assert operation_rows(outcome)[0][1] == "1,403" and step_rows(outcome)[0][1] == "2,000"


def test_withheld_figures_are_empty_in_the_table_and_no_steps_are_in_the_document(
    tmp_path: Path,
) -> None:
    plan = create_plan(shape="step", steps=2)
    outcome = create_outcome(RUN, FAULTY, plan=plan)
    write_reports(outcome, html=None, csv=str(tmp_path / "r"), json=tmp_path / "r.json")

    with (tmp_path / "r_operations.csv").open(newline="") as file:
        assert {row["p95 ms"] for row in csv.DictReader(file)} == {""}
    assert json.loads((tmp_path / "r.json").read_text())["steps"] == []
