"""The amounts that an acquirer takes: those that a line of a settlement file can hold on any day.

Choice: D-674.
"""

from decimal import Decimal

from acquirer_mocks.settlement import fx
from acquirer_mocks.settlement.lines import units_max
from simulator.catalogue.messages.card_responses import RESULT_OF
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.core.money import Money
from simulator.domain.core.records import Outcome
from simulator.grammar.payment_types import PaymentEffect

NOT_VALID = "13"
# Of any currency so much can be settled in any other: usual payments are not looked at.
ALWAYS_SETTLED = Decimal(100_000)


def refused_as_too_large(ask: AcquirerRequest, currency: str) -> Outcome | None:
    """The outcome of an amount that cannot be settled in `currency`; None for any other, and for a
    reversal, which has the amount of what it voids.
    """
    is_reversal = PAYMENT_TYPES[ask.type].effect is PaymentEffect.REVERSAL
    if ask.money is None or is_reversal or can_be_settled(ask.money, currency):
        return None
    return Outcome(
        code=RESULT_OF[NOT_VALID],
        details={"AcquirerResponse": NOT_VALID},
        decided_by=f"acquirer: too large to be settled in {currency}",
    )


def can_be_settled(money: Money, currency: str) -> bool:
    """Whether a line can hold an amount, and what it is in `currency`, whatever the rate."""
    units, source = fx.units_of(money), money.currency
    rate = fx.highest_rate(source, currency)
    gross = fx.exchanged(units, source, currency, rate=rate)
    return units <= units_max(source) and gross <= units_max(currency)
