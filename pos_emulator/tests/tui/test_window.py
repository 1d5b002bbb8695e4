"""The text window, operated by the pilot of its library: sales, a fault, a cable, wrong amounts."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from pos_emulator.counter.opening import Counter
from pos_emulator.tui.window import TerminalWindow

SIZE = (80, 24)
LOOKS_MAX = 400
AMOUNT = ("s", "Type the amount")


def operated(counter: Counter, *steps: tuple[str, str]) -> dict[str, str]:
    """Press keys, and wait after each step until a word is shown above; what the parts show
    at the end.
    """
    return asyncio.run(_operate(counter, steps))


async def _operate(counter: Counter, steps: tuple[tuple[str, str], ...]) -> dict[str, str]:
    window = TerminalWindow(counter.terminal, counter.desk, till=counter.till, feed=counter.feed)
    async with window.run_test(size=SIZE) as pilot:
        await take(pilot, *steps)
        return _shown(window)


async def take(pilot: Pilot, *steps: tuple[str, str]) -> None:
    """Press the keys of each step, and wait until its word is shown."""
    for keys, word in steps:
        await pilot.press(*keys.split())
        await _until(pilot, lambda word=word: word in _seen(pilot.app))


def _shown(window: TerminalWindow) -> dict[str, str]:
    return {
        name: str(window.query_one(f"#{name}", Static).content)
        for name in ("screen", "about", "happened", "paper")
    }


def _seen(window: TerminalWindow) -> str:
    """What the display shows, and the line about card and network."""
    shown = _shown(window)
    return f"{shown['screen']}\n{shown['about']}"


async def _until(pilot: Pilot, holds: Callable[[], bool]) -> None:
    for _ in range(LOOKS_MAX):
        if holds():
            return
        await pilot.pause(0.05)
    raise AssertionError(_shown(pilot.app))


def test_a_dip_by_the_keyboard(counter: Counter) -> None:
    shown = operated(
        counter,
        AMOUNT,
        ("1 2 . 5 0 enter", "i inserts"),
        ("i", "then Enter"),
        ("1 2 3", "***"),
        ("backspace", "**"),
        ("3 4 enter", "approved"),
    )

    assert "GENERATE AC" in shown["happened"]
    assert "EUR 12.50" in shown["paper"] and "CARDHOLDER COPY" in shown["paper"]
    assert "1234" not in shown["screen"] + shown["happened"]


@pytest.mark.parametrize("keys", [["q"], ["ctrl+c"], ["s", "ctrl+c"]])
def test_either_key_switches_it_off(counter: Counter, keys: list[str]) -> None:
    async def is_over() -> bool:
        window = TerminalWindow(
            counter.terminal, counter.desk, till=counter.till, feed=counter.feed
        )
        async with window.run_test(size=SIZE) as pilot:
            await pilot.press(*keys)
            await pilot.pause(0.1)
            return window._exit

    assert asyncio.run(is_over())


@pytest.mark.parametrize("width", [46, 80])
def test_the_key_that_ends_it_is_at_the_foot_of_a_narrow_window(
    counter: Counter, width: int
) -> None:
    async def first_keys() -> list[str]:
        window = TerminalWindow(
            counter.terminal, counter.desk, till=counter.till, feed=counter.feed
        )
        async with window.run_test(size=(width, 24)) as pilot:
            shown: list[str] = []
            for _ in range(100):
                await pilot.pause(0.1)
                keys = window.query("FooterKey").results()
                # Before it is laid out a key has no region.
                shown = [key.key for key in keys if 0 < key.region.right <= width]
                if shown:
                    break
            return shown

    assert "q" in asyncio.run(first_keys())


TUI = (sys.executable, "-m", "simulator", "terminal", "run", "--tui")


@pytest.mark.parametrize("kind", ["dumb", "unknown"])
def test_a_terminal_that_knows_no_codes_for_its_screen_gets_none(kind: str) -> None:
    status, said = started_on_a_screen(env={**os.environ, "TERM": kind})

    assert status == 2
    assert f"--tui: expected a terminal that shows a text window, but TERM is {kind}" in said


@pytest.mark.parametrize(
    ("stream", "name"), [("stdin", "input"), ("stdout", "output"), ("stderr", "error")]
)
def test_a_window_is_refused_where_a_stream_of_it_is_redirected(
    stream: str, name: str, tmp_path: Path
) -> None:
    """The library draws on standard error: with `2>file` nothing was shown, and nothing said."""
    with (tmp_path / "other").open("w+") as other:
        status, said = started_on_a_screen(env={**os.environ, "TERM": "xterm"}, **{stream: other})
        other.seek(0)
        said += other.read()

    assert status == 2
    assert f"--tui: expected a text window, but standard {name} is redirected; leave" in said


def started_on_a_screen(**options: Any) -> tuple[int, str]:
    """The status of a start that ends at once, and what it wrote on the screen."""
    ours, theirs = os.openpty()
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs, **options}
    done = subprocess.run(TUI, timeout=60, check=False, **streams)
    os.write(theirs, b".")
    said = os.read(ours, 65536).decode()
    os.close(ours)
    os.close(theirs)
    return done.returncode, said


def test_the_red_key_ends_it(counter: Counter) -> None:
    operated(counter, AMOUNT, ("5 enter", "i inserts"), ("escape", "canceled by the cardholder"))


@pytest.mark.parametrize(
    ("keys", "word"),
    [
        ("i", "start a payment"),
        ("p p", "no card"),
        ("escape", "asks for nothing"),
    ],
)
def test_a_key_that_does_nothing_now_says_why(counter: Counter, keys: str, word: str) -> None:
    operated(counter, (keys, word))


@pytest.mark.parametrize(
    ("keys", "word"),
    [
        ("x enter", "expected digits"),
        ("- 1 enter", "expected digits"),
        ("0 enter", "expected more than 0"),
        ("enter", "expected digits"),
    ],
)
def test_what_is_no_amount_starts_nothing(counter: Counter, keys: str, word: str) -> None:
    operated(counter, AMOUNT, (keys, word))


def test_card_fault_and_cable_are_shown(counter: Counter) -> None:
    shown = operated(counter, ("down f u", "UNPLUGGED"))

    assert "signature only" in shown["about"]
    assert "never answers" in shown["about"] and "UNPLUGGED" in shown["about"]
    counter.desk.choose_fault("none")
    counter.terminal.network_up = True
