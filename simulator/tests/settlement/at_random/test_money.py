"""In every order of moves what was answered, files, ledger and card host agree on all payments."""

from decimal import Decimal
from pathlib import Path

import pytest

from simulator.tests.kit.gateway import Credentials
from simulator.tests.settlement.at_random.life import Life
from simulator.tests.settlement.at_random.sums import Answered, expected_of

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


def test_a_refund_that_names_an_authorization_is_expected_to_move_money() -> None:
    who = Credentials("token", "entity")
    answered = {"pa": Answered("PA", Decimal(9), "", "000.100.110", who)}
    refund = Answered("RF", Decimal(2), "pa", "000.100.110", who)
    reversal, chargeback = refund._replace(kind="RV"), refund._replace(kind="CB", parent="rf")
    answered["rf"] = refund

    expected = [expected_of(each, answered) for each in (refund, reversal, chargeback)]

    assert expected == [Decimal(-2), Decimal(0), Decimal(2)]
