"""A till that knows nothing but ZVT takes payments for a day, with both framings."""

import dataclasses
import gc
import threading
from collections.abc import Callable
from decimal import Decimal

import pytest

from pos_emulator.ecr.zvt.codes import RESULTS
from pos_emulator.ecr.zvt.frames import Apdu, LengthFrames
from pos_emulator.ecr.zvt.server import serve_zvt
from pos_emulator.ecr.zvt.settings import Framing, ZvtSettings
from pos_emulator.terminal.records import Ending, OrderError, OrderKind, OutOfOrderError, Stage
from pos_emulator.tests.ecr.conftest import ANY_PORT
from pos_emulator.tests.ecr.zvt import recorded
from pos_emulator.tests.ecr.zvt.till import ACKNOWLEDGED, COMPLETION, ZvtTill

FAST = ZvtSettings(acknowledge_s=0.3)


@pytest.fixture(params=Framing, ids=lambda framing: framing.value)
def till(request, terminal):
    settings = ZvtSettings(framing=request.param)
    with (
        serve_zvt(terminal, ANY_PORT, settings) as address,
        ZvtTill(address, is_serial=request.param is Framing.SERIAL) as till,
    ):
        yield till


@pytest.fixture
def plain(terminal):
    """A till over TCP."""
    with serve_zvt(terminal, ANY_PORT) as address, ZvtTill(address) as till:
        yield till


def printed(answer):
    """What a till prints of the lines it is sent."""
    lines = [bytes.fromhex(each)[4:] for each in answer if each.startswith("06d1")]
    return "\n".join(line.decode("cp437") for line in lines)


def wait_until(is_so: Callable[[], bool]) -> None:
    ticker = threading.Event()
    for _ in range(400):
        if is_so():
            return
        ticker.wait(0.02)
    raise AssertionError("it did not come about")


def test_a_till_registers_pays_refunds_reverses_and_closes_the_day(till, terminal):
    assert till.login() == [ACKNOWLEDGED, "060f0a1900291029160449" + "0978"]

    paid = till.pay(1250)
    refunded = till.ask("0631 0D 000000 04 000000000250 490978")
    reversed_ = till.ask("0630 06 000000 87 0001")
    totals = till.ask("0610 03 000000")
    closed = till.ask("0650 03 000000")

    assert paid[0] == ACKNOWLEDGED
    assert paid[-1] == refunded[-1] == reversed_[-1] == totals[-1] == closed[-1] == COMPLETION
    assert [(each.operation, each.amount, each.receipt) for each in terminal.orders] == [
        (OrderKind.SALE, Decimal("12.50"), ""),
        (OrderKind.REFUND, Decimal("2.50"), ""),
        (OrderKind.VOID, None, "000001-000001"),
    ]
    assert "04000000001250" in totals[1]
    assert terminal.batch == 2


def test_the_result_of_a_payment_says_what_a_till_books(plain):
    result = plain.pay(1250)[1]

    for expected in (
        "2700", "04000000001250", "0b000001", "0c090000", "0d1123", "2910291604", "490978",
        "870001", "22f0f8eeeeeeeeeeee5726", "3b3031323334350000", "170001", "1f120101",
    ):  # fmt: skip
        assert expected in result, expected


def test_messages_of_a_real_till_are_taken(plain, terminal):
    registered = plain.ask(recorded.REGISTRATION)
    paid = plain.ask(recorded.AUTHORIZATION)

    assert registered[1].startswith("060f")
    assert paid[-1] == COMPLETION
    assert terminal.orders[0].amount == Decimal("10.00")


def test_a_payment_in_a_currency_without_decimals_is_what_was_meant(plain, terminal):
    plain.ask("0601 0A 04 000000001250 49 0392")

    assert (terminal.orders[0].amount, terminal.orders[0].currency) == (Decimal(1250), "JPY")


@pytest.mark.parametrize("ending", [each for each in Ending if each.name not in ("APPROVED",)])
def test_each_ending_has_its_result_code(plain, terminal, ending):
    terminal.endings = [ending]

    answer = plain.pay()

    code = f"{RESULTS[ending]:02x}"
    assert f"27{code}" in answer[1]
    assert answer[-1] == (COMPLETION if ending is Ending.PARTIAL else f"061e01{code}")


@pytest.mark.parametrize(
    ("ending", "code", "sent"),
    [
        (Ending.DECLINED, "51", "33"),
        (Ending.WRONG_PIN, "75", "4b"),
        (Ending.DECLINED, "1A", "05"),
        (Ending.DECLINED, "10", "05"),
    ],
)
def test_a_decline_has_the_code_of_the_issuer(plain, terminal, ending, code, sent):
    terminal.endings, terminal.code = [ending], code

    assert plain.pay()[-1] == f"061e01{sent}"


