"""Match a request with the scripts armed in a sandbox, newest first, and count."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from simulator.domain.core.records import Script
from simulator.domain.steering.matcher import Matchable, misfit, wrong_turn

NEAR_MISSES_MAX = 10


class ScriptMatch(NamedTuple):
    """The script that answers (as it was before), all that counted, and their near misses."""

    answers: Script | None = None
    counted: tuple[Script, ...] = ()
    near_misses: tuple[str, ...] = ()


NO_MATCH = ScriptMatch()


def match_scripts(ask: Matchable, scripts: Sequence[Script]) -> ScriptMatch:
    """The first script that matches, in their order; those that are used up are passed over."""
    counted: list[Script] = []
    near_misses: list[str] = []
    for script in scripts:
        if is_used_up(script):
            continue
        reason = misfit(script.match, ask)
        fitted = script.fitted if reason else script.fitted + 1
        reason = reason or wrong_turn(script.match, fitted)
        counted.append(_counted(script, fitted, reason))
        if reason is None:
            return ScriptMatch(script, tuple(counted), tuple(near_misses))
        near_misses.append(f"script {script.id}: {reason}")
    return ScriptMatch(None, tuple(counted), tuple(near_misses))


def steers_acquirer(script: Script) -> bool:
    """Whether the script says how the acquirer answers, not only which delivery faults occur."""
    return "acquirer" in steps_of(script)


def steers_shopper(script: Script) -> bool:
    """Whether the script says what the shopper does on the redirect page, and nothing of the
    acquirer.
    """
    steps = steps_of(script)
    return "bank" in steps and "acquirer" not in steps


def steers_link(script: Script) -> bool:
    """Whether the script says what happens on the line to the card host, and nothing of the
    acquirer.
    """
    steps = steps_of(script)
    return "link" in steps and "acquirer" not in steps


def steers_issuer(script: Script) -> bool:
    """Whether the script says what the issuer answers a card at a terminal, and nothing of the
    acquirer.
    """
    steps = steps_of(script)
    return "issuer" in steps and "acquirer" not in steps


def steers_risk_system(script: Script) -> bool:
    """Whether the script says what the risk system does, and nothing of the acquirer."""
    steps = steps_of(script)
    return "risk" in steps and "acquirer" not in steps


def steers_acs(script: Script) -> bool:
    """Whether the script says how 3-D Secure 2 answers for the card, alone or among others."""
    return "acs" in steps_of(script)


def steers_transport(script: Script) -> bool:
    """Whether the script says what happens to the connection of a client."""
    return "transport" in steps_of(script)


def steps_of(script: Script) -> Mapping[str, Any]:
    """What the script says of each party."""
    steps = script.behaviour.get("steps")
    return steps if isinstance(steps, Mapping) else {}


def is_used_up(script: Script) -> bool:
    """Whether the script has answered as often as it may, or its one turn has passed."""
    if script.times is not None and script.matched >= script.times:
        return True
    nth = script.match.get("nth")
    return isinstance(nth, int | float) and script.fitted >= nth


def _counted(script: Script, fitted: int, reason: str | None) -> Script:
    return replace(
        script,
        asked=script.asked + 1,
        fitted=fitted,
        matched=script.matched + (reason is None),
        near_misses=_with_near_miss(script.near_misses, reason),
    )


def _with_near_miss(texts: tuple[str, ...], reason: str | None) -> tuple[str, ...]:
    if reason is None:
        return texts
    others = tuple(text for text in texts if text != reason)
    return (*others, reason)[-NEAR_MISSES_MAX:]
