"""Numbers by hash: all of them are found as they were added, however many share a hash."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from simulator.domain.settlement.slots import HashSlots

MANY = 5_000


@given(st.lists(st.integers(-3, 3)))
def test_the_numbers_of_a_hash_are_found_in_their_order(hashes: list[int]) -> None:
    slots = HashSlots()
    for number, hashed in enumerate(hashes):
        slots.add(hashed, number)

    for hashed in range(-4, 5):
        expected = [number for number, each in enumerate(hashes) if each == hashed]
        assert list(slots.find(hashed)) == expected


def test_a_table_that_grows_keeps_what_it_has() -> None:
    chance, slots = Random(1), HashSlots()
    hashes = [chance.getrandbits(64) - 2**63 for _ in range(MANY)]
    for number, hashed in enumerate(hashes):
        slots.add(hashed, number)

    assert [next(slots.find(hashed)) for hashed in hashes] == [*range(MANY)]
    assert list(slots.find(1)) == []
