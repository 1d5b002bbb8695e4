"""Each failure of the way to the host and of the card; after it all ledgers agree."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep

import pytest

from pos_emulator.card.faults import CardFaultKind, Fault
from pos_emulator.terminal.gateway import TIME_LIMIT_S
from pos_emulator.terminal.records import (
    Ending,
    OrderKind,
    Stage,
    TerminalEntry,
)
from pos_emulator.tests.terminal.shop import FAST, SALE, Shop, ended
from simulator.client.sandbox import SandboxClient

CARRIED_OUT = [
    "connection-reset",
    "connection-closed",
    "answer-cut",
    "answer-not-json",
    "proxy-502",
]


@pytest.mark.parametrize("fault", CARRIED_OUT)
def test_29_a_lost_answer_is_looked_for_and_taken_back(shop: Shop, fault: str):
    shop.sandbox.arm(fault, times=1, match=SALE)

    entry = shop.order("60.00", cards=[shop.insert()])

    assert ended(entry) == (Stage.REVERSED, Ending.UNREACHABLE)
    assert entry.printed.status == "VOIDED"
    assert shop.desk.texts[-1] == "NO CONNECTION"
    assert {line["type"]: line["gateway"] for line in shop.books()["lines"]} == {
        "DB": "60.00", "RF": "60.00",
    }  # fmt: skip
    shop.agree()


@pytest.mark.sandgate(profile="field")
def test_a_lost_sale_is_reversed_where_the_gateway_reverses_sales(shop: Shop):
    shop.sandbox.arm("connection-reset", times=1, match=SALE)

    entry = shop.order("60.00", cards=[shop.insert()])

    assert entry.stage is Stage.REVERSED
    assert "RF" not in {line["type"] for line in shop.books()["lines"]}


def test_a_lost_pre_authorization_is_reversed(shop: Shop):
    shop.sandbox.arm("connection-reset", times=1, match=SALE)

    entry = shop.order("60.00", OrderKind.PRE_AUTHORIZATION, cards=[shop.insert()])

    assert ended(entry) == (Stage.REVERSED, Ending.UNREACHABLE)
    assert {line["type"] for line in shop.books()["lines"]} == {"PA", "RV"}
    shop.agree()


def test_what_never_came_to_the_gateway_is_closed_once_it_was_unknown_for_a_day(shop: Shop):
    shop.sandbox.arm("connection-reset-before", times=1, match=SALE)

    entry = shop.order("60.00", cards=[shop.insert()])

    assert ended(entry) == (Stage.MUST_REVERSE, Ending.UNREACHABLE)
    shop.clock.advance(hours=20)
    assert shop.terminal.work() == 1
    shop.pass_a_day()
    assert shop.terminal.entry(entry.receipt).stage is Stage.REVERSED
    assert shop.books()["lines"] == []
    shop.agree()


def test_a_reversal_is_tried_each_minute_until_it_succeeds(shop: Shop):
    shop.sandbox.arm("connection-reset", times=1, match=SALE)
    shop.sandbox.arm("connection-reset", times=2, match={"operation": "query_payments"})
    entry = shop.order("60.00", cards=[shop.insert()])

    left = [shop.terminal.work()]
    for _ in range(2):
        shop.clock.advance(minutes=1)
        left.append(shop.terminal.work())

    assert entry.stage is Stage.MUST_REVERSE
    assert left == [1, 1, 0]
    shop.agree()


@pytest.mark.parametrize("fault", ["connection-reset", "connection-reset-before"])
def test_a_reversal_whose_own_answer_is_lost_is_not_made_twice(shop: Shop, fault: str):
    shop.sandbox.arm("connection-reset", times=1, match=SALE)
    shop.sandbox.arm(fault, times=2, match={"operation": "refer_payment"})
    shop.order("60.00", cards=[shop.insert()])

    for _ in range(3):
        shop.clock.advance(minutes=1)
        shop.terminal.work()

    assert [line["gateway"] for line in shop.books()["lines"]] == ["60.00", "60.00"]
    shop.agree()


def test_a_reversal_survives_a_restart(shop: Shop):
    shop.sandbox.arm("connection-reset", times=1, match=SALE)
    shop.sandbox.arm("connection-reset", times=1, match={"operation": "query_payments"})
    receipt = shop.order("60.00", cards=[shop.insert()]).receipt

    shop.restart()

    assert shop.terminal.work() == 0
    assert shop.terminal.entry(receipt).stage is Stage.REVERSED
    shop.agree()


@pytest.fixture
def patient(sandgate_sandbox: SandboxClient, tmp_path: Path) -> Iterator[Shop]:
    """A shop whose terminal waits for the gateway as long as in a shop."""
    made = Shop(sandgate_sandbox, tmp_path / "terminal", timeout_s=TIME_LIMIT_S)
    yield made
    made.close()


def agrees(shop: Shop) -> None:
    """The gateway, its host and the terminal agree, once all is over."""
    assert shop.sandbox.drain()
    shop.sandbox.advance("5m")
    shop.agree()


@pytest.mark.sandgate(clock={"mode": "frozen"})
@pytest.mark.parametrize("fault", ["timeout", "garble", "wrong_stan", "late"])
def test_30_an_answer_of_the_host_that_is_lost_is_reversed_in_time(patient: Shop, fault: str):
    script = patient.sandbox.arm({"steps": {"link": fault}}, times=1)

    entry = order_until_late(patient, script)

    assert ended(entry) == (Stage.FAILED, Ending.UNREACHABLE)
    agrees(patient)


def order_until_late(shop: Shop, script: str) -> TerminalEntry:
    """A sale that the host has decided when its time is over. The clock stands: however long the
    reversal takes, it is answered in time.
    """
    with ThreadPoolExecutor(1) as till:
        order = till.submit(shop.order, "60.00", cards=[shop.insert()])
        while not (order.done() or shop.sandbox.control.script(shop.sandbox.id, script)["matched"]):
            sleep(0.01)
        shop.sandbox.advance("31s")
        return order.result()


def test_31_a_line_that_breaks_loses_the_answer(patient: Shop):
    patient.sandbox.arm({"steps": {"link": "drop"}}, times=1)

    entry = patient.order("60.00", cards=[patient.insert()])

    assert ended(entry) == (Stage.FAILED, Ending.UNREACHABLE)
    agrees(patient)


def test_31_of_two_answers_the_second_finds_no_request_that_waits(patient: Shop):
    patient.sandbox.arm({"steps": {"link": "duplicate"}}, times=1)

    entry = patient.order("60.00", cards=[patient.insert()])

    assert ended(entry) == (Stage.APPROVED, Ending.APPROVED)
    agrees(patient)


@FAST
def test_30_a_host_that_does_not_answer_a_reversal_either_leaves_the_end_unknown(patient: Shop):
    """The gateway is asked for it."""
    patient.sandbox.arm({"steps": {"link": "silent"}}, times=1)

    entry = patient.order("60.00", cards=[patient.insert()])

    assert ended(entry) == (Stage.REVERSED, Ending.UNREACHABLE)
    agrees(patient)


def test_18_a_card_that_is_pulled_after_the_approval_is_reversed(shop: Shop):
    pulled = Fault(CardFaultKind.REMOVED, "AC2")

    entry = shop.order("60.00", cards=[shop.insert("gold", pulled)])

    assert ended(entry) == (Stage.REVERSED, Ending.CARD_REMOVED)
    assert entry.code == "00"
    shop.agree()


def test_17_a_card_that_is_pulled_before_the_host_was_asked(shop: Shop):
    pulled = Fault(CardFaultKind.REMOVED, "AC1")

    entry = shop.order("60.00", cards=[shop.insert("gold", pulled)])

    assert ended(entry) == (Stage.FAILED, Ending.CARD_REMOVED)
    assert shop.books()["lines"] == []
    shop.agree()


def test_19_an_answer_that_is_not_the_issuers_is_reversed(shop: Shop):
    shop.sandbox.arm({"steps": {"issuer": {"authentication": "wrong"}}}, times=1)

    entry = shop.order("60.00", cards=[shop.insert()])

    assert ended(entry) == (Stage.REVERSED, Ending.DECLINED)
    assert entry.printed.status == "VOIDED"
    shop.agree()


def test_a_card_that_declines_what_the_host_approved_is_reversed(shop: Shop):
    refuses = Fault(CardFaultKind.REFUSES_ISSUER)

    entry = shop.order("60.00", cards=[shop.insert("gold", refuses)])

    assert ended(entry) == (Stage.REVERSED, Ending.DECLINED)
    assert (entry.code, entry.printed.status) == ("00", "VOIDED")
    shop.agree()


def test_a_payment_that_the_host_has_had_already_is_declined(shop: Shop):
    shop.sandbox.arm({"steps": {"issuer": {"response": "94"}}}, times=1)

    entry = shop.order("60.00", cards=[shop.insert()])

    assert ended(entry) == (Stage.DECLINED, Ending.DECLINED)
    assert (entry.code, entry.result_code) == ("94", "800.120.402")
    shop.agree()


def test_a_chip_that_is_silent_after_a_decline_is_not_tried_again(shop: Shop):
    mute = Fault(CardFaultKind.MUTE, "AC2")
    shop.sandbox.arm({"steps": {"issuer": {"response": "51"}}}, times=1)

    entry = shop.order("60.00", cards=[shop.insert("gold", mute)])

    assert ended(entry) == (Stage.FAILED, Ending.CARD_REFUSED)
    assert len(shop.desk.prompts) == 1
    shop.agree()


def test_a_part_that_the_host_approved_is_a_decline(shop: Shop):
    entry = shop.order("80.00", cards=[shop.insert("poor")])

    assert ended(entry) == (Stage.DECLINED, Ending.DECLINED)
    assert (entry.code, entry.result_code) == ("10", "900.100.202")
    shop.agree()
