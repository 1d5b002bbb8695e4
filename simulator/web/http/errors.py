"""Every error leaves through one table: which exception, which status, which result code.

Source: Errors. Choices: D-13 (unknown ids), D-18 (bodies of 401, 403, 404, 405 and 413),
D-77 (damaged logs), D-78 (bodies that are coded), D-89 (status of a throttled request).
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

import falcon
from falcon import Request, Response

from simulator.catalogue.form_words.languages import Language
from simulator.catalogue.results import NO_SESSION
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.errors import (
    ContentionError,
    CrowdedSandboxError,
    CrowdedSnapshotsError,
    DamagedLogError,
    DiskError,
    EpochEndedError,
    FormCapabilityError,
    FullSandboxError,
    HomeNeededError,
    InvalidInputError,
    Refusal,
    ReplacedEpochError,
    UnappliedResponseError,
    UnknownCheckoutError,
    UnknownOutcomeError,
    UnknownReferenceError,
    UnreadableRequestError,
    Violations,
)
from simulator.domain.holding import DroppedRequestError
from simulator.domain.masking.masking import shown_text
from simulator.domain.transport import InterruptedRequestError
from simulator.service.checkouts.form_capabilities import NoOpenCheckoutError
from simulator.service.console.people import UnknownPersonError
from simulator.service.holding import UnknownHeldError
from simulator.service.journal import UnknownEntryError
from simulator.service.merchants.entities import UnknownEntityError
from simulator.service.payments.pending import UnknownPendingError
from simulator.service.sandboxes.sandboxes import UnknownSandboxError
from simulator.service.scripts import UnknownScriptError
from simulator.service.settlement.history import UnknownSettlementError
from simulator.service.settlement.pushing import UnknownPushTargetError
from simulator.service.terminals.terminals import UnknownTerminalError
from simulator.service.webhooks.deliveries import UnknownEventError
from simulator.service.webhooks.endpoints import UnknownEndpointError
from simulator.service.webhooks.inbox import UnknownInboxError
from simulator.web.http.answers import (
    FAULT,
    MALFORMED,
    NOT_STORED,
    NOTHING_STORED,
    refusal_body,
    result_body,
    send,
    unreadable_code,
)
from simulator.web.http.context import ClientLeftError, exchange_of
from simulator.web.http.ended_epochs import seen_by_sender
from simulator.web.http.unknown_paths import WORD_MAX, NearestPath, without_ids

AUTHENTICATION = "800.900.300"
BAD_REQUEST = "200.300.404"
METHOD_NOT_ALLOWED = "200.300.403"
THROTTLED = "800.120.100"
CODING_SHOWN = 40
# What may be otherwise in a second.
SOON_OVER = (
    DiskError,
    ContentionError,
    CrowdedSandboxError,
    CrowdedSnapshotsError,
    ReplacedEpochError,
)
Error = TypeVar("Error", bound=Exception)
# Shows an error otherwise where someone wants that: its status, and what a program is answered.
ShowError = Callable[[Request, Response, int, Mapping[str, Any]], None]


class UnauthenticatedError(Exception):
    """No Authorization header of the Bearer form. Source: AUTH-01, AUTH-03."""


class ForbiddenError(Exception):
    """A token or an entity that is not known, or that do not belong together. Source: AUTH-04,
    AUTH-06.
    """


class TlsRequiredError(Exception):
    """A plain request where TLS is required. Source: TRN-01."""


class ThrottledError(Exception):
    """More requests to an operation than its window takes; `retry_after_s` until the next one."""

    def __init__(self, retry_after_s: int):
        super().__init__(f"the next window begins in {retry_after_s} s")
        self.retry_after_s = retry_after_s


class UnopenedFormError(UnknownCheckoutError):
    """A form of no checkout that can be paid; what it says to its shopper, `said`, is in the
    language it asked for.
    """

    def __init__(self, language: Language, said: str = "expired"):
        super().__init__()
        self.language, self.said = language, said


class TooLargeError(Exception):
    """More bytes or parameters than a request may carry. Choice: D-05."""

    def __init__(self, what: str, most: int, got: int):
        super().__init__(f"{what}: expected at most {most}, got {got}")


class EncodedBodyError(Exception):
    """A body that is compressed or coded otherwise. Choice: D-78."""

    def __init__(self, coding: str):
        got = beginning_of(coding, CODING_SHOWN)
        super().__init__(f"Content-Encoding: expected none, the body as it is; got {got}")


# What may refuse the sender of a request whose epoch ended meanwhile.
REFUSING = (
    UnauthenticatedError,
    ForbiddenError,
    UnknownSandboxError,
    DamagedLogError,
    EpochEndedError,
    ReplacedEpochError,
)


class ErrorRow(NamedTuple, Generic[Error]):
    """One row of the table: `body` makes the answer's body of request and exception."""

    exception: type[Error]
    status: Callable[[Request, Error], int]
    body: Callable[[Request, Error], dict[str, Any]]


