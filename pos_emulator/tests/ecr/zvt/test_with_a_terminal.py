"""A till that knows nothing but ZVT, at a whole terminal: card, kernel, gateway and host."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_emulator.ecr.zvt.server import serve_zvt
from pos_emulator.scripts.acts import ScriptedDesk
from pos_emulator.tests.ecr.conftest import ANY_PORT
from pos_emulator.tests.ecr.test_with_a_terminal import WaitingDesk
from pos_emulator.tests.ecr.zvt.till import ACKNOWLEDGED, ZvtTill
from pos_emulator.tests.terminal.desk import RED_KEY
from pos_emulator.tests.terminal.shop import Shop
from simulator.client.sandbox import SandboxClient

COMPLETION = "060f00"


@pytest.fixture
def shop(sandgate_sandbox: SandboxClient, tmp_path: Path) -> Iterator[Shop]:
    made = Shop(sandgate_sandbox, tmp_path / "terminal")
    yield made
    made.close()


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
