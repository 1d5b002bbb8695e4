"""A change that is tried again reads again: no closure given to `transact` keeps a versioned record
that was read before it, or the change would conflict at every try.
"""

import ast
from collections.abc import Callable, Iterator

import gevent
import pytest
from gevent.event import Event

from simulator.adapters.store.kinds import KINDS
from simulator.domain.core.errors import ConflictError, ContentionError, UnappliedResponseError
from simulator.domain.core.flushes import FLUSHED, Flush
from simulator.domain.core.ports import Unit, unit_of
from simulator.domain.core.records import Payment, Script, State
from simulator.domain.three_d_secure.authentications import AREQ_MAX
from simulator.service import challenges
from simulator.service.challenges import (
    NextPage,
    handle_method_completion,
    open_challenge,
)
from simulator.service.payments.contexts import read_payment
from simulator.service.payments.pipeline import refer_payment, take_payment
from simulator.service.registrations import update_registration
from simulator.service.sandboxes.due_work import run_due
from simulator.tests.adapters.store.memory_store import MemoryStore
from simulator.tests.kit.authenticating import (
    asking,
    authentication_of,
    challenged,
    pay,
    saying,
    secured,
)
from simulator.tests.kit.making import APPROVED, CARD, FITTING, NOON, Answering, a_context, new_ids
from simulator.tests.kit.shops import EMPTY_ACCOUNT, Shop
from simulator.tests.kit.stored import charged, registered
from simulator.tests.kit.trees import functions_of, sources
from simulator.tests.kit.twins import HandClock

RECORDS = frozenset(kind.record.__name__ for kind in KINDS)
DENIED = {"risk": {"decline": "100.400.142"}}
DENYING = {"name": "denying", "title": "Deny", "description": "It denies.", "steps": DENIED}
PAID = {"paymentType": "DB", "amount": "10.00", "currency": "EUR", **CARD}
AT_ONCE, MANY = 6, 50
# Many times as long as a hundred looks take that wait for nothing.
LOOKED_S, SOON_S = 1, 10


class Hindered:
    """A store whose `hinder` is called before each unit is stored, and whose pauses let others
    run.
    """

    def __init__(self, hinder: Callable[[MemoryStore, Unit], object] = lambda store, unit: None):
        self._store = MemoryStore()
        self._hinder = hinder

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def commit(self, unit: Unit) -> None:
        """Store a unit."""
        self._hinder(self._store, unit)
        self._store.commit(unit)

    def commit_unflushed(self, unit: Unit) -> Flush:
        """The same."""
        self.commit(unit)
        return FLUSHED

    def pause(self, failures: int) -> None:
        """Let others run."""
        gevent.sleep(0)


class Contention:
    """Another change of every stored record of a unit, which comes before its first try."""

    def __init__(self) -> None:
        self.count = 0
        self._met: set[frozenset] = set()

    def __call__(self, store: MemoryStore, unit: Unit) -> None:
        records = (*unit.puts, *unit.removes)
        known = [found for each in records if (found := store.get(type(each), each.id)) is not None]
        names = frozenset((type(each), each.id) for each in known)
        if names and names not in self._met:
            self._met.add(names)
            self.count += 1
            store.commit(unit_of(*known))
        else:
            self._met.discard(names)


def slow(directory: object) -> object:
    """A directory server that lets others run before each answer."""
    ask = directory.ask

    def ask_later(what: str, message: dict) -> bytes:
        gevent.sleep(0)
        return ask(what, message)

    directory.ask = ask_later
    return directory


def hold_back(directory: object, answered: Event) -> None:
    """Let a directory server answer no AReq before `answered` is set."""
    ask = directory.ask

    def ask_later(what: str, message: dict) -> bytes:
        if what == "areq":
            answered.wait()
        return ask(what, message)

    directory.ask = ask_later


def arm(context: object, **more: object) -> None:
    """Arm a script of the risk system."""
    script = Script(id="5", behaviour=DENYING, created_at=NOON, **more)
    context.ports.store.commit(unit_of(script))


def all_at_once(call: object, times: int = AT_ONCE) -> list:
    greenlets = [gevent.spawn(call) for _ in range(times)]
    gevent.joinall(greenlets, raise_error=True)
    return [greenlet.value for greenlet in greenlets]


@pytest.mark.parametrize(("times", "denied"), [(None, AT_ONCE), (2, 2)])
def test_payments_that_are_authenticated_at_once_count_their_risk_script_exactly(
    times: int | None, denied: int
) -> None:
    """They ended with 500: each kept the counts of its script while it waited for the issuer."""
    context = secured(slow(saying("Y")), store=Hindered())
    arm(context, times=times)
    codes = [payment.outcome.code for payment in all_at_once(lambda: pay(context))]
    assert codes.count("100.400.142") == denied
    assert context.ports.store.get(Script, "5").matched == denied


