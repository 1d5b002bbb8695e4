"""A start that takes seconds says how far it is."""

import logging
from itertools import count
from pathlib import Path

import pytest

from simulator.adapters.store.progress import EVERY_S, PART_LINES, Progress

LOG = Path("a.log")
LINE = b"x" * 10


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "sandgate.store")
    return caplog


def read(lines: int, *, step_s: float) -> None:
    """Read so many lines; each look at the clock is `step_s` after the one before."""
    steps = count()
    progress = Progress(LOG, lambda: next(steps) * step_s)
    parts = progress.in_parts(iter([LINE] * lines), lines * len(LINE))
    assert sum(map(len, parts)) == lines


def test_a_short_log_is_read_without_a_word(logged: pytest.LogCaptureFixture) -> None:
    read(4 * PART_LINES, step_s=EVERY_S / 10)
    assert not logged.messages


def test_a_long_log_says_how_far_it_was_read(logged: pytest.LogCaptureFixture) -> None:
    read(4 * PART_LINES, step_s=EVERY_S / 2)
    assert logged.messages == [f"a.log: {PART_LINES:,} lines read, 25 %",
                               f"a.log: {3 * PART_LINES:,} lines read, 75 %"]  # fmt: skip


def test_what_is_done_in_parts_says_so_once_in_a_while(logged: pytest.LogCaptureFixture) -> None:
    now = iter([0.0, EVERY_S - 0.1, EVERY_S, EVERY_S + 0.1, 2 * EVERY_S])
    progress = Progress(LOG, lambda: next(now))
    for done in (1000, 2000, 3000, 4000):
        progress.report("records indexed", done, share=done / 4000)
    assert logged.messages == [
        "a.log: 2,000 records indexed, 50 %",
        "a.log: 4,000 records indexed, 100 %",
    ]
