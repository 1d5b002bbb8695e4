"""The receipts of a terminal and the merchant's file have one reference: pos.clearing.identifier is
ConnectorTxId1, so a batch of receipts is matched with what was settled.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.tests.settlement.test_control import Shop
from simulator.tests.terminals.keys import Device, sent_by


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    made = Shop(tmp_path)
    yield made
    made.gateway.close()


@pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])
def test_each_receipt_of_a_terminal_is_found_in_the_file(shop: Shop, mode: str) -> None:
    device = Device.of(shop.gateway, shop.id, method="AES")
    receipts = {}
    for amount in ("12.00", "7.50", "12.00"):
        sent = sent_by(device, paymentType="DB", amount=amount, testMode=mode)
        answer = shop.gateway.post(who=shop.who, **sent).json
        receipts[answer["pos"]["clearing"]["identifier"]] = (answer["id"], amount)
    shop.advance("1d")
    (run,) = shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})["runs"]

    rows = [row for name in run["delivered"] for row in shop.fetched(name)]

    found = {
        row["ConnectorTxId1"]: (row["UniqueID"], row["Amount"])
        for row in rows
        if row["PaymentType"] == "DEBIT"
    }
    assert len(receipts) == 3
    assert found == receipts
