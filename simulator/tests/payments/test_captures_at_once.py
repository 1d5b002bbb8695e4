"""Many captures of one authorization at once never exceed it, however the store and the acquirer
interleave.
"""

from decimal import Decimal
from random import Random

import gevent
import pytest
from msgspec.structs import replace

from simulator.domain.core.errors import Refusal
from simulator.domain.core.ports import Unit
from simulator.domain.core.records import Payment, State
from simulator.domain.payments.ledger import MERCHANT, RESERVE, balances
from simulator.service.payments.contexts import read_payment
from simulator.service.payments.pipeline import refer_payment, take_payment
from simulator.tests.adapters.store.memory_store import MemoryStore
from simulator.tests.kit.making import (
    APPROVED,
    CARD,
    DECLINED,
    Answering,
    a_context,
    ledger_entries_in,
    new_ids,
)

CAPTURES = 32


class Interleaving:
    """A store whose every call may let other greenlets run first, as the seed has it."""

    def __init__(self, random: Random):
        self._store = MemoryStore()
        self._random = random

    def __getattr__(self, name: str) -> object:
        method = getattr(self._store, name)

        def interleaved(*arguments: object) -> object:
            if self._random.random() < 0.3:
                gevent.sleep(0)
            return method(*arguments)

        return interleaved

    def commit(self, unit: Unit) -> None:
        """Save, and let others run before the call returns."""
        self._store.commit(unit)
        gevent.sleep(0)


class Waiting:
    """A clock whose wait only lets others run."""

    def __init__(self, clock: object):
        self.now = clock.now

    def wait(self, span: object) -> None:
        """Let others run."""
        gevent.sleep(0)


@pytest.mark.parametrize("rounds", [150, pytest.param(1000, marks=pytest.mark.proof)])
def test_captures_at_once_never_exceed_the_sum(rounds: int) -> None:
    for seed in range(rounds):
        check_round(Random(seed))


def check_round(random: Random) -> None:
    """One authorization of 100.00, 32 captures of 7.00 at once, half of the acquirer's answers
    late.
    """
    acquirer = Answering(delay_s=random.choice([0, 1]))
    context = a_context(store=Interleaving(random), acquirer=acquirer)
    context = _with_waiting_clock(context)
    sent = {"paymentType": "PA", "amount": "100.00", "currency": "EUR", **CARD}
    authorized = take_payment(context, sent, new_ids(context))
    acquirer.outcomes = [random.choice([APPROVED, APPROVED, DECLINED]) for _ in range(CAPTURES)]
    acquirer.outcomes.append(APPROVED)
    outcomes = _all_at_once(lambda: _capture(context, authorized))
    captured = [each for each in outcomes if isinstance(each, Payment)]
    approved = [each for each in captured if each.state is State.COMPLETED]
    stored = read_payment(context, authorized.id)
    assert stored.taken == 7 * len(approved) <= Decimal("100.00")
    assert stored.reserved == 0
    accounts = balances(ledger_entries_in(context, [stored, *captured]))
    assert accounts[MERCHANT] == stored.taken
    assert accounts[RESERVE] == stored.money.amount - stored.taken


def _capture(context: object, authorized: Payment) -> Payment | str:
    sent = {"paymentType": "CP", "amount": "7.00", "currency": "EUR"}
    try:
        return refer_payment(context, authorized.id, sent, new_ids(context))
    except Refusal as refusal:
        assert refusal.code == "700.400.100"
        return refusal.code


def _all_at_once(call: object) -> list:
    greenlets = [gevent.spawn(call) for _ in range(CAPTURES)]
    gevent.joinall(greenlets, raise_error=True)
    return [greenlet.value for greenlet in greenlets]


def _with_waiting_clock(context: object) -> object:
    return replace(context, ports=replace(context.ports, clock=Waiting(context.ports.clock)))
