"""Chargebacks and refunds of one payment at once never exceed it, however the store interleaves."""

from random import Random

import gevent

from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import Payment, PaymentType, State
from simulator.domain.payments.ledger import MERCHANT, balances
from simulator.service.payments.contexts import read_payment
from simulator.service.payments.pipeline import refer_payment, take_payment
from simulator.tests.kit.making import CARD, a_context, ledger_entries_in, new_ids
from simulator.tests.payments.test_captures_at_once import Interleaving

ROUNDS = 200
AT_ONCE = (("CB", "60.00"), ("CB", "60.00"), ("RF", "50.00"), ("RF", "50.00"), ("CB", "40.00"))


def test_refunds_and_chargebacks_at_once_never_exceed_the_sum() -> None:
    for seed in range(ROUNDS):
        check_round(Random(seed))


def check_round(random: Random) -> None:
    """Some refunds and chargebacks of one debit in any order: one chargeback, and the sums hold."""
    context = a_context(store=Interleaving(random))
    sent = {"paymentType": "DB", "amount": "100.00", "currency": "EUR", **CARD}
    debit = take_payment(context, sent, new_ids(context))
    made: list[Payment] = []

    def refer(kind: str, amount: str) -> None:
        asked = {"paymentType": kind, "amount": amount, "currency": "EUR"}
        try:
            made.append(refer_payment(context, debit.id, asked, new_ids(context)))
        except Refusal:
            return

    gevent.joinall([gevent.spawn(refer, *each) for each in random.sample(AT_ONCE, len(AT_ONCE))])
    after = read_payment(context, debit.id)
    disputes = [each for each in made if each.type is PaymentType.CB]
    assert after.taken == sum(each.moved.amount for each in made) <= 100
    assert after.charged_back == sum(each.moved.amount for each in disputes)
    assert len(disputes) <= 1
    assert (after.state is State.CHARGED_BACK) == bool(disputes)
    assert after.reserved == 0
    assert balances(ledger_entries_in(context, [debit, *made]))[MERCHANT] == 100 - after.taken
