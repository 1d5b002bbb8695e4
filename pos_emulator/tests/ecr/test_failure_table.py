"""The table of failures, row by row, at a till that speaks nexo: after each of them till, terminal,
gateway and host have moved the same money. Source: design of the terminal, section 7.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_emulator.card.faults import CardFaultKind, Fault
from pos_emulator.ecr.nexo.exchanges import FILE
from pos_emulator.ecr.nexo.server import serve_nexo
from pos_emulator.ecr.nexo.settings import NexoSettings
from pos_emulator.terminal.saf import StoreLimits
from pos_emulator.tests.ecr.conftest import ANY_PORT
from pos_emulator.tests.ecr.till import Till
from pos_emulator.tests.ecr.till_ledger import TillLedger
from pos_emulator.tests.terminal.desk import Card
from pos_emulator.tests.terminal.shop import FAST, SALE, Shop
from pos_emulator.tests.terminal.test_kills import WRITES_MAX, FullDisk, Power, cut
from pos_emulator.tests.terminal.test_repeated_numbers import put_back, set_up
from pos_emulator.tests.terminal.unknown.late_messages import LateMessages
from simulator.client.sandbox import SandboxClient

QUERY = {"operation": "query_payments"}
DEAD = Fault(CardFaultKind.DEAD)


class Counter:
    """A till with a ledger at the terminal of a shop; it finds it again after a restart."""

    def __init__(self, shop: Shop, folder: Path) -> None:
        self.shop, self._folder, self._serving = shop, folder, ExitStack()
        url = self._serve()
        self.till = TillLedger(Till(url, folder / "ca.pem", poi=shop.terminal.identity.id))
        shop.till = self.till

    def restart(self, **options: Any) -> None:
        """Switch the terminal off and on, with other options."""
        self.shop.options |= options
        self.shop.restart()
        self.serve_again()

    def serve_again(self) -> None:
        """The terminal of the shop is another one now."""
        self.close()
        self.till.till = replace(self.till.till, url=self._serve())

    def sell(self, amount: str = "60.00", *cards: Card, pins: tuple[str, ...] = ("1234",)) -> Any:
        """A sale with these cards and PINs on the desk."""
        self.present(*cards, pins=pins)
        return self.till.sell(amount)

    def present(self, *cards: Card, pins: tuple[str, ...] = ("1234",)) -> None:
        self.shop.desk.cards = list(cards) or [self.shop.insert()]
        self.shop.desk.pins = list(pins)

    def close(self) -> None:
        self._serving.close()

    def _serve(self) -> str:
        settings = NexoSettings(folder=self._folder)
        return self._serving.enter_context(serve_nexo(self.shop.terminal, ANY_PORT, settings))


@pytest.fixture
def counter(sandgate_sandbox: SandboxClient, tmp_path: Path) -> Iterator[Counter]:
    shop = Shop(sandgate_sandbox, tmp_path / "terminal")
    made = Counter(shop, tmp_path / "till")
    yield made
    made.close()
    shop.close()


def seen(answer: Any) -> str:
    """What a till sees of an answer."""
    return str(answer["Response"].get("ErrorCondition", answer["Response"]["Result"]))


def named(answer: Any) -> str:
    return str(answer["POIData"]["POITransactionID"]["TransactionID"])


def lost_at_the_gateway(counter: Counter) -> Any:
    counter.shop.sandbox.arm("connection-reset", times=1, match=SALE)
    return counter.sell()


def looked_for_in_vain(counter: Counter) -> Any:
    counter.shop.sandbox.arm("connection-reset", times=1, match=QUERY)
    answer = lost_at_the_gateway(counter)
    assert counter.shop.terminal.work() == 1
    counter.shop.clock.advance(minutes=1)
    return answer


def pulled_after_the_approval(counter: Counter) -> Any:
    return counter.sell("60.00", counter.shop.insert("gold", Fault(CardFaultKind.REMOVED, "AC2")))


def answer_that_is_not_the_issuers(counter: Counter) -> Any:
    counter.shop.sandbox.arm({"steps": {"issuer": {"authentication": "wrong"}}}, times=1)
    return counter.sell()


def card_that_declines_the_approval(counter: Counter) -> Any:
    refuses = Fault(CardFaultKind.REFUSES_ISSUER)
    return counter.sell("60.00", counter.shop.insert("gold", refuses))


def number_that_comes_again(counter: Counter) -> Any:
    set_up(counter.shop)
    assert seen(counter.sell("12.00")) == "Success"
    put_back(counter.shop)
    counter.serve_again()
    return counter.sell()


def wrong_pin_online(counter: Counter) -> Any:
    answer = counter.sell(pins=("9999", "9998", "9997"))
    assert "tries left: 0" in answer["Response"]["AdditionalResponse"]
    return answer


def wrong_pin_offline(counter: Counter) -> Any:
    card = counter.shop.insert("offline")
    return counter.sell("60.00", card, pins=("9999", "9998", "9997"))


def tap_that_goes_on_with_the_chip(counter: Counter) -> Any:
    counter.shop.sandbox.arm({"steps": {"issuer": {"response": "65"}}}, times=1)
    return counter.sell("20.00", counter.shop.tap(), counter.shop.insert())


def chip_that_is_dead_three_times(counter: Counter) -> Any:
    dead = counter.shop.insert("sign", DEAD)
    answer = counter.sell("60.00", dead, dead, dead, counter.shop.swipe("sign"))
    assert counter.shop.terminal.entries()[-1].printed.entry_mode == "SWIPED, FALLBACK"
    return answer


def part_where_the_channel_takes_none(counter: Counter) -> Any:
    return counter.sell("80.00", counter.shop.insert("poor"))


def part_where_the_channel_takes_parts(counter: Counter) -> Any:
    shop = counter.shop
    control, sandbox = shop.sandbox.control, shop.sandbox.id
    (merchant,) = control.sandbox(sandbox)["merchants"]
    channel = shop.document["channel"]
    control.change_channel(sandbox, merchant["id"], channel, partial_approvals=True)
    return part_where_the_channel_takes_none(counter)


def host_that_is_not_reached(counter: Counter) -> Any:
    counter.shop.terminal.network_up = False
    answer = counter.sell("12.00")
    counter.shop.terminal.network_up = True
    assert answer["PaymentResult"]["OnlineFlag"] is False
    return answer


def store_that_is_full(counter: Counter) -> Any:
    counter.restart(limits=StoreLimits(count=1))
    counter.shop.terminal.network_up = False
    assert seen(counter.sell("12.00")) == "Success"
    answer = counter.sell("12.00")
    counter.shop.terminal.network_up = True
    return answer


def upload_whose_answer_is_lost(counter: Counter) -> Any:
    answer = host_that_is_not_reached(counter)
    counter.shop.sandbox.arm("connection-reset", times=1, match=SALE)
    assert counter.shop.terminal.work() == 1
    counter.shop.clock.advance(minutes=1)
    return answer


def answer_that_the_till_does_not_wait_for(counter: Counter) -> Any:
    counter.present()
    counter.till.hang_up("60.00")
    return counter.till.ask_again(counter.till.till.service)


def sale_that_waits_for_the_risk_system(counter: Counter) -> Any:
    counter.shop.hold()
    answer = counter.sell()
    counter.shop.clock.advance(minutes=40)
    assert counter.shop.terminal.work() == 1
    counter.shop.release()
    assert counter.shop.terminal.work_at_once() == 0
    return answer


def upload_that_waits_for_the_risk_system(counter: Counter) -> Any:
    answer = host_that_is_not_reached(counter)
    counter.shop.hold()
    for held in (1, 2):
        assert counter.shop.terminal.work_at_once() == 1
        assert counter.shop.held() == held
    counter.shop.release()
    assert counter.shop.terminal.work_at_once() == 0
    return answer


def refund_whose_answer_is_lost_twice(counter: Counter) -> Any:
    paid = counter.sell()
    operation = {"operation": "refer_payment"}
    counter.shop.sandbox.arm("connection-reset", times=1, match=operation)
    counter.shop.sandbox.arm("connection-reset", times=1, match=QUERY)
    answer = counter.till.refund("10.00", named(paid))
    counter.shop.clock.advance(minutes=1)
    return answer


# What goes wrong, what the till sees, and what all of it moved in the end.
ROWS: tuple[tuple[Callable[[Counter], Any], str, str], ...] = (
    (lost_at_the_gateway, "UnreachableHost", "0"),
    (looked_for_in_vain, "UnreachableHost", "0"),
    (pulled_after_the_approval, "Cancel", "0"),
    (answer_that_is_not_the_issuers, "Refusal", "0"),
    (card_that_declines_the_approval, "Refusal", "0"),
    (number_that_comes_again, "Refusal", "12.00"),
    (wrong_pin_online, "WrongPIN", "0"),
    (wrong_pin_offline, "Success", "60.00"),
    (tap_that_goes_on_with_the_chip, "Success", "20.00"),
    (chip_that_is_dead_three_times, "Success", "60.00"),
    (part_where_the_channel_takes_none, "Refusal", "0"),
    (part_where_the_channel_takes_parts, "PaymentRestriction", "50.00"),
    (host_that_is_not_reached, "Success", "12.00"),
    (store_that_is_full, "UnreachableHost", "12.00"),
    (upload_whose_answer_is_lost, "Success", "12.00"),
    (answer_that_the_till_does_not_wait_for, "Success", "60.00"),
    (refund_whose_answer_is_lost_twice, "UnreachableHost", "50.00"),
    (sale_that_waits_for_the_risk_system, "UnreachableHost", "0"),
    (upload_that_waits_for_the_risk_system, "Success", "12.00"),
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].__name__)
def test_after_a_failure_the_till_has_what_all_others_have(
    counter: Counter, row: tuple[Callable[[Counter], Any], str, str]
) -> None:
    act, expected, moved = row

    assert seen(act(counter)) == expected
    counter.shop.agree()
    assert counter.till.net == Decimal(moved)


def test_a_refund_that_is_read_late_counts_for_the_till(
    counter: Counter, monkeypatch: pytest.MonkeyPatch
) -> None:
    paid = counter.sell()
    with monkeypatch.context() as slow:
        late = LateMessages(counter.shop, slow, "refer")
        answer = counter.till.refund("10.00", named(paid))
    counter.shop.clock.advance(minutes=40)
    assert counter.shop.terminal.work() == 1
    late.arrive()
    assert counter.shop.terminal.work_at_once() == 0

    assert seen(answer) == "UnreachableHost"
    counter.shop.agree()
    assert counter.till.net == Decimal("50.00")


@FAST
@pytest.mark.parametrize(
    "fault", ["timeout", "silent", "garble", "drop", "duplicate", "wrong_stan", "late"]
)
def test_the_till_has_what_all_others_have_whatever_the_host_does(
    counter: Counter, fault: str
) -> None:
    counter.shop.sandbox.arm({"steps": {"link": fault}}, times=1)

    answer = counter.sell()
    assert counter.shop.sandbox.drain()
    counter.shop.sandbox.advance("5m")

    assert seen(answer) == ("Success" if fault == "duplicate" else "UnreachableHost")
    counter.shop.agree()


@pytest.mark.timeout(240)
def test_the_till_has_what_all_others_have_after_a_power_cut_at_any_write(
    counter: Counter,
) -> None:
    power = Power()
    counter.restart(sync=power)
    for number in range(1, WRITES_MAX):
        counter.present()
        power.left = number
        answer = counter.till.sell("60.00")
        if answer is not None:
            assert number > 5, "the power was cut at several writes"
            break
        cut(counter.shop, power, is_torn=False)
        counter.serve_again()
        counter.shop.pass_a_day()
        counter.shop.agree()
    assert answer is not None, "an order writes less often"
    power.left = None
    counter.shop.agree()
    assert counter.till.open == {}


@pytest.mark.timeout(240)
def test_the_till_has_what_all_others_have_after_a_full_disk_at_any_write(
    counter: Counter, tmp_path: Path
) -> None:
    disk = FullDisk(stays_full=True)
    counter.restart(sync=disk)
    for number in range(1, WRITES_MAX):
        counter.present()
        disk.left, disk.refused = number, 0
        answer = counter.till.sell("60.00")
        disk.left = None
        is_open = any(each.is_open for each in counter.shop.terminal.entries())
        assert newest_moves(tmp_path / "till") is (is_open or seen(answer) == "Success")
        counter.shop.pass_a_day()
        counter.shop.agree()
        if not disk.refused:
            assert number > 5, "the disk was full at several writes"
            return
    raise AssertionError("an order writes less often")


def newest_moves(folder: Path) -> bool:
    """Whether the newest exchange of a till is displaced by payments alone."""
    with closing(sqlite3.connect(folder / FILE)) as database:
        query = "SELECT moves FROM exchanges ORDER BY number DESC LIMIT 1"
        return bool(database.execute(query).fetchone()[0])


def test_a_day_that_ends_with_an_open_reversal_agrees_the_next_day(counter: Counter) -> None:
    counter.till.till.login()
    counter.sell("12.00")
    counter.shop.sandbox.arm("connection-reset", times=2, match=QUERY)
    lost_at_the_gateway(counter)

    closed = counter.till.till.ask("Reconciliation", {"ReconciliationType": "SaleReconciliation"})

    assert closed["Response"]["Result"] == "Partial"
    assert "000002" in closed["Response"]["AdditionalResponse"]
    batch = counter.shop.terminal.closed_batch(closed["POIReconciliationID"])
    assert batch is not None
    counter.shop.closed.append(batch)
    counter.shop.clock.advance(minutes=1)
    counter.shop.agree()
    assert counter.till.net == Decimal("12.00")


def test_a_terminal_out_of_order_moves_nothing(counter: Counter) -> None:
    counter.sell()
    counter.shop.terminal.close()
    (counter.shop.folder / "data.keys").write_bytes(b"changed")
    counter.shop.open()
    counter.serve_again()

    assert seen(counter.sell()) == "DeviceOut"
    assert counter.till.net == counter.shop.moved_at_gateway() == Decimal("60.00")


@pytest.mark.parametrize("forgotten", range(4), ids=["sale", "refund", "other sale", "void"])
def test_a_till_that_forgets_an_order_is_found_out(counter: Counter, forgotten: int) -> None:
    paid = counter.sell()
    counter.till.refund("10.00", named(paid))
    counter.till.void(named(counter.sell("7.00")))
    counter.shop.agree()
    counter.till.moved.pop([*counter.till.moved][forgotten])

    with pytest.raises(AssertionError):
        counter.shop.agree()


def test_a_terminal_that_answers_another_amount_is_found_out(
    counter: Counter, monkeypatch: pytest.MonkeyPatch
) -> None:
    pay = counter.till.till.pay

    def pay_less(amount: str, **more: str) -> Any:
        answer = pay(amount, **more)
        answer["PaymentResult"]["AmountsResp"]["AuthorizedAmount"] = "59.99"
        return answer

    monkeypatch.setattr(counter.till.till, "pay", pay_less)
    counter.sell()

    with pytest.raises(AssertionError):
        counter.shop.agree()
