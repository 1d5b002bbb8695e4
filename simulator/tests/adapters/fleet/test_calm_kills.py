"""Members that serve one calm sandbox, and are killed."""

import pytest

from simulator.tests.measured.calm_kills import run


@pytest.mark.proof
def test_members_that_are_killed_lose_nothing_of_a_calm_sandbox() -> None:
    found = run()
    assert found["was_calm"] and found["acknowledged"] and not found["faults"], found
