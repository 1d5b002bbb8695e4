"""A till that knows nothing but nexo JSON takes payments for a day, in both dialects."""

import json
import threading
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from pos_emulator.ecr.nexo.dialects import Additional
from pos_emulator.ecr.nexo.exchanges import REFERENCE_MAX, reference_of
from pos_emulator.ecr.nexo.server import serve_nexo
from pos_emulator.ecr.nexo.settings import NexoSettings
from pos_emulator.terminal.records import Ending, OrderKind, Stage
from pos_emulator.tests.ecr.conftest import ANY_PORT
from pos_emulator.tests.ecr.recording_terminal import AT
from pos_emulator.tests.ecr.till import Till

CLOSE = {"ReconciliationType": "SaleReconciliation"}


def named(answer):
    return answer["POIData"]["POITransactionID"]["TransactionID"]


def error_of(answer):
    response = answer["Response"]
    assert response["Result"] == "Failure"
    return response["ErrorCondition"]


@pytest.mark.parametrize("strings", [False, True], ids=["numbers", "texts"])
def test_a_till_pays_refunds_reverses_and_closes_the_day(till, terminal, strings):
    till.strings = strings
    assert till.login()["POISystemData"]["POIStatus"]["GlobalStatus"] == "OK"

    paid = till.pay("12.50")
    refunded = till.pay("2.50", kind="Refund", original=named(paid))
    reversed_ = till.reverse(named(till.pay("7.10")))
    closed = till.ask("Reconciliation", CLOSE)

    assert paid["Response"] == {"Result": "Success"}
    assert paid["PaymentResult"]["AmountsResp"] == {"Currency": "EUR", "AuthorizedAmount": "12.50"}
    assert refunded["Response"] == reversed_["Response"] == {"Result": "Success"}
    assert [(each.operation, each.amount, each.receipt) for each in terminal.orders] == [
        (OrderKind.SALE, Decimal("12.50"), ""),
        (OrderKind.REFUND, Decimal("2.50"), "000001-000001"),
        (OrderKind.SALE, Decimal("7.10"), ""),
        (OrderKind.VOID, None, "000001-000003"),
    ]
    assert closed["POIReconciliationID"] == "000001"
    assert closed["TransactionTotals"][0]["PaymentTotals"] == [
        {"TransactionType": "Debit", "TransactionCount": 2, "TransactionAmount": "19.60"}
    ]
    assert till.ask("Logout", {})["Response"] == {"Result": "Success"}


def test_a_payment_is_named_with_its_batch(till, terminal):
    paid = till.pay("12.50")

    refused = till.reverse(named(paid).partition("-")[2])

    assert error_of(refused) == "NotFound"
    assert len(terminal.orders) == 1, "a number alone may be that of another payment"


def test_an_answer_says_what_was_paid_and_what_to_print(till):
    answer = till.pay("12.50")

    result = answer["PaymentResult"]
    assert result["PaymentInstrumentData"]["CardData"]["MaskedPan"] == "**** 5726"
    assert result["PaymentInstrumentData"]["CardData"]["EntryMode"] == ["ICC"]
    assert result["PaymentAcquirerData"]["ApprovalCode"] == "012345"
    assert result["AuthenticationMethod"] == ["OnlinePIN"]
    assert answer["SaleData"]["SaleTransactionID"]["TransactionID"] == "receipt 1"
    cashier, customer = answer["PaymentReceipt"]
    assert [each["DocumentQualifier"] for each in (cashier, customer)] == [
        "CashierReceipt", "CustomerReceipt"
    ]  # fmt: skip
    lines = [each.get("Text", "") for each in customer["OutputContent"]["OutputText"]]
    assert "SALE                           EUR 12.50" in lines


def test_the_cash_of_a_payment_is_a_part_of_what_is_requested(till, terminal):
    till.pay("12.00", CashBackAmount="2.00")

    (order,) = terminal.orders
    assert (order.amount, order.cashback) == (Decimal("10.00"), Decimal("2.00"))


@pytest.mark.parametrize(("ending", "cash"), [(Ending.APPROVED, "2.00"), (Ending.PARTIAL, None)])
def test_no_cash_is_paid_of_a_part(till, terminal, ending, cash):
    terminal.endings = [ending]

    paid = till.pay("12.00", CashBackAmount="2.00")

    assert paid["PaymentResult"]["AmountsResp"].get("CashBackAmount") == cash


