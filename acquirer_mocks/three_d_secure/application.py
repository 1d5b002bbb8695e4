"""Directory server and ACS as one WSGI application. The package says what it answers."""

import logging
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import falcon
import msgspec
from falcon import Request, Response
from falcon.constants import COMBINED_METHODS
from falcon.routing import map_http_methods
from falcon.uri import parse_query_string

from acquirer_mocks.three_d_secure.access_control import AccessControl, WithheldAnswerError
from acquirer_mocks.three_d_secure.challenges import Action, Challenge
from acquirer_mocks.three_d_secure.directory import SimulatedDirectoryServer
from acquirer_mocks.three_d_secure.messages import (
    ACS,
    DIRECTORY,
    MessageRefusedError,
    erro,
    packed,
    unpacked,
)
from acquirer_mocks.three_d_secure.pages import (
    AcsPage,
    challenge_page,
    method_page,
    refused_page,
    returning_page,
)
from acquirer_mocks.three_d_secure.signing import Signer
from simulator.adapters.logs import LimitedLog
from simulator.catalogue.messages.three_d_secure import ERRORS, web
from simulator.derive.schemas.three_d_secure import Wrong, read_message
from simulator.domain.core.errors import EpochEndedError, UnreadableRequestError
from simulator.domain.core.hosts import BESIDE
from simulator.domain.urls import without_origin

LOG = logging.getLogger("sandgate.acs")
BODY_BYTES_MAX = 64 * 1024
PAGE_TYPE, JSON_TYPE = "text/html; charset=utf-8", "application/json;charset=UTF-8"
PEM_TYPE = "application/x-pem-file"
WEB = re.compile(web(256).body)
STATUSES = {"301": 404, "303": 403, "404": 500}
HEADERS = (
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
)


class BodyTooLongError(Exception):
    """A body over the limit."""


class AcsParts(NamedTuple):
    """The servers behind the application, and whether a URL is one of the gateway."""

    directory: SimulatedDirectoryServer
    acs: AccessControl
    signer: Signer
    is_ours: Callable[[str], bool]


def create_acs_app(side: AcsParts) -> "falcon.App[Request, Response]":
    """The application. Every answer is a message, a page, or a certificate."""
    app = falcon.App(middleware=[EveryAnswer()])
    app.req_options.strip_url_path_trailing_slash = True
    app.add_route("/ds/lookup", Lookup(side.directory))
    app.add_route("/ds/areq", AreqResource(side.directory))
    app.add_route("/ds/certificate", AcsCertificateResource(side.signer))
    app.add_route("/acs/method", Method(side))
    app.add_route("/acs/challenge/{acs_id}", Challenging(side))
    app.add_error_handler(Exception, _fault)
    app.add_error_handler(falcon.HTTPError, _http_error)
    app.add_error_handler(BodyTooLongError, _too_long)
    app.add_error_handler(MessageRefusedError, _refused)
    app.add_error_handler(UnreadableRequestError, _unreadable)
    app.add_error_handler(WithheldAnswerError, _unanswered)
    app.add_error_handler(EpochEndedError, _unanswered)
    return app


class EveryAnswer:
    """What every answer says, and the log of refusals: anybody can cause one, so it is limited."""

    def __init__(self) -> None:
        self._log = LimitedLog(LOG)

    def process_request(self, req: Request, resp: Response) -> None:
        """Set the headers. Raises HTTPNotFound where the first part of the path is empty: the
        framework passes over it. Choice: D-700.
        """
        resp.set_headers(HEADERS)
        if req.path.startswith("//"):
            raise falcon.HTTPNotFound()

    def process_resource(
        self, req: Request, resp: Response, resource: object, params: object
    ) -> None:
        """Raise HTTPMethodNotAllowed for a method that the framework does not know."""
        if req.method not in COMBINED_METHODS:
            raise falcon.HTTPMethodNotAllowed([*map_http_methods(resource), "OPTIONS"])

    def process_response(
        self, req: Request, resp: Response, resource: object, req_succeeded: bool
    ) -> None:
        """Log the refusal that is answered, if it is one."""
        if "refused" in resp.context:
            self._log.info("refused: %s", resp.context.refused)


