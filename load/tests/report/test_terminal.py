"""The tables of a run fit a terminal of 80 columns, and nothing is cut off."""

import pytest

from load.report.terminal import print_outcome
from load.tests.records import CLEAN, RUN, create_outcome


def test_tables_fit_a_terminal_of_80_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", "1")

    print_outcome(create_outcome(RUN, CLEAN))
    printed = capsys.readouterr().out

    assert "…" not in printed
    for word in ("create_payment", "requests", "succeeded", "failed", "p99 ms", "answers/s"):
        assert word in printed


def test_verdicts_no_request_had_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    print_outcome(create_outcome(RUN, CLEAN))
    printed = capsys.readouterr().out

    assert "no response" not in printed
    assert "failed" in printed
