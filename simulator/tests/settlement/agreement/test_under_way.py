"""Payments that are under way at a cut-off: the card host decided them before it, the gateway posts
them after it. They are settled once, in the bank day in which the ledger has them.
"""

from typing import Any

import gevent
import pytest
from gevent.event import Event

from simulator.domain.acquiring.host_entries import CardEntry
from simulator.domain.acquiring.messages import Message, is_of_a_lost_request
from simulator.domain.core.errors import MessageNotSentError
from simulator.domain.core.records import Payment, State
from simulator.domain.settlement.runs import SettlementRun
from simulator.service.payments.recovery import reverse_open_attempts
from simulator.service.settlement.history import last_runs
from simulator.service.settlement.settled import reconciliation_id
from simulator.tests.settlement.agreement.test_card_host import External, external
from simulator.tests.settlement.agreement.test_ledger_and_files import moved_in
from simulator.tests.settlement.agreement.trees import WHOLE

__all__ = ["external"]

WAIT_S_MAX, RUNS_MAX = 10, 100
# The bank day ends half an hour after the external merchant begins.
NEARLY, OVER, ANSWERED, LOST, LATER = "1799s", "2s", "5s", "1m", "10m"
# So early that a payment without an answer has failed before the bank day ends.
EARLY, FAILED = "1740s", "31s"
# What is under way, after the payments that it refers to.
KINDS = [
    ("DB",), ("PA",), ("CD",), ("PA", "CP"), ("DB", "RF"), ("DB", "RV"), ("PA", "RV"),
    ("DB", "RB"), ("PA", "CP", "RF"), ("CD", "RF"),
]  # fmt: skip


class Evening:
    """The last second of a bank day, in which one payment of each kind is sent."""

    def __init__(self, external: External):
        self.external = external
        self.ports: Any = external.ports
        self._path = f"/sandboxes/{external.id}"
        self.paid: list[gevent.Greenlet] = []
        self.before: list[str] = []
        self.ids: list[str] = []

    def control(self, path: str, sent: object) -> None:
        """A call of the control API for the sandbox."""
        answer = self.external.gateway.control("POST", self._path + path, sent)
        assert answer.status_code < 300, answer.text

    def advance(self, by: str) -> None:
        """Move the clock of the sandbox."""
        self.control("/clock/advance", {"by": by})

    def send(self, behaviour: str, after: str = NEARLY) -> None:
        """Send them: the card host has decided all of them when this returns."""
        self.before = [self._referred(kind[:-1]) for kind in KINDS]
        self.advance(after)
        known = self._decided()
        self.control("/scripts", {"behaviour": behaviour, "times": len(KINDS)})
        pairs = zip(KINDS, self.before, strict=True)
        self.paid = [gevent.spawn(self._send, kind[-1], to) for kind, to in pairs]
        with gevent.Timeout(WAIT_S_MAX):
            while len(self._decided()) < len(known) + len(KINDS):
                gevent.sleep(0.002)
        self.ids = sorted(self._decided() - known)

    def finish(self) -> None:
        """All of them are answered, and minutes pass."""
        self.advance(ANSWERED)
        with gevent.Timeout(WAIT_S_MAX):
            while len(gevent.joinall(self.paid, timeout=0.2)) < len(self.paid):
                self.advance(LOST)
        self.advance(LATER)

    def settle(self) -> None:
        """Run every bank day that is over."""
        self.control("/settlements", {})

    def settle_all(self) -> None:
        """Run the bank days that are over, and those of the next week."""
        self.settle()
        self.advance("8d")
        self.settle()

    def runs(self) -> list[SettlementRun]:
        """Every run, by day."""
        return last_runs(self.ports, RUNS_MAX)

    def unequal(self) -> list[object]:
        """The bank days whose lines are not what the ledger moved, and what the host has else."""
        books = self.external.gateway.control("GET", f"{self._path}/books").json
        days = [each.day for each in self.runs() if each.differs or each.open]
        return [*days, *books["differences"]]

    def state(self, identity: str) -> State:
        """That of a payment."""
        return self._payment(identity).state

    def settlement(self, identity: str) -> str | None:
        """What a payment says it was settled with."""
        return reconciliation_id(self.ports, self._payment(identity))

    def _payment(self, identity: str) -> Payment:
        found = self.ports.store.get(Payment, identity)
        assert isinstance(found, Payment)
        return found

    def _decided(self) -> set[str]:
        return {each.id for each in self.ports.store.between(CardEntry, "date", "", "~")}

    def _referred(self, kinds: tuple[str, ...]) -> str:
        made = ""
        for kind in kinds:
            made = self._send(kind, made)
        return made

    def _send(self, kind: str, to: str) -> str:
        made = self.external.refer(to, kind, WHOLE) if to else self.external.pay(kind)
        return made or ""


