"""A look for due work reads what is due, not what is being carried out or waits.

Records that are read are counted, no time is measured.
"""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import gevent
import pytest
from msgspec.structs import replace

from simulator.adapters.sandboxes.clock import MovableClock
from simulator.domain.chargebacks import Return
from simulator.domain.core.clock import ClockSetting
from simulator.domain.core.ports import Store, unit_of
from simulator.domain.core.records import Payment
from simulator.domain.schedules.schedules import Execution
from simulator.domain.settlement.pushing import FilePush
from simulator.service.sandboxes.clock import advance_clock
from simulator.service.sandboxes.due_work import next_due, run_due
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.kit.making import NOON
from simulator.tests.kit.twins import HandClock

WAIT_S_MAX = 10
FEW, MANY = 10, 60
CARD = {"paymentBrand": "VISA", "card.number": "4200000000000000", "card.holder": "Jane Jones",
        "card.expiryMonth": "05", "card.expiryYear": "2034"}  # fmt: skip
SCHEDULE = {"paymentType": "DB", "amount": "1.00", "currency": "EUR",
            "job.expression": "0 0 12 1 * ?"}  # fmt: skip


class ReadCount:
    """The store of a sandbox; `read` is how many records were read of it."""

    def __init__(self, inner: Store):
        self._inner = inner
        self.read = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def get(self, kind: type[Any], identity: str) -> Any:
        self.read += 1
        return self._inner.get(kind, identity)

    def firsts(self, kinds: list[type], index: str) -> list[Any]:
        self.read += len(kinds)
        return self._inner.firsts(kinds, index)

    def between(self, kind: type[Any], *bounds: str) -> Iterator[Any]:
        return self._each(self._inner.between(kind, *bounds))

    def after(self, *place: Any) -> Iterator[Any]:
        return self._each(self._inner.after(*place))

    def _each(self, found: Iterator[Any]) -> Iterator[Any]:
        for each in found:
            self.read += 1
            yield each


class Box:
    """A sandbox whose clock stands, with scripts that never run out."""

    def __init__(self, gateway: Gateway, **scripts: str):
        clock = {"mode": "frozen", "at": "2030-01-01T00:00:00Z"}
        made = gateway.control("POST", "/sandboxes", {"clock": clock, "throttle": "off"}).json
        self.gateway, self.id, self.path = gateway, made["id"], f"/sandboxes/{made['id']}"
        self.who = Credentials(made["token"], made["entity_id"])
        self.paid: list[str] = []
        for kind, behaviour in scripts.items():
            document = {"behaviour": behaviour, "match": {"type": kind}}
            assert gateway.control("POST", f"{self.path}/scripts", document).status_code == 201

    def send(self, path: str, **sent: str) -> Any:
        answer = self.gateway.send(path, {"entityId": self.who.entity_id, **sent}, self.who)
        assert answer.status_code == 200, answer.text
        return answer.json

    def advance(self, by: str) -> None:
        answer = self.gateway.control("POST", f"{self.path}/clock/advance", {"by": by})
        assert answer.status_code == 200, answer.text

    @property
    def ports(self) -> Any:
        return self.gateway.ports(self.id)

    def reads(self, work: Callable[[Any], object] = next_due) -> int:
        """How many records are read by some work; a look where none is named."""
        counting = ReadCount(self.ports.store)
        work(replace(self.ports, store=counting))
        return counting.read


def refunds_that_wait(gateway: Gateway, count: int) -> Box:
    box = Box(gateway, DB="returned-debit", RF="pending")
    money = {"amount": "9.00", "currency": "EUR"}
    for _ in range(count):
        box.paid.append(box.send("/v1/payments", paymentType="DB", **money, **CARD)["id"])
    box.advance("119h55m")
    for each in box.paid:
        box.send(f"/v1/payments/{each}", paymentType="RF", amount="1.00", currency="EUR")
    return box


def schedules_of(box: Box, count: int) -> None:
    kept = box.send("/v1/registrations", **CARD)["id"]
    for _ in range(count):
        box.send("/v1/schedules", registrationId=kept, **SCHEDULE)


@pytest.mark.parametrize("by", ["1m", "10m"])
def test_returns_that_wait_for_refunds_are_not_read_again(gateway: Gateway, by: str) -> None:
    read = []
    for count in (FEW, MANY):
        box = refunds_that_wait(gateway, count)
        box.advance(by)
        next_due(box.ports)
        read.append(box.reads())
    assert read[0] == read[1]


def test_returns_that_waited_are_carried_out_when_their_refunds_end(gateway: Gateway) -> None:
    box = refunds_that_wait(gateway, FEW)
    box.advance("10m")
    box.advance("30m")
    for each in box.paid:
        types = [one.type.value for one in box.ports.store.find(Payment, "referenced", each)]
        assert sorted(types) == ["CB", "RF"]
    assert box.ports.store.count(Return) == 0
    assert not len(box.ports.scheduler.agenda)


