"""/_sandbox/v1/people: list, invite and remove the people of the console."""

from collections.abc import Callable

from falcon import Request, Response

from simulator.domain.ports.console import ConsolePorts
from simulator.service.console.people import remove_person
from simulator.service.console.sign_in import invite, open_invitations
from simulator.web.control.access import PREFIX, ControlAccess, read_document
from simulator.web.control.documents.entities import Deleted
from simulator.web.control.documents.people import (
    AskedInvitation,
    IssuedInvitation,
    OpenInvitation,
    PersonDocument,
    PersonList,
)
from simulator.web.http.answers import send
from simulator.web.http.route import Route

Origin = Callable[[Request], str]
PEOPLE = f"{PREFIX}/people"
CONTROL_KEY_HOLDER = "control key"


class PeopleResource:
    """The people of the console, for the holder of the server's key."""

    def __init__(self, access: ControlAccess, console: ConsolePorts, shared: Origin):
        self._access, self._console, self._shared = access, console, shared

    def on_get(self, req: Request, resp: Response) -> None:
        """List them."""
        self._access.demand_control_key(req)
        people = self._console.people
        listed = [PersonDocument(each.name, each.role, each.created_at) for each in people.people()]
        invited = [
            OpenInvitation(each.name, each.role, each.until)
            for each in open_invitations(self._console)
        ]
        send(resp, 200, PersonList(tuple(listed), tuple(invited)))

    def on_post(self, req: Request, resp: Response) -> None:
        """Invite a person; the link is in this answer alone."""
        self._access.demand_control_key(req)
        asked = read_document(req, AskedInvitation)
        secret = invite(self._console, asked.role, asked.name)
        link = f"{self._shared(req)}/console/invitations/{secret}"
        send(resp, 201, IssuedInvitation(link, asked.role, asked.name))

    def on_delete_one(self, req: Request, resp: Response, person: str) -> None:
        """Remove a person, signed out everywhere, or one who was invited."""
        self._access.demand_control_key(req)
        remove_person(self._console, CONTROL_KEY_HOLDER, person)
        send(resp, 200, Deleted(person))


def routes(access: ControlAccess, console: ConsolePorts, shared: Origin) -> tuple[Route, ...]:
    """The rows of these paths; at `shared` of a request begins a link for others."""
    people = PeopleResource(access, console, shared)
    return Route(PEOPLE, people), Route(f"{PEOPLE}/{{person}}", people, "one")
