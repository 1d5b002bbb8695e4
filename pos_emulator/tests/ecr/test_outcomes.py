from decimal import Decimal

import pytest

from pos_emulator.ecr.nexo.dialects import Additional, amount_of, response_of
from pos_emulator.ecr.nexo.outcomes import (
    BY_ENDING,
    BY_ERROR,
    Condition,
    NexoError,
    NexoOutcome,
    NexoResult,
    outcome_of_error,
)
from pos_emulator.terminal.records import (
    BusyError,
    Ending,
    OrderError,
    OutOfOrderError,
    UnreadableCardError,
)


def test_every_ending_of_a_payment_has_a_result():
    assert set(BY_ENDING) == set(Ending)
    for result, condition in BY_ENDING.values():
        assert (condition is None) == (result is NexoResult.SUCCESS)


@pytest.mark.parametrize(
    ("error", "condition"),
    [
        (BusyError("b"), Condition.BUSY),
        (OutOfOrderError("o"), Condition.DEVICE_OUT),
        (OrderError("r"), Condition.NOT_ALLOWED),
        (UnreadableCardError("u"), Condition.INVALID_CARD),
        (NexoError(Condition.NOT_FOUND, "n"), Condition.NOT_FOUND),
    ],
)
def test_every_error_of_a_terminal_has_a_condition(error, condition):
    assert set(BY_ERROR) == {BusyError, OutOfOrderError, OrderError, UnreadableCardError}
    assert outcome_of_error(error)[:2] == (NexoResult.FAILURE, condition)


@pytest.mark.parametrize("ending", list(Ending))
def test_a_till_is_answered_how_a_payment_ended(till, terminal, ending):
    terminal.endings = [ending]
    result, condition = BY_ENDING[ending]

    response = till.pay("12.50")["Response"]

    assert response["Result"] == result.value
    assert response.get("ErrorCondition") == (condition.value if condition else None)


@pytest.mark.parametrize("error", [BusyError("why"), OutOfOrderError("why"), OrderError("why")])
def test_a_till_is_answered_why_an_order_was_refused(till, terminal, error):
    terminal.endings = [error]

    answer = till.pay("12.50")

    assert answer["Response"]["ErrorCondition"] == BY_ERROR[type(error)].value
    assert answer["Response"]["AdditionalResponse"].endswith(": why")
    repeated = till.status("0001")["RepeatedMessageResponse"]["RepeatedResponseMessageBody"]
    assert repeated == {"PaymentResponse": answer}


@pytest.mark.parametrize(
    ("written", "currency", "expected"),
    [
        (12, "EUR", "12.00"),
        (Decimal("12.5"), "EUR", "12.50"),
        ("12.50", "EUR", "12.50"),
        ("12.500", "EUR", "12.50"),
        ("1200", "JPY", "1200"),
        ("1.234", "KWD", "1.234"),
    ],
)
def test_an_amount_is_a_number_or_a_text(written, currency, expected):
    assert str(amount_of(written, currency, "RequestedAmount")) == expected


@pytest.mark.parametrize(
    ("written", "currency", "expected"),
    [
        ("12.505", "EUR", "2 decimals of EUR"),
        ("0.5", "JPY", "0 decimals of JPY"),
        ("1", "XYZ", r"^AmountsReq\.Currency: expected a currency of ISO 4217, received XYZ$"),
    ],
)
def test_an_amount_has_the_decimals_of_its_currency(written, currency, expected):
    with pytest.raises(NexoError, match=expected) as raised:
        amount_of(written, currency, "AmountsReq.RequestedAmount")
    assert raised.value.condition is Condition.MESSAGE_FORMAT


def test_a_success_without_a_remark_explains_nothing():
    assert response_of(NexoOutcome(), Additional.FORM) == {"Result": "Success"}
