"""How a boundary case sends its value: with a payment, or with the request that has its field."""

from collections.abc import Callable, Mapping

from features.boundaries.cases import BoundaryCase, payment_with
from features.spec.companions import Sent, companions_of
from features.steps.payments.chargebacks import REASON
from features.steps.payments.checkouts import money, prepare
from features.steps.payments.registrations import card_of, store
from features.steps.payments.reports import QUERY
from features.steps.payments.schedules import SCHEDULES
from features.support.merchant import Merchant
from simulator.client import Answer

AMOUNT, CURRENCY = "92.00", "EUR"
Sending = Callable[[Merchant, BoundaryCase, Sent], Answer]


def send(case: BoundaryCase, merchant: Merchant) -> Answer:
    """The answer to a request in which nothing but the case's value is in question."""
    for start, sending in SENDINGS.items():
        if case.field.startswith(start):
            return sending(merchant, case, {**companions_of(case.field), case.name: case.value})
    return merchant.pay(payment_with(case, merchant.debit))


def _schedule(merchant: Merchant, _: BoundaryCase, sent: Sent) -> Answer:
    stored = store(merchant, card_of(merchant))
    charged = {"registrationId": stored.id, "paymentType": "DB", **money(AMOUNT, CURRENCY)}
    return merchant.client.post(SCHEDULES, {**charged, **sent})


def _charge_back(merchant: Merchant, case: BoundaryCase, sent: Sent) -> Answer:
    """The chargeback of a payment that no other case charges back."""
    own = {"merchantTransactionId": f"charged-back-{case.kind}"}
    paid = merchant.pay_by_card("DB", AMOUNT, CURRENCY, own)
    return merchant.refer(paid.id, "CB", **sent)


#  beginning of a field    the request that has it
SENDINGS: Mapping[str, Sending] = {
    REASON: _charge_back,
    "date.": lambda merchant, _, sent: merchant.client.get(QUERY, sent),
    "job.": _schedule,
    "overridePaymentType": lambda merchant, _, sent: prepare(
        merchant, {**money(AMOUNT, CURRENCY), **sent}
    ),
    "recurringMigration.": lambda merchant, _, sent: store(merchant, {**card_of(merchant), **sent}),
}
