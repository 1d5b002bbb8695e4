"""Every error leaves through one table: which exception, which status, which result code.

Source: Errors. Choices: D-13 (unknown ids), D-18 (bodies of 401, 403, 404, 405 and 413),
D-77 (damaged logs), D-78 (bodies that are coded), D-89 (status of a throttled request).
"""

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

import falcon
from falcon import Request, Response

from simulator.domain.core.errors import (
    ContentionError,
    DamagedLogError,
    DiskError,
    EpochEndedError,
    FormCapabilityError,
    InvalidInputError,
    Refusal,
    UnknownCheckoutError,
    UnknownReferenceError,
    Violations,
)
from simulator.service.checkouts.form_capabilities import NoOpenCheckoutError
from simulator.service.journal import UnknownEntryError
from simulator.service.merchants.entities import UnknownEntityError
from simulator.service.payments.pending import UnknownPendingError
from simulator.service.sandboxes.sandboxes import UnknownSandboxError
from simulator.service.scripts import UnknownScriptError
from simulator.service.webhooks.deliveries import UnknownEventError
from simulator.service.webhooks.endpoints import UnknownEndpointError
from simulator.service.webhooks.inbox import UnknownInboxError
from simulator.web.http.answers import FAULT, MALFORMED, refusal_body, result_body, send
from simulator.web.http.context import exchange_of

AUTHENTICATION = "800.900.300"
BAD_REQUEST = "200.300.404"
THROTTLED = "800.120.100"
NOT_STORED = "999.999.888"
CODING_SHOWN = 40
Error = TypeVar("Error", bound=Exception)


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


class TooLargeError(Exception):
    """More bytes or parameters than a request may carry. Choice: D-05."""

    def __init__(self, what: str, most: int, got: int):
        super().__init__(f"{what}: expected at most {most}, got {got}")


class EncodedBodyError(Exception):
    """A body that is compressed or coded otherwise. Choice: D-78."""

    def __init__(self, coding: str):
        super().__init__(
            f"Content-Encoding: expected none, the body as it is; got {coding[:CODING_SHOWN]}"
        )


class ErrorRow(NamedTuple, Generic[Error]):
    """One row of the table: `body` makes the answer's body of request and exception."""

    exception: type[Error]
    status: Callable[[Request, Error], int]
    body: Callable[[Request, Error], dict[str, Any]]


def install(app: falcon.App[Any, Any]) -> None:
    """Make `app` answer every exception by the table below."""
    for row in TABLE:
        app.add_error_handler(row.exception, _handler(row))


def _handler(row: ErrorRow[Any]) -> Callable[[Request, Response, Exception, dict[str, Any]], None]:
    def handle(req: Request, resp: Response, error: Exception, params: dict[str, Any]) -> None:
        exchange_of(req).error = error
        send(resp, row.status(req, error), row.body(req, error))
        if isinstance(error, UnauthenticatedError):
            resp.set_header("WWW-Authenticate", 'Bearer realm="sandgate", error="invalid_token"')
        if isinstance(error, ThrottledError):
            resp.set_header("Retry-After", str(error.retry_after_s))
        if isinstance(error, DiskError | ContentionError):
            resp.set_header("Retry-After", "1")
        if isinstance(error, EncodedBodyError):
            resp.set_header("Accept-Encoding", "identity")
        if isinstance(error, falcon.HTTPError) and error.headers:
            resp.set_headers(error.headers)
        if row.exception in (Exception, ContentionError):
            exchange_of(req).log_fault(req, error)

    return handle


def _fixed(status: int) -> Callable[[Request, Exception], int]:
    return lambda req, error: status


def _unknown_id(req: Request, error: Exception) -> int:
    return int(exchange_of(req).choices["unknown_id"])


def _throttle_status(req: Request, error: Exception) -> int:
    return int(exchange_of(req).choices["throttle_status"])


def _status_of_framework(req: Request, error: falcon.HTTPError) -> int:
    status: int = falcon.http_status_to_code(error.status)
    return status


