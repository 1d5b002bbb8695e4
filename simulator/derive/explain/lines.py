"""Labeled lines: how every explanation is laid out."""

from collections.abc import Iterator
from textwrap import wrap

WIDTH, INDENT = 100, 14


def labeled(label: str, words: str) -> Iterator[str]:
    """`words` behind a label, continued below where they are longer; nothing without words."""
    yield from wrap(
        words,
        WIDTH,
        initial_indent=f"  {label}".ljust(INDENT),
        subsequent_indent=" " * INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
