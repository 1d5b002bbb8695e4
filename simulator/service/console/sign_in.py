"""Sign in and out, and the invitations by which people choose a password. Choice: D-494."""

from datetime import datetime
from typing import NamedTuple

from msgspec.structs import replace

from simulator.catalogue.console_words import plain
from simulator.domain.console.limits import refuse_one_more
from simulator.domain.console.people import (
    INVITATIONS_MAX,
    INVITED_FOR,
    PASSWORD_LENGTH_MAX,
    PEOPLE_MAX,
    SEEN_EVERY,
    AuditEntry,
    Invitation,
    Person,
    SignIn,
    refuse_password,
    refuse_person_name,
    refuse_role,
)
from simulator.domain.console.rights import ADMINISTRATOR
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.hosts import LIVE, Host
from simulator.domain.merchants.tokens import token_hash
from simulator.domain.ports.console import ConsolePorts, CrowdedSignInError

SECRET_DIGITS = 64


class WrongPasswordError(Exception):
    """No one has the name, or it is not their password: which of the two is not said."""


class TooManyTriesError(Exception):
    """Too many wrong passwords for a name; `wait_s` until the next is allowed."""

    def __init__(self, wait_s: int):
        super().__init__(f"too many tries; the next one is allowed in {wait_s} s")
        self.wait_s = wait_s


class UnknownInvitationError(Exception):
    """The invitation was used, is over, or never was."""


class SignedIn(NamedTuple):
    """Who a browser is signed in as."""

    sign_in: SignIn
    person: Person


class NewSignIn(NamedTuple):
    """A sign-in and its secret, which only the browser keeps."""

    sign_in: SignIn
    secret: str


def sign_in(console: ConsolePorts, name: str, password: str) -> NewSignIn:
    """Sign in with a password. Raises WrongPasswordError, TooManyTriesError, CrowdedSignInError."""
    name, now = name[:PASSWORD_LENGTH_MAX], console.server.clock.now()
    wait_s = console.tries.wait_s(name, now)
    if wait_s:
        raise TooManyTriesError(wait_s)
    person = console.people.person(name)
    kept = "" if person is None else person.password
    console.tries.count(name, now)
    try:
        is_right = console.passwords.fits(password[: PASSWORD_LENGTH_MAX + 1], kept)
    except CrowdedSignInError:
        console.tries.forgive(name)
        raise
    if person is None or not is_right:
        if person is not None:
            _note(console, now, person=name, action="failed sign-in")
        raise WrongPasswordError
    console.tries.forgive(name)
    _note(console, now, person=name, action="sign-in")
    return begin_sign_in(console, person, now)


def signed_in(console: ConsolePorts, secret: str) -> SignedIn | None:
    """Who the browser with this secret is signed in as; None where that is no one any more."""
    return _holder(console, token_hash(secret))


def is_as_before(console: ConsolePorts, before: SignedIn) -> bool:
    """Whether a person who waited is still signed in, and the same: not shown another stage."""
    now = _holder(console, before.sign_in.id)
    return now is not None and now.person == before.person


def _holder(console: ConsolePorts, identity: str) -> SignedIn | None:
    found = console.people.sign_in(identity)
    if found is None:
        return None
    now, person = console.server.clock.now(), console.people.person(found.person)
    if person is None or not found.holds_at(now, person):
        console.people.end_sign_in(found.id)
        return None
    if now - found.seen_at >= SEEN_EVERY:
        found = replace(found, seen_at=now)
        console.people.change_sign_in(found)
    return SignedIn(found, person)


def choose_host(console: ConsolePorts, sign_in: SignIn, host: Host, *, changes_live: bool) -> None:
    """Show the records of another host from now on, and let those of the live one be changed."""
    allowed = changes_live and host == LIVE
    console.people.change_sign_in(replace(sign_in, host=host, changes_live=allowed))


def sign_out(console: ConsolePorts, sign_in: SignIn) -> None:
    """End a sign-in: its cookie opens nothing any more."""
    console.people.end_sign_in(sign_in.id)


