"""Booking of lines: some are read at once, and each is booked as those before it left things."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from msgspec.structs import replace

from simulator.domain.core.money import Money
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Payment, State
from simulator.domain.payments.references import REFERENCES_MAX
from simulator.domain.settlement.blocks import SettledBlock
from simulator.domain.settlement.lines import SettlementLine
from simulator.domain.settlement.matching import CandidateIndex
from simulator.domain.settlement.runs import SettlementRun
from simulator.service.settlement.booking import LineBooking, LineTakers
from simulator.service.settlement.reading import LinePayments
from simulator.tests.payments.test_references import paid
from simulator.tests.settlement.test_runs import FRIDAY, Settled

INSTITUTE = "Sandgate Clearing"


@pytest.mark.parametrize("before", [0, REFERENCES_MAX])
def test_two_lines_that_charge_back_one_payment_name_one_chargeback(
    tmp_path: Path, before: int
) -> None:
    """Both are read before the first one is booked, which makes the chargeback, however many
    payments refer to it `before`.
    """
    settled = Settled(tmp_path, INSTITUTE)
    sale, ports = paid(settled.context, "DB"), settled.context.ports
    failed = replace(sale, version=0, referenced=sale.id, state=State.FAILED)
    settled.store.commit(unit_of(*(replace(failed, id=f"{each:032x}") for each in range(before))))
    money = Money(Decimal("100.00"), "EUR")
    line = SettlementLine(
        place=1, id="S1", batch="2611200001", merchant_number=sale.stamp.merchant_account,
        type="CB", is_credit=False, money=money, gross=money, rate=Decimal(1),
        settlement_date=date(2026, 11, 23), payment=sale.id, reason="000.100.203",
    )  # fmt: skip
    blocks: list[SettledBlock] = []
    booking = LineBooking(
        ports,
        SettlementRun(id="run", institute=INSTITUTE, day=FRIDAY, state="written"),
        CandidateIndex((), lambda _: None),
        payments=LinePayments(ports),
        form=ports.clearing.form(INSTITUTE),
        takers=LineTakers(lambda _, block, __: blocks.append(block), lambda _: None),
    )

    booking.book([line, replace(line, place=2, id="S2")])
    booking.close_block()

    (block,) = blocks
    first, second = block.records()
    assert first.chargeback == second.chargeback != ""
    assert settled.store.count_found(Payment, "referenced", sale.id) == before + 1
