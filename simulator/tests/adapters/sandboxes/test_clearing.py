"""What is left of a sandbox that is gone is removed, but not while another epoch of it begins."""

from types import SimpleNamespace
from typing import Any

import pytest

from simulator.adapters.sandboxes.changes import SandboxChanges
from simulator.adapters.sandboxes.epoch_turns import EpochTurns
from simulator.domain.core.errors import EpochEndedError


def cleared(turns: EpochTurns, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is removed where a sandbox turns out to be gone."""
    removed: list[str] = []
    engine: Any = SimpleNamespace(is_shared=True, make_home=lambda _: None)
    parts: Any = SimpleNamespace(turn_of=turns.of)
    monkeypatch.setattr(SandboxChanges, "_follow", lambda _, gone, former: removed.append(gone))
    with pytest.raises(EpochEndedError), SandboxChanges(engine, parts).clearing("a"):
        raise EpochEndedError("it is gone")
    return removed


def test_nothing_is_removed_of_a_sandbox_that_is_being_restored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = EpochTurns()

    with turns.of("a"):
        assert cleared(turns, monkeypatch) == []
    assert cleared(turns, monkeypatch) == ["a"]
    assert not turns.of("a").locked()