def invite(console: ConsolePorts, role: str, name: str = "") -> str:
    """The secret of an invitation, which is shown this once; one that named the same person before
    opens nothing any more. Raises InvalidInputError for a name that a person has, a role that is
    unknown, or too many people.
    """
    refuse_role(role)
    with console.people.changing():
        if name:
            _refuse_taken(console, name)
            withdraw_invitations(console, name)
        _drop_old_invitations(console)
        refuse_one_more("invitations", len(console.people.invitations()), INVITATIONS_MAX)
        secret = console.server.ids.hex(SECRET_DIGITS)
        until = console.server.clock.now() + INVITED_FOR
        invitation = Invitation(id=token_hash(secret), role=role, name=name, until=until)
        console.people.save_invitation(invitation)
        return secret


def has_administrator(console: ConsolePorts) -> bool:
    """Whether there is a first administrator: there is always one from then on."""
    return any(each.role == ADMINISTRATOR for each in console.people.people())


def invite_first(console: ConsolePorts) -> str | None:
    """The secret that makes the first administrator; None where there is one. One that an earlier
    start showed, which names no one, opens nothing any more.
    """
    if has_administrator(console):
        return None
    for each in console.people.invitations():
        if not each.name:
            console.people.take_invitation(each.id)
    return invite(console, ADMINISTRATOR)


def withdraw_invitations(console: ConsolePorts, name: str) -> bool:
    """Whether someone was invited by this name: the links open nothing any more."""
    found = [each for each in console.people.invitations() if name and each.name == name]
    for each in found:
        console.people.take_invitation(each.id)
    return bool(found)


def invitation_of(console: ConsolePorts, secret: str) -> Invitation:
    """The invitation with this secret. Raises UnknownInvitationError."""
    identity, now = token_hash(secret), console.server.clock.now()
    for each in console.people.invitations():
        if each.id == identity and now < each.until:
            return each
    raise UnknownInvitationError


def accept_invitation(console: ConsolePorts, secret: str, name: str, password: str) -> NewSignIn:
    """A new person, signed in; the invitation is used up. Raises UnknownInvitationError,
    InvalidInputError, CrowdedSignInError.
    """
    invitation = invitation_of(console, secret)
    name = invitation.name or name
    _refuse_taken(console, name)
    refuse_password(password)
    kept = console.passwords.hash(password)
    with console.people.changing():
        # While that was made another one may have taken the name, or used the invitation.
        invitation_of(console, secret)
        _refuse_taken(console, name)
        console.people.take_invitation(invitation.id)
        now = console.server.clock.now()
        person = Person(name=name, role=invitation.role, password=kept, created_at=now)
        _note(console, now, person=name, action="joined", about=invitation.role)
        console.people.save_person(person)
        withdraw_invitations(console, name)
        return begin_sign_in(console, person, now)


def _refuse_taken(console: ConsolePorts, name: str) -> None:
    refuse_person_name(name)
    if console.people.person(name) is not None:
        raise InvalidInputError("name", plain("errors.free_name"), name)
    refuse_one_more("people", len(console.people.people()), PEOPLE_MAX)


def open_invitations(console: ConsolePorts) -> list[Invitation]:
    """The invitations that open something, by name."""
    now = console.server.clock.now()
    found = (each for each in console.people.invitations() if now < each.until)
    return sorted(found, key=lambda each: (each.name, each.until))


def _drop_old_invitations(console: ConsolePorts) -> None:
    now = console.server.clock.now()
    for each in console.people.invitations():
        if each.until <= now:
            console.people.take_invitation(each.id)


def begin_sign_in(console: ConsolePorts, person: Person, now: datetime) -> NewSignIn:
    """Sign a person in who has shown who they are."""
    # A new secret at each sign-in: one that a person put into the browser before opens nothing.
    ids = console.server.ids
    secret, form_token = ids.hex(SECRET_DIGITS), ids.hex(SECRET_DIGITS)
    begun = SignIn(
        id=token_hash(secret),
        person=person.name,
        form_token=form_token,
        began_at=now,
        seen_at=now,
    )
    console.people.save_sign_in(begun)
    if console.people.person(person.name) is None:
        # Removed while it was stored. It must not be that of the next one with the name.
        console.people.end_sign_in(begun.id)
    return NewSignIn(begun, secret)


def _note(
    console: ConsolePorts, at: datetime, *, person: str, action: str, about: str = ""
) -> None:
    entry = AuditEntry(at=at, person=person, action=action, object=about)
    console.people.append_audit(entry)
