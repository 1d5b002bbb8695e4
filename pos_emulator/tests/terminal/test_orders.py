"""What a terminal refuses before it does anything, and how one order at a time is carried out."""

import threading
from decimal import Decimal
from pathlib import Path

import pytest

from pos_emulator.kernel.models import MODELS, terminal_of
from pos_emulator.kernel.records import PinPrompt
from pos_emulator.keys.errors import StorageError
from pos_emulator.terminal.gateway import Gateway
from pos_emulator.terminal.memory.identity import IdentityError, identity_in
from pos_emulator.terminal.orders import check_order
from pos_emulator.terminal.presentation import online_only
from pos_emulator.terminal.records import (
    BusyError,
    CardPrompt,
    DeskAbortedError,
    Ending,
    Keyed,
    Notice,
    OrderError,
    OrderKind,
    OutOfOrderError,
    Presented,
    Stage,
    TillOrder,
)
from pos_emulator.terminal.setup import load_terminal
from pos_emulator.terminal.terminal import Terminal
from pos_emulator.tests.terminal.desk import ScriptedDesk
from pos_emulator.tests.terminal.shop import Shop

CENT = Decimal("0.01")


@pytest.mark.parametrize(
    ("order", "field"),
    [
        (TillOrder(), "amount"),
        (TillOrder(amount=Decimal(0)), "amount"),
        (TillOrder(amount=Decimal(-1)), "amount"),
        (TillOrder(amount=Decimal("0.001")), "amount"),
        (TillOrder(amount=Decimal("1e10")), "amount"),
        (TillOrder(amount=Decimal("1e9"), currency="KWD"), "amount"),
        (TillOrder(amount=Decimal("9999999999.99"), tip=CENT), "amount with tip and cash"),
        (TillOrder(amount=Decimal("NaN")), "amount"),
        (TillOrder(amount=Decimal("1.5"), currency="JPY"), "amount"),
        (TillOrder(amount=Decimal(1), currency="EURO"), "currency"),
        (TillOrder(amount=Decimal(1), cashback=Decimal(-1)), "cashback"),
        (TillOrder(amount=Decimal(1), tip=Decimal(-1)), "tip"),
        (TillOrder(amount=Decimal(1), tip=CENT, operation=OrderKind.REFUND), "tip"),
        (TillOrder(amount=Decimal(1), cashback=CENT, operation=OrderKind.REFUND), "cashback"),
        (TillOrder(amount=Decimal(1), reference="x" * 65), "reference"),
        (TillOrder(amount=Decimal(1), reference="a\nb"), "reference"),
        (TillOrder(amount=Decimal(1), operation=OrderKind.CAPTURE), "receipt"),
        (TillOrder(amount=Decimal(1), operation=OrderKind.VOID), "receipt"),
        (TillOrder(amount=Decimal(1), operation=OrderKind.VOID, receipt="000001"), "amount"),
        (TillOrder(amount=Decimal(1), receipt="000001"), "receipt"),
        (
            TillOrder(
                amount=Decimal(1), operation=OrderKind.PRE_AUTHORIZATION, receipt="0001-000001"
            ),
            "receipt",
        ),
    ],
)
def test_a_malformed_order_names_its_field(order: TillOrder, field: str):
    with pytest.raises(OrderError, match=f"^{field}: expected"):
        check_order(order)


@pytest.mark.parametrize(
    ("amount", "currency"),
    [("9999999999.99", "EUR"), ("9999999999", "JPY"), ("999999999.99", "KWD")],
)
def test_the_largest_amount_of_a_currency_is_put_to_a_card(shop: Shop, amount: str, currency: str):
    entry = shop.order(amount, currency=currency, cards=[shop.insert()], pins=["1234"])

    assert entry.ending is Ending.DECLINED
    shop.agree()


def test_a_refused_order_leaves_nothing_in_the_journal(shop: Shop):
    with pytest.raises(OrderError, match="no payment has the number"):
        shop.order(None, OrderKind.VOID, receipt="000009")
    with pytest.raises(OrderError, match="currency"):
        shop.order("1.00", currency="XXXX")

    assert shop.terminal.entries() == ()
    assert shop.terminal.totals().currencies == ()


class WaitingDesk:
    """Waits for a card until it is ended."""

    def __init__(self) -> None:
        self.waits, self.ended = threading.Event(), threading.Event()

    def present(self, prompt: CardPrompt) -> Presented:
        self.waits.set()
        assert self.ended.wait(10)
        raise DeskAbortedError

    def show(self, text: str) -> None:
        self.text = text

    def abort(self, *, timed_out: bool = False) -> None:
        self.ended.set()


def test_one_order_at_a_time_which_the_till_can_abort(shop: Shop):
    desk = WaitingDesk()
    shop.terminal.swap_desk(desk)
    endings = []
    order = TillOrder(amount=Decimal(60), reference="first")
    payment = threading.Thread(target=lambda: endings.append(shop.terminal.run(order)))
    payment.start()
    assert desk.waits.wait(10)

    with pytest.raises(BusyError):
        shop.terminal.run(TillOrder(amount=Decimal(1)))
    with pytest.raises(BusyError):
        shop.terminal.close_batch()
    assert shop.terminal.work() == 0
    assert not shop.terminal.abort("second")
    assert shop.terminal.abort("first")
    payment.join(10)

    assert [(each.stage, each.ending) for each in endings] == [(Stage.FAILED, Ending.ABORTED)]
    assert not shop.terminal.abort()
    assert shop.terminal.entry_of("first") == endings[0]


