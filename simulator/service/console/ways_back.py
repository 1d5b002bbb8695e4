"""The way back of a participant who signed out, or lost the window: a link that the trainer gives
them, which opens their sandbox once. Choice: D-492.
"""

from msgspec.structs import replace

from simulator.domain.console.classes import Participant, TrainingClass
from simulator.domain.console.people import AuditEntry
from simulator.domain.merchants.tokens import token_hash
from simulator.domain.ports.console import ConsolePorts
from simulator.service.console.classes import (
    EndedLinkError,
    UnknownClassError,
    current_classes,
)
from simulator.service.console.joining import Joined
from simulator.service.console.sign_in import SECRET_DIGITS, begin_sign_in


def offer_way_back(console: ConsolePorts, found: TrainingClass, by: str, person: str) -> str:
    """The secret of a new way back; an earlier one of the participant opens nothing any more.
    Raises UnknownClassError for a person who has no sandbox in the class.
    """
    if not any(each.person == person and not each.is_spectator for each in found.participants):
        raise UnknownClassError("the class has no such participant")
    secret = console.server.ids.hex(SECRET_DIGITS)
    _set_key(console, found.id, person, token_hash(secret))
    entry = AuditEntry(
        at=console.server.clock.now(), person=by, action="offer way back", object=person
    )
    console.people.append_audit(entry)
    return secret


def participant_of(console: ConsolePorts, secret: str) -> tuple[TrainingClass, Participant]:
    """The participant whose way back has this secret, and the class. Raises EndedLinkError."""
    key = token_hash(secret)
    for each in current_classes(console):
        for one in each.participants:
            if one.way_back == key:
                return each, one
    raise EndedLinkError("the way back is that of no participant, or was used")


def come_back(console: ConsolePorts, secret: str) -> Joined:
    """A participant signed in again, in the sandbox they had. Raises EndedLinkError, also for
    the second of two who come at once.
    """
    found, participant = participant_of(console, secret)
    _use(console, found.id, participant)
    person = console.people.person(participant.person)
    if person is None:
        raise EndedLinkError("the class has ended meanwhile")
    return Joined(participant, begin_sign_in(console, person, console.server.clock.now()))


def _use(console: ConsolePorts, identity: str, participant: Participant) -> None:
    def change(before: TrainingClass) -> TrainingClass:
        if participant not in before.participants:
            raise EndedLinkError("the way back was used meanwhile")
        return _with_key(before, participant.person, "")

    console.classes.change(identity, change)


def _set_key(console: ConsolePorts, identity: str, person: str, key: str) -> None:
    console.classes.change(identity, lambda before: _with_key(before, person, key))


def _with_key(before: TrainingClass, person: str, key: str) -> TrainingClass:
    participants = tuple(
        replace(each, way_back=key) if each.person == person else each
        for each in before.participants
    )
    return replace(before, participants=participants)
