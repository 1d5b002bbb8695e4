"""When a payment is made of the part that an issuer approves: D-481."""

from decimal import Decimal

import pytest
from msgspec.structs import replace

from simulator.domain.acquiring.parts import part_declined, takes_part
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.acquiring.terminal_data import TerminalData
from simulator.domain.core.entities import Channel
from simulator.domain.core.money import Money
from simulator.domain.core.records import Outcome, PaymentType

CHANNEL = Channel(id="c", name="Till", merchant_account="m", partial_approvals=True)
AT_TERMINAL = AcquirerRequest(
    type=PaymentType.DB,
    payment="p",
    entity="c",
    trace=1,
    money=Money(Decimal("80.00"), "EUR"),
    terminal=TerminalData(entry_mode="051", terminal="10291604"),
)


@pytest.mark.parametrize(
    ("part", "is_taken"),
    [("0.00", False), ("0.01", True), ("79.99", True), ("80.00", False), ("9999.00", False)],
)
def test_a_part_is_above_nothing_and_below_the_amount(part: str, is_taken: bool) -> None:
    assert takes_part(CHANNEL, AT_TERMINAL, Decimal(part)) is is_taken


@pytest.mark.parametrize(
    "request_",
    [
        replace(AT_TERMINAL, terminal=None),
        replace(AT_TERMINAL, type=PaymentType.CD),
        replace(AT_TERMINAL, type=PaymentType.RB),
        replace(AT_TERMINAL, money=None),
    ],
    ids=["by web", "a credit", "a rebill", "without an amount"],
)
def test_other_payments_are_never_made_in_part(request_: AcquirerRequest) -> None:
    assert not takes_part(CHANNEL, request_, Decimal("50.00"))


def test_a_channel_takes_no_parts_unless_it_says_so() -> None:
    assert not takes_part(replace(CHANNEL, partial_approvals=False), AT_TERMINAL, Decimal("50.00"))


def test_a_declined_part_leaves_no_authorization() -> None:
    details = {"AuthCode": "123456", "AcquirerResponse": "10"}

    outcome = part_declined(Outcome("900.100.202", details=details, approved=Decimal(50)))

    assert outcome == Outcome("900.100.202", details={"AcquirerResponse": "10"})
