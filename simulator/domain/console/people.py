"""Records of the console: people, invitations, sign-ins, and entries of the audit log.

Of every secret only a hash is kept, of a password what Argon2id makes of it.
"""

import re
from collections import Counter
from collections.abc import Collection
from datetime import datetime, timedelta

import msgspec

from simulator.catalogue.console_words import plain
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.console.rights import INVITED
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.hosts import HOSTS, LIVE, TEST, Host
from simulator.domain.masking.refusals import refuse_secrets

NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,38}[a-z0-9])?")
PASSWORD_LENGTH_MIN, PASSWORD_LENGTH_MAX = 12, 200
PEOPLE_MAX, INVITATIONS_MAX, SIGN_INS_MAX = 500, 100, 1000
INVITED_FOR = timedelta(days=2)
SIGNED_IN_FOR, IDLE_FOR = timedelta(hours=12), timedelta(minutes=30)
# A sign-in is stored again no more often than this, however many pages are read.
SEEN_EVERY = timedelta(minutes=1)


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A person who may sign in; `password` is a text of the PHC form. One who came by the link of
    a class has none, and sees the one `sandbox` alone.
    """

    name: str
    role: str
    password: str
    created_at: datetime
    sandbox: str = ""


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    """What lets a person choose a password, once; without a `name` that too. `id` is the hash of
    the secret in its link.
    """

    id: str
    role: str
    name: str = ""
    until: datetime


class SignIn(msgspec.Struct, frozen=True, kw_only=True):
    """That a browser is signed in; `id` is the hash of its cookie, `form_token` what each of its
    forms sends back. `host` is the one whose records are shown; on the live host nothing is changed
    unless `changes_live`.
    """

    id: str
    person: str
    form_token: str
    began_at: datetime
    seen_at: datetime
    host: Host = TEST
    changes_live: bool = False

    def may_change(self, host: Host) -> bool:
        """Whether records of a host may be changed."""
        return host != LIVE or self.changes_live

    def holds_at(self, now: datetime, person: Person) -> bool:
        """Whether it opens anything any more. Without a password no one signs in again, so that of
        a participant does not end because nothing was done.
        """
        is_idle = bool(person.password) and now - self.seen_at >= IDLE_FOR
        return now - self.began_at < SIGNED_IN_FOR and not is_idle


def displaced_by(begun: SignIn, others: Collection[SignIn]) -> SignIn:
    """The one of the others that ends where there is no room for one more. Choice: D-704."""
    held = Counter(each.person for each in (*others, begun))
    return min(others, key=lambda each: (-held[each.person], each.seen_at))


class AuditEntry(msgspec.Struct, frozen=True, kw_only=True):
    """Who did what to which object of which sandbox; never a value."""

    at: datetime
    person: str
    action: str
    sandbox: str = ""
    object: str = ""


def refuse_person_name(name: str) -> None:
    """Raise InvalidInputError for a name no one can have."""
    if not NAME.fullmatch(name) or len(name) < 2:
        raise InvalidInputError(
            "name", plain("errors.person_name"), plain("errors.characters", count=len(name))
        )
    refuse_secrets(name, "name")


def read_host(text: str) -> Host:
    """A host that was chosen. Raises InvalidInputError."""
    for host in HOSTS:
        if text == host:
            return host
    raise InvalidInputError("host", ", ".join(HOSTS), beginning_of(text, 20))


def refuse_role(role: str) -> None:
    """Raise InvalidInputError for a role that no person is given."""
    if role not in INVITED:
        raise InvalidInputError("role", ", ".join(INVITED), beginning_of(role, 40))


def refuse_password(password: str) -> None:
    """Raise InvalidInputError for one that is too short to keep others out, or too long."""
    if not PASSWORD_LENGTH_MIN <= len(password) <= PASSWORD_LENGTH_MAX:
        expected = plain("errors.password", least=PASSWORD_LENGTH_MIN, most=PASSWORD_LENGTH_MAX)
        raise InvalidInputError("password", expected, f"{len(password)}")