def test_payments_under_way_are_not_read_again(gateway: Gateway) -> None:
    read = []
    for count in (FEW, MANY):
        box = Box(gateway, DB="slow")
        schedules_of(box, count)
        box.advance("12h")
        assert box.ports.clock.waiting == count
        next_due(box.ports)
        read.append(box.reads())
    assert read[0] == read[1]


def test_work_under_way_costs_in_all_what_is_begun(gateway: Gateway) -> None:
    read = []
    for count in (FEW, MANY):
        box = Box(gateway, DB="slow")
        schedules_of(box, count)
        read.append(box.reads(lambda ports: advance_clock(ports, by=timedelta(hours=13))))
        assert box.ports.store.count(Execution) == 0
    assert read[1] < read[0] * MANY / FEW


def test_files_of_a_slow_server_are_pushed_in_turn_each_found_once(gateway: Gateway) -> None:
    read = []
    for count in (FEW, MANY):
        box = Box(gateway)
        ports, began = box.ports, box.ports.clock.now()
        pushes = [
            FilePush(id=f"{n:03}", merchant="m", run="r", day=began.date(), began=began, due=began)
            for n in range(count)
        ]
        is_over = gevent.event.Event()
        ports.scheduler.run_job("push to m", is_over.wait)
        ports.store.commit(unit_of(*pushes))
        run_due(ports)
        read.append(box.reads())
        is_over.set()
        with gevent.Timeout(WAIT_S_MAX):
            while not all(ports.store.get(FilePush, each.id).attempts for each in pushes):
                gevent.sleep(0.01)
    assert read[0] == read[1]


def test_what_becomes_due_while_it_is_looked_for_is_not_passed_over(gateway: Gateway) -> None:
    ports = Box(gateway).ports
    soon = ports.clock.now() + timedelta(seconds=1)
    push = FilePush(id="1", merchant="m", run="r", day=soon.date(), began=soon, due=soon)
    is_over = gevent.event.Event()
    ports.scheduler.run_job("push to m", is_over.wait)
    ports.store.commit(unit_of(push))

    assert next_due(replace(ports, clock=Ahead(ports.clock))) == soon
    assert ports.scheduler.agenda.passed(FilePush) is None
    is_over.set()


class Ahead:
    """A clock that is a minute ahead of another one."""

    def __init__(self, inner: Any):
        self._inner = inner

    def now(self) -> datetime:
        return self._inner.now() + timedelta(minutes=1)


def a_clock_that_stands() -> MovableClock:
    setting = ClockSetting(mode="frozen", rate=0.0, world=NOON, real=NOON)
    clock = MovableClock(HandClock(), lambda: setting)
    assert clock.now() == NOON
    return clock


def test_a_move_of_the_clock_costs_what_it_ends() -> None:
    clock = MovableClock(
        HandClock(), lambda: ClockSetting(mode="frozen", rate=0.0, world=NOON, real=NOON)
    )
    assert clock.setting.world == NOON
    ended: list[int] = []

    def wait(hours: int) -> None:
        clock.wait(timedelta(hours=hours))
        ended.append(hours)

    waiting = [gevent.spawn(wait, hours) for hours in (3, 1, 2, 1)]
    gevent.sleep(0)
    shown = NOON
    for hours, expected in ((1, [1, 1]), (2, [1, 1, 2]), (2, [1, 1, 2]), (3, [1, 1, 2, 3])):
        assert clock.next_waited_for() == NOON + timedelta(hours=[1, 2, 3, 3][len(set(ended))])
        shown = NOON + timedelta(hours=hours)
        clock.put(replace(clock.setting, world=shown))
        gevent.sleep(0)
        gevent.sleep(0)
        assert ended == expected
    gevent.joinall(waiting)
    assert clock.waiting == 0 and clock.next_waited_for() is None


def test_waits_end_some_at_a_time_and_are_due_until_they_have() -> None:
    clock = MovableClock(
        HandClock(), lambda: ClockSetting(mode="frozen", rate=0.0, world=NOON, real=NOON)
    )
    assert clock.setting.world == NOON
    waiting = [gevent.spawn(clock.wait, timedelta(hours=1)) for _ in range(100)]
    gevent.sleep(0)
    assert clock.waiting == 100
    clock.put(replace(clock.setting, world=(then := NOON + timedelta(hours=1))))
    gevent.sleep(0)
    assert (clock.waiting, clock.next_waited_for()) == (0, then)
    assert 0 < sum(each.ready() for each in waiting) < 100
    gevent.joinall(waiting, timeout=WAIT_S_MAX)
    assert clock.next_waited_for() is None
