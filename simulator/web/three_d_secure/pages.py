"""/threeDSecure/...: where the shopper's browser and the directory server find the 3DS server.

The page with the token sends the shopper on to the challenge: a browser gets a page that does it by
itself, anything else JSON. The others are named in messages: `method` is called when the issuer's
method page was loaded, `results` takes an RReq under a secret that the directory server was given,
`return` the CRes a browser brings back.
Choices: D-194, D-197.
"""

from collections.abc import Mapping
from typing import Any

from falcon import Request, Response

from simulator.catalogue.messages.three_d_secure import ERRORS, VERSIONS
from simulator.derive.schemas.three_d_secure import Wrong
from simulator.domain.core.errors import EpochEndedError
from simulator.domain.core.records import Payment
from simulator.domain.journal.entries import Party
from simulator.domain.journal.trace import SENT_BACK
from simulator.domain.payments.redirects import opens
from simulator.domain.ports.server import ServerPorts
from simulator.domain.three_d_secure.authentications import Authentication
from simulator.domain.three_d_secure.browsers import COLLECTED, browser_of
from simulator.domain.three_d_secure.messages import creq_of
from simulator.service.challenges import (
    NextPage,
    UnknownChallengePageError,
    handle_cres,
    handle_method_completion,
    handle_rreq,
    needs_browser,
    open_challenge,
    record_browser,
)
from simulator.service.journal import record_step
from simulator.service.payments.contexts import context_of
from simulator.web.http.answers import send
from simulator.web.http.origins import opened_at
from simulator.web.http.route import Route
from simulator.web.http.shopper_pages import (
    BODY_BYTES_MAX,
    SEE_OTHER,
    TEMPORARY,
    Form,
    Opened,
    form_in,
    not_found,
    send_back,
    show,
    tell,
    wants_page,
)
from simulator.web.http.validation import host_of
from simulator.web.three_d_secure.challenge_page import browser_page, challenge_page, method_page

OUR_COMPONENT = "S"
COMES, IS_SHOWN = (Party.SHOPPER, Party.GATEWAY), (Party.GATEWAY, Party.SHOPPER)


SHOWN = {NextPage.CHALLENGE: "sent on to the challenge", NextPage.BACK: SENT_BACK}


class PagesResource:
    """What the pages share: finding the payment an address is about."""

    def __init__(self, server: ServerPorts):
        self._server = server

    def on_get(self, req: Request, resp: Response, **place: str) -> None:
        """Come to be authenticated."""
        self._visit(req, resp, place, form={}, status=TEMPORARY)

    def on_post(self, req: Request, resp: Response, **place: str) -> None:
        """The same, as merchants do who post the parameters of a redirect, and as the page does
        that collects browser data.
        """
        self._visit(req, resp, place, form=form_in(req), status=SEE_OTHER)

    def on_post_method(self, req: Request, resp: Response, **place: str) -> None:
        """The issuer's method was called in a hidden frame."""
        try:
            ports, payment = self._opened(req, place)
            handle_method_completion(ports, payment, _field(req, "threeDSMethodData"))
            record_step(ports, payment, COMES, "3DS method completed")
        except (EpochEndedError, UnknownChallengePageError) as error:
            not_found(req, resp, str(error))
            return
        show(resp, 200, method_page())

    def on_post_results(self, req: Request, resp: Response, **place: str) -> None:
        """RReq in, RRes or Erro out, always 200."""
        body = req.stream.read(BODY_BYTES_MAX + 1)
        try:
            ports, payment = self._opened(req, place)
        except (EpochEndedError, UnknownChallengePageError):
            send(resp, 200, _erro(Wrong("301", "threeDSServerTransID"), payment=None))
            return
        answer = handle_rreq(ports, payment, body, place["secret"])
        send(resp, 200, _erro(answer, payment) if isinstance(answer, Wrong) else answer)

    def on_post_return(self, req: Request, resp: Response, **place: str) -> None:
        """The browser is back from the challenge."""
        try:
            ports, payment = self._opened(req, place)
            record_step(ports, payment, COMES, "brings the CRes")
            payment = handle_cres(ports, payment, _field(req, "cres"))
        except (EpochEndedError, UnknownChallengePageError) as error:
            not_found(req, resp, str(error))
            return
        record_step(ports, payment, IS_SHOWN, SENT_BACK)
        send_back(req, resp, Opened(ports, payment), status=SEE_OTHER)

    def _visit(
        self, req: Request, resp: Response, place: Mapping[str, str], *, form: Form, status: int
    ) -> None:
        try:
            ports, payment = self._opened(req, place)
            if not opens(place["token"], payment):
                raise UnknownChallengePageError("no redirect page has this address")
            record_step(ports, payment, COMES, _said_by(form))
            if needs_browser(ports, payment.id):
                if wants_page(req) and COLLECTED not in form:
                    record_step(ports, payment, IS_SHOWN, "page that collects browser data")
                    show(resp, 200, browser_page(is_framed=payment.checkout is not None))
                    return
                record_browser(ports, payment, _browser_in(req, form))
            context = context_of(ports, payment.stamp, payment.host)
            payment, authentication, step = open_challenge(context, payment)
        except (EpochEndedError, UnknownChallengePageError) as error:
            not_found(req, resp, str(error))
            return
        record_step(ports, payment, IS_SHOWN, SHOWN[step])
        if step is NextPage.BACK:
            send_back(req, resp, Opened(ports, payment), status=status)
        else:
            _challenge(req, resp, Opened(ports, payment), authentication)

    def _opened(self, req: Request, place: Mapping[str, str]) -> Opened:
        """The payment at this address. Raises EpochEndedError, UnknownChallengePageError."""
        ports = self._server.registry.ports(place["sandbox"])
        payment = ports.store.get(Payment, place["payment"])
        if payment is None or payment.host != host_of(req):
            raise UnknownChallengePageError("no page has this address, or the sandbox was reset")
        return Opened(ports, payment)


def _said_by(form: Form) -> str:
    return "sends browser data" if COLLECTED in form else "opens the 3-D Secure page"


def _challenge(
    req: Request, resp: Response, opened: Opened, authentication: Authentication
) -> None:
    """On to the ACS."""
    creq = creq_of(opened.payment, authentication)
    if wants_page(req):
        link = opened_at(req, opened.ports.addresses).acs(authentication.acs_url)
        is_of_form = opened.payment.checkout is not None
        show(resp, 200, challenge_page(link, creq, is_of_form=is_of_form))
    else:
        tell(resp, opened, 200, acsURL=authentication.acs_url, creq=creq)


def _browser_in(req: Request, form: Form) -> dict[str, str]:
    """What the browser says of itself."""
    accept, languages, agent = (
        req.get_header(name) or "" for name in ("Accept", "Accept-Language", "User-Agent")
    )
    return browser_of(form, accept=accept, languages=languages, agent=agent)


def _erro(wrong: Wrong, payment: Payment | None) -> dict[str, Any]:
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


def _field(req: Request, name: str) -> str:
    """A field of the form that was posted; nothing of one that is missing or comes twice."""
    found = form_in(req).get(name)
    return found if isinstance(found, str) else ""


def routes(server: ServerPorts) -> tuple[Route, ...]:
    """The rows of these pages."""
    pages, stem = PagesResource(server), "/threeDSecure/{sandbox}/{payment}"
    return (
        Route(f"{stem}/method", pages, "method"),
        Route(f"{stem}/results/{{secret}}", pages, "results"),
        Route(f"{stem}/return", pages, "return"),
        Route(f"{stem}/{{token}}", pages),
    )
