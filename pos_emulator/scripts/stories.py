"""Stories of a terminal, as they stand in YAML."""

from collections.abc import Mapping
from decimal import Decimal
from importlib.resources import files
from typing import Any, Literal

import msgspec
import yaml

from pos_emulator.card_numbers import MaskedError
from pos_emulator.gps import position_in
from pos_emulator.kernel.models import MODELS, short_name
from pos_emulator.receipts.conversion import ConversionRates
from pos_emulator.scripts.acts import Act, check_known
from pos_emulator.terminal.records import Ending, Stage
from simulator.client.shown.misfits import said_of_file

STORY_BYTES_MAX = 64 * 1024
STEPS_MAX, ACTS_MAX, DEPTH_MAX = 200, 20, 20
Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# What the library raises for text that is not what its tag says, such as `!!bool x`.
UNREADABLE = (LookupError, ArithmeticError, AttributeError)
OrderName = Literal["sale", "refund", "pre-authorization", "capture", "void"]


class TerminalStoryError(MaskedError, ValueError):
    """A file is no story; the message names the place, what was expected and what was received."""


def word_of(member: Ending | Stage) -> str:
    """An ending or a stage as stories have it, such as card-removed."""
    return member.name.lower().replace("_", "-")


ENDINGS = tuple(word_of(each) for each in Ending)
STAGES = tuple(word_of(each) for each in Stage)


class ExpectedOutcome(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What must hold after a step; what is left out is not looked at.

    `ending` is one of ENDINGS, `stage` one of STAGES, `status` is
    pos.statusText on the receipt, `code` the response code, `result` the result code of the
    gateway, `charged` what the card was charged in its own currency, such as EUR 51.75, empty
    where that is the till's, `display` a text that was shown, `open` and `differences` counts at
    the end of a day.
    """

    ending: str | None = None
    stage: str | None = None
    status: str | None = None
    code: str | None = None
    result: str | None = None
    offline: bool | None = None
    approved: Decimal | None = None
    charged: str | None = None
    entry_mode: str | None = None
    tries_left: int | None = None
    display: str | None = None
    open: int | None = None
    differences: int | None = None

    def __post_init__(self) -> None:
        if self.ending is not None:
            check_known("ending", self.ending, ENDINGS)
        if self.stage is not None:
            check_known("stage", self.stage, STAGES)


class Step(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step: exactly one of `order`, `network`, `position`, `advance`, `arm`, `work`, `restart`
    and `close`.

    An order has an amount, or `of`, the name of an earlier one; `holder` is what the people at the
    terminal do. `say` is what a trainer says. `advance` moves the clock of the sandbox, `arm` arms
    a behaviour of the gateway once, `position` moves a terminal with GPS, `work` has the terminal
    try what is left over, `restart` cuts its power, and `close` ends the day.
    """

    order: OrderName | None = None
    network: Literal["plugged", "unplugged"] | None = None
    position: str | None = None
    advance: str | None = None
    arm: str | Mapping[str, Any] | None = None
    work: Literal[True] | None = None
    restart: Literal[True] | None = None
    close: Literal[True] | None = None
    say: str = ""
    name: str = ""
    of: str = ""
    amount: Decimal | None = None
    currency: str = "EUR"
    holder: tuple[Act, ...] = ()
    expect: ExpectedOutcome = ExpectedOutcome()

    def __post_init__(self) -> None:
        if len(self.given) != 1:
            raise ValueError(f"expected exactly one of {', '.join(KINDS)}, got {len(self.given)}")
        if self.position:
            position_in(self.position)
        if len(self.holder) > ACTS_MAX:
            raise ValueError(f"expected at most {ACTS_MAX} acts, got {len(self.holder)}")

    @property
    def given(self) -> list[str]:
        """Which of the kinds of steps it is; one."""
        return [name for name in KINDS if getattr(self, name) is not None]

    @property
    def kind(self) -> str:
        """What kind of step it is."""
        return self.given[0]


KINDS = ("order", "network", "position", "advance", "arm", "work", "restart", "close")


class TerminalStory(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A story: its title, the model of its terminal, its steps; `conversion` has the rates at which
    a card of another currency is offered to pay in its own.
    """

    title: str
    steps: tuple[Step, ...]
    model: str = "COUNTERTOP"
    conversion: ConversionRates | None = None

    def __post_init__(self) -> None:
        if self.conversion is not None and (found := self.conversion.complaint()):
            raise ValueError(f"conversion: {found}")
        check_known("model", short_name(self.model), MODELS)
        if len(self.steps) > STEPS_MAX:
            raise ValueError(f"expected at most {STEPS_MAX} steps, got {len(self.steps)}")


def read_story(written: str) -> TerminalStory:
    """The story in a YAML text. Raises TerminalStoryError."""
    if len(written.encode()) > STORY_BYTES_MAX:
        raise TerminalStoryError(
            f"expected at most {STORY_BYTES_MAX} bytes, got {len(written.encode())}"
        )
    document = _document(written)
    try:
        return msgspec.convert(document, TerminalStory)
    except msgspec.ValidationError as error:
        raise TerminalStoryError(said_of_file(error, document, TerminalStory)) from None


def _document(written: str) -> Any:
    try:
        _refuse_hostile(written)
        return yaml.load(written, Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f" in line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        reason = getattr(error, "problem", None) or "no text"
        raise TerminalStoryError(f"expected YAML, got: {reason}{place}") from None
    # A date that there is none of is a ValueError.
    except (RecursionError, ValueError) as error:
        raise TerminalStoryError(" ".join(str(error).split())) from None
    except UNREADABLE:
        raise TerminalStoryError("expected values that can be read as their tags say") from None


def _refuse_hostile(written: str) -> None:
    """Raise TerminalStoryError for an alias, of which a few lines make a document without end, for
    what lies too deep, which takes the library a time that grows with its depth squared, and for
    signs that would steer the window in which a story is played.
    """
    depth = 0
    for event in yaml.parse(written, Loader):
        if isinstance(event, yaml.AliasEvent):
            raise TerminalStoryError(f"expected no alias, got *{event.anchor}")
        if isinstance(event, yaml.ScalarEvent) and not event.value.replace("\n", "").isprintable():
            raise TerminalStoryError("expected texts of printable signs, got another one")
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > DEPTH_MAX:
            raise TerminalStoryError(
                f"expected at most {DEPTH_MAX} lists and mappings in each other"
            )


def shipped_stories() -> dict[str, TerminalStory]:
    """The stories that are shipped, by name."""
    folder = files(__package__).joinpath("stories")
    found = sorted(each.name for each in folder.iterdir() if each.name.endswith(".yaml"))
    return {
        name.removesuffix(".yaml"): read_story(folder.joinpath(name).read_text(encoding="utf-8"))
        for name in found
    }
