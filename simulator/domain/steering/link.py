"""Faults of the connection to the card host, where a script asks for them."""

from collections.abc import Sequence
from typing import NamedTuple

from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.core.records import Look, Script
from simulator.domain.steering.matching_scripts import match_scripts, steers_link, steps_of


class LinkSteering(NamedTuple):
    """The fault of the connection, if any, and the scripts that counted."""

    fault: str | None = None
    counted: tuple[Script | Look, ...] = ()


NO_LINK_FAULT = LinkSteering()


def link_steering(
    ask: AcquirerRequest, scripts: Sequence[Script], *, fault: str | None
) -> LinkSteering:
    """The fault of the newest script that matches and steers the connection alone, else `fault`,
    the step of the behaviour that answers for the acquirer. Called for a payment by the link alone.
    """
    speaking = [each for each in scripts if steers_link(each)]
    if not speaking:
        return LinkSteering(fault)
    script_match = match_scripts(ask, speaking)
    script = script_match.answers
    return LinkSteering(
        fault if script is None else str(steps_of(script)["link"]), script_match.counted
    )
