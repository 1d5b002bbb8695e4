"""Play a story on the stage of a sandbox: its next step, one step back, from the start again.

Before each step a snapshot is taken, which a step back restores as a new epoch. Choice: D-490.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from http.client import HTTPException
from itertools import islice, takewhile
from typing import Any, NamedTuple

from msgspec.structs import replace

from simulator.catalogue.console_words import plain
from simulator.client.shown.beginnings import beginning_of
from simulator.client.wire import Answer
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import (
    DiskError,
    EpochEndedError,
    InvalidInputError,
    UnknownOutcomeError,
)
from simulator.domain.core.hosts import LIVE, TEST, TOKEN_NAMES, Host
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
    fitting,
    has_gone_on,
    refuse_step,
    take_back,
)
from simulator.domain.masking.masking import masked
from simulator.domain.merchants.credentials import credentials_of
from simulator.domain.merchants.hierarchy import AskedSandbox
from simulator.domain.ports.console import ConsolePorts
from simulator.domain.ports.journal import HasJournal
from simulator.domain.ports.server import ServerPorts, SnapshotFile
from simulator.domain.snapshots import read_sandbox
from simulator.domain.story_run import StoryCall, StoryExpectationError, StoryRun
from simulator.service.console.recording import (
    SHOP_PATH,
    forget_after,
    known_stories,
    note_call,
)
from simulator.service.sandboxes.copies import snapshot_of
from simulator.service.sandboxes.sandboxes import (
    UnknownSandboxError,
    create_whole,
    leaving_none,
    sandbox_with,
    vault_of,
)

# Wire time that a step allows for what it causes, such as the deliveries of events.
AFTER_S = 0.5
ENTRIES_MAX = 500
NEWEST_SHOWN = 10
# A reader of the stage asks again after so many seconds.
WAIT_S_MAX = 15.0
CLOCK = {"mode": "frozen", "at": "2030-03-01T09:00:00Z"}
TROUBLE = (StoryExpectationError, InvalidInputError, HTTPException, OSError, ValueError)


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
        raise InvalidInputError("story", ", ".join(known), beginning_of(name, 40))
    story = known[name]
    options = {"profile": "specification", "clock": CLOCK, **story.sandbox}
    made = create_whole(console.server, as_record(options, AskedSandbox))
    with leaving_none(console.server, made):
        kept = {"shop": f"{console.server.registry.ports(made).addresses.base(TEST)}{SHOP_PATH}"}
        return console.stages.put(Lesson(sandbox=made, name=name, story=story, kept=kept))


def lesson_in(console: ConsolePorts, sandbox: str) -> Lesson:
    """The lesson of a sandbox. Raises InvalidInputError, UnknownSandboxError."""
    sandbox_with(console.server, sandbox)
    lesson = console.stages.lesson(sandbox)
    if lesson is None:
        raise InvalidInputError("lesson", plain("errors.lesson"), plain("errors.none"))
    return lesson


def view_stage(console: ConsolePorts, sandbox: str) -> StageView:
    """What the stage of a sandbox shows now: without a lesson its newest messages. Raises
    UnknownSandboxError.
    """
    sandbox_with(console.server, sandbox)
    lesson, ports = console.stages.lesson(sandbox), console.server.registry.ports(sandbox)
    # Others have their turn while messages are read: what they append changes this version.
    version = stage_version(console, sandbox)
    arrows: Sequence[Arrow] = ()
    if lesson is None:
        arrows = _newest_arrows(ports, ports.journal.newest - NEWEST_SHOWN)
    elif lesson.is_playing:
        arrows = _newest_arrows(ports, lesson.mark)
    return StageView(lesson, arrows, ports.holds.held(), version)


def stage_version(console: ConsolePorts, sandbox: str) -> str:
    """What changes with everything that the stage of a sandbox shows. In a new epoch its clock and
    journal count anew.
    """
    epoch = sandbox_with(console.server, sandbox).epoch
    ports = console.server.registry.ports(sandbox)
    held = "".join(each.id[:4] for each in ports.holds.held())
    stops = "".join(sorted(ports.holds.stops))
    clock = ports.clock.setting.version
    counted = f"{console.stages.version(sandbox)}-{epoch}-{ports.journal.newest}-{clock}"
    return f"{counted}-{stops}-{held}"


def await_change(console: ConsolePorts, sandbox: str, version: str) -> None:
    """Return when the stage is no longer as it was, or after some seconds of real time. Raises
    UnknownSandboxError.
    """
    sandbox_with(console.server, sandbox)

    def read() -> str:
        # It may be deleted while others wait for it.
        is_there = console.server.registry.sandbox(sandbox) is not None
        return stage_version(console, sandbox) if is_there else ""

    console.stages.wait_for_other(sandbox, version, read, WAIT_S_MAX)


def play_next(console: ConsolePorts, sandbox: str, by: str, *, after: str = "") -> Lesson:
    """Begin the next step, which goes on while others are served; the one `after` so many others
    once. Raises InvalidInputError while a step is under way and at the end, DiskError.
    """
    with console.stages.changing(sandbox):
        lesson, ports = lesson_in(console, sandbox), console.server.registry.ports(sandbox)
        if has_gone_on(lesson, after):
            return lesson
        refuse_step(lesson)
        moment = _moment_of(console, lesson)
        begun = begin_step(lesson, moment, ports.journal.newest)
        try:
            console.stages.put(begun)
        except UnknownOutcomeError:
            # It stands, and is played.
            console.stages.spawn(lambda: _play(console, begun, by))
            raise
        except DiskError:
            console.stages.forget_snapshots(sandbox, [moment.snapshot])
            raise
        _forget_moments(console, lesson, begun)
    console.stages.spawn(lambda: _play(console, begun, by))
    return begun


def step_back(console: ConsolePorts, sandbox: str) -> Lesson:
    """Restore the sandbox as it was before the last step, also one that is under way; what is held
    ends. Raises InvalidInputError where there is no step to take back.
    """
    with console.stages.changing(sandbox):
        return _go_back(console, lesson_in(console, sandbox), 1)


def restart(console: ConsolePorts, sandbox: str) -> Lesson:
    """Restore the sandbox as it was before the first step that is still known."""
    with console.stages.changing(sandbox):
        lesson = lesson_in(console, sandbox)
        return _go_back(console, lesson, len(lesson.moments)) if lesson.moments else lesson


def _go_back(console: ConsolePorts, lesson: Lesson, steps: int) -> Lesson:
    """Take so many steps back. What was restored is stored before the lesson: a process that ends
    in between leaves a step that can be taken back again.
    """
    before, moment = take_back(lesson)
    for _ in range(steps - 1):
        before, moment = take_back(before)
    with closing(console.stages.snapshot(lesson.sandbox, moment.snapshot)) as snapshot:
        _restore(console.server, snapshot)
    forget_after(console, lesson.sandbox, moment.recorded)
    console.stages.put(before)
    _forget_moments(console, lesson, before)
    return before


def _play(console: ConsolePorts, begun: Lesson, by: str) -> None:
    """Play the step that is under way, and put down what came of it."""
    try:
        frame, kept = _played(console, begun, by)
    except (EpochEndedError, UnknownSandboxError):
        # The sandbox was deleted, or the step taken back meanwhile.
        return
    with suppress(DiskError), console.stages.changing(begun.sandbox):
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
        if not call.prepares:
            note_call(console, begun.sandbox, call, answer, by=by, say=say)
        return answer

    run = StoryRun(facts_of(console, begun.sandbox), ask, watcher)
    watcher.run = run
    run.kept.update(begun.kept)
    problem = ""
    try:
        run.play(step, begun.story.steps[: len(begun.frames)])
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
        self.run: StoryRun | None = None

    @property
    def _secrets(self) -> list[str]:
        assert self.run is not None, "it is watched"
        return self.run.secrets

    def sent(self, line: str, sent: Mapping[str, Any]) -> None:
        """A request leaves."""
        self.frame["sent"] = str(masked(line, self._secrets))
        self.frame["parameters"] = masked(sent, self._secrets)

    def answered(self, answer: Answer) -> None:
        """Its answer came."""
        self.frame["code"] = answer.code
        words = (str(answer.status), answer.code, answer.reason)
        self.frame["answer"] = str(masked("  ".join(filter(None, words)), self._secrets))

    def fulfilled(self) -> None:
        """The stage shows what is not as expected."""

    def received(self) -> None:
        """A call of the shop is on the stage as an arrow."""

    def shown(self, payment: str) -> None:
        """The messages of a step are on the stage as arrows."""


def facts_of(console: ConsolePorts, identity: str, host: Host = TEST) -> dict[str, str]:
    """What a story needs of a sandbox: addresses and credentials, those of a host."""
    server = console.server
    sandbox = sandbox_with(server, identity)
    credentials = credentials_of(sandbox, vault_of(server, sandbox))
    addresses = server.registry.ports(identity).addresses
    return {
        "base_url": addresses.base(host),
        "control_url": f"{addresses.base(TEST)}_sandbox/v1/",
        "sandbox_id": identity,
        "token": credentials.live_token if host == LIVE else credentials.token,
        "token_name": TOKEN_NAMES[host],
        "entity_id": credentials.entity_id,
        "control_key": credentials.control_key,
    }


def _moment_of(console: ConsolePorts, lesson: Lesson) -> Moment:
    sandbox = sandbox_with(console.server, lesson.sandbox)
    recorded = len(console.recordings.recording(sandbox.id).deeds)
    snapshot = snapshot_of(console.server, sandbox.id)
    name = console.stages.keep_snapshot(sandbox.id, snapshot)
    return Moment(snapshot=name, size=snapshot.size, kept=lesson.kept, recorded=recorded)


def _forget_moments(console: ConsolePorts, before: Lesson, after: Lesson) -> None:
    """Remove the snapshots that a change of the lesson left behind."""
    kept = {each.snapshot for each in after.moments}
    gone = [each.snapshot for each in before.moments if each.snapshot not in kept]
    if gone:
        console.stages.forget_snapshots(before.sandbox, gone)


def _restore(server: ServerPorts, snapshot: SnapshotFile) -> None:
    """The sandbox as it was, in a new epoch; its breakpoints stay as they are now."""
    was = read_sandbox(snapshot.first_line())

    def change() -> None:
        now = sandbox_with(server, was.id)
        after: Sandbox = replace(
            was, version=now.version, epoch=now.epoch + 1, breakpoints=now.breakpoints
        )
        server.registry.restore(after, snapshot)

    transact(server.registry, change)


def _arrows_after(ports: HasJournal, mark: int) -> Sequence[Arrow]:
    """The messages that the journal has got since, in order."""
    found = list(islice(_entries_after(ports, mark), ENTRIES_MAX))
    return trace_of("", (), reversed(found)).arrows


def _newest_arrows(ports: HasJournal, mark: int) -> Sequence[Arrow]:
    """The newest of these, as many as a stage shows. Choice: D-722."""
    found = list(fitting(islice(_entries_after(ports, mark), ENTRIES_MAX)))
    return trace_of("", (), reversed(found)).arrows


def _entries_after(ports: HasJournal, mark: int) -> Iterator[tuple[int, Entry]]:
    newest = ports.journal.iterate_newest_first()
    return takewhile(lambda numbered: numbered[0] > mark, newest)
