"""Arming, reading and disarming the scripts of a sandbox."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from scenarios.errors import Problem, ScriptError
from scenarios.records import Behaviour
from simulator.domain.core.ports import HasClock, HasIds, HasStore, Unit, unit_of
from simulator.domain.core.records import Script
from simulator.domain.core.transact import transact
from simulator.domain.scripts import (
    ARMED_MAX,
    TURNS_BYTES_MAX,
    TURNS_MAX,
    USED_UP_KEPT_MAX,
    armed_scripts,
)
from simulator.domain.steering.matching_scripts import (
    bytes_of_turns,
    is_used_up,
    waits_for_turn,
)
from simulator.domain.steering.scripts import read_script


class ScriptPorts(HasClock, HasIds, HasStore, Protocol):
    """What arming and disarming a script needs."""


class UnknownScriptError(Exception):
    """No script of the sandbox has the id."""


def arm_script(ports: ScriptPorts, document: object, behaviours: Mapping[str, Behaviour]) -> Script:
    """The script `document` asks for, armed: newer ones come first. Raises ScriptError, also
    where the sandbox has as many as it may have.
    """
    behaviour, match, times = read_script(document, behaviours)
    script = Script(
        id=ports.ids.record(),
        behaviour=behaviour,
        match=match,
        times=times,
        created_at=ports.clock.now(),
    )

    def store_armed() -> None:
        known = armed_scripts(ports.store)
        # Of two that count the same ones at once, one conflicts in the newest of them.
        dropped = _scripts_to_drop(known)
        _refuse_long_turns((script, *known))
        ports.store.commit(unit_of(script, *known[:1], removes=dropped))
        for each in dropped:
            ports.store.looks.drop(each.id)

    transact(ports.store, store_armed)
    return script


def _scripts_to_drop(scripts: Sequence[Script]) -> tuple[Script, ...]:
    """The used-up scripts that make room for a new one, the oldest. Raises ScriptError."""
    used_up = [each for each in scripts if is_used_up(each)]
    armed = len(scripts) - len(used_up)
    if armed >= ARMED_MAX:
        expected = f"at most {ARMED_MAX} scripts that are not used up; disarm some first"
        raise ScriptError(Problem("scripts", expected, f"{armed + 1}"))
    return tuple(used_up[USED_UP_KEPT_MAX:])


def _refuse_long_turns(scripts: Sequence[Script]) -> None:
    """Raise ScriptError where those that wait for a turn of theirs are too many or too long, the
    new one first.
    """
    if "nth" not in scripts[0].match:
        return
    count = sum(map(waits_for_turn, scripts))
    if count > TURNS_MAX:
        expected = f"at most {TURNS_MAX} scripts with nth; disarm some first"
        raise ScriptError(Problem("scripts", expected, f"{count}"))
    length = bytes_of_turns(scripts)
    if length > TURNS_BYTES_MAX:
        expected = f"at most {TURNS_BYTES_MAX} bytes of scripts with nth; disarm some first"
        raise ScriptError(Problem("scripts", expected, f"{length}"))


def script_with(ports: ScriptPorts, identity: str) -> Script:
    """The script with the id `identity`. Raises UnknownScriptError."""
    script = ports.store.get(Script, identity)
    if script is None:
        raise UnknownScriptError("no script has the id in the path")
    return script


def counted_script(ports: ScriptPorts, identity: str) -> Script:
    """The same with all that it has counted. Raises UnknownScriptError."""
    return ports.store.looks.shown(script_with(ports, identity))


def disarm_script(ports: ScriptPorts, identity: str) -> None:
    """Remove the script. Raises UnknownScriptError."""
    transact(
        ports.store,
        lambda: ports.store.commit(Unit(removes=(script_with(ports, identity),))),
    )
    ports.store.looks.drop(identity)
