"""Play a story on the stage of a sandbox: its next step, one step back, from the start again.

Before each step a snapshot is taken, which a step back restores as a new epoch. Choice: D-490.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from http.client import HTTPException
from typing import Any, NamedTuple

from msgspec.structs import replace

from simulator.client.wire import Answer
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import DiskError, EpochEndedError, InvalidInputError
from simulator.domain.core.hosts import TEST
from simulator.domain.core.transact import transact
from simulator.domain.documents import as_record
from simulator.domain.holding import HeldMessage
from simulator.domain.journal.entries import Entry
from simulator.domain.journal.trace import Arrow, trace_of
from simulator.domain.lessons import (
    Frame,
    Lesson,
    Moment,
    begin_step,
    end_step,
    take_back,
)
from simulator.domain.masking.masking import masked
from simulator.domain.merchants.credentials import credentials_of
from simulator.domain.merchants.hierarchy import AskedSandbox
from simulator.domain.ports.console import ConsolePorts
from simulator.domain.ports.journal import HasJournal
from simulator.domain.ports.server import ServerPorts
from simulator.domain.snapshots import to_json
from simulator.domain.story_run import StoryCall, StoryExpectationError, StoryRun
from simulator.service.console.recording import (
    SHOP_PATH,
    forget_after,
    known_stories,
    note_call,
)
from simulator.service.sandboxes.sandboxes import (
    UnknownSandboxError,
    create_sandbox,
    sandbox_with,
    vault_of,
)

# Wire time that a step allows for what it causes, such as the deliveries of events.
AFTER_S = 0.5
ENTRIES_MAX = 500
NEWEST_SHOWN = 10
# A held message is noticed within so many seconds; a reader asks again after so many waits.
WAIT_S, WAITS_MAX = 0.1, 150
CLOCK = {"mode": "frozen", "at": "2030-03-01T09:00:00Z"}
TROUBLE = (StoryExpectationError, HTTPException, OSError, ValueError)


class StageView(NamedTuple):
    """What a stage shows: its lesson, the messages of the step that is under way, and those that
    are held.
    """

    lesson: Lesson | None
    arrows: Sequence[Arrow]
    held: Sequence[HeldMessage]
    version: str


def begin_lesson(console: ConsolePorts, name: str) -> Lesson:
    """A lesson with a story in a new sandbox of its own. Raises InvalidInputError."""
    known = known_stories(console)
    if name not in known:
        raise InvalidInputError("story", ", ".join(known), name[:40])
    story = known[name]
    options = {"profile": "specification", "clock": CLOCK, **story.sandbox}
    made = create_sandbox(console.server, as_record(options, AskedSandbox))
    kept = {"shop": f"{console.server.registry.ports(made.id).addresses.base(TEST)}{SHOP_PATH}"}
    return console.stages.put(Lesson(sandbox=made.id, name=name, story=story, kept=kept))


def lesson_in(console: ConsolePorts, sandbox: str) -> Lesson:
    """The lesson of a sandbox. Raises InvalidInputError, UnknownSandboxError."""
    sandbox_with(console.server, sandbox)
    lesson = console.stages.lesson(sandbox)
    if lesson is None:
        raise InvalidInputError("lesson", "a lesson on the stage of this sandbox", "none")
    return lesson


def view_stage(console: ConsolePorts, sandbox: str) -> StageView:
    """What the stage of a sandbox shows now: without a lesson its newest messages. Raises
    UnknownSandboxError.
    """
    sandbox_with(console.server, sandbox)
    lesson, ports = console.stages.lesson(sandbox), console.server.registry.ports(sandbox)
    arrows: Sequence[Arrow] = ()
    if lesson is None:
        arrows = _arrows_after(ports, ports.journal.newest - NEWEST_SHOWN)
    elif lesson.is_playing:
        arrows = _arrows_after(ports, lesson.mark)
    return StageView(lesson, arrows, ports.holds.held(), stage_version(console, sandbox))


def stage_version(console: ConsolePorts, sandbox: str) -> str:
    """What changes with everything that the stage of a sandbox shows."""
    ports = console.server.registry.ports(sandbox)
    held = "".join(each.id[:4] for each in ports.holds.held())
    stops = "".join(sorted(ports.holds.stops))
    return f"{console.stages.version(sandbox)}-{ports.journal.newest}-{stops}-{held}"


def await_change(console: ConsolePorts, sandbox: str, version: str) -> None:
    """Return when the stage is no longer as it was, or after some seconds of real time. Raises
    UnknownSandboxError.
    """
    sandbox_with(console.server, sandbox)
    for _ in range(WAITS_MAX):
        if stage_version(console, sandbox) != version:
            return
        console.stages.wait(sandbox, console.stages.version(sandbox), WAIT_S)


def play_next(console: ConsolePorts, sandbox: str, by: str) -> Lesson:
    """Begin the next step, which goes on while others are served. Raises InvalidInputError
    while a step is under way and at the end.
    """
    lesson, ports = lesson_in(console, sandbox), console.server.registry.ports(sandbox)
    moment = _moment_of(console, lesson)
    begun = begin_step(lesson_in(console, sandbox), moment, ports.journal.newest)
    console.stages.put(begun)
    console.stages.spawn(lambda: _play(console, begun, by))
    return begun


def step_back(console: ConsolePorts, sandbox: str) -> Lesson:
    """Restore the sandbox as it was before the last step, also one that is under way; what is held
    ends. Raises InvalidInputError where there is no step to take back.
    """
    before, moment = take_back(lesson_in(console, sandbox))
    console.stages.put(before)
    _restore(console.server, moment)
    forget_after(console, sandbox, moment.recorded)
    return console.stages.put(before)


def restart(console: ConsolePorts, sandbox: str) -> Lesson:
    """Restore the sandbox as it was before the first step that is still known."""
    lesson = lesson_in(console, sandbox)
    while len(lesson.moments) > 1:
        lesson, _ = take_back(lesson)
    console.stages.put(lesson)
    return step_back(console, sandbox) if lesson.moments else lesson


def _play(console: ConsolePorts, begun: Lesson, by: str) -> None:
    """Play the step that is under way, and put down what came of it."""
    try:
        frame, kept = _played(console, begun, by)
    except (EpochEndedError, UnknownSandboxError):
        # The sandbox was deleted, or the step taken back meanwhile.
        return
    with suppress(DiskError):
        # What is not stored is shown as under way; a step back takes it back.
        lesson = console.stages.lesson(begun.sandbox)
        if lesson is not None and lesson.turn == begun.turn:
            console.stages.put(end_step(lesson, frame, kept))


def _played(console: ConsolePorts, begun: Lesson, by: str) -> tuple[Frame, Mapping[str, str]]:
    step = begun.step
    assert step is not None, "a step was begun"
    watcher, say = _Watcher(), step.say.strip()

    def ask(call: StoryCall) -> Answer:
        answer = console.ask(call)
        note_call(console, begun.sandbox, call, answer, by=by, say=say)
        return answer

    run = StoryRun(facts_of(console, begun.sandbox), ask, watcher)
    watcher.secrets = run.secrets
    run.kept.update(begun.kept)
    problem = ""
    try:
        run.play(step)
    except TROUBLE as error:
        problem = str(masked(str(error), run.secrets))
    ports = console.server.registry.ports(begun.sandbox)
    ports.in_flight.quiesce(AFTER_S)
    frame = Frame(
        number=len(begun.frames) + 1,
        say=say,
        problem=problem,
        arrows=tuple(_arrows_after(ports, begun.mark)),
        **watcher.frame,
    )
    return frame, run.kept


class _Watcher:
    """Puts down what is sent and what comes, masked. Implements story_run.Watcher."""

    def __init__(self) -> None:
        self.frame: dict[str, Any] = {}
        self.secrets: list[str] = []

    def sent(self, line: str, sent: Mapping[str, Any]) -> None:
        """A request leaves."""
        self.frame["sent"] = str(masked(line, self.secrets))
        self.frame["parameters"] = masked(sent, self.secrets)

    def answered(self, answer: Answer) -> None:
        """Its answer came."""
        self.frame["code"] = answer.code
        words = (str(answer.status), answer.code, answer.reason)
        self.frame["answer"] = str(masked("  ".join(filter(None, words)), self.secrets))

    def fulfilled(self) -> None:
        """The stage shows what is not as expected."""

    def received(self) -> None:
        """A call of the shop is on the stage as an arrow."""

    def shown(self, payment: str) -> None:
        """The messages of a step are on the stage as arrows."""


def facts_of(console: ConsolePorts, identity: str) -> dict[str, str]:
    """What a story needs of a sandbox: addresses and credentials."""
    server = console.server
    sandbox = sandbox_with(server, identity)
    credentials = credentials_of(sandbox, vault_of(server, sandbox))
    base = server.registry.ports(identity).addresses.base(TEST)
    return {
        "base_url": base,
        "control_url": f"{base}_sandbox/v1/",
        "sandbox_id": identity,
        "token": credentials.token,
        "entity_id": credentials.entity_id,
        "control_key": credentials.control_key,
    }


def _moment_of(console: ConsolePorts, lesson: Lesson) -> Moment:
    sandbox = sandbox_with(console.server, lesson.sandbox)
    snapshot = console.server.registry.snapshot(sandbox.id, to_json(sandbox) + b"\n")
    recorded = len(console.recordings.recording(sandbox.id).deeds)
    return Moment(sandbox=sandbox, snapshot=snapshot, kept=lesson.kept, recorded=recorded)


def _restore(server: ServerPorts, moment: Moment) -> None:
    """The sandbox as it was, in a new epoch; its breakpoints stay as they are now."""

    def change() -> None:
        now = sandbox_with(server, moment.sandbox.id)
        after: Sandbox = replace(
            moment.sandbox, version=now.version, epoch=now.epoch + 1, breakpoints=now.breakpoints
        )
        server.registry.restore(after, moment.snapshot)

    transact(server.registry, change)


def _arrows_after(ports: HasJournal, mark: int) -> Sequence[Arrow]:
    """The messages that the journal has got since, in order."""
    found: list[tuple[int, Entry]] = []
    for number, entry in ports.journal.iterate_newest_first():
        if number <= mark or len(found) >= ENTRIES_MAX:
            break
        found.append((number, entry))
    return trace_of("", (), reversed(found)).arrows
