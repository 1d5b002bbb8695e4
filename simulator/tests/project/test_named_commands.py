"""Every command that a text, a page or a message names exists."""

import re
from collections.abc import Iterator
from pathlib import Path

from simulator.tests.commands.test_surface import ROWS, commands
from simulator.tests.kit.trees import PACKAGES, ROOT

# A quotation mark, as in messages, or a backtick, as in pages, stands before it.
NAMED = re.compile(r"[`'\"]sandgate ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?(?=[`'\" ])")
ENDINGS = ("*.py", "*.html", "*.toml", "*.js", "*.yaml", "*.feature")
HIDDEN = {row.name for row in ROWS}


def texts() -> Iterator[Path]:
    """What people read, or what it is written in; tests name commands that there are not."""
    yield from (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
    for package in PACKAGES:
        for ending in ENDINGS:
            found = (ROOT / package).rglob(ending)
            yield from (each for each in found if "tests" not in each.parts)


def is_command(name: str, member: str) -> bool:
    """Whether these words call something; a group may be named alone."""
    members = {words.partition(" ")[2] for words in commands() if words.partition(" ")[0] == name}
    return name in HIDDEN and (not member or members == {""} or member in members)


def test_every_command_that_is_named_exists() -> None:
    """The page Terminals of the console said `sandgate terminal create`, which is `new`."""
    missing = [
        f"{path.relative_to(ROOT)}: sandgate {name} {member}"
        for path in texts()
        if path.name != "CHANGELOG.md"
        for name, member in NAMED.findall(path.read_text(encoding="utf-8"))
        if not is_command(name, member)
    ]

    assert missing == []
