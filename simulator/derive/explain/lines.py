"""Labeled lines: how every explanation is laid out."""

from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Any

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


def explanations_in(lines: Iterable[str]) -> list[dict[str, Any]]:
    """The same for programs: a title and its facts, each a label with what stands behind it."""
    found: list[dict[str, Any]] = []
    for line in lines:
        if line and not line.startswith(" "):
            found.append({"title": line, "facts": []})
        elif line.strip() and line[:INDENT].strip():
            label, words = _parts_of(line.strip())
            found[-1]["facts"].append({"label": label, "text": words})
        elif line.strip():
            found[-1]["facts"][-1]["text"] += f" {line.strip()}"
    return found


def _parts_of(line: str) -> tuple[str, str]:
    """The label of a line, which ends at two blanks or, where it is long, at the first one."""
    label, gap, words = line.partition("  ")
    if not gap:
        label, _, words = line.partition(" ")
    return label, words.strip()