def test_a_reservation_is_completed_by_its_name(till, terminal):
    reserved = till.pay("50", kind="FirstReservation")
    till.pay("40", kind="Completion", original=named(reserved))

    assert [each.operation for each in terminal.orders] == [
        OrderKind.PRE_AUTHORIZATION, OrderKind.CAPTURE
    ]  # fmt: skip
    assert terminal.orders[1].receipt == "000001-000001"


def test_a_part_is_reversed_as_a_refund(till, terminal):
    paid = till.pay("12.50")

    till.reverse(named(paid), "12.50")
    till.reverse(named(paid), "2.00")

    assert [(each.operation, each.amount) for each in terminal.orders[1:]] == [
        (OrderKind.VOID, None), (OrderKind.REFUND, Decimal("2.00"))
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["999999", "000002-000001", "..", "x" * 100])
def test_a_payment_that_is_not_known_is_not_reversed(till, terminal, name):
    till.pay("1")

    assert error_of(till.reverse(name)) == "NotFound"
    assert len(terminal.orders) == 1


def test_an_aborted_payment_is_answered_so_and_the_abort_has_no_body(till, terminal):
    terminal.waits = True
    answers = []
    payment = threading.Thread(target=lambda: answers.append(till.pay("12.50")))
    payment.start()
    assert terminal.waiting.wait(20)

    other = replace(till, number=100)
    busy = replace(till, sale="till-2").pay("1")
    under_way = other.status("0001")
    empty = other.abort("0001")
    payment.join(20)

    assert empty is None
    assert error_of(busy) == "Busy"
    assert error_of(under_way) == "InProgress"
    assert error_of(answers[0]) == "Aborted"
    again = other.status("0001")["RepeatedMessageResponse"]
    assert again["RepeatedResponseMessageBody"] == {"PaymentResponse": answers[0]}


def test_an_abort_of_what_is_not_under_way_changes_nothing(till, terminal):
    paid = till.pay("12.50")

    assert till.abort("0001") is None
    assert till.abort("4711") is None
    again = till.status("0001")["RepeatedMessageResponse"]["RepeatedResponseMessageBody"]
    assert again == {"PaymentResponse": paid}


def test_a_lost_answer_is_given_whole_after_a_restart(till, terminal, tmp_path):
    paid = till.pay("12.50")
    reversed_ = till.reverse(named(paid))

    with serve_nexo(terminal, ANY_PORT, NexoSettings(folder=tmp_path), now=lambda: AT) as url:
        restarted = replace(till, url=url, number=100)
        first = restarted.status("0001")["RepeatedMessageResponse"]
        second = restarted.status("0002", MessageCategory="Reversal")["RepeatedMessageResponse"]
        last = restarted.status()["RepeatedMessageResponse"]

    assert first["RepeatedResponseMessageBody"] == {"PaymentResponse": paid}
    assert first["MessageHeader"]["ServiceID"] == "0001"
    assert first["MessageHeader"]["MessageType"] == "Response"
    assert second["RepeatedResponseMessageBody"] == {"ReversalResponse": reversed_}
    assert last == first


class PowerCutError(Exception):
    """Ends an order of a test as no terminal does: nothing is answered."""


@pytest.mark.parametrize(
    ("kept", "condition"),
    [(Ending.POWER_CUT, "DeviceOut"), (Ending.APPROVED, None), (None, "DeviceOut")],
    ids=["cut", "approved", "never begun"],
)
def test_an_answer_that_was_never_made_is_made_of_the_journal(till, terminal, kept, condition):
    terminal.endings = [PowerCutError()]
    with pytest.raises(OSError):
        till.pay("12.50")
    if kept:
        terminal.kept.append(terminal._entry(terminal.orders[0], kept))

    (answer,) = till.status("0001")["RepeatedMessageResponse"][
        "RepeatedResponseMessageBody"
    ].values()

    assert answer["Response"].get("ErrorCondition") == condition
    assert answer["SaleData"]["SaleTransactionID"]["TransactionID"] == "receipt 1"


def test_a_payment_that_is_still_to_be_reversed_is_in_progress(till, terminal):
    terminal.endings = [PowerCutError()]
    with pytest.raises(OSError):
        till.pay("12.50")
    terminal.kept.append(replace(terminal._entry(terminal.orders[0], Ending.APPROVED), ending=None))

    assert error_of(till.status("0001")) == "InProgress"


