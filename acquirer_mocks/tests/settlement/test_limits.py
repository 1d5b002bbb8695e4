"""An acquirer takes no amount that could not be settled, whatever the rate of the day."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from acquirer_mocks.settlement import fx
from acquirer_mocks.settlement.limits import ALWAYS_SETTLED, can_be_settled
from acquirer_mocks.tests.test_internal import acquirer_of
from simulator.domain.core.money import Money
from simulator.tests.kit.steering import ask_of, behaviour_document, declining, script_of

LARGEST, DAY = "9999999999.99", date(2030, 1, 3)
NOT_VALID = "800.100.174"


def large(kind: str = "DB", currency: str = "JPY", **fields):
    """A request for an amount that no line can hold in JPY, which rounds it up."""
    return ask_of(kind, money=Money(Decimal(LARGEST), currency), **fields)


@pytest.mark.parametrize(
    ("amount", "currency", "settled_in", "fits"),
    [
        (LARGEST, "EUR", "EUR", True),
        (LARGEST, "USD", "EUR", True),
        (LARGEST, "GBP", "EUR", False),
        (LARGEST, "GBP", "GBP", True),
        ("9999999999.00", "JPY", "EUR", True),
        ("9999999999.49", "JPY", "JPY", True),
        ("9999999999.50", "JPY", "JPY", False),
        (LARGEST, "KWD", "KWD", True),
        ("9999999999.00", "KWD", "EUR", False),
        ("999999999.99", "CLF", "CLF", True),
        (LARGEST, "CLF", "CLF", False),
        # What it comes to at the rate of the table, and a little less than at the highest one.
        ("8600000000.00", "GBP", "EUR", False),
        ("8513000000.00", "GBP", "EUR", True),
    ],
)
def test_an_amount_is_settled_if_a_line_can_hold_it_at_the_highest_rate(
    amount: str, currency: str, settled_in: str, *, fits: bool
) -> None:
    assert can_be_settled(Money(Decimal(amount), currency), settled_in) == fits


def test_what_is_not_looked_at_can_be_settled_in_any_currency() -> None:
    known = (*fx._table(), "EUR", "QQQ")

    assert all(
        can_be_settled(Money(ALWAYS_SETTLED, source), target)
        for source in known
        for target in known
    )


@pytest.mark.parametrize(("source", "target"), [("GBP", "EUR"), ("EUR", "JPY"), ("KWD", "USD")])
def test_no_day_has_a_higher_rate_than_the_highest(source: str, target: str) -> None:
    rates = [
        fx.rate(source, target, day=DAY + timedelta(days=day), seed=seed)
        for day in range(500)
        for seed in range(3)
    ]
    highest = fx.highest_rate(source, target)
    assert highest * 99 // 100 < max(rates) <= highest


@pytest.mark.parametrize("kind", ["PA", "DB", "CD", "CP", "RF", "RB"])
def test_an_amount_that_cannot_be_settled_is_declined(kind: str) -> None:
    outcome = acquirer_of().plan(large(kind)).outcome
    assert (outcome.code, outcome.details["AcquirerResponse"]) == (NOT_VALID, "13")


def test_it_is_declined_where_a_behaviour_would_approve_it() -> None:
    approving = script_of(behaviour_document({"approve": {}}))
    pending = script_of(behaviour_document({"pending": {"seconds": 1, "then": {"approve": {}}}}))
    for script in (approving, pending):
        plan = acquirer_of(script).plan(large())
        assert (plan.outcome.code, plan.then, len(plan.scripts)) == (NOT_VALID, None, 1)


def test_another_decline_stays_as_it_is() -> None:
    script = script_of(declining("800.100.151"))
    assert acquirer_of(script).plan(large()).outcome.code == "800.100.151"


def test_what_was_approved_before_can_be_reversed() -> None:
    assert acquirer_of().plan(large("RV")).outcome.code == "000.100.110"


def test_a_channel_that_is_settled_in_its_one_currency_takes_more_of_it() -> None:
    for currencies, code in ((("GBP",), "000.100.110"), (("GBP", "EUR"), NOT_VALID)):
        acquirer = acquirer_of(currencies=currencies)
        assert acquirer.plan(large(currency="GBP")).outcome.code == code
