"""Answers that do not say whether a payment stands: it was carried out, and the answer is a fault
of the gateway or a time-out. They are as good as none, at every order.
"""

from decimal import Decimal

import pytest

from pos_emulator.terminal.gateway import LostAnswerError
from pos_emulator.terminal.records import Ending, OrderKind, Stage
from pos_emulator.terminal.reversals import reversal_name
from pos_emulator.tests.terminal.shop import Shop, ended, without_network
from pos_emulator.tests.terminal.unknown.replaced_answers import ReplacedAnswers, said
from simulator.client.wire import Answer

UNCLEAR = [
    said(500, "999.999.999"),
    said(503, "999.999.888"),
    said(500, "800.100.152"),
    said(502, "000.100.110"),
    said(400, "000.100.110"),
    said(302, "800.100.152"),
    said(200, "900.100.300"),
    said(400, "900.100.400"),
    said(400, "900.100.100"),
    said(400, "900.400.100"),
    said(400, "999.999.999"),
    said(400, "000.400.030"),
    said(400, "12.3"),
    Answer(400, {}, b"<html>"),
    Answer(200, {}, {"result": "999.999.999"}),
]
unclear = pytest.mark.parametrize("answer", UNCLEAR, ids=lambda each: f"{each.status}-{each.code}")
BY_RECEIPT = [OrderKind.REFUND, OrderKind.VOID, OrderKind.CAPTURE]


def approve_pending(shop: Shop) -> None:
    """Let the one pending payment succeed."""
    control = shop.sandbox.control
    (payment,) = control.pending(shop.sandbox.id)
    control.release_pending(shop.sandbox.id, str(payment["id"]), "success")


@unclear
@pytest.mark.parametrize("operation", [OrderKind.SALE, OrderKind.PRE_AUTHORIZATION])
def test_a_payment_that_was_answered_unclearly_is_taken_back(
    shop: Shop, operation: OrderKind, answer: Answer
):
    ReplacedAnswers(shop).posts = [answer]

    entry = shop.order("60.00", operation, cards=[shop.insert()])

    assert ended(entry) == (Stage.REVERSED, Ending.UNREACHABLE)
    shop.agree()


@unclear
def test_a_refund_to_a_card_that_was_answered_unclearly_is_not_paid_twice(
    shop: Shop, answer: Answer
):
    ReplacedAnswers(shop).posts = [answer]

    first = shop.order("60.00", OrderKind.REFUND, cards=[shop.insert()])
    shop.order("60.00", OrderKind.REFUND, cards=[shop.insert()])

    assert first.stage in (Stage.MUST_REVERSE, Stage.REVERSED)
    assert first.ending is Ending.UNREACHABLE


@unclear
@pytest.mark.parametrize("operation", BY_RECEIPT)
def test_what_was_done_to_an_earlier_payment_is_asked_for(
    shop: Shop, operation: OrderKind, answer: Answer
):
    first = OrderKind.PRE_AUTHORIZATION if operation is OrderKind.CAPTURE else OrderKind.SALE
    original = shop.order("60.00", first, cards=[shop.insert()])
    # A void is an RV, which the gateway refuses of a sale, and then a refund.
    clear = [said(400, "700.400.300")] if operation is OrderKind.VOID else []
    ReplacedAnswers(shop).posts = [*clear, answer]

    entry = shop.order(None, operation, receipt=original.receipt)

    assert ended(entry) == (Stage.APPROVED, Ending.APPROVED)
    assert entry.approved == Decimal("60.00")
    shop.agree()


@unclear
def test_no_refund_follows_the_reversal_of_a_void_that_was_answered_unclearly(
    shop: Shop, answer: Answer
):
    sale = shop.order("60.00", cards=[shop.insert()])
    answers = ReplacedAnswers(shop)
    answers.posts = [answer]

    entry = shop.order(None, OrderKind.VOID, receipt=sale.receipt)

    assert entry.stage is Stage.ASKED
    assert {line["type"] for line in shop.books()["lines"]} == {"DB"}


@unclear
def test_an_upload_that_was_answered_unclearly_is_made_once(shop: Shop, answer: Answer):
    without_network(shop)
    ReplacedAnswers(shop).posts = [answer]

    left = [shop.terminal.work()]
    shop.clock.advance(minutes=1)
    left.append(shop.terminal.work())

    assert left == [1, 0]
    assert [line["gateway"] for line in shop.books()["lines"]] == ["12.00"]
    shop.agree()


