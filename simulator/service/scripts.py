"""Arming, reading and disarming the scripts of a sandbox."""

from collections.abc import Mapping

from scenarios.records import Behaviour
from scenarios.steering.scripts import read_script
from simulator.domain.core.ports import Ports, Unit, unit_of
from simulator.domain.core.records import Script
from simulator.domain.core.transact import transact


class UnknownScriptError(Exception):
    """No script of the sandbox has the id."""


def arm_script(ports: Ports, document: object, behaviours: Mapping[str, Behaviour]) -> Script:
    """The script `document` asks for, armed: newer ones answer first. Raises ScriptError."""
    behaviour, match, times = read_script(document, behaviours)
    script = Script(
        id=ports.ids.record(),
        behaviour=behaviour,
        match=match,
        times=times,
        created_at=ports.clock.now(),
    )
    ports.store.commit(unit_of(script))
    return script


def script_with(ports: Ports, identity: str) -> Script:
    """The script with the id `identity`. Raises UnknownScriptError."""
    script = ports.store.get(Script, identity)
    if script is None:
        raise UnknownScriptError("no script has the id in the path")
    return script


def disarm_script(ports: Ports, identity: str) -> None:
    """Remove the script. Raises UnknownScriptError."""
    transact(
        ports.store,
        lambda: ports.store.commit(Unit(removes=(script_with(ports, identity),))),
    )
