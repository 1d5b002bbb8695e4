"""The figures of how long a request holds others."""

import pytest

from load.figures.figure import missed_names
from load.proof import held_figures
from load.proof.plan import QUICK


@pytest.mark.parametrize(
    ("sent", "read", "missed"),
    [
        ({}, {}, set()),
        ({"held_ms": 51.0}, {}, {"held: longest time of a hostile call"}),
        ({"faults": 1}, {}, {"held: hostile calls answered with a fault"}),
        ({}, {"held_ms": 51.0}, {"held: longest time of a read"}),
    ],
)
def test_what_holds_others_for_long_misses_its_goal(
    monkeypatch: pytest.MonkeyPatch, sent: dict, read: dict, missed: set[str]
) -> None:
    found = {
        held_figures.HOSTILE: {"calls": 9, "held_ms": 1.0, "faults": 0, **sent},
        held_figures.FULL: {"reads": 9, "held_ms": 1.0, **read},
    }
    monkeypatch.setattr(held_figures, "run_program", lambda name, _: found[name])

    assert set(missed_names(held_figures.held_figures(QUICK))) == missed
