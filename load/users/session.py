"""The session of a virtual user: sends requests and records each response with its verdict."""

import ssl
import sys
from collections import deque
from collections.abc import Mapping
from functools import cached_property
from random import Random
from time import perf_counter, time
from typing import Any, TypeVar
from urllib.parse import urlencode

import gevent
from locust import FastHttpUser
from locust.exception import StopUser
from msgspec.structs import replace

from features.conformance.naming import path_at_target
from load.ledger.records import (
    ABORTED,
    FAILED,
    NO_RESPONSE,
    SUCCEEDED,
    THROTTLED,
    LedgerBuffer,
    RequestRecord,
    Verdict,
)
from load.plan.arrivals import ArrivalSchedule
from load.plan.plan import LoadPlan
from load.traffic.contents import CODINGS
from load.traffic.payloads import Payloads, ShopperProfile
from load.traffic.requests import OpenPayment, PlannedRequest, new_payment
from load.traffic.shown import shown_texts
from load.traffic.terminals import VirtualTerminal
from load.traffic.verdicts import (
    ResponseBody,
    decode_body,
    kept_code,
    second_of,
    stored_id,
    verdict_of,
)
from load.users.responses import BoundedResponse, cause_of
from simulator.client.spread import MemberSpread

FORM = "application/x-www-form-urlencoded; charset=UTF-8"
RECENT_MAX = 500
TIMEOUT_S = 30.0
UserT = TypeVar("UserT", bound=FastHttpUser)


class ProcessContext:
    """What the users of one process share: plan, ledger, arrivals and recent payments.

    `recent` are the last payments that were stored, declined ones too; `shared_authorization` is
    one that several users capture from at the same time, `terminals` those that no user has. Once
    `is_closing` no request is sent any more: Locust kills a user that it found asleep, even if it
    has woken up and sent one since.
    """

    def __init__(
        self, plan: LoadPlan, *, index: int, shoppers: list[ShopperProfile],
        schedule: ArrivalSchedule,
    ):  # fmt: skip
        self.plan = plan
        self.shown = shown_texts(plan)
        self.ledger = LedgerBuffer()
        self.schedule = schedule
        self.recent: deque[RequestRecord] = deque(maxlen=RECENT_MAX)
        self.shared_authorization: OpenPayment | None = None
        self.is_closing = False
        own = plan.terminals[index :: plan.processes]
        self.terminals = [VirtualTerminal(each) for each in own]
        self._index = index
        self._shoppers = shoppers
        self._users = 0

    @cached_property
    def ssl_context(self) -> ssl.SSLContext:
        """The trusted certificates: those of the plan, otherwise those of the machine."""
        return ssl.create_default_context(cadata=self.plan.authorities or None)

    def create_payloads(self) -> Payloads:
        """Return the payloads of one more user; each user of a run has a seed of its own."""
        self._users += 1
        seed = f"{self.plan.seed}/{self._index}/{self._users}"
        return Payloads(seed, self._shoppers, run=self.plan.run)

    def create_spread(self) -> MemberSpread:
        """Return what draws a member for each request of the user that was made last."""
        seed = f"{self.plan.seed}/{self._index}/{self._users}/members"
        return MemberSpread(self.plan.base_url, self.plan.members, seed=seed)


