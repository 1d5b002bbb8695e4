"""What opens something is cut in a long page as in a short one, and others have their turn."""

import random

import pytest

from simulator.domain.masking.openings import REACH, SLICE_LENGTH, cut_in_slices, cut_openings

CHECKOUT = f"{'8A' * 16}.uat01vmtx04abcd"
CHALLENGE = '"acsTransID":"a0000000-0000-4000-8000-000000000001"'
PACKED = "eyJhY3NUcmFu" + "c0lE" * 20
LONG = "eyJhY3NUcmFu" + "x" * (SLICE_LENGTH + 2 * REACH)
PARTS = (CHECKOUT, CHALLENGE, PACKED, "<td>eyJ</td>", "8a82941", "acs/challenge ", '"', "\n")


@pytest.mark.parametrize("opening", [CHECKOUT, CHALLENGE, PACKED, LONG])
def test_an_opening_at_the_end_of_a_slice_is_cut_whole(opening: str) -> None:
    for start in range(SLICE_LENGTH - 150, SLICE_LENGTH + 3, 3):
        text = "-" * start + opening + " " + opening + "-" * 9
        found = "".join(cut_in_slices(text))
        assert found == cut_openings(text) and opening not in found


@pytest.mark.parametrize("seed", range(5))
def test_slices_find_what_is_found_in_the_whole(seed: int) -> None:
    chosen = random.Random(seed)
    text = "".join(chosen.choices((*PARTS, LONG), (*(30 for _ in PARTS), 1), k=9_000))
    pieces = list(cut_in_slices(text))
    assert "".join(pieces) == cut_openings(text)
    assert len(pieces) >= len(text) // SLICE_LENGTH
