"""Match a request with the scripts armed in a sandbox, newest first, and count."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.json import encode
from msgspec.structs import replace

from simulator.domain.core.records import Look, Script
from simulator.domain.scripts import NEAR_MISSES_MAX
from simulator.domain.steering.matcher import Matchable, Texts, misfit, wrong_turn

# Of more that do not fit, what they count is stored later. Choice: D-619.
STORED_MISSES_MAX = 4


class ScriptMatch(NamedTuple):
    """The script that answers (as it was before), what is to be stored and noted of all that were
    asked, and the near misses of the first ones.
    """

    answers: Script | None = None
    counted: tuple[Script | Look, ...] = ()
    near_misses: tuple[str, ...] = ()


NO_MATCH = ScriptMatch()


def match_scripts(ask: Matchable, scripts: Sequence[Script]) -> ScriptMatch:
    """The first script that matches, in their order but those for one payment before the others;
    those that are used up are passed over.
    """
    fitting: list[Script] = []
    looks: list[Look] = []
    near_misses: list[str] = []
    texts = Texts(ask)
    answers = None
    for script in sorted(scripts, key=_is_for_any):
        if is_used_up(script):
            continue
        reason = misfit(script.match, ask, texts)
        if reason is not None:
            looks.append(Look(script, reason))
        else:
            reason = wrong_turn(script.match, script.fitted + 1)
            fitting.append(_counted(script, script.fitted + 1, reason))
        if reason is None:
            answers = script
            break
        if len(near_misses) < NEAR_MISSES_MAX:
            near_misses.append(f"script {script.id}: {reason}")
    return ScriptMatch(answers, (*_counted_looks(looks), *fitting), tuple(near_misses))


def _is_for_any(script: Script) -> bool:
    return "payment" not in script.match


def _counted_looks(looks: Sequence[Look]) -> Sequence[Script | Look]:
    """What is stored of few looks, or noted of many."""
    if len(looks) > STORED_MISSES_MAX:
        return looks
    return [_counted(script, script.fitted, reason) for script, reason in looks]


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
    # Each request asks it of each script: as a rule it is a dict, which is seen at once.
    return steps if type(steps) is dict or isinstance(steps, Mapping) else {}


def is_used_up(script: Script) -> bool:
    """Whether the script has answered as often as it may, or its one turn has passed."""
    if script.times is not None and script.matched >= script.times:
        return True
    nth = script.match.get("nth")
    return isinstance(nth, int | float) and script.fitted >= nth


def waits_for_turn(script: Script) -> bool:
    """Whether the script counts the requests that fit it until its turn comes."""
    return "nth" in script.match and not is_used_up(script)


def bytes_of_turns(scripts: Iterable[Script]) -> int:
    """How long those of them are that wait for a turn of theirs, as JSON."""
    turns = filter(waits_for_turn, scripts)
    return sum(len(encode((each.behaviour, each.match))) for each in turns)


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
