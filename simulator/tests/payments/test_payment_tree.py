"""A payment tree under any order of requests and answers: the sums hold and the ledger balances."""

from decimal import Decimal

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from simulator.domain.core.errors import Refusal
from simulator.domain.core.money import ZERO
from simulator.domain.core.records import Payment, PaymentType, State
from simulator.domain.payments.ledger import CLEARING, FEES, MERCHANT, RESERVE, balances
from simulator.domain.payments.references import open_amount
from simulator.service.payments.contexts import read_payment
from simulator.service.payments.pipeline import refer_payment, take_payment
from simulator.tests.kit.making import (
    APPROVED,
    CARD,
    DECLINED,
    Answering,
    a_context,
    ledger_entries_in,
    new_ids,
)

AMOUNTS = st.sampled_from(["0.01", "10.00", "33.33", "50.00", "99.99", "100.00"])
INITIAL = st.sampled_from(["PA", "DB", "CD"])
REFERRING = st.sampled_from(["CP", "RF", "RV", "RB", "RC", "CB", "CR"])
DISPUTES = ("CB", "CR")
HOLDING = {State.AUTHORIZED, State.PARTLY_CAPTURED}


class PaymentTree(RuleBasedStateMachine):
    """Takes payments, refers to any of them, has some declined."""

    def __init__(self) -> None:
        super().__init__()
        self.acquirer = Answering()
        self.context = a_context(acquirer=self.acquirer)
        self.ids: list[str] = []

    @rule(kind=INITIAL, amount=AMOUNTS, outcome=st.sampled_from([APPROVED, APPROVED, DECLINED]))
    def take(self, kind: str, amount: str, outcome: object) -> None:
        """An initial payment."""
        self.acquirer.outcomes = [outcome]
        sent = {"paymentType": kind, "amount": amount, "currency": "EUR", **CARD}
        self.ids.append(take_payment(self.context, sent, new_ids(self.context)).id)

    @precondition(lambda self: self.ids)
    @rule(
        data=st.data(),
        kind=REFERRING,
        amount=AMOUNTS,
        outcome=st.sampled_from([APPROVED, APPROVED, DECLINED]),
        whole=st.booleans(),
    )
    def refer(
        self, data: st.DataObject, kind: str, amount: str, *, outcome: object, whole: bool
    ) -> None:
        """A payment that refers to any other; a refused one leaves no trace."""
        self.acquirer.outcomes = [outcome]
        to = data.draw(st.sampled_from(self.ids))
        before = self._all()
        sent = {"paymentType": kind}
        if kind != "RV" and not (kind in DISPUTES and whole):
            sent |= {"amount": amount, "currency": "EUR"}
        try:
            self.ids.append(refer_payment(self.context, to, sent, new_ids(self.context)).id)
        except Refusal:
            assert self._all() == before

    @invariant()
    def nothing_is_taken_twice(self) -> None:
        """What later payments took of one is what it says, and at most its amount."""
        payments = self._all()
        for payment in payments:
            taken = sum((child.money.amount for child in _taking(payment, payments)), ZERO)
            back = _charged_back(payment, payments)
            assert payment.charged_back == back >= ZERO
            assert payment.taken == taken + back <= payment.money.amount
            assert payment.reserved == ZERO

    @invariant()
    def a_payment_is_charged_back_once(self) -> None:
        """And what was, may be taken back once; a second chargeback ends it."""
        payments = self._all()
        for payment in payments:
            kinds = [each.type for each in payments if each.referenced == payment.id]
            assert kinds.count(PaymentType.CB) <= 1
            assert kinds.count(PaymentType.CR) <= 1
            disputed = payment.state is State.CHARGED_BACK
            assert disputed == (payment.charged_back > ZERO or _is_disputed_again(payment, kinds))

    @invariant()
    def the_ledger_balances(self) -> None:
        """Debits are credits, and the reserve holds exactly what is authorized and still open."""
        payments = self._all()
        accounts = balances(ledger_entries_in(self.context, payments))
        assert accounts[CLEARING] + accounts[RESERVE] + accounts[MERCHANT] + accounts[FEES] == ZERO
        held = [each for each in payments if each.type is PaymentType.PA and each.state in HOLDING]
        assert accounts[RESERVE] == sum((open_amount(each) for each in held), Decimal("0.00"))

    def _all(self) -> list[Payment]:
        return [read_payment(self.context, identity) for identity in self.ids]


def _taking(payment: Payment, payments: list[Payment]) -> list[Payment]:
    takers = {PaymentType.CP, PaymentType.RF, PaymentType.RC}
    return [
        each
        for each in payments
        if each.referenced == payment.id and each.type in takers and each.state is not State.FAILED
    ]


def _charged_back(payment: Payment, payments: list[Payment]) -> Decimal:
    """What chargebacks hold of it: those made, less those taken back."""
    signs = {PaymentType.CB: 1, PaymentType.CR: -1}
    about = [each for each in payments if each.dispute and each.dispute.payment == payment.id]
    return sum((signs[each.type] * each.money.amount for each in about), ZERO)


def _is_disputed_again(payment: Payment, kinds: list[PaymentType]) -> bool:
    return payment.type is PaymentType.CR and PaymentType.CB in kinds


TestPaymentTree = PaymentTree.TestCase
TestPaymentTree.settings = settings(max_examples=60, stateful_step_count=20, deadline=None)
