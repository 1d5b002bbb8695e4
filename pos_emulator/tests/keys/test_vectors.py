"""Each published value of terminal-vectors.csv is what the terminal computes."""

import pytest

from pos_emulator.tests.keys.vectors import VECTORS, Vector, compute


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_a_published_value_is_computed(vector: Vector):
    assert compute(vector).upper() == vector.expected.upper()


def test_every_row_is_a_test_of_its_own():
    assert len({vector.name for vector in VECTORS}) == len(VECTORS) == 366
