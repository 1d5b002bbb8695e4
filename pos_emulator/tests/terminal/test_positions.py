"""A terminal with GPS says with each payment where its card was read. Choice: D-615."""

import pytest

from pos_emulator.gps import PositionError
from pos_emulator.terminal.records import Stage
from pos_emulator.tests.terminal.shop import Shop, without_network

BERLIN, HAMBURG = "52.520008,13.404954,12", "53.55,9.99"
SENT = {
    BERLIN: {"latitude": "52.520008", "longitude": "13.404954", "accuracy": "12"},
    HAMBURG: {"latitude": "53.55", "longitude": "9.99"},
}


@pytest.fixture
def portable(shop: Shop, tmp_path) -> Shop:
    made = Shop(shop.sandbox, tmp_path / "portable", model="SANDGATE_PORTABLE")
    yield made
    made.close()


def received(shop: Shop) -> list[dict[str, str]]:
    """What the gateway received of the position of each payment, oldest first."""
    sent = [each for each in reversed(shop.sandbox.journal()) if each.get("method") == "POST"]
    return [
        {
            name.removeprefix("pos.location."): value
            for name, value in each["request"].items()
            if name.startswith("pos.location.")
        }
        for each in sent
    ]


@pytest.mark.parametrize("position", [BERLIN, HAMBURG])
@pytest.mark.parametrize("reader", ["insert", "tap", "swipe", "key"])
def test_each_payment_says_where_it_is_made(portable: Shop, position: str, reader: str):
    portable.terminal.gps.move(position)

    cards = [] if reader == "swipe" else [getattr(portable, reader)("gold")]
    if reader == "swipe":
        cards = [*[portable.insert("dead-chip")] * 3, portable.swipe("dead-chip")]
    entry = portable.order("12.00", cards=cards, forced_online=True)

    assert entry.stage is Stage.APPROVED, entry.reason
    assert received(portable) == [SENT[position]]


def test_nothing_is_said_where_nothing_is_received(portable: Shop):
    portable.order("60.00", cards=[portable.insert("gold")])
    portable.terminal.gps.move(BERLIN)
    portable.terminal.gps.move("")
    portable.order("60.00", cards=[portable.insert("gold")])

    assert received(portable) == [{}, {}]


def test_an_upload_says_where_the_card_was_read(portable: Shop):
    portable.terminal.gps.move(BERLIN)
    without_network(portable)
    portable.restart()
    portable.terminal.gps.move(HAMBURG)

    assert portable.terminal.work() == 0

    assert received(portable) == [SENT[BERLIN]]


def test_another_model_has_no_position(shop: Shop):
    with pytest.raises(PositionError, match="with GPS"):
        shop.terminal.gps.move(BERLIN)
    shop.order("60.00", cards=[shop.insert("gold")])

    assert received(shop) == [{}]
