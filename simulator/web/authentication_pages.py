"""/threeDSecure/...: where the shopper's browser and the directory server find the 3DS server.

The page with the token sends the shopper on to the challenge: a browser gets a page that does it by
itself, anything else JSON. The others are named in messages: `method` is told that the issuer's
method was called, `results` takes an RReq under a secret that the directory server was told,
`return` the CRes a browser brings back.
Choices: D-194, D-197.
"""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote

from falcon import Request, Response
from falcon.uri import parse_query_string

from simulator.catalogue.three_d_secure_messages import ERRORS, VERSIONS
from simulator.derive.three_d_secure_messages import Wrong
from simulator.domain.bodies import PENDING, enveloped, result_object
from simulator.domain.errors import Gone
from simulator.domain.ports import Ports
from simulator.domain.records import Payment
from simulator.domain.redirects import opens, way_back
from simulator.domain.server_ports import ServerPorts
from simulator.domain.three_d_secure import Authentication
from simulator.domain.three_d_secure_messages import creq_of
from simulator.service.seats import seat_of
from simulator.service.three_d_secure import (
    Step,
    UnknownPage,
    arrive,
    call_method,
    come_back,
    take_results,
)
from simulator.web.answers import result_body, send
from simulator.web.bank_page import Page, returning_page, unknown_page
from simulator.web.challenge_page import challenge_page, method_page
from simulator.web.context import exchange_of
from simulator.web.door import host_of
from simulator.web.route import Route

PAGE_TYPE = "text/html; charset=utf-8"
BODY_BYTES_MAX = 64 * 1024
UNKNOWN = "200.300.404"
TEMPORARY, SEE_OTHER = 307, 303
OUR_COMPONENT = "S"
# What stands in an address as it is; any other sign is written in percent.
KEPT = "!#$%&'()*+,/:;=?@[]~"


class Opened(NamedTuple):
    """A page that is there: the ports of its sandbox, and the payment it is about."""

    ports: Ports
    payment: Payment


class Pages:
    """What the pages share: finding the payment an address is about."""

    def __init__(self, server: ServerPorts):
        self._server = server

    def on_get(self, req: Request, resp: Response, **place: str) -> None:
        """Come to be authenticated."""
        self._visit(req, resp, place, status=TEMPORARY)

    def on_post(self, req: Request, resp: Response, **place: str) -> None:
        """The same, as merchants do who post the parameters of a redirect."""
        self._visit(req, resp, place, status=SEE_OTHER)

    def on_post_method(self, req: Request, resp: Response, **place: str) -> None:
        """The issuer's method was called in a hidden frame."""
        try:
            ports, payment = self._opened(req, place)
            call_method(ports, payment, _form_of(req).get("threeDSMethodData", ""))
        except (Gone, UnknownPage) as error:
            _not_found(req, resp, str(error))
            return
        _show(resp, 200, method_page())

    def on_post_results(self, req: Request, resp: Response, **place: str) -> None:
        """RReq in, RRes or Erro out, always 200."""
        body = req.bounded_stream.read(BODY_BYTES_MAX + 1)
        try:
            ports, payment = self._opened(req, place)
        except (Gone, UnknownPage):
            send(resp, 200, _erro(Wrong("301", "threeDSServerTransID"), payment=None))
            return
        answer = take_results(ports, payment, body, place["secret"])
        send(resp, 200, _erro(answer, payment) if isinstance(answer, Wrong) else answer)

    def on_post_return(self, req: Request, resp: Response, **place: str) -> None:
        """The browser is back from the challenge."""
        try:
            ports, payment = self._opened(req, place)
            payment = come_back(ports, payment, _form_of(req).get("cres", ""))
        except (Gone, UnknownPage) as error:
            _not_found(req, resp, str(error))
            return
        _send_back(req, resp, Opened(ports, payment), status=SEE_OTHER)

    def _visit(
        self, req: Request, resp: Response, place: Mapping[str, str], *, status: int
    ) -> None:
        try:
            ports, payment = self._opened(req, place)
            if not opens(place["token"], payment):
                raise UnknownPage("no redirect page has this address")
            seat = seat_of(ports, payment.stamp, payment.host)
            payment, authentication, step = arrive(seat, payment)
        except (Gone, UnknownPage) as error:
            _not_found(req, resp, str(error))
            return
        if step is Step.BACK:
            _send_back(req, resp, Opened(ports, payment), status=status)
        else:
            _challenge(req, resp, Opened(ports, payment), authentication)

    def _opened(self, req: Request, place: Mapping[str, str]) -> Opened:
        """The payment at this address. Raises Gone, UnknownPage."""
        ports = self._server.registry.ports(place["sandbox"])
        payment = ports.store.get(Payment, place["payment"])
        if payment is None or payment.host != host_of(req):
            raise UnknownPage("no page has this address, or the sandbox was reset")
        return Opened(ports, payment)


def _challenge(
    req: Request, resp: Response, opened: Opened, authentication: Authentication
) -> None:
    """On to the ACS."""
    ports, payment = opened
    creq = creq_of(payment, authentication)
    if _wants_page(req):
        _show(resp, 200, challenge_page(authentication.acs_url, creq))
        return
    body: dict = {"id": payment.id, "result": result_object(PENDING.code)}
    body |= {"acsURL": authentication.acs_url, "creq": creq}
    send(resp, 200, enveloped(body, ports.clock.now(), payment.ndc))


def _send_back(req: Request, resp: Response, opened: Opened, *, status: int) -> None:
    """A page that leads back to the shop by itself, or for anything but a browser a redirect."""
    ports, payment = opened
    url = way_back(payment)
    if _wants_page(req):
        _show(resp, 200, returning_page(payment, url))
        return
    outcome = payment.outcome or PENDING
    body = {"id": payment.id, "result": result_object(outcome.code), "shopperResultUrl": url}
    send(resp, status, enveloped(body, ports.clock.now(), payment.ndc))
    resp.set_header("Location", quote(url, safe=KEPT))


def _erro(wrong: Wrong, payment: Payment | None) -> dict:
    version = None if payment is None else payment.shown.get("threeDSecure.version")
    return {
        "messageType": "Erro",
        "messageVersion": version or VERSIONS[-1],
        "errorCode": wrong.code,
        "errorComponent": OUR_COMPONENT,
        "errorDescription": ERRORS[wrong.code],
        "errorDetail": wrong.detail,
        "errorMessageType": "RReq",
    }


def _form_of(req: Request) -> dict[str, str]:
    """The form that was posted; of a name that comes twice, nothing."""
    raw = req.bounded_stream.read(BODY_BYTES_MAX)
    found = parse_query_string(raw.decode("utf-8", "replace"), keep_blank=True, csv=False)
    return {name: value for name, value in found.items() if isinstance(value, str)}


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
    resp.set_header("Referrer-Policy", "no-referrer")


def _wants_page(req: Request) -> bool:
    return "text/html" in (req.get_header("Accept") or "").lower()


def routes(server: ServerPorts) -> tuple[Route, ...]:
    """The rows of these pages."""
    pages, stem = Pages(server), "/threeDSecure/{sandbox}/{payment}"
    return (
        Route(f"{stem}/method", pages, "method"),
        Route(f"{stem}/results/{{secret}}", pages, "results"),
        Route(f"{stem}/return", pages, "return"),
        Route(f"{stem}/{{token}}", pages),
    )
