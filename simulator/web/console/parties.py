"""The views of the parties beside the stage: the shop, the shopper's phone, the receiver's log."""

from typing import Any

from simulator.domain.console.rights import Right
from simulator.domain.core.hosts import TEST
from simulator.domain.urls import origin_of
from simulator.service.console.parties import awaited_payment, view_parties
from simulator.service.console.payments import payment_with
from simulator.web.console.rendering import FRAMED_POLICY, Part, ShownPage, shown_json
from simulator.web.console.resources import drawn_for
from simulator.web.console.visits import ConsoleVisit
from simulator.web.http.origins import opened_at


def show_parties_now(visit: ConsoleVisit) -> Part:
    """What the parties see now; only those who may act are shown the shop and the phone."""
    sandbox, views = visit.sandbox(), view_parties(visit.ports(), visit.host)
    if not visit.may(Right.OPERATE):
        views = views._replace(checkout="", payment="")
    documents = [each.payload for each, _ in views.events]
    payloads = visit.aside(_payloads, documents)
    values = {"sandbox": sandbox, "views": views, "payloads": payloads}
    return Part(drawn_for(visit, ShownPage("parties_now.html", values)))


def _payloads(documents: list[Any]) -> list[str]:
    return [*map(shown_json, documents)]


def show_phone(visit: ConsoleVisit) -> ShownPage:
    """The page that the shopper of a payment is sent to, in a frame."""
    ports = visit.ports()
    visit.refuse_changes(payment_with(ports, visit.ids["payment"]).host)
    url, acs = awaited_payment(ports, visit.ids["payment"])
    # The console may have been opened under another name than the gateway has for others.
    path = url.removeprefix(ports.addresses.base(TEST).rstrip("/"))
    link = opened_at(visit.req, ports.addresses).acs(acs)
    origin = "" if link.startswith("/") or not link else origin_of(link)
    policy = FRAMED_POLICY.replace("frame-src 'self'", f"frame-src 'self' {origin}".rstrip())
    return ShownPage("phone.html", {"address": path}, policy=policy)
