"""Steps about what was under way when a gateway stopped: its sandbox is put back as it was then."""

import time
from concurrent.futures import ThreadPoolExecutor

from pytest_bdd import given, parsers, then

from features.steps.phrases import MONEY, behaviour
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer, Control

UNDER_WAY_S = 0.5
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
        time.sleep(UNDER_WAY_S)
        content = control.snapshot(merchant.sandbox)
        control.advance_clock(merchant.sandbox, by="60s")
        begun.result()
    alone.client.close()
    control.restore(content)


@then(parsers.parse("the one payment of the report ended with {code}"))
def ended_with(answer: Answer, judge: Judge, code: str) -> None:
    came = [each["result"]["code"] for each in answer.at("payments") or ()]
    judge.same("result codes of the report", answer, expected=[code], came=came)
