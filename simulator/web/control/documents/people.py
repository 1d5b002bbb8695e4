"""The documents of the control API about the people of the console."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Struct

from simulator.domain.core.shapes import shape

Role = Literal["administrator", "operator", "trainer", "viewer"]


class AskedInvitation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whom to invite to the console: a role, and the name if it is not theirs to choose."""

    role: Role
    name: Annotated[str, shape("2 to 40 small letters, digits, dots, dashes.", maxLength=40)] = ""


class PersonDocument(Struct, frozen=True):
    """A person who may sign in to the console."""

    name: str
    role: str
    created_at: datetime


class OpenInvitation(Struct, frozen=True):
    """One who was invited to the console and has not joined; without a name they choose theirs."""

    name: str
    role: str
    until: datetime


class PersonList(Struct, frozen=True):
    """The people of the console, by name, and who was invited."""

    people: tuple[PersonDocument, ...]
    invitations: tuple[OpenInvitation, ...]


class IssuedInvitation(Struct, frozen=True):
    """An invitation: its link opens once, and stands only in this answer."""

    link: str
    role: str
    name: str