@pytest.mark.parametrize(
    ("command", "error", "code"),
    [
        ("0601 07 04 000000000100", OutOfOrderError("no key"), "ff"),
        ("0601 07 04 000000000100", OrderError("amount"), "83"),
        ("0630 06 000000 87 0009", OrderError("receipt"), "b5"),
    ],
)
def test_an_order_that_is_not_carried_out_says_why(plain, terminal, command, error, code):
    terminal.endings = [error]

    assert plain.ask(command) == [ACKNOWLEDGED, f"061e01{code}"]


@pytest.mark.parametrize(
    ("bits", "lines", "blocks"), [("02", 2, 0), ("82", 0, 0), ("00", 0, 0), ("BLOCK", 0, 2)]
)
def test_the_till_prints_what_it_registered_for(plain, terminal, bits, lines, blocks):
    if bits == "BLOCK":
        plain.ask("0600 0E 000000 02 0978 06 06 26 04 0A 02 06D3")
    else:
        plain.login(bits)
    answer = plain.pay()

    ends = [each for each in answer if each == "06d10181"]
    assert len(ends) == lines
    assert len([each for each in answer if each.startswith("06d3")]) == blocks
    if lines:
        assert "SALE                           EUR 12.50" in printed(answer)
        assert "CARDHOLDER COPY" in printed(answer)


def test_a_block_holds_a_copy_with_its_kind(plain):
    plain.ask("0600 0E 000000 02 0978 06 06 26 04 0A 02 06D3")
    blocks = [each for each in plain.pay() if each.startswith("06d3")]

    contents = []
    for each in blocks:
        (apdu,) = LengthFrames().feed(bytes.fromhex(each))
        contents.append(apdu.data)
    assert [each[each.index(b"\x1f\x07") + 3] for each in contents] == [1, 2]
    assert b"MERCHANT COPY" in contents[0]
    assert all(each.endswith(b"\x09\x01\x81") for each in contents)


def test_the_report_of_the_day_is_printed_where_the_till_prints_reports(plain):
    plain.login("04")
    plain.pay(1250)

    report = printed(plain.ask("0650 03 000000"))

    assert "END OF DAY" in report
    assert "SALES 1                        EUR 12.50" in report


def test_what_the_display_says_is_a_status_for_a_till_that_wants_it(till, terminal):
    terminal.texts = ("PRESENT CARD", "ENTER PIN", "no status for this", "PLEASE WAIT")

    assert len(till.pay()) == 3
    till.login("08")
    assert till.pay()[1:4] == ["04ff010a", "04ff0101", "04ff010e"]


def test_a_payment_that_waits_for_a_card_is_aborted(till, terminal):
    terminal.waits = True
    till.send("0601 07 04 000000001250")
    assert till.read() == ACKNOWLEDGED
    assert terminal.waiting.wait(20)

    assert till.ask("0610 03 000000") == ["849c00"]
    acknowledged, result, end = till.ask("06B0 00")

    assert acknowledged == ACKNOWLEDGED
    assert "276c" in result
    assert end == "061e016c"


def test_aborts_without_end_are_carried_out_by_one_thread(plain, terminal):
    """Each once had a thread of its own for two seconds."""
    terminal.waits = terminal.is_deaf = True
    plain.send("0601 07 04 000000001250")
    assert plain.read() == ACKNOWLEDGED
    assert terminal.waiting.wait(20)
    before = threading.active_count()

    for _ in range(100):
        plain.send("06B0 00")
        assert plain.read() == ACKNOWLEDGED

    assert threading.active_count() <= before + 1
    terminal.card.set()


def test_acknowledgements_that_nothing_waits_for_are_not_kept(plain):
    plain.socket.sendall(bytes.fromhex(ACKNOWLEDGED) * 5000)
    # The answer to this one waits for none of them either.
    plain.send("06B0 00")

    assert plain.read() == ACKNOWLEDGED
    assert sum(isinstance(each, Apdu) for each in gc.get_objects()) < 50


def test_an_abort_of_nothing_is_acknowledged(plain, terminal):
    plain.send("06B0 00")

    assert plain.read() == ACKNOWLEDGED
    assert plain.pay()[-1] == COMPLETION


def test_the_last_receipt_is_repeated_and_without_one_nothing_is(plain):
    assert plain.ask("0620 03 000000") == [ACKNOWLEDGED, "061e0183"]

    plain.login("02")
    plain.pay(100)
    paid = plain.pay(200)
    assert plain.ask("0620 03 000000") == paid


