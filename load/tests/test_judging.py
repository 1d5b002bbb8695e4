"""Each answer is judged against its order: a wrong success is as bad as a wrong refusal."""

import msgspec
import pytest

from load.judging import Body, Result, body_of, second_of, stored_id, verdict_of
from load.ledger import FAILED, KEPT, REFUSED, THROTTLED, UNANSWERED
from load.orders import EXCEEDED, Order, Purse, read_payment, reference, refused_capture, reversal

PURSE = Purse("8" * 32, "PA", 10_00, "root")
CAPTURE = reference("CP", PURSE, 5_00)
SHARED_CAPTURE = reference("CP", PURSE, 5_00, refusals=EXCEEDED)
OVERDRAFT = refused_capture(PURSE)
DECLINED = Order("create_payment", "POST", "v1/payments", refusals=("800.100.203",),
                 only_refusal=True, stores=True, type="DB", cents=5_00)  # fmt: skip
CHARGEBACK = reference("CB", PURSE, 5_00)


def body(code: str, **other: str) -> Body:
    return Body(Result(code), id="9" * 32, **other)


@pytest.mark.parametrize(
    ("order", "status", "answer", "verdict"),
    [
        (CAPTURE, 200, body("000.100.110", amount="5.00", payment_type="CP"), KEPT),
        (CAPTURE, 200, body("000.100.110", amount="5.01", payment_type="CP"), FAILED),
        (CAPTURE, 200, body("000.100.110", amount="5.00", payment_type="DB"), FAILED),
        (CAPTURE, 200, body("000.200.000"), FAILED),
        (CAPTURE, 200, body("700.400.100"), FAILED),
        (CAPTURE, 400, body("700.400.100"), FAILED),
        (CAPTURE, 400, body("000.100.110"), FAILED),
        (CAPTURE, 500, body("000.100.110"), FAILED),
        (CAPTURE, 200, None, FAILED),
        (CAPTURE, 0, None, UNANSWERED),
        (CAPTURE, 429, body("800.120.100"), THROTTLED),
        (CAPTURE, 429, body("000.100.110"), FAILED),
        (CAPTURE, 400, body("800.120.100"), FAILED),
        (SHARED_CAPTURE, 400, body("700.400.100"), REFUSED),
        (SHARED_CAPTURE, 200, body("000.100.110", amount="5.00", payment_type="CP"), KEPT),
        (OVERDRAFT, 400, body("700.400.100"), REFUSED),
        (OVERDRAFT, 200, body("000.100.110"), FAILED),
        (OVERDRAFT, 200, body("700.400.100"), FAILED),
        (DECLINED, 400, body("800.100.203"), REFUSED),
        (DECLINED, 400, body("800.100.152"), FAILED),
        (DECLINED, 200, body("000.100.110"), FAILED),
        (DECLINED, 200, body("800.100.203"), FAILED),
        (CHARGEBACK, 200, body("000.100.200", amount="5.00", payment_type="CB"), KEPT),
        (CHARGEBACK, 200, body("000.100.110"), FAILED),
        (read_payment("9" * 32, "000.100.110"), 200, body("000.100.110"), KEPT),
        (read_payment("9" * 32, "000.100.110"), 200, body("000.100.112"), FAILED),
        (read_payment("9" * 32, "800.100.203"), 400, body("800.100.203"), REFUSED),
        (read_payment("9" * 32, "800.100.203"), 200, body("800.100.203"), FAILED),
        (read_payment("7" * 32, "000.100.110"), 200, body("000.100.110"), FAILED),
        (read_payment("7" * 32, "800.100.203"), 400, body("800.100.203"), FAILED),
        (reversal(PURSE), 200, body("000.100.110", payment_type="RV"), KEPT),
    ],
)
def test_the_verdict_follows_from_order_and_answer(order, status, answer, verdict):
    found, reason = verdict_of(order, status, answer)

    assert found == verdict
    assert bool(reason) == (verdict in (FAILED, UNANSWERED))


WHOLE = body("000.100.110", amount="5.00", payment_type="CP")
CHECKOUT = Order("create_checkout", "POST", "v1/checkouts", right=("000.200.100",), cents=5_00)


@pytest.mark.parametrize(
    ("order", "status", "empty"),
    [
        (CAPTURE, 200, msgspec.structs.replace(WHOLE, id="")),
        (CAPTURE, 200, msgspec.structs.replace(WHOLE, amount="")),
        (CAPTURE, 200, msgspec.structs.replace(WHOLE, payment_type="")),
        (reversal(PURSE), 200, body("000.100.110")),
        (CHECKOUT, 200, Body(Result("000.200.100"))),
        (DECLINED, 400, Body(Result("800.100.203"))),
    ],
)
def test_an_answer_that_leaves_out_what_was_made_is_a_failure(order, status, empty):
    verdict, reason = verdict_of(order, status, empty)

    assert verdict == FAILED
    assert reason.startswith("expected") and reason.endswith("got none")


def test_a_checkout_and_a_registration_show_no_payment():
    registration = Order("create_registration", "POST", "v1/registrations", type="RG")

    assert verdict_of(CHECKOUT, 200, body("000.200.100")) == (KEPT, "")
    assert verdict_of(registration, 200, body("000.100.110")) == (KEPT, "")


def test_a_failure_says_what_was_expected_and_what_came():
    _, reason = verdict_of(DECLINED, 400, body("800.100.152"))

    assert reason.startswith("expected 800.100.203, got 400 800.100.152")


@pytest.mark.parametrize(
    ("order", "verdict", "stored"),
    [
        (CAPTURE, KEPT, "9" * 32),
        (CAPTURE, FAILED, ""),
        (OVERDRAFT, REFUSED, ""),
        (DECLINED, REFUSED, "9" * 32),
        (DECLINED, THROTTLED, ""),
        (read_payment("9" * 32, "000.100.110"), KEPT, ""),
    ],
)
def test_what_was_stored_is_what_was_approved_or_declined(order, verdict, stored):
    assert stored_id(order, verdict, body("000.100.110")) == stored


def test_a_body_is_read_whatever_else_stands_in_it():
    content = b'{"id": "1", "paymentType": "DB", "card": {}, "result": {"code": "000.100.110"}}'

    assert body_of(content) == Body(Result("000.100.110"), id="1", payment_type="DB")
    assert body_of(b"<html>") is None
    assert body_of(b"[]") is None


@pytest.mark.parametrize("content", [b'{"a":' + b"[" * 100_000, b'{"id": "\xff"}'])
def test_what_cannot_be_read_is_a_failed_answer_and_not_an_error_of_ours(content):
    assert verdict_of(CAPTURE, 200, body_of(content))[0] == FAILED


def test_a_timestamp_is_read_as_a_second():
    assert second_of("2027-01-15 08:00:00+0000") == 1_800_000_000
    assert second_of("yesterday") == 0


def test_of_an_endless_answer_little_is_kept():
    endless = Body(Result("9" * 9_000_000, "x" * 9_000_000), id="9" * 32)
    shown = Body(Result("000.100.110"), id="9" * 32, amount="9" * 9_000_000)

    for one in (endless, shown):
        verdict, reason = verdict_of(CAPTURE, 200, one)
        assert verdict == FAILED
        assert len(reason) < 400
