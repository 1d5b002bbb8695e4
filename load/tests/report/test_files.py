"""The written reports: whatever their names and texts hold."""

import os
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest

from load.report.files import locust_page_beside, write_reports
from load.tests.records import CLEAN, RUN, create_outcome, create_plan


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
