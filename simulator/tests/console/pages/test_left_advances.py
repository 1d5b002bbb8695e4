"""An advance of the clock that the person who began it does not wait for."""

from collections.abc import Callable
from datetime import datetime, timedelta

import gevent
import pytest

from simulator.service.sandboxes.clock import advance_clock, freeze_clock
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import ORDER, Gateway

START = "2027-01-31T12:00:00Z"
BEGUN = datetime.fromisoformat(START)
AS_PAGE, AS_LINE = ("clock/advance", {"by": "1m"}), ("shell", {"line": "clock advance 1m"})
BOTH = pytest.mark.parametrize(("path", "sent"), [AS_PAGE, AS_LINE], ids=["page", "shell"])


@pytest.fixture
def root(gateway: Gateway, anna: Visitor, sandbox: str) -> str:
    """The pages of a sandbox with a schedule that pays each second."""
    gateway.control("PUT", f"/sandboxes/{sandbox}/clock", {"mode": "frozen", "at": START})
    entity = {"entityId": gateway.merchant.entity_id}
    names = ("paymentBrand", *(name for name in ORDER if name.startswith("card.")))
    card = {**entity, **{name: ORDER[name] for name in names}}
    registered = gateway.send("/v1/registrations", card).json["id"]
    sent = {
        **entity, "registrationId": registered, "amount": "9.00", "currency": "EUR",
        "paymentType": "DB", "job.expression": "* * * * * ?",
        "standingInstruction.type": "RECURRING", "standingInstruction.mode": "REPEATED",
        "standingInstruction.source": "MIT",
    }  # fmt: skip
    assert gateway.send("/scheduling/v1/schedules", sent).status_code == 200
    anna.get(f"/console/{sandbox}/clock")
    return f"/console/{sandbox}"


class Third:
    """Does something when it is asked for the third time, and says what came of it then on."""

    def __init__(self, deed: Callable[[], object]):
        self._deed, self._asked = deed, 0

    def __call__(self) -> bool:
        self._asked += 1
        if self._asked == 3:
            self._deed()
        return False


def gone(gateway: Gateway, sandbox: str) -> timedelta:
    """How far the clock has come."""
    shown = gateway.control("GET", f"/sandboxes/{sandbox}/clock").json["now"]
    return datetime.fromisoformat(shown) - BEGUN


def has_stopped(gateway: Gateway, sandbox: str) -> bool:
    """Whether it had begun, and went no further."""
    return timedelta() < gone(gateway, sandbox) < timedelta(seconds=10)


@BOTH
def test_it_stops_when_the_browser_has_left(
    gateway: Gateway, anna: Visitor, root: str, sandbox: str, path: str, sent: dict[str, str]
) -> None:
    left = iter((False, False))
    anna.has_left = lambda: next(left, True)

    anna.post(f"{root}/{path}", sent)

    assert has_stopped(gateway, sandbox)


@BOTH
def test_it_stops_when_the_person_signs_out(
    gateway: Gateway, anna: Visitor, root: str, sandbox: str, path: str, sent: dict[str, str]
) -> None:
    other_tab = Visitor(gateway)
    other_tab.cookies, other_tab.form_token = dict(anna.cookies), anna.form_token
    anna.has_left = Third(lambda: other_tab.post("/console/sign-out"))

    anna.post(f"{root}/{path}", sent)

    assert has_stopped(gateway, sandbox)


@BOTH
def test_it_goes_on_while_the_person_waits(
    gateway: Gateway, anna: Visitor, root: str, sandbox: str, path: str, sent: dict[str, str]
) -> None:
    assert anna.post(f"{root}/{path}", sent).status_code in (200, 303)

    assert gone(gateway, sandbox) == timedelta(minutes=1)


def test_who_stops_the_clocks_of_a_class_waits_for_no_advance(
    gateway: Gateway, root: str, sandbox: str
) -> None:
    ports = gateway.ports(sandbox)
    advance = gevent.spawn(advance_clock, ports, by=timedelta(minutes=1))
    while ports.clock.now() == BEGUN:
        gevent.sleep(0)

    freeze_clock(ports)

    assert advance.get(timeout=10).mode == "frozen"
    assert timedelta() < gone(gateway, sandbox) < timedelta(seconds=30)
