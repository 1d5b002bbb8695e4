"""Checks that a merchant believes the right thing, however often and in whatever order it is
told.
"""

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
    """The check that a payment with this result code is believed to be in this state."""

    def run(bench: CheckContext) -> CheckFinding:
        payment = new_payment()
        reply = bench.tell(payment.told(code))
        belief = bench.belief_soon(payment, state)
        return CheckFinding(belief.state == state, state, f"{belief} ({code}, answered {reply})")

    return run


def understands_what_follows(code: str, state: str) -> RunCheck:
    """The check that a payment that was pending is believed to be what it became."""

    def run(bench: CheckContext) -> CheckFinding:
        bench.demand_beliefs()
        payment = new_payment()
        bench.tell(payment.told(PENDING))
        bench.tell(payment.told(code, "UPDATED", minute=1))
        belief = bench.belief_soon(payment, state)
        return CheckFinding(belief.state == state, state, str(belief))

    return run


def takes_twice(bench: CheckContext) -> CheckFinding:
    """The same delivered again is taken again: the gateway did not hear the first answer."""
    letter = bench.letter(new_payment().told(PAID))
    return bench.taken(bench.sender.post(letter), bench.sender.post(next_attempt(letter)))


def acts_once(bench: CheckContext) -> CheckFinding:
    """The same delivered twice changes the state once."""
    bench.demand_beliefs()
    payment = new_payment()
    letter = bench.letter(payment.told(PAID))
    bench.sender.post(letter)
    bench.sender.post(next_attempt(letter))
    return _changed_once(bench, payment)


def acts_once_at_once(bench: CheckContext) -> CheckFinding:
    """The same delivered several times at once changes the state once."""
    bench.demand_beliefs()
    payment = new_payment()
    letter = bench.letter(payment.told(PAID))
    replies = bench.sender.post_at_once([letter] * COPIES)
    # One of them at least has to be taken: who refuses copies that race has them sent again.
    if not any(reply.is_taken for reply in replies):
        return bench.taken(*replies)
    return _changed_once(bench, payment)


def acts_once_under_other_id(bench: CheckContext) -> CheckFinding:
    """An old message that comes again as if it were new changes nothing.

    Its identity stands in a header, outside of what the key protects, so anybody may change it.
    """
    bench.demand_beliefs()
    payment = new_payment()
    letter = bench.letter(payment.told(PAID))
    bench.sender.post(letter)
    bench.sender.post(replace(letter, event_id="0" * 32))
    return _changed_once(bench, payment)


def final_before_pending(code: str, state: str) -> RunCheck:
    """The check that UPDATED before CREATED leaves the final state."""

    def run(bench: CheckContext) -> CheckFinding:
        bench.demand_beliefs()
        payment = new_payment()
        first = bench.tell(payment.told(code, "UPDATED", minute=1))
        then = bench.tell(payment.told(PENDING))
        return _still(bench, payment, state, [first, then])

    return run


def older_comes_again(bench: CheckContext) -> CheckFinding:
    """CREATED, UPDATED, and CREATED once more: a retry that was on its way for long."""
    bench.demand_beliefs()
    payment = new_payment()
    created = bench.letter(payment.told(PENDING))
    replies = [bench.sender.post(created)]
    replies.append(bench.tell(payment.told(PAID, "UPDATED", minute=1)))
    replies.append(bench.sender.post(next_attempt(created)))
    return _still(bench, payment, "paid", replies)


def corruption_then_retry(bench: CheckContext) -> CheckFinding:
    """What came damaged is taken when it comes again."""
    payment = new_payment()
    wrapper = payment.told(PAID)
    letter = bench.letter(wrapper)
    bench.sender.post(TAMPERINGS["altered-body"](letter, wrapper, bench.key))
    return bench.taken_and_known([payment], bench.sender.post(next_attempt(letter)))


def broken_off_then_retry(bench: CheckContext) -> CheckFinding:
    """What broke off half-way is taken when it comes again."""
    payment = new_payment()
    letter = bench.letter(payment.told(PAID))
    try:
        bench.sender.break_off(letter)
    except OSError as gone:
        return CheckFinding(False, "somebody who listens", str(gone))
    # The end of a line is noticed a little later than it came.
    time.sleep(bench.settle_s)
    return bench.taken_and_known([payment], bench.sender.post(next_attempt(letter)))


def remembers_after_restart(bench: CheckContext) -> CheckFinding:
    """What was answered 2xx is known after the receiver was ended and started again."""
    if bench.restart is None:
        raise NotRequestedError("--restart-command was not given")
    bench.demand_beliefs()
    payment = new_payment()
    taken = bench.taken(bench.tell(payment.told(PAID)))
    if not taken.holds:
        return taken
    bench.restart()
    belief = bench.belief_when_back(payment)
    return CheckFinding(belief.state == "paid", "paid", f"{belief} after the restart")


def _changed_once(bench: CheckContext, payment: NotifiedPayment) -> CheckFinding:
    belief = bench.belief_later(payment)
    if belief.changes is None:
        raise NotCheckableError(
            'the state has no member "changes", a count of how often it changed'
        )
    holds = belief.state == "paid" and belief.changes == 1
    return CheckFinding(holds, "paid, changed once", str(belief))


def _still(
    bench: CheckContext, payment: NotifiedPayment, state: str, replies: list[WebhookReply]
) -> CheckFinding:
    """The state that is believed after a rest; each notification has to be taken, too."""
    taken = bench.taken(*replies)
    if not taken.holds:
        return taken
    belief = bench.belief_later(payment)
    return CheckFinding(belief.state == state, state, str(belief))
