"""Reports that a member makes beside the home: in turns, and left to it where they are long."""

from collections.abc import Iterator
from typing import Any

import pytest

from simulator.adapters.fleet import beside
from simulator.domain.core.errors import HomeNeededError
from simulator.tests.kit.event_loop import looks_during

PIECE = b"x" * (1 << 20)


class Report:
    """An application whose answer has so many pieces."""

    def __init__(self, count: int):
        self.count, self.made, self.is_closed = count, 0, False

    def __call__(self, environ: dict[str, Any], start: Any) -> "Report":
        start("200 OK", [])
        return self

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(self.count):
            self.made += 1
            yield PIECE

    def close(self) -> None:
        self.is_closed = True


def test_others_have_their_turn_between_the_pieces_of_a_report() -> None:
    report, answers = Report(4), []

    looks = looks_during(
        lambda: answers.append(beside._answer_of(report, {"REQUEST_METHOD": "GET"}))
    )

    # The first turn may be of the look that is under way.
    assert looks >= report.count - 1
    assert list(answers[0].pieces) == [PIECE] * 4
    assert report.is_closed


def test_a_long_report_is_left_to_the_home_before_all_of_it_is_made() -> None:
    report = Report(100)

    with pytest.raises(HomeNeededError):
        beside._answer_of(report, {"REQUEST_METHOD": "GET"})

    assert report.made == 5
    assert report.is_closed


def test_what_was_stored_is_answered_however_long_it_is() -> None:
    report = Report(6)

    answer = beside._answer_of(report, {"REQUEST_METHOD": "POST"})

    assert len(list(answer.pieces)) == report.count
