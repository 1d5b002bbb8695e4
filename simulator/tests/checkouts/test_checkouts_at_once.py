"""Many posts to one checkout at once leave one payment that succeeded, however the store and the
acquirer interleave; a crash parts no attempt from its checkout; and an update parts none from what
it was made from.
"""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from random import Random

import gevent
import pytest
from msgspec.structs import replace

from simulator.adapters.store.store import DocumentStore
from simulator.domain.checkouts.checkouts import Checkout, CheckoutStage, stage_of
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import Refusal, UnknownCheckoutError
from simulator.domain.core.records import Origin, Payment, State
from simulator.domain.holding import GO_ON, Let, Stop
from simulator.service.checkouts.checkouts import (
    Entry,
    Submission,
    change_checkout,
    complete,
    enter_payment,
    prepare_checkout,
    read_end,
    remove_checkout,
)
from simulator.service.payments.checkout_attempts import UNDER_WAY, attempt_in
from simulator.service.payments.pipeline import take_payment
from simulator.service.payments.recovery import reverse_open_attempts
from simulator.tests.kit.authenticating import ORDER, saying, secured
from simulator.tests.kit.making import (
    APPROVED,
    CARD,
    DECLINED,
    FITTING,
    NOON,
    Answering,
    a_context,
    new_ids,
)
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


class Interrupted:
    """A breakpoint at one party; what is held there goes on once something else has happened."""

    turn = nullcontext()

    def __init__(self, stop: Stop, meanwhile: Callable[[], object]):
        self.stops, self.meanwhile = frozenset({stop}), meanwhile

    def hold(self, message: object) -> Let:
        self.meanwhile()
        return GO_ON


def held_up(stop: Stop, act: Callable[[ChannelContext, str], object]) -> tuple[Entry, str]:
    """A payment that was let into a checkout, and its id: `act` happens as it is held."""
    at_rest = secured(saying("Y"))
    identity = prepare_checkout(at_rest, MONEY).id
    meanwhile = Interrupted(stop, lambda: act(at_rest, identity))
    context = replace(at_rest, ports=replace(at_rest.ports, holds=meanwhile))
    return enter_payment(context, identity, submission()), identity


def submission() -> Submission:
    sent = {name: value for name, value in ORDER.items() if name not in MONEY}
    return Submission(sent, None, FITTING, FITTING)


def updates(context: ChannelContext, identity: str) -> None:
    change_checkout(context, identity, {"amount": "99.00"}, FITTING)


def updates_back(context: ChannelContext, identity: str) -> None:
    updates(context, identity)
    change_checkout(context, identity, {"amount": MONEY["amount"]}, FITTING)


@pytest.mark.parametrize("stop", [Stop.RISK, Stop.DIRECTORY])
def test_a_payment_on_its_way_is_not_taken_at_what_was_fixed_before_an_update(stop: Stop) -> None:
    entry, identity = held_up(stop, updates)
    with pytest.raises(Refusal, match="updated"):
        complete(entry, new_ids(entry.context))
    assert read_end(entry.context, identity).attempt is None

    anew = enter_payment(secured_again(entry), identity, submission())
    assert complete(anew, new_ids(entry.context)).money.amount == 99


def test_a_payment_that_was_let_in_is_not_taken_at_what_was_fixed_before_an_update() -> None:
    entry, identity = held_up(Stop.WEBHOOKS, updates)
    updates(entry.context, identity)
    with pytest.raises(Refusal, match="updated"):
        complete(entry, new_ids(entry.context))


def test_an_update_that_was_taken_back_meanwhile_refuses_no_payment() -> None:
    entry, identity = held_up(Stop.RISK, updates_back)
    assert complete(entry, new_ids(entry.context)).state is State.COMPLETED


def test_a_payment_on_its_way_into_a_checkout_that_is_removed_is_refused() -> None:
    entry, _ = held_up(Stop.RISK, remove_checkout)
    with pytest.raises(UnknownCheckoutError):
        complete(entry, new_ids(entry.context))


def secured_again(entry: Entry) -> ChannelContext:
    """The context of an entry, with nothing held any more."""
    ports = entry.context.ports
    holds = Interrupted(Stop.WEBHOOKS, lambda: None)
    return replace(entry.context, ports=replace(ports, holds=holds))
