"""The packed bodies beside a dict: both hold the same after each put, replacement and removal."""

import tracemalloc
from random import Random

import pytest

from simulator.adapters.store.bodies import (
    FIRST_BYTES,
    LENGTH_MASK,
    SLAB_BYTES,
    Bodies,
    SharedParts,
)

LENGTHS = (0, 1, 300, FIRST_BYTES, 20_000, SLAB_BYTES, SLAB_BYTES + 1)


def changed_at_random(bodies: Bodies, count: int, lengths: tuple[int, ...]) -> dict[str, bytes]:
    """Change the bodies of a few ids so many times; what they must hold then."""
    draw, expected = Random(count), {}
    for number in range(count):
        identity = f"id{draw.randrange(200)}"
        if draw.random() < 0.3:
            bodies.remove(identity)
            expected.pop(identity, None)
        else:
            expected[identity] = b"%d " % number * draw.choice(lengths)
            bodies.put(identity, expected[identity])
    return expected


@pytest.mark.parametrize("length", LENGTHS)
def test_a_body_comes_back_whatever_its_length(length: int) -> None:
    bodies, body = Bodies(), b"x" * length
    bodies.put("before", b"one")
    bodies.put("it", body)
    bodies.put("after", b"two")
    assert [*bodies.items()] == [("before", b"one"), ("it", body), ("after", b"two")]


def test_what_is_replaced_or_removed_is_as_in_a_dict() -> None:
    bodies = Bodies()
    expected = changed_at_random(bodies, 3000, (1, 40, 700, 9000))
    assert dict(bodies.items()) == expected
    assert len(bodies) == len(expected)
    assert {*bodies} == {*expected}
    for number in range(200):
        identity = f"id{number}"
        assert bodies.get(identity) == expected.get(identity)
        assert (identity in bodies) == (identity in expected)


def test_a_copy_keeps_what_it_was_made_of() -> None:
    bodies = Bodies()
    expected = changed_at_random(bodies, 500, (1, 700, 9000))
    copy = bodies.copy()
    changed_at_random(bodies, 1500, (1, 700, 9000))
    assert dict(copy.items()) == expected


def test_what_is_replaced_again_and_again_gives_its_memory_back() -> None:
    bodies = Bodies()
    tracemalloc.start()
    try:
        for number in range(40):
            for place in range(300):
                bodies.put(f"id{place}", b"%06d" % number * 500)
        size, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # Forty times as much was put as is held.
    assert size < 3 * 300 * 3000
    assert all(body == b"000039" * 500 for _, body in bodies.items())


def test_an_unused_table_holds_no_slab() -> None:
    bodies = Bodies()
    assert not len(bodies)
    assert bodies.get("a") is None
    bodies.remove("a")
    with pytest.raises(KeyError):
        bodies["a"]


def test_a_body_longer_than_a_place_can_say_is_refused() -> None:
    bodies = Bodies()
    with pytest.raises(ValueError, match="at most 67108863 bytes"):
        bodies.put("a", bytes(LENGTH_MASK + 1))
    assert "a" not in bodies


# A part between two members, as a payment has one.
STAMPED = b'[7,{"id":"a","type":"DB","stamp":{"psp":"p","name":"n"},"at":1,"sent":{"x":"y"}}]'


@pytest.mark.parametrize(
    "body",
    [
        STAMPED,
        STAMPED.replace(b'"n"', b'"a } brace"'),
        STAMPED.replace(b'"y"', b'"\\"type\\": \\"stamp\\":{"'),
        STAMPED.replace(b'"type"', b'"kind"'),
        STAMPED.replace(b'"stamp"', b'"other"'),
        b'{"stamp":{"psp":"p"},"type":"DB"}',
        b'"type":"stamp":{',
        b"null",
        b"",
    ],
)
def test_a_body_with_a_shared_part_comes_back_byte_by_byte(body: bytes) -> None:
    bodies = Bodies(SharedParts("type", "stamp"))
    for identity in ("a", "b"):
        bodies.put(identity, body)
    bodies.put("c", STAMPED)
    assert [*bodies.items()] == [("a", body), ("b", body), ("c", STAMPED)]


def test_a_part_of_a_single_member_is_shared_too() -> None:
    bodies, body = Bodies(SharedParts("stamp", "stamp")), STAMPED.replace(b'"type":"DB",', b"")
    bodies.put("a", body)
    assert bodies["a"] == body


def test_bodies_that_share_a_part_hold_it_once() -> None:
    body = STAMPED.replace(b'"p"', b'"' + b"p" * 2000 + b'"')

    def size_with(shared: SharedParts | None) -> int:
        tracemalloc.start()
        try:
            bodies = Bodies(shared)
            for number in range(2000):
                bodies.put(f"id{number}", body)
            return tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()

    assert size_with(SharedParts("type", "stamp")) < size_with(None) / 4