def show_to_none(req: Request, resp: Response, status: int, body: Mapping[str, Any]) -> None:
    """Leave an error as programs are answered."""


def install(
    app: falcon.App[Any, Any], paths: Iterable[str], show: ShowError = show_to_none
) -> None:
    """Make `app`, which has these `paths`, answer every exception by the table below; `show` may
    put a page in the place of an answer.
    """
    unknown = ErrorRow(falcon.HTTPRouteNotFound, _fixed(404), _unknown_path(tuple(paths)))
    rows: dict[type[Exception], ErrorRow[Any]] = {row.exception: row for row in (*TABLE, unknown)}

    def handle(req: Request, resp: Response, error: Exception, params: dict[str, Any]) -> None:
        if isinstance(error, EpochEndedError):
            error = seen_by_sender(exchange_of(req), error, REFUSING)
        row = next(rows[kind] for kind in type(error).__mro__ if kind in rows)
        exchange_of(req).error = error
        status, body = row.status(req, error), row.body(req, error)
        send(resp, status, body)
        show(req, resp, status, body)
        _set_headers(req, resp, error)
        if row.exception in FAULTS and not isinstance(error.__cause__, DiskError):
            exchange_of(req).log_fault(req, error)

    # One handler for all: Falcon looks at each, which takes longer than the rest of this.
    app.add_error_handler(tuple(rows), handle)
    app.add_error_handler(HomeNeededError, _pass_on)


def _challenge(req: Request) -> str:
    """What a 401 asks for; a request without credentials had no wrong ones. Source: RFC 6750, 3."""
    wrong = ', error="invalid_token"' if "HTTP_AUTHORIZATION" in req.env else ""
    return f'Bearer realm="sandgate"{wrong}'


def _set_headers(req: Request, resp: Response, error: Exception) -> None:
    """What an answer to some errors says beside its body."""
    if isinstance(error, UnauthenticatedError):
        resp.set_header("WWW-Authenticate", _challenge(req))
    if isinstance(error, ThrottledError):
        resp.set_header("Retry-After", str(error.retry_after_s))
    if isinstance(error, SOON_OVER) and not isinstance(error, UnknownOutcomeError):
        resp.set_header("Retry-After", "1")
    if isinstance(error, EncodedBodyError):
        resp.set_header("Accept-Encoding", "identity")
    if isinstance(error, falcon.HTTPError) and error.headers:
        resp.set_headers(error.headers)


def _pass_on(req: Request, resp: Response, error: Exception, params: dict[str, Any]) -> None:
    """Another member of the fleet answers: here nothing is answered, counted or written down."""
    raise error


def _fixed(status: int) -> Callable[[Request, Exception], int]:
    return lambda req, error: status


def _unknown_id(req: Request, error: Exception) -> int:
    return int(exchange_of(req).choices["unknown_id"])


def _throttle_status(req: Request, error: Exception) -> int:
    return int(exchange_of(req).choices["throttle_status"])


def _unreadable_status(req: Request, error: UnreadableRequestError) -> int:
    return error.status


def _unreadable(req: Request, error: UnreadableRequestError) -> dict[str, Any]:
    """Of a long body, which the application reads itself; as the listener answers a short one."""
    return result_body(exchange_of(req), unreadable_code(error.status), error.reason)


def _status_of_framework(req: Request, error: falcon.HTTPError) -> int:
    status: int = falcon.http_status_to_code(error.status)
    return status


