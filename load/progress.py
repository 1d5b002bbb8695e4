"""How a long run reports its progress: a function that takes one line of text."""

from collections.abc import Callable

Progress = Callable[[str], None]


def count_of(number: int, noun: str) -> str:
    """Return a number with its noun, which takes a plural "s": 1 payment, 2,000 payments."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
