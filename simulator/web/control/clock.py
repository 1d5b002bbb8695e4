"""/_sandbox/v1/sandboxes/{id}/clock, .../pending and .../drain: time, and what waits for it."""

from collections.abc import Callable
from typing import Annotated

import msgspec
from falcon import Request, Response

from simulator.catalogue.results import RESULTS, class_of
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.clock import SHOWN_LENGTH, read_instant, read_span
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.hosts import NO_TEST_MODE
from simulator.domain.core.records import Outcome, Payment
from simulator.domain.core.shapes import At, Code, Span, shape
from simulator.domain.documents import as_record
from simulator.domain.merchants.hierarchy import AskedClock
from simulator.domain.payments.pending import EXPIRED, Awaited
from simulator.domain.ports.sandbox import Ports
from simulator.domain.steering.order import LIVE_SUCCESS_CODE, SUCCESS_CODES
from simulator.service.payments.pending import pending_payments, release_pending
from simulator.service.sandboxes.clock import advance_clock, move_clock, next_shown, set_clock
from simulator.service.sandboxes.due_work import drain
from simulator.web.control.access import ONE_SANDBOX, ControlAccess, document_of, read_document
from simulator.web.control.documents.entities import (
    ClockDocument,
    Drained,
    PendingPayment,
    Released,
)
from simulator.web.http.answers import send
from simulator.web.http.lists import send_items
from simulator.web.http.route import Route

DRAIN_S_MAX = 60.0
RELEASES = {
    "success": (None, {"success", "review"}),
    "failure": ("800.100.152", {"declined"}),
}


class AskedAdvance(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How far to move: by a span, to an instant, or until the next due work."""

    by: Span | None = None
    to: At | None = None
    until: Annotated[str, shape(const="next")] | None = None


class AskedRelease(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a pending payment ends: success, failure (with a code) or expiry."""

    outcome: Annotated[str, shape(enum=["success", "failure", "expiry"])] = "success"
    code: Code | None = None


class AskedDrain(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long to wait, wire time."""

    timeout: Span = "10s"


class ClockResource:
    """The clock of a sandbox."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read it."""
        send(resp, 200, _shown(self._access.ports(req, identity)))

    def on_put(self, req: Request, resp: Response, identity: str) -> None:
        """Set it: real, frozen, offset or scaled."""
        ports = self._access.ports(req, identity)
        document = document_of(req)
        if document == {}:
            raise InvalidInputError("body", "at least one of mode, at and rate", "none of them")
        asked = as_record(document, AskedClock)
        at = read_instant(asked.at) if asked.at else None
        set_clock(ports, asked.mode, at=at, rate=asked.rate)
        send(resp, 200, _shown(ports))

    def on_post_advance(self, req: Request, resp: Response, identity: str) -> None:
        """Move it forward, and do what is due on the way."""
        ports = self._access.ports(req, identity)
        asked = read_document(req, AskedAdvance)
        _advance(ports, asked, has_left=req.env.get("sandgate.has_left", _is_there))
        send(resp, 200, _shown(ports))


class PendingResource:
    """The pending payments of a sandbox."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """List them, the next to end first."""
        ports = self._access.ports(req, identity)
        send_items(resp, "pending", map(_awaited, pending_payments(ports)))

    def on_post_one(self, req: Request, resp: Response, identity: str, payment: str) -> None:
        """Release one: success, failure or expiry."""
        ports = self._access.ports(req, identity)
        outcome = _outcome_of(read_document(req, AskedRelease), _success_of(ports, payment))
        released = release_pending(ports, payment, outcome)
        send(resp, 200, Released(released.id, released.state, outcome.code))


class DrainResource:
    """What is under way in a sandbox."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Answer when nothing is under way any more, or say that something still is."""
        ports = self._access.ports(req, identity)
        asked = read_document(req, AskedDrain).timeout
        timeout = read_span(asked, where="timeout").total_seconds()
        if timeout > DRAIN_S_MAX:
            raise InvalidInputError("timeout", f"at most {DRAIN_S_MAX:.0f}s", f"{timeout:.0f}s")
        with ports.in_flight.place_to_wait():
            is_drained = drain(ports, timeout)
        send(resp, 200, Drained(is_drained))


def _is_there() -> bool:
    """What is known of a client without a connection: it has not left."""
    return False


def _advance(ports: Ports, asked: AskedAdvance, *, has_left: Callable[[], bool]) -> None:
    given = [name for name, each in msgspec.structs.asdict(asked).items() if each is not None]
    if len(given) != 1:
        expected = "one of by (a span), to (an instant), until (next)"
        raise InvalidInputError("body", expected, " and ".join(given) or "none of them")
    if asked.until not in (None, "next"):
        raise InvalidInputError("until", "next", beginning_of(str(asked.until), SHOWN_LENGTH))
    if asked.to is not None:
        move_clock(ports, to=read_instant(asked.to, where="to"), has_left=has_left)
    else:
        advance_clock(ports, by=read_span(asked.by) if asked.by else None, has_left=has_left)


def _success_of(ports: Ports, identity: str) -> str:
    """The success code of the host and the test mode that a pending payment is in. Choice: D-88."""
    payment = ports.store.get(Payment, identity)
    mode = NO_TEST_MODE if payment is None else payment.test_mode
    return SUCCESS_CODES.get(mode, LIVE_SUCCESS_CODE)


def _outcome_of(asked: AskedRelease, success: str) -> Outcome:
    if asked.outcome == "expiry":
        return EXPIRED
    if asked.outcome not in RELEASES:
        raise InvalidInputError(
            "outcome", "success, failure or expiry", beginning_of(asked.outcome, SHOWN_LENGTH)
        )
    default, classes = RELEASES[asked.outcome]
    code = asked.code or default or success
    if code not in RESULTS or class_of(code) not in classes:
        raise InvalidInputError(
            "code", f"a result code of {asked.outcome}", beginning_of(code, SHOWN_LENGTH)
        )
    return Outcome(code=code, decided_by="released by the control API")


def _awaited(awaited: Awaited) -> PendingPayment:
    return PendingPayment(awaited.id, awaited.due, awaited.end.code)


def _shown(ports: Ports) -> ClockDocument:
    setting, set_aside = ports.clock.setting, ports.scheduler.set_aside_count
    now = ports.clock.now()
    return ClockDocument(setting.mode, now, setting.rate, next_shown(ports, now), set_aside)


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    clock, pending = ClockResource(access), PendingResource(access)
    return (
        Route(f"{ONE_SANDBOX}/clock", clock),
        Route(f"{ONE_SANDBOX}/clock/advance", clock, "advance"),
        Route(f"{ONE_SANDBOX}/pending", pending),
        Route(f"{ONE_SANDBOX}/pending/{{payment}}", pending, "one"),
        Route(f"{ONE_SANDBOX}/drain", DrainResource(access)),
    )