def test_what_the_terminal_found_out_since_counts(till, terminal):
    terminal.endings = [Ending.UNREACHABLE]
    terminal.stage = Stage.ASKED
    lost = till.pay("12.50", kind="Refund")
    waiting = till.status("0001")
    (entry,) = terminal.kept
    terminal.kept = [replace(entry, stage=Stage.APPROVED, ending=Ending.APPROVED)]

    found = till.status("0001")["RepeatedMessageResponse"]["RepeatedResponseMessageBody"]

    assert error_of(lost) == "UnreachableHost"
    assert lost["Response"]["AdditionalResponse"].endswith("ask for its status")
    assert error_of(waiting) == "InProgress"
    assert found["PaymentResponse"]["Response"] == {"Result": "Success"}


def test_a_till_with_a_long_name_is_known_by_it(till, terminal):
    till.sale = "register 7 of the shop at the corner of the long lane"

    paid = till.pay("1")

    assert paid["Response"] == {"Result": "Success"}
    assert len(reference_of(till.sale, "x" * 36)) <= REFERENCE_MAX
    assert till.status("0001")["RepeatedMessageResponse"]["MessageHeader"]["SaleID"] == till.sale


@pytest.mark.parametrize("service", ["4711", "0001"])
def test_the_status_of_what_is_no_payment_is_not_found(till, service):
    till.login()

    assert error_of(till.status(service)) == "NotFound"


def test_totals_need_a_login_and_payments_do_not(till):
    assert error_of(till.ask("GetTotals", {})) == "LoggedOut"
    assert error_of(till.ask("Reconciliation", CLOSE)) == "LoggedOut"
    assert error_of(till.ask("Logout", {})) == "LoggedOut"
    assert till.pay("1")["Response"] == {"Result": "Success"}
    till.login()
    assert till.ask("GetTotals", {})["POIReconciliationID"] == "000001"


def test_payments_need_a_login_where_it_is_set(terminal, certificate, tmp_path):
    settings = NexoSettings(folder=tmp_path, login_required=True)
    with serve_nexo(terminal, ANY_PORT, settings, now=lambda: AT) as url:
        till = Till(url, tmp_path / "ca.pem")
        refused = till.pay("1")
        till.login()
        paid = till.pay("1")

    assert error_of(refused) == "LoggedOut"
    assert paid["Response"] == {"Result": "Success"}


def test_the_totals_of_the_last_batch_are_repeated(till, terminal):
    previous = {"ReconciliationType": "PreviousReconciliation"}
    till.login()
    assert error_of(till.ask("Reconciliation", previous)) == "NotFound"
    till.pay("1")
    closed = till.ask("Reconciliation", CLOSE)

    again = till.ask("Reconciliation", {**previous, "POIReconciliationID": "000001"})
    other = till.ask("Reconciliation", {**previous, "POIReconciliationID": "000007"})

    assert again == {**closed, **previous}
    assert error_of(other) == "NotFound"
    assert terminal.batch == 2


@pytest.mark.parametrize(
    ("additional", "expected"),
    [
        (Additional.TEXT, "the PIN was wrong: a reason; tries left: 2"),
        (Additional.FORM, "message=the+PIN+was+wrong&refusalReason=a+reason%3B+tries+left%3A+2"),
    ],
)
def test_what_explains_a_refusal_is_text_or_pairs(terminal, tmp_path, additional, expected):
    terminal.endings = [Ending.WRONG_PIN]
    settings = NexoSettings(folder=tmp_path, additional=additional)
    with serve_nexo(terminal, ANY_PORT, settings, now=lambda: AT) as url:
        answer = Till(url, tmp_path / "ca.pem").pay("1")

    assert error_of(answer) == "WrongPIN"
    assert answer["Response"]["AdditionalResponse"] == expected


def test_a_diagnosis_says_what_works(till, terminal):
    terminal.network_up, terminal.out_of_order = False, "no keys"

    answer = till.ask("Diagnosis", {"HostDiagnosisFlag": True})

    assert answer["POIStatus"]["GlobalStatus"] == "Maintenance"
    assert answer["POIStatus"]["CommunicationOKFlag"] is False
    assert answer["HostStatus"] == [{"AcquirerID": "Sandgate", "IsReachableFlag": False}]


def test_no_file_holds_more_of_a_card_than_four_digits(till, tmp_path: Path):
    sent = till.message("Payment", {"PaymentTransaction": {"AmountsReq": {"Currency": "EUR"}}})
    sent["SaleToPOIRequest"]["PaymentRequest"]["SaleData"] = "4242424242424242"
    refused = till.send(sent)
    till.pay("12.50")

    assert "4242424242424242" not in json.dumps(refused)
    for file in tmp_path.iterdir():
        assert b"4242424242424242" not in file.read_bytes(), file
