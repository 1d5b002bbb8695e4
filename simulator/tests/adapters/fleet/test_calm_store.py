"""What a member beside the home may store of a calm sandbox, and that nothing follows its end."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import gevent
import psycopg
import pytest

from simulator.adapters.postgresql.calm import HOLD, Calm, CalmDatabase
from simulator.adapters.postgresql.engine import PostgresEngine
from simulator.adapters.postgresql.store import PostgresStore
from simulator.adapters.postgresql.tables import tables_of
from simulator.adapters.postgresql.wire import Rows, SqlStatement
from simulator.adapters.postgresql.writer import Work
from simulator.adapters.store.engine import FleetAddress
from simulator.adapters.store.kinds import KINDS
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import (
    ConflictError,
    HomeNeededError,
    LostOutcomeError,
    UnknownOutcomeError,
    UnreachableStoreError,
)
from simulator.domain.core.ports import Unit, unit_of
from simulator.domain.core.records import (
    AccountHierarchy,
    Attempt,
    Payment,
    PaymentType,
    Script,
    State,
)
from simulator.tests.adapters.postgresql.cluster import running_cluster
from simulator.tests.adapters.store.engines import a_sandbox

WAIT_S_MAX = 20
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
STAMP = AccountHierarchy("psp", "division", "merchant", "channel", "account", "institute")


def a_payment(digits: str = "a", **fields: object) -> Payment:
    """A payment that is over."""
    return Payment(
        id=f"8{digits:0>31}",
        type=PaymentType.PA,
        state=State.AUTHORIZED,
        stamp=STAMP,
        created_at=NOON,
        ndc="1",
        short_id="1234.1234.1234",
        **fields,
    )


class LosingDatabase:
    """A database whose answer to a write is lost, and which is away behind it."""

    failure = None

    def __init__(self, engine: PostgresEngine):
        self.level = engine.level
        self._engine = engine
        self._is_away = False

    def ask(self, *statements: SqlStatement) -> list[Rows]:
        if self._is_away:
            raise UnreachableStoreError("it is away")
        return self._engine.ask(*statements)

    ask_long = ask

    def store(self, work: Work) -> None:
        self._engine.store(work)
        self._is_away = True
        raise LostOutcomeError("it was lost")


class Fleet:
    """A sandbox at its home, and another member in its calm."""

    def __init__(self, home: PostgresEngine, other: PostgresEngine):
        self.home, self.other = home, other
        self.sandbox: Sandbox = a_sandbox()
        home.records.commit(unit_of(self.sandbox))
        self.ours = home.store_of(self.sandbox)
        self.number = 0

    def join(self, *, is_losing: bool = False) -> tuple[CalmDatabase, PostgresStore]:
        """The database and store of the other member in another calm."""
        self.number += 1
        self.home.fleet.homes.begin_calm(self.sandbox.id, self.number)
        calm = Calm(self.sandbox.id, self.home.fleet.member.number, self.number)
        database = self.other.calm_database(calm)
        if is_losing:
            database = CalmDatabase(LosingDatabase(self.other), tables_of(KINDS), calm)
        return database, self.other.store_over(self.sandbox, database)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running_cluster() as cluster:
        yield cluster.create()


@pytest.fixture(scope="module")
def engines(address: str) -> Iterator[tuple[PostgresEngine, PostgresEngine]]:
    peers = [FleetAddress(f"http://127.0.0.1:{port}/", "1.0", "ours") for port in (1, 2)]
    made = [PostgresEngine(address, "fingerprint", fleet=each) for each in peers]
    yield made[0], made[1]
    for engine in made:
        engine.close()


@pytest.fixture
def fleet(engines: tuple[PostgresEngine, PostgresEngine]) -> Fleet:
    return Fleet(*engines)


def apart(work: Callable[[], object]) -> object:
    """What a request answers or raises: each is a greenlet of its own."""

    def run() -> object:
        try:
            return work()
        except Exception as error:
            return error

    return gevent.spawn(run).get(timeout=WAIT_S_MAX)


def test_a_payment_that_is_over_is_stored_beside_the_home(fleet: Fleet) -> None:
    _, store = fleet.join()
    payment = a_payment()
    assert apart(lambda: store.commit(unit_of(payment))) is None
    assert fleet.ours.get(Payment, payment.id).version == 1


def test_the_versions_of_home_and_others_are_the_same(fleet: Fleet) -> None:
    _, store = fleet.join()
    payment = a_payment()
    fleet.ours.commit(unit_of(payment))
    stored = fleet.ours.get(Payment, payment.id)
    assert apart(lambda: store.commit(unit_of(stored))) is None
    with pytest.raises(ConflictError):
        fleet.ours.commit(unit_of(stored))
    assert isinstance(apart(lambda: store.commit(unit_of(stored))), ConflictError)


@pytest.mark.parametrize("end", ["the home ends it", "another home", "another calm"])
def test_nothing_is_stored_or_read_after_the_end_of_a_calm(fleet: Fleet, end: str) -> None:
    database, store = fleet.join()
    if end == "the home ends it":
        fleet.home.fleet.homes.end_calm(fleet.sandbox.id)
    elif end == "another calm":
        fleet.join()
    else:
        fleet.home.fleet.homes.give(fleet.sandbox.id, fleet.other.fleet.member.number)
    payment = a_payment()
    assert isinstance(apart(lambda: store.commit(unit_of(payment))), HomeNeededError)
    assert isinstance(apart(lambda: store.get(Payment, payment.id)), HomeNeededError)
    assert isinstance(apart(database.end), HomeNeededError)
    assert database.is_over
    assert fleet.ours.get(Payment, payment.id) is None


def test_a_unit_that_is_refused_harms_no_other_of_its_batch(fleet: Fleet) -> None:
    _, over = fleet.join()
    _, store = fleet.join()
    payments = [a_payment(f"{number:x}") for number in range(20)]
    stores = [over, store] * 10
    running = [
        gevent.spawn(apart, lambda each=each, at=at: at.commit(unit_of(each)))
        for each, at in zip(payments, stores, strict=True)
    ]
    gevent.joinall(running, timeout=WAIT_S_MAX)
    found = [fleet.ours.get(Payment, each.id) is not None for each in payments]
    assert found == [False, True] * 10


def test_what_the_home_must_remember_is_refused_beside_it(fleet: Fleet) -> None:
    database, store = fleet.join()
    open_payment = a_payment(attempt=Attempt(1, NOON))
    done = a_payment("b")
    fleet.ours.commit(unit_of(done))
    stored = fleet.ours.get(Payment, done.id)
    script = Script(id="s", behaviour={}, created_at=NOON)
    units = (unit_of(open_payment), unit_of(script), Unit(removes=(stored,)))
    for unit in units:
        assert isinstance(apart(lambda unit=unit: store.commit(unit)), HomeNeededError)
    assert not database.is_over
    assert fleet.ours.get(Payment, open_payment.id) is None
    assert fleet.ours.get(Payment, done.id) is not None


def test_a_request_stores_once(fleet: Fleet) -> None:
    _, store = fleet.join()
    first, second = a_payment("c"), a_payment("d")

    def twice() -> None:
        store.commit(unit_of(first))
        store.commit(unit_of(second))

    assert isinstance(apart(twice), RuntimeError)
    assert fleet.ours.get(Payment, second.id) is None


def test_a_payment_whose_outcome_is_unknown_is_not_left_to_the_home(fleet: Fleet) -> None:
    database, store = fleet.join(is_losing=True)
    payment = a_payment()

    def pay() -> None:
        with pytest.raises(UnknownOutcomeError):
            store.commit(unit_of(payment))
        fleet.home.fleet.homes.end_calm(fleet.sandbox.id)
        assert database.has_stored
        # Its answer is that the outcome is unknown: neither that it was not stored, nor another.
        database.end()

    assert apart(pay) is None
    assert fleet.ours.get(Payment, payment.id) is not None


def test_the_end_of_a_calm_waits_for_what_is_being_stored(fleet: Fleet) -> None:
    _, store = fleet.join()
    payments = [a_payment(f"e{number:x}") for number in range(200)]
    outcomes: dict[str, object] = {}

    def commit(payment: Payment) -> None:
        outcomes[payment.id] = apart(lambda: store.commit(unit_of(payment)))

    running = [gevent.spawn(commit, each) for each in payments]
    gevent.sleep(0.005)
    fleet.home.fleet.homes.end_calm(fleet.sandbox.id)
    # What can be read now is all there will ever be.
    stored = {each.id for each in payments if fleet.ours.get(Payment, each.id) is not None}
    gevent.joinall(running, timeout=WAIT_S_MAX)
    assert stored == {name for name, outcome in outcomes.items() if outcome is None}
    assert all(fleet.ours.get(Payment, each) is not None for each in stored)


def test_the_end_of_a_calm_waits_for_a_transaction_of_another_member(
    fleet: Fleet, address: str
) -> None:
    database, _ = fleet.join()
    homes = fleet.home.fleet.homes
    given = (fleet.sandbox.id, fleet.home.fleet.member.number, fleet.number)
    with psycopg.connect(address) as connection:
        connection.execute("set search_path = sandgate")
        connection.execute(re.sub(r"\$[0-9]", "%s", HOLD), given)
        ending = gevent.spawn(homes.end_calm, fleet.sandbox.id)
        gevent.sleep(0.3)
        assert not ending.ready()
    ending.get(timeout=WAIT_S_MAX)
    assert isinstance(apart(database.end), HomeNeededError)


def test_the_same_payment_is_the_same_at_both(fleet: Fleet) -> None:
    _, store = fleet.join()
    payment = a_payment()
    fleet.ours.commit(unit_of(payment))
    assert apart(lambda: store.get(Payment, payment.id)) == fleet.ours.get(Payment, payment.id)
