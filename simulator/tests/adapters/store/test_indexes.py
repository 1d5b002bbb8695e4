"""The ordered index beside a plain sorted list: whatever enters and leaves, both have the same."""

from random import Random

import pytest

from simulator.adapters.store.indexes import LIST_MAX, OrderedIndex, id_in, place_of

END = "~"
MANY = 3 * LIST_MAX


class Both:
    """An ordered index, and the keys it must have with the number of the record."""

    def __init__(self, keys: list[str]):
        self.index = OrderedIndex()
        self.keys = dict(enumerate(keys))
        for number, key in self.keys.items():
            self.index.move(place_of(number, f"id{number}"), None, key)

    def remove(self, number: int) -> None:
        self.index.move(place_of(number, f"id{number}"), self.keys.pop(number), None)

    def ids(self, low: str = "", high: str = END) -> list[str]:
        """What the index must have between two keys."""
        found = sorted((key, number) for number, key in self.keys.items() if low <= key < high)
        return [f"id{number}" for _, number in found]


def ids_in(entries) -> list[str]:
    return [id_in(entry) for entry in entries]


def at_random(count: int) -> list[str]:
    draw = Random(count)
    return [f"{draw.randrange(count):06d}" for _ in range(count)]


@pytest.fixture(params=["in order", "backwards", "at random", "all the same"])
def both(request: pytest.FixtureRequest) -> Both:
    rising = [f"{number:06d}" for number in range(MANY)]
    keys = {
        "in order": rising,
        "backwards": rising[::-1],
        "at random": at_random(MANY),
        "all the same": ["000007"] * MANY,
    }
    return Both(keys[request.param])


def test_entries_stand_in_order_however_they_came(both: Both) -> None:
    assert len(both.index) == MANY
    assert ids_in(both.index.between("", END)) == both.ids()
    assert ids_in(both.index.between("001000", "004200")) == both.ids("001000", "004200")


def test_what_left_is_gone_and_the_rest_stands(both: Both) -> None:
    draw = Random(7)
    for number in draw.sample(sorted(both.keys), MANY - 40):
        both.remove(number)
    assert len(both.index) == 40
    assert ids_in(both.index.between("", END)) == both.ids()
    for number in list(both.keys):
        both.remove(number)
    assert not len(both.index)
    assert list(both.index.between("", END)) == []


@pytest.mark.parametrize(("start", "most"), [(0, 5), (LIST_MAX - 2, 5), (MANY - 3, 9), (MANY, 5)])
def test_a_page_is_a_part_of_what_is_between(both: Both, start: int, most: int) -> None:
    for bounds in (("", END), ("001000", "004200"), ("9", END)):
        found, count = both.index.page(*bounds, start=start, most=most)
        wanted = both.ids(*bounds)
        assert count == len(wanted)
        assert ids_in(found) == wanted[start : start + most]


def test_who_reads_meets_what_stands_when_its_turn_comes() -> None:
    both = Both([f"{number:06d}" for number in range(MANY)])
    met = []
    for entry in both.index.between("", END):
        assert both.index.holds(entry)
        met.append(id_in(entry))
        both.remove(len(met) - 1)
    assert met == [f"id{number}" for number in range(MANY)]
    assert not len(both.index)


def test_an_entry_that_left_is_not_held() -> None:
    both = Both(at_random(MANY))
    (entry, *_) = both.index.between("", END)
    number = int(id_in(entry).removeprefix("id"))
    assert both.index.holds(entry)
    both.remove(number)
    assert not both.index.holds(entry)


def test_an_index_without_entries_has_none() -> None:
    assert list(OrderedIndex().between("", END)) == []
    assert OrderedIndex().page("", END, start=0, most=5) == ([], 0)
    assert not OrderedIndex().holds("a\0b")


def test_what_enters_together_stands_as_if_one_had_entered_after_the_other(both: Both) -> None:
    places = [place_of(number, f"id{number}") for number in both.keys]
    keys = [None if number % 7 == 0 else key for number, key in both.keys.items()]
    for number in both.keys.copy():
        if number % 7 == 0:
            both.remove(number)
    index = OrderedIndex()
    for start in range(0, MANY, 100):
        index.enter_all(keys[start : start + 100], places[start : start + 100])
    assert len(index) == len(both.index)
    assert [*index.between("", END)] == [*both.index.between("", END)]
    assert index.page("001000", END, start=9, most=50) == both.index.page(
        "001000", END, start=9, most=50
    )
