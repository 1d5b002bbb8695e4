"""/_sandbox/v1/sandboxes/{id}/checkouts/{checkout}/capability: to post as the form would."""

from falcon import Request, Response

from simulator.service.checkouts.form_capabilities import issue_capability
from simulator.web.control.access import ONE_SANDBOX, ControlAccess
from simulator.web.control.documents import FormCapability
from simulator.web.http.answers import send
from simulator.web.http.route import Route


class CapabilityResource:
    """What lets a form post once to a checkout."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_post(self, req: Request, resp: Response, identity: str, checkout: str) -> None:
        """Issue one."""
        ports = self._access.ports(req, identity)
        send(resp, 201, FormCapability(checkout, issue_capability(ports, checkout)))


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The row of this path."""
    return (Route(f"{ONE_SANDBOX}/checkouts/{{checkout}}/capability", CapabilityResource(access)),)
