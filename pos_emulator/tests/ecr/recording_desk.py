"""A customer at a terminal who answers as a test says, and remembers what was shown and printed."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pos_emulator.ecr.ports import InputPrompt
from pos_emulator.receipts.text import render_text
from pos_emulator.terminal.records import CardInsertedError, DeskAbortedError


@dataclass
class RecordingDesk:
    """A customer who reads, and chooses as the test says; without a choice, waits."""

    chosen: int | Exception | None = 0
    shown: list[str] = field(default_factory=list)
    asked: list[tuple[str, ...]] = field(default_factory=list)
    typed: str = ""
    prompts: list[InputPrompt] = field(default_factory=list)
    printed: list[tuple[str, str]] = field(default_factory=list)
    waiting: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    timed_out: bool = False
    ends_at_card: bool = False

    def show(self, text: str) -> None:
        self.shown.append(text)

    def choose(self, labels) -> int:
        self.asked.append(tuple(labels))
        if isinstance(self.chosen, CardInsertedError) and not self.ends_at_card:
            return 0
        self.waiting.set()
        if self.chosen is None:
            assert self.ended.wait(20)
            raise DeskAbortedError(timed_out=self.timed_out)
        if isinstance(self.chosen, Exception):
            raise self.chosen
        return self.chosen

    def ask_text(self, prompt: InputPrompt) -> str:
        self.prompts.append(prompt)
        return self.typed

    @contextmanager
    def ending_at_card(self) -> Iterator[None]:
        self.ends_at_card = True
        yield
        self.ends_at_card = False

    def print_lines(self, name, lines) -> None:
        self.printed.append((name, render_text(lines)))

    def abort(self, *, timed_out: bool = False) -> None:
        self.timed_out = timed_out
        self.ended.set()