def assert_nothing_moved(evening: Evening) -> None:
    """All of them failed, and no file has a line of them."""
    lines = evening.external.lines()
    assert {evening.state(each) for each in evening.ids} == {State.FAILED}
    assert not any(lines[each] for each in evening.ids)
    assert evening.unequal() == []


@pytest.fixture
def evening(external: External) -> Evening:
    return Evening(external)


@pytest.mark.parametrize("is_settled_meanwhile", [True, False])
def test_what_is_under_way_at_a_cut_off_is_settled_in_the_bank_day_of_its_posting(
    evening: Evening, *, is_settled_meanwhile: bool
) -> None:
    evening.send("slow")
    evening.advance(OVER)
    if is_settled_meanwhile:
        evening.settle()
    evening.finish()
    evening.settle_all()

    ids, lines, moved = evening.ids, evening.external.lines(), moved_in(evening.ports.store)
    assert [evening.state(each) for each in ids if evening.state(each) is State.FAILED] == []
    assert {each: lines[each] for each in ids} == {each: moved[each] for each in ids}
    assert evening.unequal() == []


@pytest.mark.parametrize("behaviour", ["line-late", "line-timeout", "line-silent"])
def test_what_is_reversed_after_a_cut_off_moves_nothing(evening: Evening, behaviour: str) -> None:
    evening.send(behaviour)
    evening.advance(OVER)
    evening.settle()
    evening.finish()
    evening.settle_all()

    assert_nothing_moved(evening)


def test_what_a_start_takes_back_moves_nothing_before_its_reversal_is_sent(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go, link = Event(), type(evening.ports.card_link)
    real = link.exchange

    def exchange(*arguments: Any) -> Any:
        let_go.wait()
        return real(*arguments)

    evening.send("line-timeout")
    monkeypatch.setattr(link, "exchange", exchange)
    assert reverse_open_attempts(evening.ports) == len(KINDS)
    evening.advance(OVER)
    evening.settle()
    let_go.set()
    evening.finish()
    evening.settle_all()

    assert_nothing_moved(evening)


@pytest.mark.parametrize("after", [EARLY, NEARLY])
def test_what_a_late_reversal_takes_back_was_in_no_file(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    is_down, link = Event(), type(evening.ports.card_link)
    real = link.exchange
    is_down.set()

    def exchange(self: object, message: Message, *more: object) -> object:
        if is_down.is_set() and is_of_a_lost_request(message):
            raise MessageNotSentError("no line to the card host")
        return real(self, message, *more)

    monkeypatch.setattr(link, "exchange", exchange)
    evening.send("line-timeout", after)
    evening.advance(FAILED)
    evening.advance(LOST)
    evening.settle()
    assert {evening.settlement(each) for each in evening.ids} == {None}
    is_down.clear()
    evening.finish()
    evening.settle_all()

    assert_nothing_moved(evening)


def test_a_payment_names_the_settlement_of_the_bank_day_of_its_posting(evening: Evening) -> None:
    evening.send("slow")
    evening.advance(OVER)
    evening.settle()
    before = {evening.settlement(each) for each in evening.before if each}
    while_under_way = {evening.settlement(each) for each in evening.ids}
    evening.finish()
    evening.settle_all()

    (following,) = {evening.settlement(each) for each in evening.ids}
    assert while_under_way == {None} and following is not None
    assert len(before) == 1 and not before & {None, following}
