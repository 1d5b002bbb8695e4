"""The end of a day, and what puts a terminal out of order."""

import json
from decimal import Decimal

import pytest

from pos_emulator.keys.storage import SealedFile, storage_key
from pos_emulator.terminal.memory.journal_file import JournalFile
from pos_emulator.terminal.records import Ending, OutOfOrderError, TillOrder
from pos_emulator.terminal.terminal import JOURNAL_FILE
from pos_emulator.tests.terminal.shop import SALE, Shop
from simulator.client.merchant import Client
from simulator.client.wire import Answer


def test_36_a_day_that_ends_with_an_open_reversal(shop: Shop):
    shop.order("60.00", cards=[shop.insert()])
    shop.sandbox.arm("connection-reset", times=1, match=SALE)
    shop.sandbox.arm("connection-reset", times=2, match={"operation": "query_payments"})
    lost = shop.order("60.00", cards=[shop.insert()])

    totals = shop.terminal.close_batch()

    assert totals.open_receipts == (lost.receipt,)
    assert (totals.currencies[0].sales, totals.currencies[0].sales_amount) == (1, Decimal("60.00"))
    assert shop.terminal.totals().batch == "0002"
    shop.closed.append(totals)
    shop.clock.advance(minutes=1)
    shop.agree()


def test_a_difference_between_journal_and_gateway_is_named(shop: Shop):
    shop.order("60.00", cards=[shop.insert()])
    shop.sandbox.control.reset(shop.sandbox.id)

    totals = shop.terminal.close_batch()

    assert totals.differences == ("receipt 000001: 60.00 EUR here, not approved at the gateway",)


def test_a_gateway_that_is_silent_is_not_asked_of_payment_after_payment(shop: Shop, monkeypatch):
    asked = []

    def silent(*_: object, **__: object) -> Answer:
        asked.append("a question")
        raise TimeoutError

    for _ in range(3):
        shop.order("12.00", cards=[shop.insert()])
    monkeypatch.setattr(Client, "get", silent)
    closed = shop.terminal.close_batch()
    assert len(asked) == 1
    assert [each.partition(",")[0] for each in closed.differences] == [
        f"receipt 00000{number}: not compared" for number in (1, 2, 3)
    ]

    monkeypatch.setattr(Client, "post", silent)
    for _ in range(3):
        shop.order("60.00", cards=[shop.insert()])
    asked.clear()
    assert shop.terminal.work_at_once() == 3
    assert len(asked) == 1

    monkeypatch.undo()
    shop.closed.append(closed)
    shop.pass_a_day()
    shop.agree()


def test_numbers_at_the_end_of_a_day(shop: Shop):
    first = shop.order("12.00", cards=[shop.insert()])
    shop.agree()
    second = shop.order("12.00", cards=[shop.insert()])

    assert (first.batch, second.batch) == ("0001", "0002")
    assert (first.receipt, second.receipt) == ("000001", "000002")
    assert int(second.trace) > int(first.trace)
    shop.agree()


def test_changed_keys_put_a_terminal_out_of_order(shop: Shop, tmp_path):
    shop.terminal.close()
    (shop.folder / "data.keys").write_bytes(b"changed")

    terminal = shop.open()

    assert "data.keys was changed" in terminal.out_of_order
    with pytest.raises(OutOfOrderError, match=r"data\.keys"):
        terminal.run(TillOrder(amount=Decimal(1)))


def test_a_damaged_journal_puts_a_terminal_out_of_order(shop: Shop):
    shop.order("12.00", cards=[shop.insert()])
    shop.terminal.close()
    journal = shop.folder / JOURNAL_FILE
    content = bytearray(journal.read_bytes())
    content[len(content) // 2] ^= 1
    journal.write_bytes(content)

    terminal = shop.open()

    reason = terminal.out_of_order
    assert "of journal.log is damaged; put a good copy of" in reason
    assert str(journal) in reason
    for refused in (terminal.close_batch, lambda: terminal.run(TillOrder(amount=Decimal(1)))):
        with pytest.raises(OutOfOrderError, match=r"journal\.log is damaged"):
            refused()
    assert (terminal.entries(), terminal.work()) == ((), 0)
    assert terminal.totals().differences == (reason,)
    assert journal.read_bytes() == content, "what is left of it stays for those who look into it"
    journal.rename(shop.folder / "damaged.log")
    shop.restart()
    assert shop.order("12.00", cards=[shop.insert()]).ending is Ending.APPROVED


def test_records_that_are_none_of_a_terminal_put_it_out_of_order(shop: Shop):
    shop.terminal.close()
    file = JournalFile(shop.folder / JOURNAL_FILE)
    file.write({"reversal/1": {"amount": "none"}})
    file.close()

    assert "the journal has a malformed reversal; put" in shop.open().out_of_order


def test_a_storage_key_that_was_changed_puts_a_terminal_out_of_order(shop: Shop):
    shop.terminal.close()
    (shop.folder / "storage.key").write_bytes(b"short")

    assert shop.open().out_of_order == (
        "storage.key has not 32 bytes; load a new terminal into another folder"
    )


def test_a_full_disk_puts_a_terminal_out_of_order_as_long_as_it_is_full(shop: Shop):
    is_full = False

    def sync(descriptor: int) -> None:
        if is_full:
            raise OSError("no space left")

    shop.options["sync"] = sync
    shop.restart()
    is_full = True
    for refused in (lambda: shop.order("12.00", cards=[shop.insert()]), shop.terminal.close_batch):
        with pytest.raises(OutOfOrderError, match=r"journal\.log cannot be written"):
            refused()
    is_full = False

    assert shop.order("12.00", cards=[shop.insert()]).receipt == "000001"
    shop.agree()


def test_a_clock_that_went_back_puts_a_terminal_out_of_order(shop: Shop):
    shop.clock.advance(days=-1)

    assert shop.terminal.out_of_order == "the clock is behind the journal"
    with pytest.raises(OutOfOrderError):
        shop.order("12.00", cards=[shop.insert()])


def test_a_key_without_a_counter_left_puts_a_terminal_out_of_order(sandgate_sandbox, tmp_path):
    shop = Shop(sandgate_sandbox, tmp_path / "terminal", method="TDES")
    shop.terminal.close()
    file = SealedFile(shop.folder / "pin.keys", storage_key(shop.folder))
    state = json.loads(file.read())
    file.write(json.dumps(state | {"counter": 1 << 21}).encode())
    file.close()

    shop.open()

    assert shop.terminal.out_of_order == "the key for PIN is used up: load a new one"
    with pytest.raises(OutOfOrderError, match="used up"):
        shop.order("60.00", cards=[shop.insert()])
    assert shop.terminal.entries() == ()
    shop.close()
