"""What administrators see and do: access tokens, people, the audit log."""

from typing import Literal, cast

from simulator.client.shown.beginnings import beginning_of
from simulator.domain.console.rights import INVITED, ROLES, Right
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.hosts import LIVE, TEST
from simulator.service.console import tokens as using
from simulator.service.console.people import (
    change_role,
    person_with,
    remove_person,
    withdraw_invitation,
)
from simulator.service.console.sign_in import invite, open_invitations
from simulator.service.merchants.entities import EntityPath
from simulator.web.console.rendering import Moved, ShownPage
from simulator.web.console.sign_in import HOME, INVITATIONS
from simulator.web.console.visits import ConsoleVisit

AUDIT_SHOWN = 200
STATES = {"suspend": "suspended", "activate": "active"}


def show_tokens(visit: ConsoleVisit) -> ShownPage:
    """The tokens of every merchant, without their values. Source: AUTH-05."""
    values = {"sandbox": visit.sandbox(), "value": None, "place": None, "hosts": (TEST, LIVE)}
    return ShownPage("tokens.html", values)


def reveal_token(visit: ConsoleVisit) -> ShownPage:
    """The same page with the value of one of them, which no other answer repeats."""
    place = _place(visit)
    return _with_value(visit, place.id, using.reveal_token(visit.console, visit.name, place))


def issue_token(visit: ConsoleVisit) -> ShownPage:
    """Issue a token, and show its value."""
    host = visit.form.get("host", TEST)
    if host not in (TEST, LIVE):
        raise InvalidInputError("host", f"{TEST}, {LIVE}", beginning_of(host, 20))
    issued = using.issue_token(
        visit.console,
        visit.name,
        visit.ids["sandbox"],
        visit.ids["merchant"],
        host=host,
        alias=visit.form.get("alias", ""),
    )
    return _with_value(visit, issued.token.id, issued.value)


def rotate_token(visit: ConsoleVisit) -> ShownPage:
    """Put a new token in the place of one, and show its value."""
    issued = using.rotate_token(visit.console, visit.name, _place(visit))
    return _with_value(visit, issued.token.id, issued.value)


def set_token_state(visit: ConsoleVisit) -> Moved:
    """Suspend a token, or activate it."""
    asked = visit.form.get("state", "")
    if asked not in STATES:
        raise InvalidInputError("state", ", ".join(STATES), beginning_of(asked, 20))
    state = cast(Literal["active", "suspended"], STATES[asked])
    using.set_token_state(visit.console, visit.name, _place(visit), state)
    return Moved(f"{HOME}/{visit.ids['sandbox']}/tokens")


def show_people(visit: ConsoleVisit) -> ShownPage:
    """Everybody, and who was invited."""
    return _people_page(visit, None)


def invite_by_form(visit: ConsoleVisit) -> ShownPage:
    """Invite a person, and show the link, this once."""
    secret = invite(visit.console, visit.form.get("role", ""), visit.form.get("name", "").strip())
    return _people_page(visit, f"{visit.shared}{INVITATIONS}/{secret}")


def set_role(visit: ConsoleVisit) -> Moved:
    """Give a person another role."""
    change_role(visit.console, visit.name, visit.ids["person"], visit.form.get("role", ""))
    return Moved(f"{HOME}/people")


def remove_by_form(visit: ConsoleVisit) -> Moved:
    """Remove a person."""
    person = person_with(visit.console, visit.ids["person"])
    remove_person(visit.console, visit.name, person.name)
    return Moved(f"{HOME}/people")


def withdraw_by_form(visit: ConsoleVisit) -> Moved:
    """Withdraw an invitation."""
    withdraw_invitation(visit.console, visit.name, visit.ids["invitation"])
    return Moved(f"{HOME}/people")


def show_audit_log(visit: ConsoleVisit) -> ShownPage:
    """Who did what, newest first."""
    return ShownPage("audit.html", {"entries": visit.console.people.audit_log(AUDIT_SHOWN)})


def _people_page(visit: ConsoleVisit, link: str | None) -> ShownPage:
    values = {
        "people": visit.console.people.people(),
        "invitations": open_invitations(visit.console),
        "roles": ROLES,
        "invited": INVITED,
        "all_rights": tuple(Right),
        "link": link,
    }
    return ShownPage("people.html", values)


def _with_value(visit: ConsoleVisit, identity: str, value: str) -> ShownPage:
    page = show_tokens(visit)
    return page._replace(values={**page.values, "value": value, "place": identity})


def _place(visit: ConsoleVisit) -> EntityPath:
    ids = visit.ids
    return EntityPath(ids["sandbox"], ids["merchant"], ids["token"])
