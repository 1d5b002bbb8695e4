"""Begin a class, join it by its link, look at all in it, act on all, end it. Choice: D-492."""

from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from typing import NamedTuple

from msgspec.structs import replace

from scenarios.records import Behaviour
from simulator.catalogue.console_words import plain
from simulator.domain.console.classes import (
    CLASSES_MAX,
    Participant,
    TrainingClass,
    refuse_large,
)
from simulator.domain.console.limits import refuse_one_more
from simulator.domain.console.people import AuditEntry, Person
from simulator.domain.core.errors import DamagedLogError, DiskError, InvalidInputError
from simulator.domain.journal.entries import ExchangeEntry
from simulator.domain.merchants.tokens import token_hash
from simulator.domain.ports.console import ConsolePorts
from simulator.service.console.named import sandbox_named
from simulator.service.console.patterns import options_of
from simulator.service.console.sign_in import SECRET_DIGITS
from simulator.service.sandboxes.clock import freeze_clock, set_clock
from simulator.service.sandboxes.copies import snapshot_of
from simulator.service.sandboxes.sandboxes import (
    UnknownSandboxError,
    delete_sandbox,
    reset_sandbox,
    sandbox_with,
)
from simulator.service.scripts import arm_script

PERSON_DIGITS = 8
ENTRIES_LOOKED_AT = 50


class UnknownClassError(Exception):
    """No class has the id or the link, or its day has passed."""


class EndedLinkError(UnknownClassError):
    """No class or participant has the link: it was used, or replaced, or the class has ended."""


class Tile(NamedTuple):
    """A participant as the trainer sees them: the last request of their shop, its code, and
    whether their clock stands.
    """

    participant: Participant
    request: str
    code: str
    payments: int
    is_frozen: bool = False


class BegunClass(NamedTuple):
    """A class and the secret of its link, which is shown to its trainer alone."""

    begun: TrainingClass
    secret: str


class AskedClass(NamedTuple):
    """A class as it is asked for: `stage` names the sandbox that spectators see, or nothing, `like`
    the one that those of participants are set up like, or are copies of where it is `with_data`;
    `secret` that of its link, where it is known.
    """

    stage: str
    seed: int
    like: str = ""
    with_data: bool = False
    secret: str = ""


def begin_class(console: ConsolePorts, by: str, asked: AskedClass) -> BegunClass:
    """A class of a trainer; the one that has the secret already, if any. Raises InvalidInputError,
    also for too many classes, or too much data.
    """
    secret = asked.secret or console.server.ids.hex(SECRET_DIGITS)
    with console.classes.beginning():
        # The sandboxes that are named may be gone since it began.
        known = _with_key(console, token_hash(secret))
        return BegunClass(known or _begin(console, by, asked, secret), secret)


def _begin(console: ConsolePorts, by: str, asked: AskedClass, secret: str) -> TrainingClass:
    stage, like = (
        sandbox_named(console.server.registry, text, where=where) if text else None
        for where, text in (("stage", asked.stage), ("like", asked.like))
    )
    if asked.with_data and like is None:
        raise InvalidInputError("like", plain("errors.like"), plain("errors.none"))
    begun = TrainingClass(
        id=console.server.ids.record(),
        key=token_hash(secret),
        by=by,
        began_at=console.server.clock.now(),
        stage=stage.id if stage else "",
        seed=asked.seed,
        options=options_of(like) if like else {},
        has_data=asked.with_data,
    )
    count, said = len(console.classes.classes()), plain("errors.classes", most=CLASSES_MAX)
    refuse_one_more("classes", count, CLASSES_MAX, said)
    _note(console, by, "begin class", begun.id)
    if asked.with_data and like is not None:
        _keep_data(console, begun.id, like.id)
    console.classes.put(begun)
    return begun


def _keep_data(console: ConsolePorts, identity: str, sandbox: str) -> None:
    with closing(snapshot_of(console.server, sandbox)) as snapshot:
        refuse_large(snapshot.size)
        console.classes.keep_snapshot(identity, snapshot)


def current_classes(console: ConsolePorts) -> Sequence[TrainingClass]:
    """The classes that go on."""
    _end_old(console)
    now = console.server.clock.now()
    return [each for each in console.classes.classes() if not each.is_over(now)]


def shown_name(console: ConsolePorts, person: Person) -> str:
    """The name that a participant typed, of others the one they sign in with."""
    if not person.sandbox:
        return person.name
    everyone = (one for each in console.classes.classes() for one in each.participants)
    return next((one.name for one in everyone if one.person == person.name), person.name)


def class_with(console: ConsolePorts, identity: str) -> TrainingClass:
    """The class with the id. Raises UnknownClassError."""
    found = next((each for each in current_classes(console) if each.id == identity), None)
    if found is None:
        raise UnknownClassError("no class has the id in the path, or it is over")
    return found


def class_of_link(console: ConsolePorts, secret: str) -> TrainingClass:
    """The class whose link has this secret. Raises EndedLinkError."""
    found = _with_key(console, token_hash(secret))
    if found is None:
        raise EndedLinkError("the link is that of no class, or of one that is over")
    return found


def _with_key(console: ConsolePorts, key: str) -> TrainingClass | None:
    return next((each for each in current_classes(console) if each.key == key), None)


