"""/_sandbox/v1/sandboxes/{id}/checkouts/{checkout}/capability: to post as the form would."""

from falcon import Request, Response

from simulator.service.checkouts.form_capabilities import issue_capability
from simulator.web.control.base import ONE_SANDBOX, Desk
from simulator.web.http.answers import send
from simulator.web.http.route import Route


class Capability:
    """What lets a form post once to a checkout."""

    def __init__(self, desk: Desk):
        self._desk = desk

    def on_post(self, req: Request, resp: Response, identity: str, checkout: str) -> None:
        """Issue one."""
        ports = self._desk.ports(req, identity)
        send(resp, 201, {"id": checkout, "capability": issue_capability(ports, checkout)})


def routes(desk: Desk) -> tuple[Route, ...]:
    """The row of this path."""
    return (Route(f"{ONE_SANDBOX}/checkouts/{{checkout}}/capability", Capability(desk)),)
