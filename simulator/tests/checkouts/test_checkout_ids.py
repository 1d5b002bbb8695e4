"""Ids of checkouts lead to their sandbox, and to no other."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.adapters.ids import RandomIds
from simulator.domain.checkouts.ids import RUN_OF_DIGITS, SHAPE, new_checkout_id, sandbox_in
from simulator.domain.masking.masking import mask_text
from simulator.tests.kit.twins import SeededIds

SANDBOXES = st.text("0123456789abcdef", min_size=31, max_size=31).map(lambda rest: f"8{rest}")


@given(SANDBOXES, st.integers())
def test_an_id_leads_to_its_sandbox(sandbox: str, seed: int) -> None:
    identity = new_checkout_id(sandbox, SeededIds(seed))

    assert re.fullmatch(r"[0-9A-F]{32}\.[0-9a-z]{15}", identity)
    assert SHAPE.fullmatch(identity)
    assert sandbox_in(identity) == sandbox


# Sandboxes whose node names begin with no digit, with three, and with eleven.
NODES = ("a80diey5t3263uk", "980diey5t3263uk", "41111111111iey5")
SANDBOXES_OF_NODES = [f"8{'0' * 12}{int(node, 36):019x}" for node in NODES]


@pytest.mark.parametrize("sandbox", SANDBOXES_OF_NODES)
def test_a_thousand_ids_differ_and_none_looks_like_a_card_number(sandbox: str) -> None:
    ids = RandomIds()
    made = {new_checkout_id(sandbox, ids) for _ in range(1000)}

    assert len(made) == 1000
    assert not [each for each in made if RUN_OF_DIGITS.search(each[:32])]
    assert {mask_text(each) for each in made} == made


def test_what_is_no_such_id_leads_nowhere() -> None:
    good = new_checkout_id("8" + "ab" * 15 + "0", SeededIds(1))

    for wrong in ("", good.lower(), good[:-1], good.replace(".", "-"), "../" + good, good + "\n"):
        assert sandbox_in(wrong) is None
