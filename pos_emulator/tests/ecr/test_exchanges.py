import sqlite3
from contextlib import closing

import pytest

from pos_emulator.ecr.nexo.exchanges import FILE, TABLE, Exchanges
from pos_emulator.ecr.nexo.messages import Header
from pos_emulator.ecr.nexo.outcomes import Condition, NexoError


@pytest.fixture
def exchanges(tmp_path):
    opened = Exchanges(tmp_path)
    yield opened
    opened.close()


def header(service, category="Payment", sale="till-1"):
    return Header(
        category=category, message_class="Service", service_id=service, sale_id=sale, poi_id="1"
    )


def test_a_service_id_is_noted_once_a_till(exchanges):
    assert exchanges.begin(header("1"), {})
    assert not exchanges.begin(header("1"), {})
    assert exchanges.begin(header("1", sale="till-2"), {})


def test_an_exchange_is_on_disk_before_its_answer(exchanges, tmp_path):
    exchanges.begin(header("1"), {"PaymentType": "Normal"})
    reopened = Exchanges(tmp_path)

    found = reopened.find("till-1", "1")

    assert (found.request, found.answer) == ({"PaymentType": "Normal"}, None)
    assert found.reference == "till-1/1"
    exchanges.finish("till-1", "1", {"Response": {}})
    assert reopened.find("till-1", "1").answer == {"Response": {}}
    assert reopened.find("till-1", "2") is None
    reopened.close()


def test_the_oldest_exchange_makes_room(tmp_path):
    exchanges = Exchanges(tmp_path, kept=3)
    for number in range(4):
        assert exchanges.begin(header(str(number)), {})

    assert exchanges.find("till-1", "0") is None
    assert exchanges.find("till-1", "1") is not None
    assert exchanges.begin(header("0"), {})
    exchanges.close()


def test_the_oldest_exchange_of_a_full_file_is_not_displaced_by_its_own_repetition(tmp_path):
    exchanges = Exchanges(tmp_path, kept=3)
    for number in range(3):
        exchanges.begin(header(str(number)), {})

    for number in range(3):
        assert not exchanges.begin(header(str(number)), {})
        assert exchanges.find("till-1", str(number)) is not None
    exchanges.close()


def test_a_full_disk_is_one_that_the_terminal_is_out_of_order_with(exchanges):
    exchanges.begin(header("1"), {})
    exchanges._database.execute("PRAGMA max_page_count = 1")
    large = {"text": "a" * 100_000}

    for change in (
        lambda: exchanges.begin(header("2"), large),
        lambda: exchanges.finish("till-1", "1", large),
    ):
        with pytest.raises(NexoError, match="out of order: exchanges.sqlite .*full") as refused:
            change()
        assert refused.value.condition is Condition.DEVICE_OUT

    assert exchanges.find("till-1", "1").answer is None
    assert exchanges.find("till-1", "2") is None


FAILED = {"Response": {"Result": "Failure", "ErrorCondition": "Aborted"}}
UNKNOWN = {"Response": {"Result": "Failure", "ErrorCondition": "InProgress"}}
PAID = {"Response": {"Result": "Success"}}


@pytest.mark.parametrize("answer", (None, PAID, UNKNOWN), ids=("under way", "paid", "unknown"))
@pytest.mark.parametrize("others", ("Diagnosis", "TransactionStatus", "Payment", "Reversal"))
def test_no_request_without_money_displaces_a_payment(tmp_path, answer, others):
    exchanges = Exchanges(tmp_path, kept=3)
    exchanges.begin(header("paid"), {})
    if answer:
        exchanges.finish("till-1", "paid", answer)

    for number in range(9):
        assert exchanges.begin(header(str(number), others, sale="till-9"), {})
        exchanges.finish("till-9", str(number), FAILED)

    assert exchanges.find("till-1", "paid").answer == answer
    assert not exchanges.begin(header("paid"), {})
    assert exchanges.find("till-9", "5") is None
    exchanges.close()


def test_a_file_of_a_version_before_is_read_on(tmp_path):
    with closing(sqlite3.connect(tmp_path / FILE)) as before, before:
        before.execute(TABLE)
        row = ("till-1", "paid", "Payment", b"{}", b"{}")
        columns = "sale, service, category, request, answer"
        before.execute(f"INSERT INTO exchanges ({columns}) VALUES (?, ?, ?, ?, ?)", row)
    for number in range(3):
        exchanges = Exchanges(tmp_path, kept=2)
        exchanges.begin(header(str(number), "Diagnosis"), {})
        assert not exchanges.begin(header("paid"), {})
        exchanges.close()


def test_the_last_exchange_of_a_category_is_found(exchanges):
    exchanges.begin(header("1"), {})
    exchanges.begin(header("2"), {})
    exchanges.begin(header("3", "Reversal"), {})

    assert exchanges.last("till-1", "Payment").service == "2"
    assert exchanges.last("till-2", "Payment") is None


def test_a_damaged_file_is_named(tmp_path):
    (tmp_path / FILE).write_bytes(b"no database" * 100)

    with pytest.raises(OSError, match=FILE):
        Exchanges(tmp_path)
