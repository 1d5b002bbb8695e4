"""/redirect/...: the page of the simulated bank that a redirected shopper is sent to.

A browser gets a page, anything else JSON. Both open it by GET, or by POST with redirect.parameters;
one POST with `action` is the shopper's choice. Choices: D-135, D-136, D-138.
"""

from collections.abc import Mapping

from falcon import Request, Response

from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.errors import EpochEndedError, InvalidInputError
from simulator.domain.payments.pending import ShopperChoice
from simulator.domain.payments.redirects import shop_name
from simulator.domain.ports.server import ServerPorts
from simulator.service.payments.redirects import (
    UnknownRedirectPageError,
    VisitResult,
    apply_choice,
    redirected_payment,
    visit_page,
)
from simulator.web.http.route import Route
from simulator.web.http.shopper_pages import (
    SEE_OTHER,
    TEMPORARY,
    Opened,
    form_in,
    not_found,
    redirect,
    send_back,
    show,
    tell,
    wants_page,
)
from simulator.web.http.validation import host_of
from simulator.web.redirects.bank_page import asking_page

ACTION = "action"
GOT_LENGTH_MAX = 40


class RedirectPageResource:
    """/redirect/{sandbox}/{payment}/{token}"""

    def __init__(self, server: ServerPorts):
        self._server = server

    def on_get(self, req: Request, resp: Response, **place: str) -> None:
        """Open the page; a script, or an end that has come already, sends back at once."""
        opened = self._opened(req, resp, place)
        if opened is not None:
            _visit(req, resp, opened, status=TEMPORARY)

    def on_post(self, req: Request, resp: Response, **place: str) -> None:
        """Open the page, or choose where `action` is sent. Raises InvalidInputError."""
        opened = self._opened(req, resp, place)
        if opened is None:
            return
        sent = form_in(req)
        if ACTION not in sent:
            _visit(req, resp, opened, status=SEE_OTHER)
            return
        ports, payment = opened
        chosen = apply_choice(ports, payment, _choice_of(sent[ACTION]))
        send_back(req, resp, Opened(ports, chosen), status=SEE_OTHER)

    def _opened(self, req: Request, resp: Response, place: Mapping[str, str]) -> Opened | None:
        """The page at this address, or None once it was answered that there is none."""
        try:
            ports = self._server.registry.ports(place["sandbox"])
            payment = redirected_payment(ports, place["payment"], place["token"], host_of(req))
        except (EpochEndedError, UnknownRedirectPageError) as error:
            not_found(req, resp, str(error))
            return None
        return Opened(ports, payment)


def _visit(req: Request, resp: Response, opened: Opened, *, status: int) -> None:
    """Open the page; `status` is that of being sent back at once, even to a browser."""
    ports = opened.ports
    payment, stage = visit_page(ports, opened.payment)
    if stage is VisitResult.CHOSEN and payment.checkout is None:
        redirect(req, resp, Opened(ports, payment), status=status)
    elif stage in (VisitResult.CHOSEN, VisitResult.OVER):
        send_back(req, resp, Opened(ports, payment), status=status)
    elif wants_page(req):
        show(resp, 200, asking_page(payment, shop_name(ports.sandbox, payment)))
    else:
        tell(resp, opened, 200, actions=list(ShopperChoice))


def _choice_of(action: str | list[str]) -> ShopperChoice:
    if action not in list(ShopperChoice):
        expected = f"one of {', '.join(ShopperChoice)}"
        raise InvalidInputError(ACTION, expected, beginning_of(str(action), GOT_LENGTH_MAX))
    return ShopperChoice(action)


def routes(server: ServerPorts) -> tuple[Route, ...]:
    """The row of these pages."""
    return (Route("/redirect/{sandbox}/{payment}/{token}", RedirectPageResource(server)),)
