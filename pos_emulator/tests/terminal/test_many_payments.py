"""Payments under chance faults on both links; `make proof` makes 10,000 of them."""

from pos_emulator.tests.terminal.many_payments import BATCH, pay_under_faults
from pos_emulator.tests.terminal.shop import FAST, Shop

FEW = 60


@FAST
def test_some_payments_under_faults(shop: Shop):
    found = pay_under_faults(shop, FEW)

    assert found.endings.total() == FEW < BATCH
    assert found.comparisons == 1
