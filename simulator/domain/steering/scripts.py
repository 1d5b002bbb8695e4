"""Scripts: read one from the document that arms it, show one as a document."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from scenarios.codes import code_problems
from scenarios.errors import Problem, ScriptError, one_of, shown
from scenarios.known import KnownNames, impossible
from scenarios.records import Behaviour, behaviour_of, counts, document_of
from scenarios.schema import problems_of
from simulator.domain.core.records import Script
from simulator.domain.steering.known import KNOWN
from simulator.domain.steering.matching_scripts import is_used_up
from simulator.domain.steering.script_texts import refuse_secrets_in

INLINE: Mapping[str, Any] = {
    "name": "inline",
    "title": "Inline",
    "description": "A behaviour given with its script.",
}


class ReadScript(NamedTuple):
    """What a script record holds; `match` has the criteria of its behaviour too."""

    behaviour: dict[str, Any]
    match: dict[str, Any]
    times: int | None


def read_script(
    document: Any,
    behaviours: Mapping[str, Behaviour],
    known: KnownNames = KNOWN,
) -> ReadScript:
    """The script that `document` arms: {behaviour: name or inline, match: {}, times: N}.

    Criteria of the document stand beside those of its behaviour and win over equal ones. Raises
    ScriptError with expected, got and where.
    """
    _raise_first([_said_fully(each) for each in problems_of(document, kind="script")])
    behaviour = _behaviour(document["behaviour"], behaviours, known)
    refuse_secrets_in(document)
    match = {**behaviour.get("match", {}), **document.get("match", {})}
    _raise_first(list(impossible(match, behaviour["steps"], known)))
    times = document.get("times")
    return ReadScript(behaviour, match, None if times is None else int(times))


def refuse_foreign_script(script: Script) -> None:
    """Raise ScriptError, or msgspec.ValidationError, for a script that was never armed."""
    behaviour_of(script.behaviour)
    behaviour, match = _without_empty(script.behaviour), dict(script.match)
    _raise_first(problems_of(behaviour) or code_problems(behaviour, KNOWN.results))
    times = {} if script.times is None else {"times": script.times}
    _raise_first(problems_of({"behaviour": "any", "match": match, **times}, kind="script"))


def _without_empty(value: Any) -> Any:
    """Without the lists that were left out, which are stored as empty ones."""
    if isinstance(value, Mapping):
        return {key: _without_empty(each) for key, each in value.items() if each not in ([], ())}
    return value


def behaviour_named(
    name: str, behaviours: Mapping[str, Behaviour], *, where: str = "behaviour"
) -> Behaviour:
    """The behaviour called `name`. Raises ScriptError that names the nearest known one."""
    if not isinstance(name, str) or name not in behaviours:
        raise ScriptError(Problem(where, one_of(behaviours, name), shown(name)))
    return behaviours[name]


def read_default(name: str, behaviours: Mapping[str, Behaviour]) -> str:
    """The name of a behaviour that may be a channel's default. Raises ScriptError.

    One that counts its answers may not: only a script keeps the count. Choice: D-62. Nor may one
    that asks for faults of deliveries or connections: only a script may do that.
    """
    where = "default_behaviour"
    behaviour = behaviour_named(name, behaviours, where=where)
    if behaviour.steps.webhooks is not None or behaviour.steps.transport is not None:
        expected = "a behaviour of the acquirer alone (arm it as a script)"
        raise ScriptError(Problem(where, expected, shown(name)))
    if counts(behaviour):
        expected = "a behaviour that does not count its answers (arm it as a script)"
        raise ScriptError(Problem(where, expected, shown(name)))
    return name


def read_checks(names: object, behaviours: Mapping[str, Behaviour], *, where: str) -> None:
    """Raise ScriptError for the name of a risk check that is none."""
    for name in names if isinstance(names, list | tuple) else ():
        behaviour = behaviour_named(name, behaviours, where=where)
        if behaviour.steps.risk is None:
            raise ScriptError(Problem(where, "a behaviour of the risk system", shown(name)))


def show_script(script: Script) -> dict[str, object]:
    """The script as a document: what arms it again, what it has counted, and where it stands.

    `state` is "never matched", "matched" or "used up".
    """
    return {
        "id": script.id,
        "behaviour": script.behaviour,
        "match": script.match,
        "times": script.times,
        "matched": script.matched,
        "asked": script.asked,
        "near_misses": list(script.near_misses),
        "state": _state(script),
    }


def _behaviour(
    wanted: Any, behaviours: Mapping[str, Behaviour], known: KnownNames
) -> dict[str, Any]:
    if isinstance(wanted, str):
        return document_of(behaviour_named(wanted, behaviours))
    document = {**INLINE, **wanted}
    problems = problems_of(document) or code_problems(document, known.results)
    _raise_first([problem._replace(where=f"behaviour.{problem.where}") for problem in problems])
    return _shaped(document)


def _said_fully(problem: Problem) -> Problem:
    if problem == Problem("behaviour", "a value", "nothing"):
        return problem._replace(expected="the name of a behaviour, or one inline with its steps")
    return problem


def _shaped(document: Mapping[str, Any]) -> dict[str, Any]:
    # 2.0 is a whole number to a JSON Schema; as a record it becomes one, or the script is refused.
    try:
        return document_of(behaviour_of(document))
    except msgspec.ValidationError as error:
        problem = Problem("behaviour", "a behaviour as the schema describes it", str(error))
        raise ScriptError(problem) from None


def _raise_first(problems: list[Problem]) -> None:
    if problems:
        raise ScriptError(problems[0])


def _state(script: Script) -> str:
    if is_used_up(script):
        return "used up"
    return "matched" if script.matched else "never matched"
