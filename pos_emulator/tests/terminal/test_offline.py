"""What the card approves without the host is stored, and uploaded once."""

from datetime import timedelta
from decimal import Decimal

import pytest

from pos_emulator.terminal.records import (
    Ending,
    OrderError,
    OrderKind,
    Stage,
    TerminalEntry,
)
from pos_emulator.terminal.saf import StoreLimits
from pos_emulator.tests.terminal.shop import FAST, SALE, Shop, ended, without_network


def test_26_and_27_offline_approval_and_decline(shop: Shop):
    shop.order("60.00", cards=[shop.insert("offline")])
    shop.terminal.network_up = False

    approved = shop.order("12.00", cards=[shop.insert("offline")])
    declined = shop.order("60.00", cards=[shop.insert("offline")])

    assert ended(approved) == (Stage.STORED, Ending.APPROVED)
    assert (approved.code, approved.is_offline) == ("Y1", True)
    assert approved.printed.status == "APPROVED OFFLINE"
    assert ended(declined) == (Stage.FAILED, Ending.UNREACHABLE)
    assert declined.code == "Z3"
    shop.terminal.network_up = True
    shop.agree()


def test_28_payments_without_a_host_are_stored_and_uploaded_in_order(shop: Shop):
    shop.terminal.network_up = False
    for amount in ("11.00", "12.00"):
        entry = shop.order(amount, cards=[shop.insert("gold")], forced_online=True)
        assert (entry.code, entry.stage) == ("Y3", Stage.STORED)
    assert shop.terminal.work() == 2

    shop.terminal.network_up = True
    shop.clock.advance(minutes=1)
    assert shop.terminal.work() == 0

    sent = [each for each in reversed(shop.sandbox.journal()) if each.get("method") == "POST"]
    assert [each["request"]["amount"] for each in sent] == ["11.00", "12.00"]
    assert [each.stage for each in shop.terminal.entries()] == [Stage.APPROVED] * 2
    shop.agree()


def test_an_explicit_request_tries_also_what_was_tried_just_now(shop: Shop):
    without_network(shop)
    shop.terminal.network_up = False
    tried = [shop.terminal.work(), shop.terminal.work_at_once()]
    shop.terminal.network_up = True

    tried += [shop.terminal.work(), shop.terminal.work_at_once()]

    assert tried == [1, 1, 1, 0]
    shop.agree()


@pytest.mark.parametrize("fault", ["connection-reset", "connection-reset-before", "proxy-503"])
def test_an_upload_whose_answer_is_lost_pays_once(shop: Shop, fault: str):
    without_network(shop)
    shop.sandbox.arm(fault, times=1, match=SALE)

    left = [shop.terminal.work()]
    shop.clock.advance(minutes=1)
    left.append(shop.terminal.work())

    assert left == [1, 0]
    assert [(line["type"], line["count"]) for line in shop.books()["lines"]] == [("DB", 1)]
    shop.agree()


def test_an_answer_that_is_lost_before_an_offline_approval_is_reversed(shop: Shop):
    shop.sandbox.arm("connection-reset", times=1, match=SALE)

    entry = shop.order("12.00", cards=[shop.insert("gold")], forced_online=True)

    assert (entry.code, entry.ending) == ("Y3", Ending.APPROVED)
    assert [(line["type"], line["gateway"]) for line in shop.books()["lines"]] == [
        ("DB", "24.00"), ("RF", "12.00"),
    ]  # fmt: skip
    shop.agree()


@pytest.mark.parametrize(
    "limits",
    [
        StoreLimits(count=1),
        StoreLimits(amount=Decimal("20.00")),
        StoreLimits(age=timedelta(minutes=5)),
    ],
    ids=["count", "amount", "age"],
)
def test_a_full_store_refuses_offline(shop: Shop, limits: StoreLimits):
    shop.options["limits"] = limits
    shop.restart()
    shop.terminal.network_up = False
    first = shop.order("12.00", cards=[shop.insert("gold")])
    shop.clock.advance(minutes=10)

    second = shop.order("12.00", cards=[shop.insert("gold")])

    assert (first.stage, second.stage, second.ending) == (
        Stage.STORED, Stage.FAILED, Ending.UNREACHABLE,
    )  # fmt: skip
    shop.terminal.network_up = True
    shop.agree()