def test_a_script_that_does_not_fit_is_counted_by_every_payment_that_waits_for_its_issuer() -> None:
    context = secured(slow(saying("Y")), store=Hindered())
    arm(context, match={"amount": "1.00"})
    payments = all_at_once(lambda: pay(context))
    assert {payment.state for payment in payments} == {State.COMPLETED}
    assert context.ports.store.get(Script, "5").asked == AT_ONCE


def test_browsers_that_come_at_once_send_one_areq() -> None:
    directory = slow(asking(method=True))
    context = secured(directory, store=Hindered())
    payment = pay(context)
    steps = [step for _, _, step in all_at_once(lambda: open_challenge(context, payment))]
    assert steps == [NextPage.CHALLENGE] * AT_ONCE
    assert [what for what, _ in directory.asked].count("areq") == 1


def test_browsers_wait_for_the_areq_of_another_however_often_they_look() -> None:
    """They were answered 503 after a hundred looks, which took no longer than two seconds."""
    directory, answered = asking(method=True), Event()
    hold_back(directory, answered)
    context = secured(directory, store=Hindered())
    payment = pay(context)
    browsers = [gevent.spawn(open_challenge, context, payment) for _ in range(MANY)]
    gevent.sleep(LOOKED_S)
    assert not any(each.ready() for each in browsers)

    answered.set()
    gevent.joinall(browsers, timeout=SOON_S, raise_error=True)

    assert [each.value[2] for each in browsers] == [NextPage.CHALLENGE] * MANY
    assert [what for what, _ in directory.asked].count("areq") == 1


def test_a_browser_waits_for_no_longer_than_so_many_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(challenges, "AREQ_WAIT_S", 0.2)
    directory, answered = asking(method=True), Event()
    hold_back(directory, answered)
    context = secured(directory, store=Hindered())
    payment = pay(context)
    first = gevent.spawn(open_challenge, context, payment)
    gevent.sleep(0)
    with pytest.raises(ContentionError):
        open_challenge(context, payment)

    answered.set()

    assert first.get(timeout=SOON_S)[2] is NextPage.CHALLENGE
    assert open_challenge(context, payment)[2] is NextPage.CHALLENGE
    assert context.ports.in_flight._alone == {}


def test_an_areq_whose_answer_was_lost_may_be_sent_again_after_a_minute() -> None:
    directory = asking(method=True)
    context = secured(directory)
    payment = pay(context)
    answers, directory.ask = directory.ask, lambda what, message: 1 / 0
    with pytest.raises(ZeroDivisionError):
        open_challenge(context, payment)
    with pytest.raises(ContentionError):
        open_challenge(context, payment)
    directory.ask = answers
    context.ports.clock.advance(AREQ_MAX)
    assert run_due(context.ports) == 1
    assert open_challenge(context, payment)[2] is NextPage.CHALLENGE


def take_and_refer(contention: Contention) -> None:
    context = a_context(store=Hindered(contention))
    for used, sent in (("CP", {"amount": "4.00"}), ("RF", {"amount": "4.00"}), ("RV", {})):
        kind = "DB" if used == "RF" else "PA"
        paid = take_payment(context, {**PAID, "paymentType": kind}, new_ids(context))
        money = {"currency": "EUR", **sent} if sent else {}
        referred = refer_payment(context, paid.id, {"paymentType": used, **money}, new_ids(context))
        assert referred.outcome.code == "000.100.110"


def authenticate(contention: Contention) -> None:
    context = secured(asking(method=True), store=Hindered(contention))
    arm(context, match={"amount": "1.00"})
    payment = pay(context)
    (precondition,) = payment.redirect.preconditions
    handle_method_completion(context.ports, payment, precondition.parameters["threeDSMethodData"])
    assert authentication_of(context, payment).is_method_done
    open_challenge(context, payment)
    assert challenged(context, payment).state is State.COMPLETED


def wait_for_the_acquirer(contention: Contention) -> None:
    store = Hindered(contention)
    context = a_context(
        store=store, acquirer=Answering(delay_s=1), clock=HandClock(NOON, jumps=True)
    )
    authorized = take_payment(context, {**PAID, "paymentType": "PA"}, new_ids(context))
    sent = {"paymentType": "CP", "amount": "4.00", "currency": "EUR"}
    refer_payment(context, authorized.id, sent, new_ids(context))
    assert read_payment(context, authorized.id).taken == 4


def keep_and_charge(contention: Contention) -> None:
    context = a_context(store=Hindered(contention))
    kept = registered(context)
    assert charged(context, kept.id).outcome.code == "000.100.110"
    holder = {"card.holder": "John Jones"}
    update_registration(context, kept.id, holder, new_ids(context), check=FITTING)


def charge_by_schedule(contention: Contention) -> None:
    store = Hindered(contention)
    shop = Shop(EMPTY_ACCOUNT, APPROVED, store=store)
    schedule = shop.schedule(job__month="12")
    shop.reschedule(schedule, amount="5.00")
    shop.go("2027-01-31 00:00:00")
    assert len(shop.payments) == 2
    shop.deschedule(schedule)


