"""What a report of a measure shows: whole ids of lines, and no card number."""

import pytest

from features.reconciling.checker import Measured, Miss
from features.reconciling.report import as_shown

CARD = "4200000000000000"


def shown(about: str) -> str:
    """What a report says a miss is about."""
    (miss,) = as_shown(Measured(misses=[Miss("not judged", about, "", "")])).misses
    return miss.about


def passes_luhn(digits: str) -> bool:
    doubled = sum(sum(divmod(2 * int(each), 10)) for each in digits[-2::-2])
    return (doubled + sum(map(int, digits[-1::-2]))) % 10 == 0


def test_the_id_of_a_line_is_whole_though_its_digits_pass_the_check_of_a_card() -> None:
    ids = [f"SGC26113001{number:09d}" for number in range(40)]
    assert any(passes_luhn(each[3:]) for each in ids)

    assert [shown(each) for each in ids] == ids


@pytest.mark.parametrize(
    "about",
    [CARD, f"SGC{CARD}", f"SGC26113001{CARD}", f"line {CARD}"],
)
def test_a_card_number_is_masked_where_an_id_should_stand(about: str) -> None:
    assert CARD[4:-4] not in shown(about)
