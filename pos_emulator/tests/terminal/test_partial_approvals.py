"""An issuer approves a part: 50.00 of 80.00 stand on the card `poor`. What was paid is the same for
card, terminal, gateway and host, whether the channel takes parts or not.
"""

from decimal import Decimal

import pytest

from pos_emulator.card.faults import CardFaultKind, Fault
from pos_emulator.ecr.nexo.payment_answers import outcome_of
from pos_emulator.terminal.records import Ending, OrderKind, Stage, TerminalEntry
from pos_emulator.tests.terminal.shop import SALE, Shop, ended

PART = Decimal("50.00")


@pytest.fixture
def counter(shop: Shop) -> Shop:
    """A shop whose channel takes parts."""
    control, sandbox = shop.sandbox.control, shop.sandbox.id
    (merchant,) = control.sandbox(sandbox)["merchants"]
    control.change_channel(
        sandbox, merchant["id"], shop.document["channel"], partial_approvals=True
    )
    return shop


def pay(shop: Shop, *faults: Fault, **more: object) -> TerminalEntry:
    return shop.order("80.00", cards=[shop.insert("poor", *faults)], **more)


def is_whole_again(shop: Shop) -> bool:
    """Whether the card has its 50.00 again."""
    return shop.order("50.00", cards=[shop.insert("poor")]).stage is Stage.APPROVED


def test_a_part_is_paid_where_the_channel_takes_parts(counter: Shop):
    entry = pay(counter)

    assert ended(entry) == (Stage.APPROVED, Ending.PARTIAL)
    assert (entry.code, entry.approved, entry.printed.amount) == ("10", PART, PART)
    assert entry.printed.status == "PARTIAL"
    assert len(entry.printed.authorization_code) == 6
    assert outcome_of(entry).result.value == "Partial"
    counter.agree()
    (sales,) = counter.closed[0].currencies
    assert sales.sales_amount == PART


def test_a_channel_that_takes_no_parts_declines_and_gives_the_part_back(shop: Shop):
    entry = pay(shop)

    assert ended(entry) == (Stage.DECLINED, Ending.DECLINED)
    assert (entry.approved, entry.result_code) == (None, "900.100.202")
    assert entry.printed.authorization_code == ""
    assert is_whole_again(shop)
    shop.agree()


@pytest.mark.parametrize("operation", [OrderKind.VOID, OrderKind.REFUND])
def test_what_takes_a_part_back_is_of_that_part(counter: Shop, operation: OrderKind):
    entry = pay(counter)

    back = counter.order(None, operation, receipt=entry.receipt)

    assert (back.stage, back.approved) == (Stage.APPROVED, PART)
    assert is_whole_again(counter)
    counter.agree()


def test_no_more_than_the_part_is_captured(counter: Shop):
    held = pay(counter, operation=OrderKind.PRE_AUTHORIZATION)

    above = counter.order("50.01", OrderKind.CAPTURE, receipt=held.receipt)
    whole = counter.order(None, OrderKind.CAPTURE, receipt=held.receipt)

    assert (held.ending, held.approved) == (Ending.PARTIAL, PART)
    assert above.stage is Stage.DECLINED
    assert (whole.stage, whole.approved) == (Stage.APPROVED, PART)
    counter.agree()


def test_a_card_that_is_pulled_after_the_part_was_approved_is_given_it_back(counter: Shop):
    entry = pay(counter, Fault(CardFaultKind.REMOVED, "AC2"))

    assert ended(entry) == (Stage.REVERSED, Ending.CARD_REMOVED)
    assert is_whole_again(counter)
    counter.agree()


def test_a_part_whose_answer_was_lost_is_given_back(counter: Shop):
    counter.sandbox.arm("connection-reset", times=1, match=SALE)

    entry = pay(counter)

    assert ended(entry) == (Stage.REVERSED, Ending.UNREACHABLE)
    assert is_whole_again(counter)
    counter.agree()
