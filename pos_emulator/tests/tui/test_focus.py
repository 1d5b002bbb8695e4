"""While the terminal waits for its keys they are its own, wherever the focus of the window is."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep

import pytest
from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from pos_emulator.counter.opening import Counter
from pos_emulator.tests.tui.test_window import AMOUNT, SIZE, take
from pos_emulator.tui.window import TerminalWindow

PLACES = ["cards", "amount", "events"]
ASKED_PIN = (AMOUNT, ("7 0 enter", "i inserts"), ("i", "then Enter"))
ASKED_SIGNATURE = (AMOUNT, ("7 0 enter", "i inserts"), ("down i", "SIGNATURE"))
AFTER_S, END_S_MAX = 0.3, 5.0


def used(counter: Counter, use: Callable[[Pilot], Awaitable[None]]) -> None:
    """Use a window."""

    async def _use() -> None:
        window = TerminalWindow(
            counter.terminal, counter.desk, till=counter.till, feed=counter.feed
        )
        async with window.run_test(size=SIZE) as pilot:
            await use(pilot)

    try:
        asyncio.run(_use())
    finally:
        end_payment(counter)


def end_payment(counter: Counter) -> None:
    """Let no payment of a test that failed keep the terminal from the next one."""
    counter.terminal.abort("")
    ends_at = monotonic() + END_S_MAX
    while counter.desk.view.question is not None and monotonic() < ends_at:
        sleep(0.01)


def typed(pilot: Pilot) -> str:
    """What stands in the field of the amount."""
    return pilot.app.query_one("#amount", Input).value


@pytest.mark.parametrize("place", PLACES)
def test_a_pin_is_typed_wherever_a_click_has_set_the_focus(counter: Counter, place: str) -> None:
    async def use(pilot: Pilot) -> None:
        await take(pilot, *ASKED_PIN)
        await pilot.click(f"#{place}", offset=(3, 1) if place != "amount" else (3, 0))
        await take(pilot, ("1 2 9", "***"), ("backspace", "**"))
        await take(pilot, ("3 4", "****"), ("enter", "approved"))
        assert typed(pilot) == ""

    used(counter, use)


@pytest.mark.parametrize("steps", range(4))
def test_a_pin_is_typed_wherever_tab_has_set_the_focus(counter: Counter, steps: int) -> None:
    async def use(pilot: Pilot) -> None:
        await take(pilot, *ASKED_PIN)
        await pilot.press(*["tab"] * steps)
        await take(pilot, ("1 2 3 4", "****"), ("enter", "approved"))
        assert typed(pilot) == ""

    used(counter, use)


def test_a_pin_that_is_asked_for_while_an_amount_is_typed_goes_to_the_terminal(
    counter: Counter,
) -> None:
    async def use(pilot: Pilot) -> None:
        await take(pilot, AMOUNT, ("7 0 enter", "i inserts"), ("s", "Type the amount"))
        counter.desk.present_card("gold", "chip")
        while (asked := counter.desk.view.question) is None or asked.kind != "pin":
            await asyncio.sleep(0)
        pilot.app.post_message(Paste("99"))
        await take(pilot, ("1 2 3 4", "****"))
        assert typed(pilot) == ""
        await take(pilot, ("enter", "approved"))

    used(counter, use)


def test_a_choice_is_made_by_a_digit_while_an_amount_is_typed(counter: Counter) -> None:
    async def use(pilot: Pilot) -> None:
        await take(pilot, AMOUNT)
        with ThreadPoolExecutor(1) as pool:
            chosen = pool.submit(counter.desk.choose, ["DEBIT", "CREDIT"])
            while counter.desk.view.question is None:
                await asyncio.sleep(0)
            await pilot.press("2")
            assert typed(pilot) == ""
            assert await asyncio.wrap_future(chosen) == 1

    used(counter, use)


@pytest.mark.parametrize("key", ["s", "5 s"])
def test_no_amount_is_asked_for_meanwhile(counter: Counter, key: str) -> None:
    async def use(pilot: Pilot) -> None:
        await take(pilot, *ASKED_PIN, (key, "the terminal asks for a pin now"))
        await take(pilot, ("escape", "canceled by the cardholder"))

    used(counter, use)


@pytest.mark.parametrize("asked", [ASKED_PIN, ASKED_SIGNATURE], ids=["pin", "signature"])
def test_a_click_on_a_card_chooses_it_and_answers_nothing(
    counter: Counter, asked: tuple[tuple[str, str], ...]
) -> None:
    async def use(pilot: Pilot) -> None:
        await take(pilot, *asked)
        await pilot.press("1", "2", "3", "4")
        question = counter.desk.view.question
        await pilot.click("#cards", offset=(3, 5))
        await pilot.pause(AFTER_S)
        assert pilot.app.query_one("#cards", OptionList).highlighted == 4
        assert counter.desk.view.question is question is not None
        await take(pilot, ("enter", "approved"))

    used(counter, use)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("key", "word"),
    [("enter", "approved"), ("escape", "signature was refused")],
    ids=["green", "red"],
)
def test_a_signature_is_judged_wherever_the_focus_is(
    counter: Counter, place: str, key: str, word: str
) -> None:
    async def use(pilot: Pilot) -> None:
        await take(pilot, *ASKED_SIGNATURE)
        await pilot.click(f"#{place}", offset=(3, 1) if place != "amount" else (3, 0))
        await pilot.press("7")
        assert typed(pilot) == ""
        await take(pilot, (key, word))

    used(counter, use)


def test_the_field_of_the_amount_is_there_again_afterwards(counter: Counter) -> None:
    async def use(pilot: Pilot) -> None:
        await take(pilot, *ASKED_PIN, ("1 2 3 4 enter", "approved"))
        await take(pilot, AMOUNT, ("5 enter", "i inserts"), ("escape", "canceled"))

    used(counter, use)
