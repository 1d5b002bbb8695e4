"""What an operator steers a sandbox with: its clock and scripts."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from scenarios.errors import ScriptError
from simulator.catalogue.console_words import plain, say
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.clock import read_instant, read_span
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.documents import as_record
from simulator.domain.merchants.hierarchy import AskedClock
from simulator.domain.scripts import counted_scripts
from simulator.domain.steering.scripts import show_script
from simulator.service.console.recording import note_control, note_disarmed
from simulator.service.sandboxes.clock import advance_clock, next_shown, set_clock
from simulator.service.scripts import arm_script, disarm_script
from simulator.web.console.rendering import Moved, ShownPage, shown_json
from simulator.web.console.sign_in import HOME
from simulator.web.console.visits import ConsoleVisit
from simulator.web.control.access import input_error

TIMES_MAX = 10_000
NEXT = "next"


def show_clock(visit: ConsoleVisit) -> ShownPage:
    """The time of the sandbox, and what is due next."""
    ports = visit.ports()
    now = ports.clock.now()
    values = {"sandbox": visit.sandbox(), "setting": ports.clock.setting, "now": now}
    return ShownPage("clock.html", {**values, "next": next_shown(ports, now)})


def set_sandbox_clock(visit: ConsoleVisit) -> Moved:
    """Let the clock stand, run as the machine's, or show another instant."""
    ports, sent = visit.ports(), {name: visit.form.get(name, "").strip() for name in ("mode", "at")}
    if not sent["mode"]:
        raise InvalidInputError("mode", "real, frozen, offset", plain("errors.none"))
    asked = as_record({name: text for name, text in sent.items() if text}, AskedClock)
    at = read_instant(asked.at) if asked.at else None
    set_clock(ports, asked.mode, at=at, rate=None)
    document = {name: text for name, text in sent.items() if text}
    said = say("recording.clock_set", mode=asked.mode)
    _note(visit, said, method="PUT", path="clock", document=document)
    return _back(visit, "clock")


def advance_sandbox_clock(visit: ConsoleVisit) -> Moved:
    """Move the clock on by a span, or to what is due next, and do what is due on the way.
    Of one that stopped, as the person left, nothing is recorded. Choice: D-299.
    """
    ports, by = visit.ports(), visit.form.get("by", "").strip()
    span = None if by == NEXT else read_span(by, where="by")
    advance_clock(ports, by=span, has_left=visit.has_left)
    if visit.has_left():
        return _back(visit, "clock")
    document = {"until": NEXT} if span is None else {"by": by}
    said = say("recording.clock_advanced", by=by)
    _note(visit, said, method="POST", path="clock/advance", document=document)
    return _back(visit, "clock")


def show_scripts(visit: ConsoleVisit) -> ShownPage:
    """The armed scripts, in the order in which they are asked, with what nearly fitted."""
    scripts = [show_script(each) for each in counted_scripts(visit.ports().store)]
    shown = visit.aside(_with_texts, scripts)
    values = {"scripts": shown, "names": sorted(visit.console.behaviours)}
    return ShownPage("scripts.html", {"sandbox": visit.sandbox(), **values})


def _with_texts(scripts: list[dict[str, Any]]) -> list[tuple[dict[str, Any], str]]:
    return [(each, shown_json(each)) for each in scripts]


def arm(visit: ConsoleVisit) -> Moved:
    """Arm a behaviour by its name, for so many requests."""
    ports = visit.ports()
    document: dict[str, object] = {"behaviour": visit.form.get("behaviour", "")}
    times = visit.form.get("times", "").strip()
    if times:
        if not (times.isascii() and times.isdigit() and 0 < int(times[:6]) <= TIMES_MAX):
            raise InvalidInputError(
                "times", plain("errors.times", most=f"{TIMES_MAX:,}"), beginning_of(times, 10)
            )
        document["times"] = int(times[:6])
    try:
        script = arm_script(ports, document, visit.console.behaviours)
    except ScriptError as error:
        raise input_error(error) from None
    said = say("recording.armed", behaviour=document["behaviour"])
    found = {"id": script.id}
    _note(visit, said, method="POST", path="scripts", document=document, status=201, found=found)
    return _back(visit, "scripts")


def disarm(visit: ConsoleVisit) -> Moved:
    """Disarm a script."""
    disarm_script(visit.ports(), visit.ids["script"])
    note_disarmed(visit.console, visit.sandbox().id, visit.ids["script"], by=visit.name)
    return _back(visit, "scripts")


def _note(
    visit: ConsoleVisit,
    said: str,
    *,
    method: str,
    path: str,
    document: Mapping[str, object],
    status: int = 200,
    found: Mapping[str, str] = MappingProxyType({}),
) -> None:
    note_control(
        visit.console,
        visit.sandbox().id,
        by=visit.name,
        say=str(said),
        method=method,
        path=path,
        document=document,
        status=status,
        found=found,
    )


def _back(visit: ConsoleVisit, page: str) -> Moved:
    return Moved(f"{HOME}/{visit.ids['sandbox']}/{page}")
