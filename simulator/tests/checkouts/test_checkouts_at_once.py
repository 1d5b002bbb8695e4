"""Many posts to one checkout at once leave one payment that succeeded, however the store and the
acquirer interleave; and a crash parts no attempt from its checkout.
"""

from pathlib import Path
from random import Random

import gevent
import pytest

from simulator.adapters.store.store import DocumentStore
from simulator.domain.checkouts.checkouts import Checkout, CheckoutStage, stage_of
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import Refusal, UnknownCheckoutError
from simulator.domain.core.records import Origin, Payment, State
from simulator.service.checkouts.checkouts import prepare_checkout, read_end
from simulator.service.payments.checkout_attempts import UNDER_WAY, attempt_in
from simulator.service.payments.pipeline import take_payment
from simulator.service.payments.recovery import reverse_open_attempts
from simulator.tests.kit.making import APPROVED, CARD, DECLINED, NOON, Answering, a_context, new_ids
from simulator.tests.kit.twins import HandClock
from simulator.tests.payments.test_captures_at_once import Interleaving, _with_waiting_clock

MONEY = {"paymentType": "DB", "amount": "92.00", "currency": "EUR"}
POSTS, ROUNDS = 8, 300


def test_posts_at_once_leave_one_payment_that_succeeded() -> None:
    for seed in range(ROUNDS):
        check_round(Random(seed))


def check_round(random: Random) -> None:
    """Eight posts at once, half of the acquirer's answers late, some of them no."""
    acquirer = Answering(delay_s=random.choice([0, 1]))
    context = _with_waiting_clock(a_context(store=Interleaving(random), acquirer=acquirer))
    checkout = prepare_checkout(context, MONEY)
    acquirer.outcomes = [random.choice([APPROVED, DECLINED]) for _ in range(POSTS)]
    acquirer.outcomes.append(APPROVED)
    greenlets = [gevent.spawn(pay, context, checkout) for _ in range(POSTS)]
    gevent.joinall(greenlets, raise_error=True)
    paid = [each.value for each in greenlets if each.value is not None]
    succeeded = [each for each in paid if each.state is State.COMPLETED]
    assert len(succeeded) <= 1
    attempt = read_end(context, checkout.id).attempt
    assert attempt is not None and attempt.checkout == checkout.id
    if succeeded:
        assert attempt.id == succeeded[0].id


def pay(context: ChannelContext, checkout: Checkout) -> Payment | None:
    """A post to the checkout; None where it is refused."""
    try:
        return take_payment(
            context, {**MONEY, **CARD}, new_ids(context), Origin(checkout=checkout.id)
        )
    except UnknownCheckoutError:
        return None
    except Refusal as refusal:
        assert refusal.code == UNDER_WAY
        return None


def test_an_attempt_cut_off_by_a_crash_is_found_failed_and_another_one_taken(
    tmp_path: Path,
) -> None:
    store = DocumentStore(str(tmp_path / "1.log"))
    context = a_context(store=store, acquirer=Answering(delay_s=30), clock=HandClock(NOON))
    checkout = prepare_checkout(context, MONEY)
    cut_off = gevent.spawn(pay, context, checkout)
    gevent.idle()
    with pytest.raises(Refusal, match=UNDER_WAY):
        take_payment(context, {**MONEY, **CARD}, new_ids(context), Origin(checkout=checkout.id))
    cut_off.kill()

    stored = store.get(Checkout, checkout.id)
    assert stage_of(attempt_in(context.ports, stored)) is CheckoutStage.UNDER_WAY
    reverse_open_attempts(context.ports)
    assert stage_of(attempt_in(context.ports, stored)) is CheckoutStage.FAILED
    context.ports.acquirer.delay *= 0
    assert pay(context, checkout).state is State.COMPLETED
