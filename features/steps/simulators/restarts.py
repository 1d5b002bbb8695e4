"""Steps about what was under way when a gateway stopped: its sandbox is put back as it was then."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from pytest_bdd import given, parsers, then

from features.steps.payments.reports import QUERY
from features.steps.phrases import MONEY, behaviour
from features.steps.simulators.clock import advance_until_done
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer, Control

POLL_S, WAIT_S_MAX = 0.05, 20.0
# The acquirer has booked it by then, as a rule; it is reversed in any case.
BOOKED_S = 0.2
FOUND = 200
SLOWLY = {"approve": {}, "latency": {"fixed": {"seconds": 60}}}


@given(
    parsers.re(
        rf'a debit of {MONEY} by the card (?P<number>\d+) with the reference "(?P<reference>.+)"'
        r" that a restart interrupts"
    )
)
def interrupt_debit(
    control: Control, merchant: Merchant, amount: str, currency: str, *, number: str, reference: str
) -> None:
    control.arm_script(merchant.sandbox, behaviour("approves-slowly", SLOWLY), times=1)
    alone = merchant.on_own_connection()
    sent = {"card.number": number, "merchantTransactionId": reference}
    with ThreadPoolExecutor(1) as pool:
        begun = pool.submit(alone.pay_by_card, "DB", amount, currency, sent)
        # The acquirer answers by the clock of the sandbox, which stands.
        wait_until(lambda: is_stored(merchant, reference))
        time.sleep(BOOKED_S)
        content = control.snapshot(merchant.sandbox)
        advance_until_done(control, merchant, [begun], by="60s")
    alone.client.close()
    control.restore(content)


def is_stored(merchant: Merchant, reference: str) -> bool:
    """Whether a payment with the reference is there, in any state."""
    return merchant.client.get(QUERY, {"merchantTransactionId": reference}).status == FOUND


def wait_until(holds: Callable[[], bool]) -> None:
    """Return once it holds."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < WAIT_S_MAX, f"it did not come about in {WAIT_S_MAX:g} s"
        time.sleep(POLL_S)


@then(parsers.parse("the one payment of the report ended with {code}"))
def ended_with(answer: Answer, judge: Judge, code: str) -> None:
    came = [each["result"]["code"] for each in answer.at("payments") or ()]
    judge.same("result codes of the report", answer, expected=[code], came=came)