def test_a_till_that_is_gone_ends_the_wait_for_a_card_and_gets_the_result_later(terminal):
    terminal.waits = True
    with serve_zvt(terminal, ANY_PORT) as address:
        with ZvtTill(address) as till:
            till.send("0601 07 04 000000001250")
            assert terminal.waiting.wait(20)
        wait_until(lambda: bool(terminal.kept))
        terminal.waits = False

        with ZvtTill(address) as again:
            answer = again.ask("0620 03 000000")

    assert terminal.kept[0].ending is Ending.ABORTED
    assert "276c" in answer[1]
    assert "04000000001250" in answer[1]


def test_the_result_of_a_payment_that_no_till_took_is_repeated(terminal):
    with serve_zvt(terminal, ANY_PORT, FAST) as address:
        with ZvtTill(address, is_mute=True) as till:
            till.send("0601 07 04 000000001250")
            assert till.read() == ACKNOWLEDGED
            assert till.read().startswith("040f")
            assert till.is_closed()
        with ZvtTill(address) as again:
            answer = again.ask("0620 03 000000")

    assert len(terminal.orders) == 1
    assert "2700" in answer[1]


def test_a_payment_that_was_reversed_is_no_success(plain, terminal):
    plain.pay()
    terminal.kept[0] = dataclasses.replace(terminal.kept[0], stage=Stage.REVERSED)

    assert "27b4" in plain.ask("0620 03 000000")[1]


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        ("0685 00", "848300"),
        ("0601 02 04 00", "849a00"),
        ("0601 02 FE 00", "849a00"),
        ("0600 02 0000", "849a00"),
        ("0600 05 123456 08 00", "848300"),
        ("0630 06 123456 87 0001", "848300"),
        ("0601 0E 04 000000001250 04 000000000001", "849a00"),
        ("0601 09 04 000000000100 06 81", "849a00"),
        ("0501 02 0000", "849a00"),
    ],
)
def test_a_command_that_is_not_understood_is_refused(plain, terminal, command, refusal):
    assert plain.ask(command) == [refusal]
    assert terminal.orders == []
    assert plain.pay()[-1] == COMPLETION


@pytest.mark.parametrize(
    "command",
    [
        "0601 00", "0601 07 04 00000000125F", "0601 0A 04 000000001250 49 0000",
        "0601 FF 0000", "0630 06 000000 87 00AA", "0630 03 000000", "0600 03 000000",
        "0600 07 000000 08 0978 FE",
    ],
)  # fmt: skip
def test_an_order_that_lacks_something_is_ended(plain, terminal, command):
    assert plain.ask(command) == [ACKNOWLEDGED, "061e019a"]
    assert terminal.orders == []


def test_passwords_need_not_be_checked(terminal):
    settings = ZvtSettings(checks_password=False)
    with serve_zvt(terminal, ANY_PORT, settings) as address, ZvtTill(address) as till:
        assert till.ask("0600 06 123456 00 0978")[-1].startswith("060f")


def test_a_terminal_says_whether_it_is_ready(plain, terminal):
    assert plain.ask("0501 03 000000")[-1] == "060f0100"
    assert b"Sandgate" in bytes.fromhex(plain.ask("0501 05 000000 03 02")[-1])
    assert plain.ask("0670 00")[-1] == COMPLETION

    terminal.network_up = False
    assert plain.ask("0670 00")[-1] == "061e01a3"
    terminal.out_of_order = "no key"
    assert plain.ask("0670 00")[-1] == "061e01ff"
    assert plain.ask("0501 03 000000")[-1] == "060f01ff"


def test_what_a_till_registered_holds_until_it_logs_off(plain):
    plain.login("02")
    plain.send("0602 00")
    assert plain.read() == ACKNOWLEDGED

    assert not printed(plain.pay())


def test_a_serial_line_repeats_what_was_damaged(terminal):
    settings = ZvtSettings(framing=Framing.SERIAL)
    with (
        serve_zvt(terminal, ANY_PORT, settings) as address,
        ZvtTill(address, is_serial=True) as till,
    ):
        till.socket.sendall(bytes.fromhex("1002 067000 1003 0000"))
        assert till.socket.recv(1) == b"\x15"
        till.send("0670 00")
        assert till.read() == ACKNOWLEDGED
        assert till.read() == COMPLETION
        till.socket.sendall(b"\x15")
        assert till.read() == COMPLETION
        till.acknowledge()


def test_no_answer_holds_the_number_of_a_card(plain):
    plain.login("0A")
    plain.pay()

    assert not any("4111111111111111" in each for each in plain.received)
    assert "EEEEEEEEEEEE5726".lower() in "".join(plain.received)
