"""Join a class by its link, each form once. Choices: D-492, D-702."""

from contextlib import closing, suppress
from typing import NamedTuple

from msgspec.structs import replace

from simulator.catalogue.console_words import plain
from simulator.domain.console.classes import Participant, TrainingClass, read_name, refuse_crowded
from simulator.domain.console.marks import MARK
from simulator.domain.console.people import Person
from simulator.domain.console.rights import STUDENT, VIEWER
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.documents import as_record
from simulator.domain.merchants.hierarchy import AskedSandbox
from simulator.domain.merchants.tokens import token_hash
from simulator.domain.ports.console import ConsolePorts
from simulator.service.console.classes import EndedLinkError, class_of_link, show_stage
from simulator.service.console.sign_in import NewSignIn, begin_sign_in
from simulator.service.sandboxes.copies import create_copy
from simulator.service.sandboxes.sandboxes import (
    UnknownSandboxError,
    create_whole,
    delete_sandbox,
)

PERSON_DIGITS = 8


class Joined(NamedTuple):
    """A participant, signed in."""

    participant: Participant
    sign_in: NewSignIn


class AskedPlace(NamedTuple):
    """What the form that joins asks for: a name, whether to watch the stage, and its own mark."""

    name: str
    watches: bool
    mark: str = ""

    @property
    def form(self) -> str:
        """What is kept of the mark; nothing of one that no page of the console has."""
        return token_hash(self.mark) if MARK.fullmatch(self.mark) else ""


def join_class(console: ConsolePorts, secret: str, asked: AskedPlace) -> Joined:
    """A participant, signed in: a new one with a sandbox of their own, or as a spectator of the
    stage, or the one that the form has made. Raises EndedLinkError, InvalidInputError.
    """
    found, name = class_of_link(console, secret), read_name(asked.name)
    placed = found.joined_by(asked.form)
    if placed is None:
        placed = _place(console, found, asked._replace(name=name))
    person = console.people.person(placed.person)
    if person is None:
        raise EndedLinkError("the class has ended meanwhile")
    return Joined(placed, begin_sign_in(console, person, console.server.clock.now()))


def _place(console: ConsolePorts, found: TrainingClass, asked: AskedPlace) -> Participant:
    refuse_crowded(found)
    if asked.watches and not found.stage:
        raise InvalidInputError("watch", plain("errors.watch"), plain("errors.no_stage"))
    person = Person(
        name=f"{STUDENT}-{console.server.ids.hex(PERSON_DIGITS)}",
        role=VIEWER if asked.watches else STUDENT,
        password="",
        created_at=console.server.clock.now(),
        sandbox=found.stage if asked.watches else _new_sandbox(console, found),
    )
    participant = Participant(
        name=asked.name,
        person=person.name,
        sandbox=person.sandbox,
        is_spectator=asked.watches,
        form=asked.form,
    )
    placed = _take_place(console, found.id, participant, person)
    if placed.sandbox != person.sandbox:
        show_stage(console, found.id)
    return placed


def _new_sandbox(console: ConsolePorts, found: TrainingClass) -> str:
    """The id of a sandbox for one more participant."""
    if not found.has_data:
        asked = as_record({**found.options, "seed": found.seed}, AskedSandbox)
        return create_whole(console.server, asked)
    with closing(console.classes.snapshot(found.id)) as snapshot:
        return create_copy(console.server, snapshot, seed=found.seed).id


def _take_place(
    console: ConsolePorts, identity: str, participant: Participant, person: Person
) -> Participant:
    """A participant as they are put down. While their sandbox was made, others may have come, the
    form sent again, or the class may have ended, and the disk may refuse it: who has no place in
    the class then goes again, with person and sandbox.
    """
    try:
        # The person first: a class that ends removes those who have a place in it.
        console.people.save_person(person)
        return _add(console, identity, participant)
    finally:
        after = console.classes.get(identity)
        if after is None or not after.has(person.name):
            _take_away(console, participant)


def _take_away(console: ConsolePorts, participant: Participant) -> None:
    try:
        console.people.remove_person(participant.person)
    finally:
        if not participant.is_spectator:
            with suppress(UnknownSandboxError):
                # Who ended the class meanwhile has deleted it.
                delete_sandbox(console.server, participant.sandbox)


def _add(console: ConsolePorts, identity: str, participant: Participant) -> Participant:
    """The participant with a name that no other has; a spectator sees the stage of now. The one
    that the form has made before, if it has.
    """

    def change(before: TrainingClass) -> TrainingClass:
        if before.is_ended:
            raise EndedLinkError("the class has ended meanwhile")
        if before.joined_by(participant.form) is not None:
            return before
        refuse_crowded(before)
        sandbox = before.stage if participant.is_spectator else participant.sandbox
        own = replace(participant, name=before.unused(participant.name), sandbox=sandbox)
        return replace(before, participants=(*before.participants, own))

    after = console.classes.change(identity, change)
    if after is None:
        raise EndedLinkError("the class has ended meanwhile")
    return after.joined_by(participant.form) or after.participants[-1]