@unclear
def test_a_reversal_that_was_answered_unclearly_is_followed_by_no_refund(
    shop: Shop, answer: Answer
):
    answers = ReplacedAnswers(shop)
    answers.posts = [said(500, "999.999.999"), answer]

    entry = shop.order("60.00", OrderKind.PRE_AUTHORIZATION, cards=[shop.insert()])
    assert entry.stage is Stage.MUST_REVERSE
    shop.clock.advance(minutes=1)
    shop.terminal.work()

    assert shop.terminal.entry(entry.receipt).stage is Stage.REVERSED
    assert [line["count"] for line in shop.books()["lines"]] == [1, 1]
    shop.agree()


@pytest.mark.parametrize(
    "answer",
    [
        said(500, "999.999.999"),
        said(503, "700.400.580"),
        said(200, "000.000.100", payments=[{"id": "1", "result": {}}]),
        said(200, "000.000.100", payments=["a payment"]),
    ],
)
def test_an_unclear_answer_of_what_became_of_a_payment_says_nothing(shop: Shop, answer: Answer):
    answers = ReplacedAnswers(shop)
    answers.posts, answers.gets = [said(500, "999.999.999")], [answer]

    entry = shop.order("60.00", cards=[shop.insert()])

    assert ended(entry) == (Stage.MUST_REVERSE, Ending.UNREACHABLE)
    shop.clock.advance(minutes=1)
    shop.agree()


def test_the_end_of_a_day_names_what_it_could_not_compare(shop: Shop):
    entry = shop.order("60.00", cards=[shop.insert()])
    ReplacedAnswers(shop).gets = [said(500, "700.400.580")]

    totals = shop.terminal.close_batch()

    assert [each.split(",")[0] for each in totals.differences] == [
        f"receipt {entry.receipt}: not compared"
    ]


@pytest.mark.parametrize("operation", BY_RECEIPT)
def test_what_is_pending_of_an_earlier_payment_is_no_decline(shop: Shop, operation: OrderKind):
    first = OrderKind.PRE_AUTHORIZATION if operation is OrderKind.CAPTURE else OrderKind.SALE
    original = shop.order("60.00", first, cards=[shop.insert()])
    shop.sandbox.arm("pending", times=1)

    entry = shop.order(None, operation, receipt=original.receipt)
    assert ended(entry) == (Stage.ASKED, Ending.UNREACHABLE)
    assert shop.terminal.work_at_once() == 1
    approve_pending(shop)

    assert shop.terminal.work_at_once() == 0
    assert shop.terminal.entry(entry.receipt).stage is Stage.APPROVED
    shop.agree()


def test_a_pending_reversal_is_waited_for(shop: Shop):
    ReplacedAnswers(shop).posts = [said(500, "999.999.999")]
    shop.sandbox.arm("pending", times=1, match={"type": "RV"})

    entry = shop.order("60.00", OrderKind.PRE_AUTHORIZATION, cards=[shop.insert()])
    left = [shop.terminal.work_at_once() for _ in range(2)]
    approve_pending(shop)
    left.append(shop.terminal.work_at_once())

    assert entry.stage is Stage.MUST_REVERSE
    assert left == [1, 1, 0]
    reversals = shop.gateway.find(reversal_name(entry.transaction))
    assert [(each.type, each.is_approved) for each in reversals] == [("RV", True)]
    shop.agree()


@pytest.mark.parametrize("code", ["000.400.000", "000.400.090", "000.400.100", "000.500.000"])
def test_what_is_accepted_for_review_is_approved(shop: Shop, code: str):
    ReplacedAnswers(shop).posts = [said(200, code)]

    entry = shop.order("60.00", cards=[shop.insert()])

    assert ended(entry) == (Stage.APPROVED, Ending.APPROVED)


@pytest.mark.parametrize(
    "answer",
    [
        said(400, "800.100.171"),
        said(403, "800.900.300"),
        said(429, "800.120.100"),
        said(400, "900.100.301"),
        said(400, "000.400.104"),
    ],
    ids=lambda each: each.code,
)
def test_a_decline_is_a_decline(shop: Shop, answer: Answer):
    ReplacedAnswers(shop).posts = [answer]

    entry = shop.order("60.00", cards=[shop.insert()])

    assert entry.stage in (Stage.DECLINED, Stage.FAILED)
    assert shop.terminal.work_at_once() == 0


def test_a_code_of_the_issuer_is_its_decision(shop: Shop):
    shop.sandbox.arm({"steps": {"issuer": {"response": "96"}}}, times=1)

    entry = shop.order("60.00", cards=[shop.insert()])

    assert ended(entry) == (Stage.DECLINED, Ending.DECLINED)


def test_the_reason_names_the_code(shop: Shop):
    ReplacedAnswers(shop).posts = [said(500, "999.999.999")]

    with pytest.raises(LostAnswerError, match=r"HTTP 500, 999\.999\.999"):
        shop.gateway.pay({})
