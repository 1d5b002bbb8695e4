"""Plays a story at a terminal, step by step, and compares what happens with what is expected."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pos_emulator.gps import PositionError
from pos_emulator.receipts.document import amount_text
from pos_emulator.scripts.acts import ActError, ScriptedDesk
from pos_emulator.scripts.stories import ExpectedOutcome, Step, TerminalStory, word_of
from pos_emulator.terminal.records import (
    BusyError,
    OrderError,
    OrderKind,
    OutOfOrderError,
    TerminalEntry,
    TillOrder,
    Totals,
)
from pos_emulator.terminal.terminal import Terminal
from simulator.client import ControlError

# What the people, the terminal, and the control API of the gateway may say against a step.
REFUSALS = (ActError, OrderError, BusyError, OutOfOrderError, PositionError, ControlError)


class StorySandbox(Protocol):
    """What a story needs of the sandbox: see `simulator.client.SandboxClient`."""

    def advance(self, by: str) -> Any:
        """Move the clock of the sandbox."""

    def arm(self, behaviour: str | Mapping[str, Any], **options: Any) -> Any:
        """Arm a behaviour, by name or written out."""


@dataclass(frozen=True)
class StepOutcome:
    """What came of a step: the journal entry of an order, the totals of a closed day, and each
    thing that is not as expected.
    """

    number: int
    step: Step
    entry: TerminalEntry | None = None
    totals: Totals | None = None
    shown: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


class TerminalPlayer:
    """Plays stories at one terminal. `reopen` cuts its power and switches it on again."""

    def __init__(
        self,
        terminal: Terminal,
        desk: ScriptedDesk,
        steering: StorySandbox,
        reopen: Callable[[], Terminal],
    ) -> None:
        self._terminal = terminal
        self._desk = desk
        self._steering = steering
        self._reopen = reopen
        self._receipts: dict[str, str] = {}

    def play(self, story: TerminalStory) -> Iterator[StepOutcome]:
        """The outcome of each step, as it ends; the next step begins whatever the problems are."""
        acts: Mapping[str, Callable[[int, Step], StepOutcome]] = {
            "order": self._order,
            "close": self._close,
        }
        for number, step in enumerate(story.steps, 1):
            try:
                yield acts.get(step.kind, self._steer)(number, step)
            except REFUSALS as error:
                yield StepOutcome(number, step, problems=(str(error),))

    def _order(self, number: int, step: Step) -> StepOutcome:
        self._desk.plan(step.holder)
        entry = self._terminal.run(self._order_of(step))
        if step.name:
            self._receipts[step.name] = entry.name
        shown = tuple(self._desk.shown)
        problems = (*_differences(step.expect, _facts_of(entry, shown)), *self._left())
        return StepOutcome(number, step, entry, shown=shown, problems=problems)

    def _order_of(self, step: Step) -> TillOrder:
        if step.of and step.of not in self._receipts:
            raise OrderError(f"expected the name of an earlier order, got {step.of!r}")
        return TillOrder(
            operation=OrderKind(step.order),
            amount=step.amount,
            currency=step.currency,
            receipt=self._receipts.get(step.of, ""),
        )

    def _left(self) -> tuple[str, ...]:
        left = ", ".join(act.name for act in self._desk.left)
        return (f"the terminal did not ask for: {left}",) if left else ()

    def _close(self, number: int, step: Step) -> StepOutcome:
        totals = self._terminal.close_batch()
        facts = {"open": len(totals.open_receipts), "differences": len(totals.differences)}
        return StepOutcome(number, step, totals=totals, problems=_differences(step.expect, facts))

    def _steer(self, number: int, step: Step) -> StepOutcome:
        facts: dict[str, Any] = {}
        if step.network is not None:
            self._terminal.network_up = step.network == "plugged"
        elif step.position is not None:
            self._terminal.gps.move(step.position)
        elif step.advance is not None:
            self._steering.advance(step.advance)
        elif step.arm is not None:
            self._steering.arm(step.arm, times=1)
        elif step.work:
            facts["open"] = self._terminal.work_at_once()
        else:
            self._terminal = self._reopen()
        return StepOutcome(number, step, problems=_differences(step.expect, facts))


def _facts_of(entry: TerminalEntry, shown: tuple[str, ...]) -> dict[str, Any]:
    printed, chosen = entry.printed, entry.conversion
    return {
        "ending": entry.ending and word_of(entry.ending),
        "stage": word_of(entry.stage),
        "status": printed and printed.status,
        "entry_mode": printed and printed.entry_mode,
        "code": entry.code,
        "result": entry.result_code,
        "offline": entry.is_offline,
        "approved": entry.approved,
        "charged": amount_text(chosen.amount, chosen.currency) if chosen else "",
        "tries_left": entry.tries_left,
        "display": shown,
    }


def _differences(expected: ExpectedOutcome, facts: Mapping[str, Any]) -> tuple[str, ...]:
    """Each fact that is not as expected, as a sentence."""
    wanted = {name: getattr(expected, name) for name in expected.__struct_fields__}
    return tuple(
        f"{name}: expected {value}, got {_shown(facts.get(name))}"
        for name, value in wanted.items()
        if value is not None and not _holds(value, facts.get(name))
    )


def _holds(value: Any, fact: Any) -> bool:
    return value in fact if isinstance(fact, tuple) else bool(value == fact)


def _shown(fact: Any) -> str:
    return ", ".join(fact) or "nothing" if isinstance(fact, tuple) else str(fact)
