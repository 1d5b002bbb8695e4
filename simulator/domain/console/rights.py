"""What people may do in the console: one row a role. Choice: D-493."""

from collections.abc import Mapping
from enum import StrEnum


class Right(StrEnum):
    """Something a person may do; every page of the console names the one it needs."""

    READ = "read"
    """See everything in a sandbox but the values of its secrets."""

    OPERATE = "operate"
    """Act in a sandbox: capture, refund, reverse, empty it, move its clock."""

    TEACH = "teach"
    """Begin lessons and classes, and act in their sandboxes."""

    TOKENS = "tokens"
    """Issue, suspend and rotate access tokens, and see their values. Source: AUTH-05."""

    PEOPLE = "people"
    """Invite and remove people, change their roles, read the audit log."""


# fmt: off
ROLES: Mapping[str, frozenset[Right]] = {
    "administrator": frozenset(Right),
    "operator":      frozenset({Right.READ, Right.OPERATE}),
    "trainer":       frozenset({Right.READ, Right.TEACH}),
    "viewer":        frozenset({Right.READ}),
    "student":       frozenset({Right.READ, Right.OPERATE}),
}
# fmt: on
ADMINISTRATOR, VIEWER, STUDENT = "administrator", "viewer", "student"
# A student comes by the link of a class, and sees one sandbox alone.
INVITED = tuple(role for role in ROLES if role != STUDENT)


def rights_of(role: str, *, in_training: bool = False) -> frozenset[Right]:
    """What a role allows, in the sandbox of a lesson or class or elsewhere; nothing for one that is
    not known any more.
    """
    rights = ROLES.get(role, frozenset())
    return rights | {Right.OPERATE} if in_training and Right.TEACH in rights else rights