def test_the_time_for_a_card_runs_out(shop: Shop):
    entry = shop.order("60.00", cards=[])

    assert (entry.stage, entry.ending) == (Stage.FAILED, Ending.TIMED_OUT)
    assert entry.printed is None


def test_a_card_that_cannot_be_typed_in_is_asked_for_again(shop: Shop):
    wrong = [Keyed("123", "3112"), Keyed("4242420000010009", "3113"), Keyed("x" * 16, "3112")]

    entry = shop.order("60.00", cards=[*wrong, shop.key()])

    assert entry.ending is Ending.APPROVED
    assert [each.text for each in shop.desk.prompts][1:] == ["NUMBER OR EXPIRY INVALID"] * 3


def test_a_reader_that_a_model_lacks_is_not_offered(sandgate_sandbox, tmp_path: Path):
    shop = Shop(sandgate_sandbox, tmp_path / "terminal", model="SANDGATE_MOBILE")

    entry = shop.order("20.00", cards=[shop.swipe("gold"), shop.tap()])

    assert shop.desk.prompts[0].readers == {"chip", "tap"}
    assert [each.text for each in shop.desk.prompts] == ["PRESENT CARD", "USE ANOTHER READER"]
    assert entry.ending is Ending.APPROVED
    shop.close()


def test_those_who_watch_get_each_step(shop: Shop):
    notices: list[Notice] = []
    stop = shop.terminal.watch(notices.append)
    shop.order("60.00", cards=[shop.insert()])
    shop.terminal.network_up = True
    seen = len(notices)
    stop()
    shop.order("60.00", cards=[shop.insert()])

    assert {each.kind for each in notices} == {
        "display", "slot", "card", "entry", "printer", "network"
    }  # fmt: skip
    assert [each.text for each in notices if each.kind == "slot"] == [
        "card inserted", "card removed"
    ]  # fmt: skip
    assert len(notices) == seen
    assert any(each.event and each.event.command for each in notices)
    texts = [each.text for each in notices]
    first = texts.index("GENERATE AC: done; asked to go online")
    assert first < texts.index(Stage.ASKED.value) < texts.index("the host answered 00")


def test_a_signature_that_is_refused_is_reversed(shop: Shop):
    shop.desk.signs = False

    entry = shop.order("60.00", cards=[shop.insert("sign")])

    assert (entry.stage, entry.ending) == (Stage.REVERSED, Ending.DECLINED)
    shop.agree()


def test_a_second_terminal_cannot_open_the_folder(shop: Shop):
    with pytest.raises(StorageError, match="another process"):
        Terminal(shop.folder, shop.gateway, ScriptedDesk())


def test_a_folder_takes_one_terminal(shop: Shop, tmp_path: Path):
    shop.terminal.close()
    with pytest.raises(StorageError, match="no terminal was loaded"):
        Terminal(tmp_path / "empty", shop.gateway, ScriptedDesk())
    identity = shop.terminal.identity
    assert (identity.id, identity.model) == (shop.document["id"], "COUNTERTOP")
    assert identity.device_type == "SANDGATE_COUNTERTOP"


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"model": "SANDGATE_TOASTER"}, "model"),
        ({"id": "12a"}, "id"),
        ({"device": ""}, "device"),
        ({"channel": "a/b"}, "channel"),
        ({"load": {}}, "load"),
        ({"load": {"kbpk": "zz", "blocks": []}}, "load"),
    ],
)
def test_a_document_that_loads_no_terminal_names_its_field(tmp_path, changed, field):
    document = {"id": "10000001", "device": "1", "model": "SANDGATE_MOBILE", "channel": "a1"}

    with pytest.raises(IdentityError, match=f"^{field}: expected"):
        load_terminal(tmp_path, document | changed)


def test_a_terminal_without_keys_is_out_of_order(tmp_path: Path):
    document = {"id": "10000001", "device": "1", "model": "SANDGATE_MOBILE", "channel": "a1"}
    load_terminal(tmp_path, document | {"load": {"kbpk": "00" * 32, "blocks": []}})
    gateway = Gateway("http://127.0.0.1:9/", "token", "a1")
    terminal = Terminal(tmp_path, gateway, ScriptedDesk())

    with pytest.raises(OutOfOrderError, match="no key for PIN"):
        terminal.run(TillOrder(amount=Decimal(1)))
    terminal.close()


@pytest.mark.parametrize("model", MODELS)
def test_each_model_can_work_online_only(model: str):
    kernel = terminal_of(model, terminal_id="10000001")

    assert online_only(kernel).is_online_only
    assert online_only(kernel).is_unattended == kernel.is_unattended


def test_an_identity_is_read_from_what_the_control_api_answers():
    document = {"id": "10000001", "device": "1", "model": "SANDGATE_MOBILE", "channel": "a1"}

    assert identity_in(document, "Corner Shop").merchant == "Corner Shop"
    assert identity_in(document).merchant


def test_a_pin_that_is_none_is_asked_for_again(shop: Shop):
    entry = shop.order("60.00", cards=[shop.insert()], pins=["12", "1234"])

    assert entry.ending is Ending.APPROVED
    assert "PIN HAS 4 TO 12 DIGITS" in shop.desk.texts
    assert all(isinstance(each, PinPrompt) for each in shop.desk.pin_prompts)
    assert len(shop.desk.pin_prompts) == 2
