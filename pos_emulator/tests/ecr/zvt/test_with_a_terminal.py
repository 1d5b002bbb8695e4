"""A till that knows nothing but ZVT, at a whole terminal: card, kernel, gateway and host."""

from collections.abc import Iterator
from decimal import Decimal

import pytest

from pos_emulator.ecr.zvt.server import serve_zvt
from pos_emulator.scripts.acts import ScriptedDesk
from pos_emulator.tests.ecr.conftest import ANY_PORT
from pos_emulator.tests.ecr.test_with_a_terminal import WaitingDesk
from pos_emulator.tests.ecr.zvt.till import ACKNOWLEDGED, ZvtTill
from pos_emulator.tests.terminal.desk import RED_KEY
from pos_emulator.tests.terminal.shop import Shop

COMPLETION = "060f00"


@pytest.fixture
def till(shop: Shop) -> Iterator[ZvtTill]:
    """A till at the terminal of the shop."""
    with serve_zvt(shop.terminal, ANY_PORT) as address, ZvtTill(address) as till:
        yield till


def statuses(answer: list[str]) -> list[str]:
    return [each[6:8] for each in answer if each.startswith("04ff")]


def test_a_till_takes_payments_for_a_day_and_the_ledgers_agree(shop: Shop, till: ZvtTill):
    shop.desk.cards = [shop.insert()]
    till.login("0A")

    paid = till.pay(6000)
    refunded = till.ask("0631 0A 000000 04 000000001000")
    reversed_ = till.ask("0630 06 000000 87 0001")
    again = till.ask("0630 06 000000 87 0001")

    assert statuses(paid)[:2] == ["0a", "01"]
    assert paid[-1] == refunded[-1] == reversed_[-1] == COMPLETION
    assert again[-1] == "061e01b5"
    assert sum(each == "06d10181" for each in paid) == 2, "two copies of a receipt"
    shop.agree()
    assert till.ask("0650 03 000000")[-1] == COMPLETION


@pytest.mark.parametrize("order", ["0601 07 04 000000006000", "0622 07 04 000000006000"])
def test_a_payment_that_waits_for_the_risk_system_is_taken_back_when_it_goes_on(
    shop: Shop, till: ZvtTill, order: str
):
    shop.desk.cards = [shop.insert()]
    shop.hold()
    refused = till.ask(order)
    till.ask("0650 03 000000")
    closed = shop.terminal.closed_batch()
    shop.release()

    ended = till.ask("0650 03 000000")

    assert refused[-1] == "061e01a1"
    assert closed is not None and closed.open_receipts == ("000001",)
    assert ended[-1] == COMPLETION
    assert shop.terminal.work() == 0
    assert shop.moved_at_gateway() == 0
    shop.agree()


def test_an_offline_payment_that_waits_for_the_risk_system_is_paid_once(shop: Shop, till: ZvtTill):
    shop.desk.cards = [shop.insert()]
    shop.terminal.network_up = False
    paid = till.pay(1200)
    shop.terminal.network_up = True
    shop.hold()
    for _ in range(2):
        assert shop.terminal.work_at_once() == 1
    shop.release()

    assert paid[-1] == COMPLETION
    assert shop.terminal.work_at_once() == 0
    shop.agree()
    assert shop.moved_at_gateway() == Decimal("12.00")


def test_a_till_reserves_books_a_part_and_takes_the_rest_back(shop: Shop, till: ZvtTill):
    shop.desk.cards = [shop.insert()]

    reserved = till.ask("0622 0A 04 000000010000 49 0978")
    booked = till.ask("0624 10 000000 04 000000006000 49 0978 87 0001")
    again = till.ask("0622 07 04 000000005000")
    part = till.ask("0623 0A 87 0003 04 000000002000")
    whole = till.ask("0622 07 04 000000003000")
    reversed_ = till.ask("0625 03 87 0005")
    other = till.ask("0625 06 000000 87 0002")
    unknown = till.ask("0624 03 87 0099")

    done = (reserved, booked, again, part, whole, reversed_)
    assert [each[-1] for each in done] == [COMPLETION] * len(done)
    assert "04000000006000" in booked[-2]
    assert [each[-1] for each in (other, unknown)] == ["061e01b8", "061e01b8"]
    # 60.00 and 20.00 were booked; what was reserved and taken back moved nothing.
    assert "04000000008000" in till.ask("0650 03 000000")[1]
    books = shop.books()
    assert books["agree"], books


def test_the_day_is_counted_by_brand(shop: Shop, till: ZvtTill):
    shop.desk.cards = [shop.insert()]
    till.pay(6000)
    till.ask("0631 0A 000000 04 000000001000")
    shop.desk.cards, shop.desk.pins = [shop.insert("wrong-pin-proof")], ["4321"]
    till.pay(12500)
    shop.desk.cards = [shop.insert("sign")]
    till.pay(2500)

    closed = till.ask("0650 03 000000")[1]

    # First and last receipt, then a byte and six of girocard, JCB, Eurocard, American Express,
    # VISA, Diners and others, as a terminal of the market sends them.
    # One was approved offline, where no gateway named its brand.
    none = (0, 0)
    assert single_totals(closed) == (
        "0001", "0004", [none, none, (1, 12500), none, (2, 5000), none, (1, 2500)]
    )  # fmt: skip


def single_totals(answer: str) -> tuple[str, str, list[tuple[int, int]]]:
    """Field 60 as open-source clients read it."""
    data = answer.partition("60f0f5f3")[2][: 2 * 53]
    groups = [data[at : at + 14] for at in range(8, len(data), 14)]
    return data[:4], data[4:8], [(int(each[:2], 16), int(each[2:])) for each in groups]


def test_a_card_that_is_declined_or_canceled_ends_with_a_result_code(shop: Shop, till: ZvtTill):
    shop.desk.cards = [shop.insert("stolen")]
    declined = till.pay(6000)
    shop.desk.cards = [RED_KEY]
    canceled = till.pay(6000)
    shop.terminal.network_up = False
    shop.desk.cards = [shop.insert("online-only")]
    unreachable = till.pay(6000)

    assert declined[-1] == "061e012b"
    assert canceled[-1] == "061e016c"
    assert unreachable[-1] == "061e01a1"


def test_a_payment_that_waits_for_a_card_is_aborted(shop: Shop, till: ZvtTill):
    desk = WaitingDesk()
    shop.terminal.swap_desk(desk)
    till.send("0601 07 04 000000006000")
    assert till.read() == ACKNOWLEDGED
    assert desk.waiting.wait(20)

    assert till.ask("06B0 00")[-1] == "061e016c"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_fault_of_the_terminal_ends_the_order_and_not_the_till(shop: Shop, till: ZvtTill):
    shop.terminal.swap_desk(ScriptedDesk(shop.memory))

    assert till.pay(6000)[-1] == "061e01ff"
    assert till.ask("0501 03 000000")[-1] == "060f0100"


def test_a_till_that_is_gone_leaves_nothing_charged(shop: Shop, till: ZvtTill):
    desk = WaitingDesk()
    shop.terminal.swap_desk(desk)
    till.send("0601 07 04 000000006000")
    assert desk.waiting.wait(20)

    till.socket.close()

    assert desk.ended.wait(20)
    assert shop.books()["lines"] == []


def test_the_last_result_is_repeated_after_a_power_cut(shop: Shop, till: ZvtTill):
    shop.desk.cards = [shop.insert()]
    paid = till.pay(6000)

    terminal = shop.restart()
    with serve_zvt(terminal, ANY_PORT) as address, ZvtTill(address) as again:
        assert again.ask("0620 03 000000")[1] == paid[-2]