def _fault(req: Request, error: Exception) -> dict[str, Any]:
    """What went wrong is in the log, under the ndc: the text of an exception may hold anything."""
    return result_body(exchange_of(req), FAULT, "internal error; see the server log for this ndc")


def _contended(req: Request, error: ContentionError) -> dict[str, Any]:
    """Nothing of the request is kept. Choice: D-114."""
    return result_body(exchange_of(req), FAULT, "too many changes at once; send it again later")


def _not_stored(req: Request, error: Exception) -> dict[str, Any]:
    """Nothing of the request is kept, and the answer does not say where it was to be kept.
    Choice: D-114.
    """
    return result_body(exchange_of(req), NOT_STORED, "nothing was stored; send it again later")


def _damaged(req: Request, error: Exception) -> dict[str, Any]:
    """Where the damage is stands in the log of the server: a merchant has no use for our paths."""
    detail = "the data of this sandbox is damaged; the server log has the details"
    return result_body(exchange_of(req), NOT_STORED, detail)


def _coded(code: str) -> Callable[[Request, Exception], dict[str, Any]]:
    return lambda req, error: result_body(exchange_of(req), code, str(error))


def _throttled(req: Request, error: ThrottledError) -> dict[str, Any]:
    """With an id, as the specification asks for it; no payment exists under it (D-40).

    Source: ERR-04, ERR-05.
    """
    exchange = exchange_of(req)
    return {"id": exchange.issue_ticket().id, **result_body(exchange, THROTTLED, str(error))}


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
    detail = {"where": error.where, "expected": error.expected, "got": error.got}
    return {**result_body(exchange_of(req), BAD_REQUEST, str(error)), "error": detail}


def _framework(req: Request, error: falcon.HTTPError) -> dict[str, Any]:
    code = {404: BAD_REQUEST, 405: "200.300.403"}.get(_status_of_framework(req, error), MALFORMED)
    return result_body(exchange_of(req), code, error.description or error.title or "")


# fmt: off
TABLE = (
    #   exception         status                 body
    ErrorRow(Exception,        _fixed(500),           _fault),
    ErrorRow(falcon.HTTPError, _status_of_framework,  _framework),
    ErrorRow(TlsRequiredError,      _fixed(400),           _coded("200.100.199")),
    ErrorRow(UnauthenticatedError,  _fixed(401),           _coded(AUTHENTICATION)),
    ErrorRow(ForbiddenError,        _fixed(403),           _coded(AUTHENTICATION)),
    ErrorRow(ThrottledError,        _throttle_status,      _throttled),
    ErrorRow(TooLargeError,         _fixed(413),           _coded(MALFORMED)),
    ErrorRow(EncodedBodyError,            _fixed(415),           _coded(MALFORMED)),
    ErrorRow(Violations,       _fixed(400),           _violations),
    ErrorRow(Refusal,          _fixed(400),           _refusal),
    ErrorRow(UnknownReferenceError, _unknown_id,           _refusal),
    ErrorRow(UnknownCheckoutError,        _unknown_id,           _coded(BAD_REQUEST)),
    ErrorRow(FormCapabilityError,  _fixed(403),           _coded(AUTHENTICATION)),
    ErrorRow(ContentionError,       _fixed(500),           _contended),
    ErrorRow(DiskError,       _fixed(503),           _not_stored),
    ErrorRow(DamagedLogError,        _fixed(503),           _damaged),
    ErrorRow(EpochEndedError,             _fixed(403),           _coded(AUTHENTICATION)),
    ErrorRow(InvalidInputError,         _fixed(400),           _input),
    ErrorRow(UnknownSandboxError,   _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(UnknownEntityError,    _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(UnknownPendingError,   _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(UnknownScriptError,    _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(UnknownEntryError,     _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(UnknownEndpointError,  _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(UnknownEventError,    _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(NoOpenCheckoutError,  _fixed(404),           _coded(BAD_REQUEST)),
    ErrorRow(UnknownInboxError,   _fixed(404),           _coded(BAD_REQUEST)),
)
# fmt: on
