"""What a command of the shell steers is recorded as the page that does the same records it. Choice:
D-530.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from markupsafe import Markup

from simulator.catalogue.console_words import say
from simulator.client.wire import Answer
from simulator.domain.holding import Stop
from simulator.domain.ports.console import ConsolePorts
from simulator.service.console.recording import (
    note_answered,
    note_control,
    note_disarmed,
    note_settled,
)

ANSWER, DISARM, SETTLE = "hold answer", "script disarm", "settle run"
# What the story says of a command that is recorded, from its arguments.
SAID: Mapping[str, Callable[[Mapping[str, Any]], Markup]] = {
    "clock set": lambda given: say("recording.clock_set", mode=given["mode"]),
    "clock advance": lambda given: say("recording.clock_advanced", by=given["by"]),
    "clock drain": lambda given: say("recording.drained"),
    "script arm": lambda given: say("recording.armed", behaviour=given["behaviour"]),
}


class RanCommand(NamedTuple):
    """A command that was run: its words and arguments, and the request that it sent."""

    words: str
    given: Mapping[str, Any]
    method: str
    path: str
    document: Mapping[str, Any]


def note_command(
    console: ConsolePorts, sandbox: str, ran: RanCommand, answer: Answer, *, by: str
) -> None:
    """Record a command that was not refused, if it is one that steers."""
    if answer.status >= 400:
        return
    if ran.words == ANSWER and isinstance(answer.body, dict):
        stop = Stop(answer.body["party"])
        note_answered(console, sandbox, stop, ran.given["answer"], by=by)
    elif ran.words == DISARM:
        note_disarmed(console, sandbox, ran.given["id"], by=by)
    elif ran.words == SETTLE:
        note_settled(console, sandbox, by=by)
    elif ran.words in SAID:
        note_control(
            console,
            sandbox,
            by=by,
            say=str(SAID[ran.words](ran.given)),
            method=ran.method,
            path=ran.path,
            document=ran.document,
            status=answer.status,
            found={"id": answer.id} if answer.id else {},
        )