class UserSession:
    """Sends the requests of one user, one after the other."""

    def __init__(self, user: Any):
        self.context: ProcessContext = user.environment.process_context
        self.payloads = self.context.create_payloads()
        self._spread = self.context.create_spread()
        self._client = user.client
        self._bearer = {"Authorization": f"Bearer {self.context.plan.token}"}
        self._pauses = Random(self.payloads.random.random())
        self._due_at = 0.0
        # The hash of a script that the last success showed.
        self.integrity = ""

    def next_pause_s(self) -> float:
        """Return the wait before the next task: a think time, or until an arrival is due."""
        plan = self.context.plan
        if plan.arrival == "closed":
            return self._pauses.uniform(0.5, 1.5) * plan.think_s
        now = time()
        self._due_at = self.context.schedule.take_next(now)
        return max(0.0, self._due_at - now)

    def pay(self, kind: str, cents: int | None = None) -> OpenPayment | None:
        """Send a payment by card and return it; None unless it succeeded."""
        request = new_payment(self.payloads, kind, cents)
        payment_id = self.send(request)
        return OpenPayment(payment_id, kind, request.cents, request.root) if payment_id else None

    def send(self, request: PlannedRequest) -> str:
        """Send a request and record it. Return the id of a success; empty for anything else.

        Of a form that was opened it is the capability, and of a file its path.
        """
        if self.context.is_closing:
            raise StopUser
        due_at, self._due_at = self._due_at, 0.0
        sent_at = time()
        record = RequestRecord(
            request.operation, ABORTED, due_at or sent_at, sent_at, sent_at, 0.0, 0, "",
            path_id=request.path_id, type=request.type, cents=request.cents, root=request.root,
        )  # fmt: skip
        shown_id = ""
        try:
            record, shown_id = self._receive(request, record)
        finally:
            # A request that is aborted with its user may have been executed by the gateway.
            self._keep(_with_error(record, sys.exception()))
        return shown_id

    def _receive(self, request: PlannedRequest, record: RequestRecord) -> tuple[RequestRecord, str]:
        """Return the record with its response, and the id that a success shows."""
        began, shown = perf_counter(), self.context.shown
        with self._exchange(request) as response:
            duration_s, responded_at = perf_counter() - began, time()
            status = response.status_code or 0
            content = response.content or b""
            body = decode_body(content) if status else None
            verdict, reason = verdict_of(request, status, body, content, shown=shown)
            if verdict == NO_RESPONSE:
                reason = f"{reason}: {shown(cause_of(response.error))}"
            _report_to_locust(response, request, verdict, reason)
        record = replace(
            record, verdict=verdict, responded_at=responded_at, duration_s=duration_s,
            status=status, reason=reason,
            code=kept_code(body, shown),
            server_second=_server_second(request, verdict, body),
            id=stored_id(request, verdict, body),
        )  # fmt: skip
        if verdict != SUCCEEDED:
            return record, ""
        self.integrity = body.integrity if body else ""
        return record, _shown_by(request, body)

    def _keep(self, record: RequestRecord) -> None:
        self.context.ledger.add(record)
        if record.id and record.root:
            self.context.recent.append(record)

    def _exchange(self, request: PlannedRequest) -> Any:
        entity = {} if request.by_browser else {"entityId": self.context.plan.entity_id}
        encoded = urlencode({**entity, **request.form})
        headers: Mapping[str, str] = request.headers if request.by_browser else self._bearer
        own_path = path_at_target(request.path, self.context.plan.paths)
        path, data = f"{self._spread.draw()}{own_path}", None
        if request.method == "GET":
            path = f"{path}?{encoded}" if encoded else path
        else:
            headers, data = {**headers, "Content-Type": FORM}, encoded
        headers = {**headers, "Accept-Encoding": CODINGS}
        return self._client.request(
            request.method, path, name=request.operation, data=data, headers=headers,
            catch_response=True,
        )  # fmt: skip


def _report_to_locust(
    response: Any, request: PlannedRequest, verdict: Verdict, reason: str
) -> None:
    """Count a response in Locust's own statistics; expected declines have a row of their own."""
    if verdict in (FAILED, NO_RESPONSE):
        response.failure(reason)
        return
    if verdict != SUCCEEDED:
        response.request_meta["name"] = f"{request.operation} ({verdict})"
    response.success()


def _shown_by(request: PlannedRequest, body: ResponseBody | None) -> str:
    """Return what later requests name a success by."""
    if body is None or request.is_file:
        return request.path
    return body.capability or body.id


def _with_error(record: RequestRecord, error: BaseException | None) -> RequestRecord:
    """Return the record to keep: aborted only if the run stopped the user, otherwise failed."""
    if error is None or isinstance(error, (gevent.GreenletExit, StopUser)):
        return record
    reason = f"expected a response, got {type(error).__name__}"
    return replace(record, verdict=FAILED, reason=reason)


def _server_second(request: PlannedRequest, verdict: Verdict, body: ResponseBody | None) -> int:
    """Return the second a response was created in. A read shows that of the payment instead."""
    is_own = request.method == "POST" or verdict == THROTTLED
    return second_of(body.timestamp) if body and is_own else 0


def configure_user(user_class: type[UserT]) -> type[UserT]:
    """Set what all virtual users have in common; its own attributes are kept."""
    for name, value in COMMON_ATTRIBUTES.items():
        if name not in vars(user_class):
            setattr(user_class, name, value)
    return user_class


def start_session(user: Any) -> None:
    """Open the session of a user, then wait as between two tasks."""
    user.client.client.response_type = BoundedResponse
    user.session = UserSession(user)
    gevent.sleep(user.session.next_pause_s())


def next_pause_s(user: Any) -> float:
    """Return the pause before the next task of a user, as Locust's `wait_time`."""
    session: UserSession = user.session
    return session.next_pause_s()


def ssl_context_of(user: Any) -> ssl.SSLContext:
    """Return the certificates a user trusts, as Locust's `ssl_context_factory`."""
    trusted: ssl.SSLContext = user.environment.process_context.ssl_context
    return trusted


# The load goes to the target only: redirects are not followed, TLS certificates are verified.
COMMON_ATTRIBUTES: Mapping[str, Any] = {
    "network_timeout": TIMEOUT_S,
    "connection_timeout": TIMEOUT_S,
    "max_redirects": 0,
    "insecure": False,
    "ssl_context_factory": ssl_context_of,
    "wait_time": next_pause_s,
    "on_start": start_session,
}
