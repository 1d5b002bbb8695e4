"""What ends after it was screened, and is no payment, counts in no velocity check."""

from collections.abc import Callable

import gevent
import pytest
from gevent import GreenletExit

from simulator.domain.checkouts.checkouts import Checkout
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import DiskError, FormCapabilityError, UnknownCheckoutError
from simulator.domain.core.flushes import Flush
from simulator.domain.core.ports import Unit
from simulator.domain.core.records import Origin, Payment
from simulator.domain.merchants.tokens import token_hash
from simulator.domain.risk import Sighting
from simulator.service.checkouts.checkouts import prepare_checkout
from simulator.service.checkouts.form_capabilities import issue_capability
from simulator.service.payments.pipeline import take_payment
from simulator.tests.adapters.store.memory_store import MemoryStore
from simulator.tests.kit.making import CARD, a_context, new_ids

MONEY = {"paymentType": "DB", "amount": "10.00", "currency": "EUR"}
PASSED, ONE_TOO_MANY = "000.100.110", "800.120.101"
PAYMENTS = 3


class ScreeningStore:
    """A store in which something happens as soon as a payment was screened. Without room it takes
    no unit.
    """

    def __init__(self) -> None:
        self._store = MemoryStore()
        self.happens: Callable[[], object] = lambda: None
        self.has_room = True

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def commit(self, unit: Unit) -> None:
        self.commit_unflushed(unit)

    def commit_unflushed(self, unit: Unit) -> Flush:
        if not self.has_room:
            raise DiskError("1.log", "No space left on device")
        flush = self._store.commit_unflushed(unit)
        if any(isinstance(each, Sighting) for each in unit.puts):
            self.happens()
        return flush


@pytest.fixture
def store() -> ScreeningStore:
    return ScreeningStore()


@pytest.fixture
def context(store: ScreeningStore) -> ChannelContext:
    return a_context(store=store, channel={"risk": ("risk-velocity",)})


def pay(context: ChannelContext, origin: Origin | None = None) -> Payment:
    return take_payment(context, {**MONEY, **CARD}, new_ids(context), origin or Origin())


def codes(context: ChannelContext) -> list[str]:
    """Those of one payment more than an hour may have."""
    return [pay(context).outcome.code for _ in range(PAYMENTS + 1)]


def fill(store: ScreeningStore) -> None:
    store.has_room = False


def stop(error: BaseException) -> None:
    raise error


@pytest.mark.parametrize("error", [RuntimeError("a fault"), GreenletExit("the server stops")])
def test_what_a_fault_ends_does_not_count(
    context: ChannelContext, store: ScreeningStore, error: BaseException
) -> None:
    store.happens = lambda: stop(error)
    with pytest.raises(type(error)):
        pay(context)
    store.happens = lambda: None

    assert codes(context) == [PASSED] * PAYMENTS + [ONE_TOO_MANY]


def test_what_a_disk_refuses_does_not_count_once_there_is_room(
    context: ChannelContext, store: ScreeningStore
) -> None:
    store.happens = lambda: fill(store)
    with pytest.raises(DiskError, match="No space left"):
        pay(context)
    store.happens, store.has_room = lambda: None, True

    assert codes(context) == [PASSED] * PAYMENTS + [ONE_TOO_MANY]


@pytest.mark.parametrize(
    ("by_form", "error"), [(True, FormCapabilityError), (False, UnknownCheckoutError)]
)
def test_a_second_payment_of_a_checkout_does_not_count(
    context: ChannelContext, store: ScreeningStore, *, by_form: bool, error: type[Exception]
) -> None:
    checkout = prepare_checkout(context, MONEY)
    capability = token_hash(issue_capability(context.ports, checkout.id)) if by_form else None
    origin = Origin(checkout=checkout.id, capability=capability)
    others: list[gevent.Greenlet] = []

    def another_comes() -> None:
        store.happens = lambda: None
        # It waits until the first one is screened.
        others.append(gevent.spawn(pay, context, origin))
        gevent.idle()

    store.happens = another_comes
    assert pay(context, origin).outcome.code == PASSED
    with pytest.raises(error):
        others[0].get(timeout=10)

    assert codes(context)[:PAYMENTS] == [PASSED] * (PAYMENTS - 1) + [ONE_TOO_MANY]


def test_a_checkout_that_is_gone_by_then_has_no_payment_that_counts(
    context: ChannelContext, store: ScreeningStore
) -> None:
    checkout = prepare_checkout(context, MONEY)

    def goes() -> None:
        store.commit(Unit(removes=(store.get(Checkout, checkout.id),)))

    store.happens = goes
    with pytest.raises(UnknownCheckoutError):
        pay(context, Origin(checkout=checkout.id))
    store.happens = lambda: None

    assert codes(context) == [PASSED] * PAYMENTS + [ONE_TOO_MANY]