def test_an_offline_payment_is_voided_before_it_is_uploaded(shop: Shop):
    sale = without_network(shop)

    void = shop.order(None, OrderKind.VOID, receipt=sale.receipt)

    assert ended(void) == (Stage.APPROVED, Ending.APPROVED)
    assert shop.terminal.work() == 0
    assert shop.books()["lines"] == []
    shop.agree()


def test_what_is_refused_of_an_offline_payment_leaves_nothing_in_the_journal(shop: Shop):
    sale = without_network(shop)

    with pytest.raises(OrderError, match="approved offline and is not uploaded yet"):
        shop.order("5.00", OrderKind.REFUND, receipt=sale.receipt)

    assert shop.terminal.entries() == (sale,)
    shop.agree()


@pytest.mark.parametrize("fault", ["connection-reset-before", "line-sign-off"])
def test_an_upload_that_waits_for_its_next_try_keeps_the_later_ones_back(shop: Shop, fault: str):
    first = without_network(shop)
    shop.clock.advance(seconds=5)
    second = without_network(shop)
    match = {"match": SALE} if fault.startswith("connection") else {}
    shop.sandbox.arm(fault, times=1, **match)

    left = []
    for seconds in (0, 2, 60):
        shop.clock.advance(seconds=seconds)
        left.append(shop.terminal.work())

    assert left == [2, 2, 0]
    assert [each.name for each in uploaded(shop)] == [first.name, second.name]
    shop.agree()


def uploaded(shop: Shop) -> list[TerminalEntry]:
    """The stored payments as the gateway approved them, one after the other."""
    sent = [each for each in reversed(shop.sandbox.journal()) if each.get("method") == "POST"]
    names = [each["request"]["merchantTransactionId"] for each in sent]
    entries = [each for each in shop.terminal.entries() if each.stage is Stage.APPROVED]
    return sorted(entries, key=lambda each: names.index(each.transaction))


@pytest.mark.parametrize(
    "behaviour", ["pending", "pending-then-approved", "pending-then-declined", "decline"]
)
def test_an_upload_is_approved_at_once_also_against_a_script(shop: Shop, behaviour: str):
    without_network(shop)
    shop.sandbox.arm(behaviour, times=1)

    assert shop.terminal.work() == 0

    assert shop.terminal.entries()[-1].stage is Stage.APPROVED
    assert shop.moved_at_gateway() == Decimal("12.00")
    shop.sandbox.advance("2h")
    shop.agree()


@pytest.mark.parametrize("repeated", ["accept", "refuse", "repeat"])
def test_an_upload_that_the_host_has_not_taken_is_sent_again(shop: Shop, repeated: str):
    """The card host signs off, and decides nothing."""
    control, sandbox, channel = shop.sandbox.control, shop.sandbox.id, shop.document["channel"]
    (merchant,) = control.sandbox(sandbox)["merchants"]
    mode = {"repeated_merchant_transaction_id": repeated, "repeated_sequence_number": "refuse"}
    control.change_channel(sandbox, merchant["id"], channel, **mode)
    without_network(shop)
    shop.sandbox.arm("line-sign-off", times=2)

    left, stages = [], []
    for _ in range(3):
        left.append(shop.terminal.work())
        stages.append(shop.terminal.entries()[-1].stage)
        shop.clock.advance(minutes=1)

    assert left == [1, 1, 0]
    assert stages == [Stage.STORED, Stage.STORED, Stage.APPROVED]
    assert shop.moved_at_gateway() == Decimal("12.00")
    shop.agree()


@FAST
def test_an_upload_that_the_host_did_not_answer_is_sent_again(shop: Shop):
    without_network(shop)
    shop.sandbox.arm({"steps": {"link": "timeout"}}, times=1)

    left = [shop.terminal.work()]
    assert shop.sandbox.drain()
    shop.clock.advance(minutes=1)
    left.append(shop.terminal.work())

    assert left == [1, 0]
    shop.agree()