def is_of_training(console: ConsolePorts, sandbox: str) -> bool:
    """Whether a sandbox is that of a lesson, or of a participant in a class."""
    if console.server.registry.sandbox(sandbox) is None:
        return False
    if console.stages.lesson(sandbox) is not None:
        return True
    return any(
        one.sandbox == sandbox and not one.is_spectator
        for each in console.classes.classes()
        for one in each.participants
    )


def tiles_of(console: ConsolePorts, found: TrainingClass) -> Sequence[Tile]:
    """The participants who have a sandbox, with what they did last."""
    return [_tile(console, each) for each in found.participants if not each.is_spectator]


def show_to_spectators(console: ConsolePorts, found: TrainingClass, sandbox: str) -> None:
    """Let the spectators see the stage of a participant, or again that of the trainer. Raises
    UnknownSandboxError for any other sandbox.
    """
    if sandbox not in (*sandboxes_of(console, found), found.own_stage):
        raise UnknownSandboxError("a sandbox of another class")

    def change(before: TrainingClass) -> TrainingClass:
        moved = tuple(
            replace(each, sandbox=sandbox) if each.is_spectator else each
            for each in before.participants
        )
        return replace(before, stage=sandbox, participants=moved, trainer_stage=before.own_stage)

    console.classes.change(found.id, change)
    show_stage(console, found.id)


def show_stage(console: ConsolePorts, identity: str) -> None:
    """Let the spectators of a class see the stage that it has now."""
    with console.people.changing():
        found = console.classes.get(identity)
        for each in found.participants if found else ():
            person = console.people.person(each.person)
            if each.is_spectator and person is not None and person.sandbox != each.sandbox:
                console.people.save_person(replace(person, sandbox=each.sandbox))


def reset_all(console: ConsolePorts, found: TrainingClass) -> None:
    """Empty the sandbox of each participant."""
    for each in sandboxes_of(console, found):
        reset_sandbox(console.server, each)


def freeze_all(console: ConsolePorts, found: TrainingClass) -> None:
    """Stop the clock of each participant."""
    for each in sandboxes_of(console, found):
        freeze_clock(console.server.registry.ports(each))


def run_all(console: ConsolePorts, found: TrainingClass) -> None:
    """Let the clock of each participant that stands go on from where it stands."""
    for each in sandboxes_of(console, found):
        ports = console.server.registry.ports(each)
        if ports.clock.setting.mode == "frozen":
            set_clock(ports, "offset", at=None, rate=None)


def arm_all(
    console: ConsolePorts,
    found: TrainingClass,
    behaviour: str,
    behaviours: Mapping[str, Behaviour],
) -> None:
    """Arm a behaviour once in the sandbox of each participant. Raises ScriptError."""
    for each in sandboxes_of(console, found):
        ports = console.server.registry.ports(each)
        arm_script(ports, {"behaviour": behaviour, "times": 1}, behaviours)


def end_class(console: ConsolePorts, found: TrainingClass) -> None:
    """Sign everybody out, and remove their sandboxes; the stage stays. What a full disk or a kill
    leaves of it is removed with the next look at the classes.
    """
    with console.classes.ending(found.id) as is_first:
        ended = console.classes.change(found.id, _ended) if is_first else None
        if ended is not None:
            _clear(console, ended)


def _ended(before: TrainingClass) -> TrainingClass:
    """A class that no one joins any more."""
    return replace(before, is_ended=True)


def _clear(console: ConsolePorts, ended: TrainingClass) -> None:
    with console.people.changing():
        for each in ended.participants:
            console.people.remove_person(each.person)
    for sandbox in sandboxes_of(console, ended):
        with suppress(UnknownSandboxError):
            # An operator may have deleted it meanwhile.
            delete_sandbox(console.server, sandbox)
    console.classes.remove(ended.id)


def sandboxes_of(console: ConsolePorts, found: TrainingClass) -> list[str]:
    """The sandboxes of participants that are still there."""
    own = [each.sandbox for each in found.participants if not each.is_spectator]
    return [each for each in own if console.server.registry.sandbox(each) is not None]


def _tile(console: ConsolePorts, participant: Participant) -> Tile:
    try:
        sandbox_with(console.server, participant.sandbox)
    except UnknownSandboxError:
        return Tile(participant, plain("class.deleted"), "", 0)
    ports = console.server.registry.ports(participant.sandbox)
    is_frozen = ports.clock.setting.mode == "frozen"
    # Others have their turn while entries are read: what they append is newer than the tile.
    newest, entries = ports.journal.newest, ports.journal.iterate_newest_first()
    for _, (_, entry) in zip(range(ENTRIES_LOOKED_AT), entries, strict=False):
        if isinstance(entry, ExchangeEntry):
            asked = f"{entry.method} {entry.path}"
            return Tile(participant, asked, entry.code, newest, is_frozen)
    return Tile(participant, "", "", newest, is_frozen)


def _end_old(console: ConsolePorts) -> None:
    """End the classes whose day has passed, and those whose end is not done with; one that the
    disk refuses to end is ended later, for pages are still read then.
    """
    now = console.server.clock.now()
    for each in console.classes.classes():
        if each.is_over(now):
            with suppress(DiskError, DamagedLogError):
                end_class(console, each)


def _note(console: ConsolePorts, by: str, action: str, about: str) -> None:
    entry = AuditEntry(at=console.server.clock.now(), person=by, action=action, object=about)
    console.people.append_audit(entry)