@pytest.mark.parametrize(
    "flow",
    [take_and_refer, authenticate, wait_for_the_acquirer, keep_and_charge, charge_by_schedule],
)
def test_every_change_is_stored_though_another_one_came_first(flow: object) -> None:
    contention = Contention()
    flow(contention)
    assert contention.count > 0


def test_a_response_that_is_never_applied_does_not_ask_for_the_payment_again() -> None:
    def refuse(store: MemoryStore, unit: Unit) -> None:
        if any(isinstance(each, Payment) and each.version > 1 for each in unit.puts):
            raise ConflictError

    clock = HandClock(NOON, jumps=True)
    context = a_context(store=Hindered(refuse), acquirer=Answering(delay_s=1), clock=clock)
    with pytest.raises(UnappliedResponseError):
        take_payment(context, PAID, new_ids(context))


# Records that no store has read: a new one, and one out of a file.
NEW = {
    "simulator/adapters/webhooks/inbox.py: message",
    "simulator/service/sandboxes/snapshots.py: sandbox",
}


# Who changes the runs of an institute has its turn: only payments may change meanwhile.
IN_TURN = {
    "simulator/service/settlement/runs.py: run",
    "simulator/service/settlement/writing.py: removes",
    "simulator/service/settlement/writing.py: runs",
}


def test_no_closure_given_to_transact_holds_a_record() -> None:
    found = sorted(set(_holding()) - NEW - IN_TURN)
    assert not found, f"read it inside the closure: {', '.join(found)}"


def test_a_closure_that_holds_a_record_is_found() -> None:
    tree = ast.parse(HOLDING)
    assert [name for function in functions_of(tree) for name in _held_by(function)] == [
        "kept",
        "payment",
    ]


HOLDING = """
def change(ports: Ports, payment: Payment, other: Payment) -> None:
    kept = ports.store.get(Script, "1")

    def store() -> None:
        ports.store.commit(unit_of(kept, replace(payment, state=other.id)))

    transact(ports.store, store)
"""


def _holding() -> Iterator[str]:
    for source in sources():
        if "transact" in source.text and not source.is_test:
            for function in functions_of(source.tree):
                yield from (f"{source.path}: {name}" for name in _held_by(function))


def _held_by(function: ast.FunctionDef) -> Iterator[str]:
    """The records that a closure given to `transact` in this function takes from around it.

    Naming an id of one is no harm, nor is comparing it with what is stored.
    """
    closures = list(_closures_of(function))
    held = _records_in(function) if closures else set()
    for closure in closures:
        harmless = {
            id(inner)
            for node in ast.walk(closure)
            if isinstance(node, ast.Attribute | ast.Compare)
            for inner in ast.iter_child_nodes(node)
        }
        compared = {
            each.id
            for node in ast.walk(closure)
            if isinstance(node, ast.Compare)
            for each in node.comparators
            if isinstance(each, ast.Name) and not isinstance(node.ops[0], ast.Is | ast.IsNot)
        }
        names = {
            node.id
            for node in ast.walk(closure)
            if isinstance(node, ast.Name) and node.id in held and id(node) not in harmless
        }
        yield from sorted(names - compared - _records_in(closure))


def _closures_of(function: ast.FunctionDef) -> Iterator[ast.AST]:
    named = {each.name: each for each in function.body if isinstance(each, ast.FunctionDef)}
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("transact", "run_attempt"):
            closure = node.args[1]
            if isinstance(closure, ast.Lambda):
                yield closure
            elif isinstance(closure, ast.Name) and closure.id in named:
                yield named[closure.id]


def _records_in(function: ast.AST) -> set[str]:
    """The names that a function gives to records: its own parameters, and what it reads."""
    found = set()
    if isinstance(function, ast.FunctionDef):
        arguments = [*function.args.args, *function.args.kwonlyargs]
        found |= {each.arg for each in arguments if _is_record(each.annotation)}
    nested = {
        id(inner)
        for each in ast.walk(function)
        if isinstance(each, ast.FunctionDef | ast.Lambda) and each is not function
        for inner in ast.walk(each)
    }
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and id(node) not in nested and _reads(node.value):
            found |= {each.id for each in node.targets if isinstance(each, ast.Name)}
    return found


def _reads(value: ast.AST) -> bool:
    """Whether it calls something with a kind of record as an argument, as `store.get` does."""
    return any(
        isinstance(node, ast.Call) and any(_is_record(each) for each in node.args)
        for node in ast.walk(value)
    )


def _is_record(annotation: ast.AST | None) -> bool:
    names = {node.id for node in ast.walk(annotation or ast.Pass()) if isinstance(node, ast.Name)}
    return bool(names & RECORDS) and "Callable" not in names