def _fault(req: Request, error: Exception) -> dict[str, Any]:
    """What went wrong is in the log, under the ndc: the text of an exception may hold anything."""
    return result_body(exchange_of(req), FAULT, "internal error; see the server log for this ndc")


def _contended(req: Request, error: ContentionError) -> dict[str, Any]:
    """Nothing of the request is kept. Choice: D-305."""
    detail = "too many changes of the same record at once, nothing was stored; send it again later"
    return result_body(exchange_of(req), NOT_STORED, detail)


def _unapplied(req: Request, error: UnappliedResponseError) -> dict[str, Any]:
    """The payment is stored, perhaps charged: it is not to be sent again. Choice: D-305."""
    detail = "the payment is stored, its response is not; read the payment, do not send it again"
    return result_body(exchange_of(req), FAULT, detail)


def _unknown(req: Request, error: UnknownOutcomeError) -> dict[str, Any]:
    """What was to be stored may be stored: it is not to be sent again. Choices: D-687, D-688."""
    detail = "it is not known whether this was stored; read it, do not send it again"
    return result_body(exchange_of(req), FAULT, detail)


def _not_stored(req: Request, error: Exception) -> dict[str, Any]:
    """Nothing of the request is kept, and the answer does not say where it was to be kept.
    Choice: D-114.
    """
    return result_body(exchange_of(req), NOT_STORED, NOTHING_STORED)


def _damaged(req: Request, error: Exception) -> dict[str, Any]:
    """Where the damage is stands in the log of the server: a merchant has no use for our paths."""
    detail = "the data of this sandbox is damaged; the server log has the details"
    return result_body(exchange_of(req), NOT_STORED, detail)


def _no_session(req: Request, error: UnknownCheckoutError) -> dict[str, Any]:
    """The text is the one that existing clients compare with. Source: E24."""
    body = result_body(exchange_of(req), BAD_REQUEST, str(error))
    body["result"]["description"] = NO_SESSION
    return body


def _no_form(req: Request, error: UnopenedFormError) -> dict[str, Any]:
    row, words = error.language.row, {error.said: error.language.words[error.said]}
    shown = {"locale": row.tag, "direction": row.direction, "said": error.said, "words": words}
    return {**_no_session(req, error), **shown}


def _coded(code: str) -> Callable[[Request, Exception], dict[str, Any]]:
    return lambda req, error: result_body(exchange_of(req), code, str(error))


def _throttled(req: Request, error: ThrottledError) -> dict[str, Any]:
    """Exactly the members that the specification names: with an id, under which no payment exists
    (D-40), and without an explanation. Retry-After has the seconds.

    Source: ERR-04, ERR-05.
    """
    exchange = exchange_of(req)
    return {"id": exchange.issue_ticket().id, **result_body(exchange, THROTTLED)}


def _violations(req: Request, error: Violations) -> dict[str, Any]:
    return result_body(exchange_of(req), _code_of(error), violations=error.violations)


def _code_of(error: Violations) -> str:
    """One violation that has a code of its own decides the answer; several share the general
    one.
    """
    codes = {violation.code for violation in error.violations}
    return codes.pop() if len(codes) == 1 else BAD_REQUEST


def _refusal(req: Request, error: Refusal) -> dict[str, Any]:
    return refusal_body(exchange_of(req), error)


def _input(req: Request, error: InvalidInputError) -> dict[str, Any]:
    where, got = shown_text(error.where), shown_text(error.got)
    detail = {"where": where, "expected": error.expected, "got": got}
    # A name that a client chose may hold what looks like the beginning of a sentence.
    sentence = str(error).replace(error.where, where, 1)
    return {**result_body(exchange_of(req), BAD_REQUEST, sentence), "error": detail}


def _framework(req: Request, error: falcon.HTTPError) -> dict[str, Any]:
    code = {404: BAD_REQUEST}.get(_status_of_framework(req, error), MALFORMED)
    return result_body(exchange_of(req), code, error.description or error.title or "")


# What a client cannot have caused: the traceback is logged.
FAULTS = (Exception, ContentionError, UnappliedResponseError)


