"""A security code is found where a server discloses it, and not where an id has its digits."""

import pytest

from features.support.disclosure import is_disclosed, is_shown_as

ID = "8642c74c8b7f03ce8fd45029132d4a4b"


@pytest.mark.parametrize("shown", ["{'cvv': '8642'}", "cvv8642", f"{ID} 8642", f"ndc {ID}-8642"])
def test_a_code_is_disclosed(shown: str) -> None:
    assert is_disclosed("8642", shown)


@pytest.mark.parametrize("shown", ["", ID, f"{{'ndc': '{ID}-{ID[::-1]}'}}", "***"])
def test_a_code_in_an_id_is_not_disclosed(shown: str) -> None:
    assert not is_disclosed("8642", shown)


def test_a_long_text_is_found_in_an_id() -> None:
    assert is_disclosed("4012888888881881", f"{ID[:16]}4012888888881881")


NUMBERED = "8d52f38d5155bcd6f105441236947d98"


@pytest.mark.parametrize(
    ("shown", "holds"),
    [
        (NUMBERED, True),
        (f"0328d20e472032{NUMBERED}", True),
        ("0328d20e4720328d52f38d5155bcd6f********6947d98", True),
        ("8d52f38d5155bcd6f1054412369*****", False),
        ("8d52f38d5155bcd6f********6947d99", False),
        ("9d52f38d5155bcd6f********6947d98", False),
        (NUMBERED[1:], False),
        ("", False),
    ],
)
def test_an_id_is_known_though_its_digits_are_masked(shown: str, holds: bool) -> None:
    assert is_shown_as(NUMBERED, shown) is holds