class Lookup:
    """/ds/lookup"""

    def __init__(self, directory: SimulatedDirectoryServer):
        self._directory = directory

    def on_post(self, req: Request, resp: Response) -> None:
        """Whether a card takes part; a message that is wrong is answered 200 by an Erro."""
        _answer_or_erro(resp, lambda: self._directory.lookup(_body(req), _key(req)))


class AreqResource:
    """/ds/areq"""

    def __init__(self, directory: SimulatedDirectoryServer):
        self._directory = directory

    def on_post(self, req: Request, resp: Response) -> None:
        """AReq in, ARes or Erro out."""
        _answer_or_erro(resp, lambda: self._directory.authenticate(_body(req), _key(req)))


class AcsCertificateResource:
    """/ds/certificate"""

    def __init__(self, signer: Signer):
        self._signer = signer

    def on_get(self, req: Request, resp: Response) -> None:
        """The root under which acsSignedContent is signed."""
        resp.content_type, resp.data = PEM_TYPE, self._signer.certificate


class Method:
    """/acs/method"""

    def __init__(self, side: AcsParts):
        self._acs, self._is_ours = side.acs, side.is_ours

    def on_post(self, req: Request, resp: Response) -> None:
        """The page of the hidden frame. Raises Refused."""
        document = read_message(unpacked(_form(req).get("threeDSMethodData", "")))
        if isinstance(document, Wrong):
            raise MessageRefusedError(document)
        url = document.get("threeDSMethodNotificationURL")
        identity = document.get("threeDSServerTransID")
        if not isinstance(url, str) or not isinstance(identity, str):
            names = "threeDSServerTransID, threeDSMethodNotificationURL"
            raise MessageRefusedError(Wrong("201", names), document)
        if not WEB.fullmatch(url):
            raise MessageRefusedError(Wrong("203", "threeDSMethodNotificationURL"), document)
        self._acs.note_method(url, identity)
        link = url_from(req, url, self._is_ours)
        _show(resp, method_page(link, packed({"threeDSServerTransID": identity})))


class Challenging:
    """/acs/challenge/{acsTransID}"""

    def __init__(self, side: AcsParts):
        self._acs, self._is_ours = side.acs, side.is_ours

    def on_post(self, req: Request, resp: Response, acs_id: str) -> None:
        """A browser with its CReq, a code, a cancellation; or the action of a machine."""
        sent = _sent(req)
        if "creq" in sent:
            found = self._acs.open(acs_id, sent["creq"], sent.get("threeDSSessionData"))
            self._show(req, resp, found)
            return
        _refuse_foreign(req)
        if "action" in sent:
            _answer(resp, self._results_of(self._acs.act(acs_id, _action(sent["action"]))))
        elif "cancel" in sent:
            self._show(req, resp, self._acs.act(acs_id, Action.CANCEL))
        elif "code" in sent:
            self._show(req, resp, self._acs.enter(acs_id, sent["code"]))
        else:
            raise MessageRefusedError(Wrong("201", "creq"))

    def _show(self, req: Request, resp: Response, challenge: Challenge) -> None:
        if challenge.end is None:
            _show(resp, challenge_page(challenge))
            return
        cres = packed(self._acs.last_word(challenge))
        link = url_from(req, challenge.return_url, self._is_ours)
        _show(resp, returning_page(msgspec.structs.replace(challenge, return_url=link), cres))

    def _results_of(self, challenge: Challenge) -> dict[str, Any]:
        if challenge.end is None:
            return {"attemptsLeft": challenge.attempts_left}
        word = self._acs.last_word(challenge)
        form = {"notificationURL": challenge.return_url, "cres": packed(word)}
        if challenge.session_data is not None:
            form["threeDSSessionData"] = challenge.session_data
        return form | {"transStatus": word["transStatus"]}


