"""/redirect/...: the page of the far side that a redirected shopper is sent to.

A browser gets a page, anything else JSON. Both open it by GET, or by POST with redirect.parameters;
one POST with `action` is the shopper's choice. Choices: D-135, D-136, D-138.
"""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote

from falcon import Request, Response
from falcon.uri import parse_query_string

from simulator.domain.bodies import PENDING, enveloped, result_object
from simulator.domain.errors import BadInput, Gone
from simulator.domain.pending import Choice
from simulator.domain.ports import Ports
from simulator.domain.records import Payment
from simulator.domain.redirects import way_back
from simulator.domain.server_ports import ServerPorts
from simulator.service.redirects import (
    Stage,
    UnknownPage,
    choose,
    redirected_payment,
    visit_page,
)
from simulator.service.seats import seat_of
from simulator.web.answers import result_body, send
from simulator.web.bank_page import Page, asking_page, returning_page, unknown_page
from simulator.web.context import exchange_of
from simulator.web.door import host_of
from simulator.web.route import Route

PAGE_TYPE = "text/html; charset=utf-8"
FORM_BYTES_MAX = 16 * 1024
ACTION = "action"
GOT_LENGTH_MAX = 40
UNKNOWN = "200.300.404"
TEMPORARY, SEE_OTHER = 307, 303
# What stands in an address as it is; any other sign is written in percent.
KEPT = "!#$%&'()*+,/:;=?@[]~"


class Opened(NamedTuple):
    """A page that is there: the ports of its sandbox, and the payment it is about."""

    ports: Ports
    payment: Payment


class RedirectPage:
    """/redirect/{sandbox}/{payment}/{token}"""

    def __init__(self, server: ServerPorts):
        self._server = server

    def on_get(self, req: Request, resp: Response, **place: str) -> None:
        """Open the page; a script, or an end that has come already, sends back at once."""
        opened = self._opened(req, resp, place)
        if opened is not None:
            _visit(req, resp, opened, status=TEMPORARY)

    def on_post(self, req: Request, resp: Response, **place: str) -> None:
        """Open the page, or choose where `action` is sent. Raises BadInput."""
        opened = self._opened(req, resp, place)
        if opened is None:
            return
        sent = _sent_in(req)
        if ACTION not in sent:
            _visit(req, resp, opened, status=SEE_OTHER)
            return
        ports, payment = opened
        chosen = choose(ports, payment, _choice_of(sent[ACTION]))
        _send_back(req, resp, Opened(ports, chosen), status=SEE_OTHER)

    def _opened(self, req: Request, resp: Response, place: Mapping[str, str]) -> Opened | None:
        """The page at this address, or None once it was answered that there is none."""
        try:
            ports = self._server.registry.ports(place["sandbox"])
            payment = redirected_payment(ports, place["payment"], place["token"], host_of(req))
        except (Gone, UnknownPage) as error:
            _not_found(req, resp, str(error))
            return None
        return Opened(ports, payment)


def _visit(req: Request, resp: Response, opened: Opened, *, status: int) -> None:
    """Open the page; `status` is that of being sent back at once, even to a browser."""
    ports = opened.ports
    payment, stage = visit_page(ports, opened.payment)
    if stage is Stage.CHOSEN:
        _redirect(resp, Opened(ports, payment), status=status)
    elif stage is Stage.OVER:
        _send_back(req, resp, Opened(ports, payment), status=status)
    elif _wants_page(req):
        shop = seat_of(ports, payment.stamp, payment.host).channel.name
        _show(resp, 200, asking_page(payment, shop))
    else:
        _tell(resp, opened, status=200)


def _send_back(req: Request, resp: Response, opened: Opened, *, status: int) -> None:
    """A page that leads back by itself, or for anything but a browser a redirect."""
    if _wants_page(req):
        _show(resp, 200, returning_page(opened.payment, way_back(opened.payment)))
    else:
        _redirect(resp, opened, status=status)


def _redirect(resp: Response, opened: Opened, *, status: int) -> None:
    _tell(resp, opened, status=status)
    resp.set_header("Location", quote(way_back(opened.payment), safe=KEPT))


def _tell(resp: Response, opened: Opened, *, status: int) -> None:
    """The page for programs: how the payment stands, and what may be chosen."""
    ports, payment = opened
    outcome = payment.outcome or PENDING
    body: dict = {"id": payment.id, "result": result_object(outcome.code)}
    if status == 200:
        body["actions"] = list(Choice)
    else:
        body["shopperResultUrl"] = way_back(payment)
    send(resp, status, enveloped(body, ports.clock.now(), payment.ndc))


def _not_found(req: Request, resp: Response, detail: str) -> None:
    if _wants_page(req):
        _show(resp, 404, unknown_page())
    else:
        send(resp, 404, result_body(exchange_of(req), UNKNOWN, detail))


def _show(resp: Response, status: int, page: Page) -> None:
    resp.status = status
    resp.content_type = PAGE_TYPE
    resp.data = page.html.encode()
    resp.set_header("Content-Security-Policy", page.policy)
    # The address holds what opens the page: the shop is not told it.
    resp.set_header("Referrer-Policy", "no-referrer")


def _wants_page(req: Request) -> bool:
    return "text/html" in (req.get_header("Accept") or "").lower()


def _sent_in(req: Request) -> Mapping[str, str | list[str]]:
    """The form that was posted; what is no form has no action in it."""
    raw = req.bounded_stream.read(FORM_BYTES_MAX)
    return parse_query_string(raw.decode("utf-8", "replace"), keep_blank=True, csv=False)


def _choice_of(action: str | list[str]) -> Choice:
    if action not in list(Choice):
        expected = f"one of {', '.join(Choice)}"
        raise BadInput(ACTION, expected, str(action)[:GOT_LENGTH_MAX])
    return Choice(action)


def routes(server: ServerPorts) -> tuple[Route, ...]:
    """The row of these pages."""
    return (Route("/redirect/{sandbox}/{payment}/{token}", RedirectPage(server)),)
