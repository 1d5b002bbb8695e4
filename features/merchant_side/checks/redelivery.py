"""Checks that payment states are right after repeated, reordered and damaged deliveries."""

import time
from dataclasses import replace

from features.merchant_side.context import (
    CheckContext,
    CheckFinding,
    NotCheckableError,
    NotRequestedError,
    RunCheck,
)
from features.merchant_side.webhook_encryption import TAMPERINGS, next_attempt
from features.merchant_side.webhook_messages import PAID, PENDING, NotifiedPayment, new_payment
from features.merchant_side.webhook_sender import WebhookReply

COPIES = 5


def understands(code: str, state: str) -> RunCheck:
    """The check that a payment with this result code is in this state at the merchant."""

    def run(context: CheckContext) -> CheckFinding:
        payment = new_payment()
        reply = context.notify(payment.notification(code))
        known = context.state_soon(payment, state)
        return CheckFinding(known.state == state, state, f"{known} ({code}, answered {reply})")

    return run


def understands_what_follows(code: str, state: str) -> RunCheck:
    """The check that a pending payment takes its final state at the merchant."""

    def run(context: CheckContext) -> CheckFinding:
        context.demand_states()
        payment = new_payment()
        context.notify(payment.notification(PENDING))
        context.notify(payment.notification(code, "UPDATED", minute=1))
        known = context.state_soon(payment, state)
        return CheckFinding(known.state == state, state, str(known))

    return run


def takes_twice(context: CheckContext) -> CheckFinding:
    """A second delivery is accepted again: the gateway may not have received the first answer."""
    notification = context.notification(new_payment().notification(PAID))
    return context.accepted(
        context.sender.post(notification), context.sender.post(next_attempt(notification))
    )


def acts_once(context: CheckContext) -> CheckFinding:
    """The same delivered twice changes the state once."""
    context.demand_states()
    payment = new_payment()
    notification = context.notification(payment.notification(PAID))
    context.sender.post(notification)
    context.sender.post(next_attempt(notification))
    return _changed_once(context, payment)


def acts_once_at_once(context: CheckContext) -> CheckFinding:
    """The same delivered several times at once changes the state once."""
    context.demand_states()
    payment = new_payment()
    notification = context.notification(payment.notification(PAID))
    replies = context.sender.post_at_once([notification] * COPIES)
    # At least one of them has to be accepted: a refused copy is delivered again.
    if not any(reply.is_accepted for reply in replies):
        return context.accepted(*replies)
    return _changed_once(context, payment)


def acts_once_under_other_id(context: CheckContext) -> CheckFinding:
    """An old notification under a new event id changes nothing.

    The event id is in a header that the key does not protect, so it can be changed on the way.
    """
    context.demand_states()
    payment = new_payment()
    notification = context.notification(payment.notification(PAID))
    context.sender.post(notification)
    context.sender.post(replace(notification, event_id="0" * 32))
    return _changed_once(context, payment)


def final_before_pending(code: str, state: str) -> RunCheck:
    """The check that UPDATED before CREATED leaves the final state."""

    def run(context: CheckContext) -> CheckFinding:
        context.demand_states()
        payment = new_payment()
        first = context.notify(payment.notification(code, "UPDATED", minute=1))
        then = context.notify(payment.notification(PENDING))
        return _still(context, payment, state, [first, then])

    return run


def older_comes_again(context: CheckContext) -> CheckFinding:
    """CREATED, UPDATED, and CREATED once more: a retry that was delayed."""
    context.demand_states()
    payment = new_payment()
    created = context.notification(payment.notification(PENDING))
    replies = [context.sender.post(created)]
    replies.append(context.notify(payment.notification(PAID, "UPDATED", minute=1)))
    replies.append(context.sender.post(next_attempt(created)))
    return _still(context, payment, "paid", replies)


def corruption_then_retry(context: CheckContext) -> CheckFinding:
    """A notification that came damaged is accepted when it is delivered again."""
    payment = new_payment()
    wrapper = payment.notification(PAID)
    notification = context.notification(wrapper)
    context.sender.post(TAMPERINGS["altered-body"](notification, wrapper, context.key))
    return context.accepted_and_paid([payment], context.sender.post(next_attempt(notification)))


def broken_off_then_retry(context: CheckContext) -> CheckFinding:
    """A notification that broke off is accepted when it is delivered again."""
    payment = new_payment()
    notification = context.notification(payment.notification(PAID))
    try:
        context.sender.break_off(notification)
    except OSError as error:
        return CheckFinding(False, "a receiver that listens", str(error))
    # The receiver may notice the end of the connection a little later.
    time.sleep(context.settle_s)
    return context.accepted_and_paid([payment], context.sender.post(next_attempt(notification)))


def remembers_after_restart(context: CheckContext) -> CheckFinding:
    """A payment whose notification was accepted is known after a restart."""
    if context.restart is None:
        raise NotRequestedError("--restart-command was not given")
    context.demand_states()
    payment = new_payment()
    taken = context.accepted(context.notify(payment.notification(PAID)))
    if not taken.holds:
        return taken
    context.restart()
    known = context.state_after_restart(payment)
    return CheckFinding(known.state == "paid", "paid", f"{known} after the restart")


def _changed_once(context: CheckContext, payment: NotifiedPayment) -> CheckFinding:
    known = context.state_after_wait(payment)
    if known.changes is None:
        raise NotCheckableError(
            'the state has no member "changes", a count of how often it changed'
        )
    holds = known.state == "paid" and known.changes == 1
    return CheckFinding(holds, "paid, changed once", str(known))


def _still(
    context: CheckContext, payment: NotifiedPayment, state: str, replies: list[WebhookReply]
) -> CheckFinding:
    """The state after a wait; each notification has to be accepted, too."""
    taken = context.accepted(*replies)
    if not taken.holds:
        return taken
    known = context.state_after_wait(payment)
    return CheckFinding(known.state == state, state, str(known))
