"""What happens to the answer of a card host on its line, where a script says it."""

from collections.abc import Sequence
from typing import NamedTuple

from scenarios.steering.matching_scripts import hear, speaks_for_the_link, steps_of
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.core.records import Script


class LineHeard(NamedTuple):
    """What happens on the line, if anything, and the scripts that counted."""

    fault: str | None = None
    counted: tuple[Script, ...] = ()


QUIET = LineHeard()


def line_of(ask: AcquirerRequest, scripts: Sequence[Script], *, fault: str | None) -> LineHeard:
    """The fault of the newest script that fits and speaks of the line alone, else `fault`, the step
    of the behaviour that answers for the acquirer. Inside the process there is no line.
    """
    if not ask.by_link:
        return QUIET
    speaking = [each for each in scripts if speaks_for_the_link(each)]
    if not speaking:
        return LineHeard(fault)
    hearing = hear(ask, speaking)
    script = hearing.answers
    return LineHeard(fault if script is None else str(steps_of(script)["link"]), hearing.counted)
