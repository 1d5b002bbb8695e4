"""The sequence number of a payment that was pending, on a channel that refuses one that comes
again. Choice: D-610.
"""

import pytest

from simulator.tests.acquiring.test_external import Shop, code_of
from simulator.tests.kit.gateway import Gateway

FROZEN = {"mode": "frozen"}
REFUSING = [{"channels": [{"repeated_sequence_number": "refuse"}]}]
NUMBERED = {
    "pos.entryMode": "MANUAL",
    "pos.terminalId": "12345678",
    "pos.transactionSequenceNumber": "7",
    "card.cvv": None,
}
MODES = pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway, clock=FROZEN, merchants=REFUSING)


def numbered(shop: Shop, mode: str) -> str:
    return code_of(shop.gateway.post(who=shop.who, testMode=mode, **NUMBERED).json)


@MODES
@pytest.mark.parametrize(
    ("then", "code"),
    [({"decline": {"code": "800.100.155"}}, "000.100.1"), ({"approve": {}}, "800.120.402")],
    ids=["declined", "approved"],
)
def test_a_pending_payment_has_used_its_number_unless_it_is_declined_in_the_end(
    shop: Shop, mode: str, then: dict, code: str
) -> None:
    shop.arm({"acquirer": {"pending": {"seconds": 60, "then": then}}}, times=1)
    pending = numbered(shop, mode)
    meanwhile = numbered(shop, mode)
    shop.advance(61)

    assert (pending[:7], meanwhile) == ("000.200", "800.120.402")
    assert numbered(shop, mode).startswith(code)
