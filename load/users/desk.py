"""Where a user asks: every answer is judged, told to Locust, and written into the ledger."""

import ssl
import sys
from collections import deque
from collections.abc import Mapping
from functools import cached_property
from random import Random
from time import perf_counter, time
from typing import Any
from urllib.parse import urlencode

import gevent
from locust.exception import StopUser
from msgspec.structs import replace

from load.arrivals import Schedule
from load.judging import CODE_LENGTH_MAX, Body, body_of, second_of, stored_id, verdict_of
from load.ledger import CUT_OFF, FAILED, KEPT, THROTTLED, UNANSWERED, Book, Told, Verdict
from load.orders import Order, Purse
from load.payloads import Payloads, Shopper
from load.plan import Plan

FORM = "application/x-www-form-urlencoded; charset=UTF-8"
RECENT = 500


class Hall:
    """What the users of one process share: plan, ledger, arrivals, and what was paid of late.

    `recent` are the last payments that were stored, declined ones too; `common` is an authorisation
    that several users capture from at the same time. Once `is_closing` nobody asks anything more:
    Locust kills a user that it found asleep, even if it has woken and asked since.
    """

    def __init__(self, plan: Plan, *, index: int, shoppers: list[Shopper], schedule: Schedule):
        self.plan = plan
        self.book = Book()
        self.schedule = schedule
        self.recent: deque[Told] = deque(maxlen=RECENT)
        self.common: Purse | None = None
        self.is_closing = False
        self._index = index
        self._shoppers = shoppers
        self._users = 0

    @cached_property
    def trust(self) -> ssl.SSLContext:
        """Whose certificates are believed: those of the plan, else those of the machine."""
        return ssl.create_default_context(cadata=self.plan.authorities or None)

    def payloads(self) -> Payloads:
        """Payloads for one more user of this process, none of whom draws as another does."""
        self._users += 1
        seed = f"{self.plan.seed}/{self._index}/{self._users}"
        return Payloads(seed, self._shoppers, run=self.plan.run)


class Desk:
    """One user's place: asks orders one after the other."""

    def __init__(self, user: Any):
        self.hall: Hall = user.environment.hall
        self.draw = self.hall.payloads()
        self._client = user.client
        self._bearer = {"Authorization": f"Bearer {self.hall.plan.token}"}
        self._pauses = Random(self.draw.random.random())
        self._due = 0.0

    def pause(self) -> float:
        """How long to wait for the next task: a pause to think, or until an arrival is due."""
        plan = self.hall.plan
        if plan.arrival == "closed":
            return self._pauses.uniform(0.5, 1.5) * plan.think_s
        now = time()
        self._due = self.hall.schedule.take(now)
        return max(0.0, self._due - now)

    def ask(self, order: Order) -> str:
        """Ask, judge and write down. The id that a right answer shows; empty for any other."""
        if self.hall.is_closing:
            raise StopUser
        due, self._due = self._due, 0.0
        sent = time()
        told = Told(
            order.operation, CUT_OFF, due or sent, sent, sent, 0.0, 0, "", of=order.of,
            type=order.type, cents=order.cents, root=order.root,
        )  # fmt: skip
        shown = ""
        try:
            told, shown = self._answered(order, told)
        finally:
            # Where a request is cut off with its user, the gateway may have done it.
            self._keep(_broken_off(told, sys.exception()))
        return shown

    def _answered(self, order: Order, asked: Told) -> tuple[Told, str]:
        """What an order was told, and the id that a right answer shows."""
        mark = perf_counter()
        with self._sent(order) as response:
            took, answered = perf_counter() - mark, time()
            status = response.status_code or 0
            body = body_of(response.content or b"") if status else None
            verdict, reason = verdict_of(order, status, body)
            _tell_locust(response, order, verdict, reason)
        told = replace(
            asked, verdict=verdict, answered=answered, took_s=took, status=status, reason=reason,
            code=body.result.code[:CODE_LENGTH_MAX] if body else "",
            stamp=_stamp(order, verdict, body), id=stored_id(order, verdict, body),
        )  # fmt: skip
        return told, body.id if body and verdict == KEPT else ""

    def _keep(self, told: Told) -> None:
        self.hall.book.write(told)
        if told.id and told.root:
            self.hall.recent.append(told)

    def _sent(self, order: Order) -> Any:
        form: Mapping[str, str] = {"entityId": self.hall.plan.entity_id, **order.form}
        encoded = urlencode(form)
        headers, path, data = self._bearer, f"/{order.path}", None
        if order.method == "GET":
            path = f"{path}?{encoded}"
        else:
            headers, data = {**headers, "Content-Type": FORM}, encoded
        return self._client.request(
            order.method, path, name=order.operation, data=data, headers=headers,
            catch_response=True,
        )  # fmt: skip


def _tell_locust(response: Any, order: Order, verdict: Verdict, reason: str) -> None:
    """Count an answer in Locust's own statistics, expected refusals under a name of their own."""
    if verdict in (FAILED, UNANSWERED):
        response.failure(reason)
        return
    if verdict != KEPT:
        response.request_meta["name"] = f"{order.operation} ({verdict})"
    response.success()


def _broken_off(told: Told, error: BaseException | None) -> Told:
    """What to write down: only a user who was taken away excuses a request without an answer."""
    if error is None or isinstance(error, (gevent.GreenletExit, StopUser)):
        return told
    return replace(told, verdict=FAILED, reason=f"expected an answer, got {type(error).__name__}")


def _stamp(order: Order, verdict: Verdict, body: Body | None) -> int:
    """The second an answer was made in. A read shows when the payment was made instead."""
    is_own = order.method == "POST" or verdict == THROTTLED
    return second_of(body.timestamp) if body and is_own else 0


def take_seat(user: Any) -> None:
    """Give a user its desk; then it waits as it will wait between tasks."""
    user.desk = Desk(user)
    gevent.sleep(user.desk.pause())


def pause(user: Any) -> float:
    """The pause of a user before its next task, as Locust asks for it."""
    return user.desk.pause()


def trust(user: Any) -> ssl.SSLContext:
    """Whose certificates a user believes, as Locust asks for it."""
    trusted: ssl.SSLContext = user.environment.hall.trust
    return trusted
