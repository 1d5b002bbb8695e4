"""Change and remove people of the console, also who was invited. An administrator always stays."""

from msgspec.structs import replace

from simulator.catalogue.console_words import plain
from simulator.domain.console.people import AuditEntry, Person, refuse_role
from simulator.domain.console.rights import ADMINISTRATOR
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.ports.console import ConsolePorts
from simulator.service.console.sign_in import UnknownInvitationError, withdraw_invitations

WITHDRAW = "withdraw invitation"


class UnknownPersonError(Exception):
    """No one has the name."""


def person_with(console: ConsolePorts, name: str) -> Person:
    """The one with this name. Raises UnknownPersonError."""
    found = console.people.person(name)
    if found is None:
        raise UnknownPersonError("no one has the name in the path")
    return found


def change_role(console: ConsolePorts, by: str, name: str, role: str) -> Person:
    """A person in another role, signed out everywhere. Raises UnknownPersonError,
    InvalidInputError for an unknown role, or where no one would be administrator.
    """
    with console.people.changing():
        before = person_with(console, name)
        if before.sandbox:
            raise InvalidInputError("name", plain("errors.invited"), plain("errors.of_class"))
        refuse_role(role)
        if role != ADMINISTRATOR:
            _refuse_last_administrator(console, before)
        after = replace(before, role=role)
        _note(console, by, f"role {role}", name)
        console.people.save_person(after)
        console.people.end_sign_ins_of(name)
        return after


def remove_person(console: ConsolePorts, by: str, name: str) -> None:
    """Remove a person, signed out everywhere, or one who was invited by this name and has not
    joined. Raises UnknownPersonError, InvalidInputError for the last administrator.
    """
    with console.people.changing():
        is_invited = withdraw_invitations(console, name)
        if is_invited:
            _note(console, by, WITHDRAW, name)
        if is_invited and console.people.person(name) is None:
            return
        _refuse_last_administrator(console, person_with(console, name))
        _note(console, by, "remove person", name)
        console.people.remove_person(name)


def withdraw_invitation(console: ConsolePorts, by: str, identity: str) -> None:
    """Let the link of an invitation open nothing any more. Raises UnknownInvitationError."""
    with console.people.changing():
        taken = console.people.take_invitation(identity)
        if taken is None:
            raise UnknownInvitationError
        _note(console, by, WITHDRAW, taken.name or f"role {taken.role}")


def _refuse_last_administrator(console: ConsolePorts, person: Person) -> None:
    others = (each for each in console.people.people() if each.name != person.name)
    if person.role == ADMINISTRATOR and not any(each.role == ADMINISTRATOR for each in others):
        raise InvalidInputError("role", plain("errors.administrator"), plain("errors.none"))


def _note(console: ConsolePorts, by: str, action: str, about: str) -> None:
    entry = AuditEntry(at=console.server.clock.now(), person=by, action=action, object=about)
    console.people.append_audit(entry)