def _unknown_path(paths: Iterable[str]) -> Callable[[Request, Exception], dict[str, Any]]:
    """The body that names the path that was not found, its ids left out, and the nearest one."""
    nearest = NearestPath(paths)

    def body(req: Request, error: Exception) -> dict[str, Any]:
        came = without_ids(req.path)
        detail = f"there is no path {came}; nearest known: {nearest.of(came)}"
        return result_body(exchange_of(req), BAD_REQUEST, detail)

    return body


def _unknown_method(req: Request, error: falcon.HTTPMethodNotAllowed) -> dict[str, Any]:
    allowed = (error.headers or {}).get("Allow", "")  # type: ignore[union-attr]
    detail = f"{without_ids(req.path)}: expected {allowed}; got {req.method[:WORD_MAX]}"
    return result_body(exchange_of(req), METHOD_NOT_ALLOWED, detail)


# fmt: off
TABLE = (
    #   exception         status                 body
    ErrorRow(Exception,        _fixed(500),           _fault),
    ErrorRow(falcon.HTTPError, _status_of_framework,  _framework),
    ErrorRow(falcon.HTTPMethodNotAllowed, _fixed(405), _unknown_method),
    ErrorRow(TlsRequiredError,      _fixed(400),           _coded("200.100.199")),
    ErrorRow(UnauthenticatedError,  _fixed(401),           _coded(AUTHENTICATION)),
    ErrorRow(ForbiddenError,        _fixed(403),           _coded(AUTHENTICATION)),
    ErrorRow(ThrottledError,        _throttle_status,      _throttled),
    ErrorRow(TooLargeError,         _fixed(413),           _coded(MALFORMED)),
    ErrorRow(UnreadableRequestError, _unreadable_status,          _unreadable),
    ErrorRow(EncodedBodyError,            _fixed(415),           _coded(MALFORMED)),
    ErrorRow(Violations,       _fixed(400),           _violations),
    ErrorRow(Refusal,          _fixed(400),           _refusal),
    ErrorRow(UnknownReferenceError, _unknown_id,           _refusal),
    ErrorRow(UnknownCheckoutError,        _unknown_id,           _no_session),
    ErrorRow(UnopenedFormError,     _unknown_id,           _no_form),
    ErrorRow(FormCapabilityError,  _fixed(403),           _coded(AUTHENTICATION)),
    ErrorRow(ContentionError,       _fixed(503),           _contended),
    ErrorRow(CrowdedSandboxError,   _fixed(503),           _coded(NOT_STORED)),
    ErrorRow(CrowdedSnapshotsError, _fixed(503),           _coded(NOT_STORED)),
    ErrorRow(FullSandboxError,      _fixed(503),           _coded(NOT_STORED)),
    ErrorRow(UnappliedResponseError, _fixed(500),          _unapplied),
    ErrorRow(UnknownOutcomeError, _fixed(500),         _unknown),
    ErrorRow(DiskError,       _fixed(503),           _not_stored),
    ErrorRow(DamagedLogError,        _fixed(503),           _damaged),
    ErrorRow(InterruptedRequestError, _fixed(503),         _coded(FAULT)),
    ErrorRow(DroppedRequestError,   _fixed(503),           _coded(FAULT)),
    ErrorRow(ClientLeftError,       _fixed(503),           _coded(FAULT)),
    ErrorRow(ReplacedEpochError,          _fixed(503),           _coded(NOT_STORED)),
    ErrorRow(EpochEndedError,             _fixed(403),           _coded(AUTHENTICATION)),
    ErrorRow(InvalidInputError,         _fixed(400),           _input),
    ErrorRow(UnknownSandboxError,   _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(UnknownEntityError,    _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(UnknownPendingError,   _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(UnknownHeldError,      _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(UnknownScriptError,    _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(UnknownTerminalError,  _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(UnknownSettlementError, _fixed(404),          _coded(BAD_REQUEST)),
    ErrorRow(UnknownPushTargetError, _fixed(404),          _coded(BAD_REQUEST)),
    ErrorRow(UnknownPersonError,    _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(UnknownEntryError,     _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(UnknownEndpointError,  _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(UnknownEventError,    _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(NoOpenCheckoutError,  _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(UnknownInboxError,   _fixed(404),           _coded(BAD_REQUEST)),
)
# fmt: on
