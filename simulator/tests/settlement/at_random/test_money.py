"""In every order of moves what was answered, files, ledger and card host agree on all payments."""

from pathlib import Path

import pytest

from simulator.tests.settlement.at_random.life import Life

SEEDS, MANY, MOVES = range(1, 2), range(2, 60), 50


def live(folder: Path, seed: int) -> None:
    """All sides agree at the end of a life that this seed draws."""
    life = Life(folder, seed)
    try:
        life.live(MOVES)
        assert life.books.wrong(life.answered) == [], life.trail
    finally:
        life.close()


@pytest.mark.parametrize("seed", SEEDS)
def test_all_sides_agree_in_every_order_of_moves(tmp_path: Path, seed: int) -> None:
    live(tmp_path, seed)


@pytest.mark.proof
@pytest.mark.parametrize("seed", MANY)
def test_all_sides_agree_in_many_lives(tmp_path: Path, seed: int) -> None:
    live(tmp_path, seed)
