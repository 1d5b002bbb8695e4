"""Change and remove people of the console. There is always an administrator."""

from msgspec.structs import replace

from simulator.catalogue.console_words import plain
from simulator.domain.console.people import AuditEntry, Person, refuse_role
from simulator.domain.console.rights import ADMINISTRATOR
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.ports.console import ConsolePorts


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
    """Remove a person, signed out everywhere. Raises UnknownPersonError, InvalidInputError for the
    last administrator.
    """
    with console.people.changing():
        _refuse_last_administrator(console, person_with(console, name))
        _note(console, by, "remove person", name)
        console.people.remove_person(name)


def _refuse_last_administrator(console: ConsolePorts, person: Person) -> None:
    others = (each for each in console.people.people() if each.name != person.name)
    if person.role == ADMINISTRATOR and not any(each.role == ADMINISTRATOR for each in others):
        raise InvalidInputError("role", plain("errors.administrator"), plain("errors.none"))


def _note(console: ConsolePorts, by: str, action: str, about: str) -> None:
    entry = AuditEntry(at=console.server.clock.now(), person=by, action=action, object=about)
    console.people.append_audit(entry)
