"""Numbers in chains of digit groups: the longest, wherever its first digit stands in its group."""

import pytest

from simulator.domain.core.card_ranges import passes_luhn
from simulator.domain.masking.card_numbers import mask_card_numbers
from simulator.domain.masking.chains import numbers_in

# No brand has such numbers: only the way it is written says that it may be one.
LONGEST = "9" * 17 + "56"
VISA = "4200000000000000"


def groups_of(text: str) -> list[tuple[int, int]]:
    """The groups of a text in which one sign stands between two."""
    found, start = [], 0
    for group in text.split("-"):
        found.append((start, start + len(group)))
        start += len(group) + 1
    return found


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("4200-0000-0000-0000", [VISA]),
        ("1-4200-0000-0000-0000-1", [VISA]),
        ("94200-0000-0000-0000", [VISA]),
        ("4200-0000-0000-00009", [VISA]),
        ("4200-0000-0000-0000-4200-0000-0000-0000", [VISA, VISA]),
        (f"1-{VISA}-1", [VISA]),
        ("-".join(LONGEST), [LONGEST]),
        (f"7{'-'.join(LONGEST)}", [LONGEST]),
        ("42-00-0000-0001", []),
        ("1-2-3", []),
    ],
)
def test_the_longest_number_of_each_group_is_found(text: str, digits: list[str]) -> None:
    assert [each.digits for each in numbers_in(text, groups_of(text))] == digits


def test_the_longest_number_is_masked_where_other_digits_run_into_it() -> None:
    assert passes_luhn(LONGEST)
    shown = mask_card_numbers(f"id 7{'-'.join(LONGEST)} end")
    assert shown == f"id 7{LONGEST[:6]}{'*' * 9}{LONGEST[-4:]} end"
