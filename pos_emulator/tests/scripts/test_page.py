"""The story and the tests of the page of the docs run as they stand there."""

import re
from pathlib import Path

from pos_emulator.scripts.scripted import ScriptedTerminal
from pos_emulator.scripts.stories import ENDINGS, STAGES, read_story
from simulator.client.tests.test_pytest_plugin import run_pytest

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "terminal-scripts.md"


def blocks(language: str) -> list[str]:
    pattern = rf"^```{language}\n(.*?)^```"
    return re.findall(pattern, PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_story_of_the_page_ends_as_it_says(sandgate_terminal: ScriptedTerminal) -> None:
    (written,) = blocks("yaml")

    played = list(sandgate_terminal.play(read_story(written)))

    assert [each.problems for each in played] == [(), (), ()]


def test_the_tests_of_the_page_pass(tmp_path: Path) -> None:
    (written,) = blocks("python")

    assert "2 passed" in run_pytest(tmp_path, written)[1]


def test_the_page_lists_every_ending_and_stage() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert [word for word in (*ENDINGS, *STAGES) if f"`{word}`" not in text] == []
