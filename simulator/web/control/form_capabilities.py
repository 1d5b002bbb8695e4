"""/_sandbox/v1/sandboxes/{id}/checkouts/{checkout}: to post as the form would, and what it offers.

Choices: D-131, D-310.
"""

from falcon import Request, Response

from simulator.domain.core.entities import BrandsOnOffer
from simulator.domain.merchants.entities import refuse_unknown_brands
from simulator.service.checkouts.form_capabilities import issue_capability
from simulator.service.checkouts.forms import set_brands
from simulator.web.control.access import ONE_SANDBOX, ControlAccess, read_document
from simulator.web.control.documents.entities import FormCapability
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


class BrandsResource:
    """The brands that forms of a checkout offer."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_put(self, req: Request, resp: Response, identity: str, checkout: str) -> None:
        """Set them."""
        ports = self._access.ports(req, identity)
        offer = read_document(req, BrandsOnOffer)
        refuse_unknown_brands(offer.brands, "brands")
        send(resp, 200, set_brands(ports, checkout, offer))


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    base = f"{ONE_SANDBOX}/checkouts/{{checkout}}"
    return (
        Route(f"{base}/capability", CapabilityResource(access)),
        Route(f"{base}/brands", BrandsResource(access)),
    )