def url_from(req: Request, url: str, is_ours: Callable[[str], bool]) -> str:
    """How a page leads to `url`: within its origin where that is the one of the gateway."""
    is_beside = req.env.get("sandgate.listener") == BESIDE
    return without_origin(url) if is_beside and is_ours(url) else url


def _body(req: Request) -> bytes:
    if (req.content_length or 0) > BODY_BYTES_MAX:
        raise BodyTooLongError
    body: bytes = req.stream.read(BODY_BYTES_MAX + 1)
    if len(body) > BODY_BYTES_MAX:
        raise BodyTooLongError
    return body


def _sent(req: Request) -> dict[str, str]:
    """The members of a form, or of a JSON object. Raises Refused."""
    if not (req.content_type or "").startswith("application/json"):
        return _form(req)
    document = read_message(_body(req))
    if isinstance(document, Wrong):
        raise MessageRefusedError(document)
    return {name: value for name, value in document.items() if isinstance(value, str)}


def _form(req: Request) -> dict[str, str]:
    """The fields of a form, of each the first. Raises Refused."""
    try:
        text = _body(req).decode("ascii")
    except UnicodeDecodeError:
        raise MessageRefusedError(Wrong("101", "expected a form")) from None
    found = parse_query_string(text, keep_blank=True, csv=False)
    return {name: value[0] if isinstance(value, list) else value for name, value in found.items()}


def _action(word: str) -> Action:
    if word not in set(Action):
        raise MessageRefusedError(Wrong("203", f"action: expected {', '.join(Action)}"))
    return Action(word)


def _refuse_foreign(req: Request) -> None:
    """Other sites may bring a browser here, but they neither confirm nor cancel in its name."""
    origin = req.get_header("Origin")
    if origin is not None and urlsplit(origin).netloc != req.netloc:
        raise MessageRefusedError(Wrong("303", "Origin: expected this server"))


def _key(req: Request) -> str:
    """The key of the caller, nothing where it sends none."""
    scheme, _, key = (req.get_header("Authorization") or "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def _unanswered(_req: Request, resp: Response, _error: Exception, _params: Any) -> None:
    resp.status = 504


def _answer_or_erro(resp: Response, ask: Callable[[], Mapping[str, Any]]) -> None:
    try:
        _answer(resp, ask())
    except MessageRefusedError as refused:
        resp.context.refused = str(refused)
        _answer(resp, erro(refused))


def _answer(resp: Response, document: Mapping[str, Any]) -> None:
    resp.content_type, resp.data = JSON_TYPE, msgspec.json.encode(document)


def _show(resp: Response, page: AcsPage) -> None:
    resp.content_type, resp.data = PAGE_TYPE, page.html.encode()
    resp.set_header("Content-Security-Policy", page.policy)


def _refused(req: Request, resp: Response, refused: MessageRefusedError, params: object) -> None:
    resp.context.refused = str(refused)
    resp.status = STATUSES.get(refused.wrong.code, 400)
    if "text/html" in req.accept:
        _show(resp, refused_page(refused.wrong.code, ERRORS[refused.wrong.code]))
        return
    _answer(resp, erro(refused))


def _too_long(req: Request, resp: Response, error: BodyTooLongError, params: object) -> None:
    component = DIRECTORY if req.path.startswith("/ds/") else ACS
    wrong = Wrong("101", f"expected at most {BODY_BYTES_MAX} bytes")
    _refused(req, resp, MessageRefusedError(wrong, component=component), params)
    resp.status = 413


def _unreadable(
    req: Request, resp: Response, error: UnreadableRequestError, params: object
) -> None:
    """Leave the answer to the listener."""
    raise error


def _http_error(req: Request, resp: Response, error: falcon.HTTPError, params: object) -> None:
    _refused(req, resp, MessageRefusedError(Wrong("303", "path or method")), params)
    resp.status = error.status
    resp.set_headers(error.headers or {})


def _fault(req: Request, resp: Response, error: Exception, params: object) -> None:
    LOG.error("fault: %s %s", req.method, req.uri_template, exc_info=error)
    _refused(req, resp, MessageRefusedError(Wrong("404", "this server")), params)
