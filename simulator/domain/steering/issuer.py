"""What the issuer of a card at a terminal answers, where a script says it. Choice: D-439."""

from collections.abc import Sequence
from typing import NamedTuple

from scenarios.records import IssuerSteps, behaviour_of
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.core.records import Look, Script
from simulator.domain.steering.matching_scripts import match_scripts, steers_issuer


class IssuerSteering(NamedTuple):
    """The steps of the issuer, if any, who says so, and the scripts that counted."""

    steps: IssuerSteps | None = None
    decided_by: str = ""
    counted: tuple[Script | Look, ...] = ()


NO_ISSUER_STEPS = IssuerSteering()


def issuer_steering(
    ask: AcquirerRequest,
    scripts: Sequence[Script],
    *,
    steps: IssuerSteps | None,
    decided_by: str,
) -> IssuerSteering:
    """The steps of the newest script that matches and steers the issuer alone, else `steps`, those
    of the behaviour that answers for the acquirer. Called for a payment at a terminal alone.
    """
    speaking = [each for each in scripts if steers_issuer(each)]
    script_match = match_scripts(ask, speaking)
    script = script_match.answers
    if script is None:
        return IssuerSteering(steps, decided_by, script_match.counted)
    found = behaviour_of(script.behaviour).steps.issuer
    return IssuerSteering(found, f"script {script.id}", script_match.counted)
