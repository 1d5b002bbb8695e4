"""What every page for shoppers needs: how it is opened, shown, refused, and how it leads back.

A browser gets a page, anything else JSON.
"""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote

from falcon import Request, Response
from falcon.uri import parse_query_string

from simulator.domain.core.records import Payment
from simulator.domain.payments.bodies import PENDING, enveloped, result_object
from simulator.domain.payments.redirects import way_back
from simulator.domain.ports.sandbox import Ports
from simulator.web.http.answers import result_body, send
from simulator.web.http.context import exchange_of
from simulator.web.http.forms import read_body
from simulator.web.http.origins import opened_at
from simulator.web.http.page import Page
from simulator.web.http.way_back import returning_page, unknown_page

PAGE_TYPE = "text/html; charset=utf-8"
BODY_BYTES_MAX = 64 * 1024
UNKNOWN = "200.300.404"
TEMPORARY, SEE_OTHER = 307, 303
# What stands in an address as it is; any other sign is written in percent.
KEPT = "!#$%&'()*+,/:;=?@[]~"

Form = Mapping[str, str | list[str]]


class Opened(NamedTuple):
    """A page that is there: the ports of its sandbox, and the payment it is about."""

    ports: Ports
    payment: Payment


def wants_page(req: Request) -> bool:
    """Whether a browser asks."""
    return "text/html" in (req.get_header("Accept") or "").lower()


def form_in(req: Request) -> Form:
    """The form that was posted, a list for a name that comes twice; empty where it is no form."""
    raw = read_body(req, BODY_BYTES_MAX)
    return parse_query_string(raw.decode("utf-8", "replace"), keep_blank=True, csv=False)


def show(resp: Response, status: int, page: Page) -> None:
    """Answer with a page."""
    resp.status = status
    resp.content_type = PAGE_TYPE
    resp.data = page.html.encode()
    # The console shows these pages beside its diagram: a page of the same origin. Choice: D-532.
    policy = page.policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    resp.set_header("Content-Security-Policy", policy)
    # The address holds what opens the page: the shop does not get it.
    resp.set_header("Referrer-Policy", "no-referrer")


def tell(resp: Response, opened: Opened, status: int, **more: object) -> None:
    """Answer a program: how the payment stands, and `more`."""
    ports, payment = opened
    result = result_object((payment.outcome or PENDING).code)
    body = {"id": payment.id, "result": result, **more}
    send(resp, status, enveloped(body, ports.clock.now(), payment.ndc))


def send_back(req: Request, resp: Response, opened: Opened, *, status: int) -> None:
    """A page that leads back to the shop by itself, or for anything but a browser a redirect."""
    if wants_page(req):
        link = opened_at(req, opened.ports.addresses).page(way_back(opened.payment))
        show(resp, 200, returning_page(opened.payment, link))
    else:
        redirect(req, resp, opened, status=status)


def redirect(req: Request, resp: Response, opened: Opened, *, status: int) -> None:
    """Send the shopper back to the shop at once."""
    url = way_back(opened.payment)
    tell(resp, opened, status, shopperResultUrl=url)
    link = opened_at(req, opened.ports.addresses).page(url) if wants_page(req) else url
    resp.set_header("Location", quote(link, safe=KEPT))


def not_found(req: Request, resp: Response, detail: str) -> None:
    """There is no such page; `detail` says so to a program."""
    if wants_page(req):
        show(resp, 404, unknown_page())
    else:
        send(resp, 404, result_body(exchange_of(req), UNKNOWN, detail))
