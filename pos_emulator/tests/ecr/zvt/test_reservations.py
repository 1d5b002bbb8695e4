"""A till that knows a payment by four digits alone finds its reservation after the end of day, and
never that of another customer.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal

import pytest

from pos_emulator.ecr.zvt.server import serve_zvt
from pos_emulator.terminal.records import OrderError, OrderKind, Stage
from pos_emulator.tests.ecr.conftest import ANY_PORT
from pos_emulator.tests.ecr.zvt.till import ZvtTill
from pos_emulator.tests.terminal.shop import Shop

COMPLETION, REFUSED, NOT_REVERSED = "060f00", "061e01b8", "061e01b5"
GOLD, OFFLINE = "0009", "0204"
CLOSE = "0650 03 000000"
REVERSAL = "0630 06 000000 87 {}"
VOID = "0625 06 000000 87 {}"
BOOK = "0624 06 000000 87 {}"
PART = "0624 0D 000000 04 000000001000 87 {}"


@contextmanager
def till_at(shop: Shop) -> Iterator[ZvtTill]:
    with serve_zvt(shop.terminal, ANY_PORT) as address, ZvtTill(address) as till:
        yield till


def reserve(shop: Shop, till: ZvtTill, card: str = "gold", cents: int = 10000) -> str:
    """The receipt number of a new reservation, as the till gets it."""
    shop.desk.cards, shop.desk.pins = [shop.insert(card)], ["1234"]
    *_, result, end = till.ask(f"0622 07 04 {cents:012d}")
    assert end == COMPLETION
    return result.partition("49097887")[2][:4]


def count_from(shop: Shop, number: int) -> None:
    """Let the terminal have given this number last."""
    shop.edit(lambda journal: journal.write(replace(journal.numbers, receipt=number)))


def captures(shop: Shop) -> list[tuple[str, str, Decimal | None]]:
    """What was captured: of which payment, of which card, and how much."""
    return [
        (each.original, each.printed.card if each.printed else "", each.approved)
        for each in shop.terminal._parts.journal.entries()
        if each.order.operation is OrderKind.CAPTURE and each.stage is Stage.APPROVED
    ]


@pytest.mark.parametrize("restarts", [False, True], ids=["", "restarted"])
def test_numbers_go_on_over_the_end_of_day(shop: Shop, restarts: bool):
    with till_at(shop) as till:
        first = reserve(shop, till)
        assert till.ask(CLOSE)[-1] == COMPLETION
        if not restarts:
            assert (first, reserve(shop, till)) == ("0001", "0002")
    if restarts:
        shop.restart()
        with till_at(shop) as till:
            assert (first, reserve(shop, till)) == ("0001", "0002")


@pytest.mark.parametrize("restarts", [False, True], ids=["", "restarted"])
def test_a_reservation_of_yesterday_is_captured_and_not_that_of_today(shop: Shop, restarts: bool):
    with till_at(shop) as till:
        yesterday = reserve(shop, till)
        till.ask(CLOSE)
        today = reserve(shop, till, "offline", 20000)
    if restarts:
        shop.restart()
    with till_at(shop) as till:
        part = till.ask(PART.format(yesterday))
        rest = till.ask(BOOK.format(yesterday))
        more = till.ask(PART.format(yesterday))
        whole = till.ask(BOOK.format(today))

    assert [each[-1] for each in (part, rest, whole)] == [COMPLETION] * 3
    assert more[-1] == "061e0105"
    assert captures(shop) == [
        ("0001-000001", GOLD, Decimal("10.00")),
        ("0001-000001", GOLD, Decimal("90.00")),
        ("0002-000002", OFFLINE, Decimal("200.00")),
    ]
    shop.agree()


def test_a_reservation_of_yesterday_is_voided_by_its_own_command_alone(shop: Shop):
    with till_at(shop) as till:
        yesterday = reserve(shop, till)
        till.ask(CLOSE)
        reserve(shop, till, "offline")

        reversed_ = till.ask(REVERSAL.format(yesterday))
        voided = till.ask(VOID.format(yesterday))
        again = till.ask(VOID.format(yesterday))
        booked = till.ask(BOOK.format(yesterday))

    assert [each[-1] for each in (reversed_, voided)] == [NOT_REVERSED, COMPLETION]
    assert [each[-1] for each in (again, booked)] == [REFUSED, REFUSED]
    old, new = (shop.terminal.entry(each) for each in ("0001-000001", "0002-000002"))
    assert old is not None and new is not None
    assert (old.stage, new.stage) == (Stage.REVERSED, Stage.APPROVED)


def test_a_void_of_another_amount_than_that_of_its_payment_is_refused(shop: Shop):
    shop.desk.cards = [shop.insert()]
    with till_at(shop) as till:
        till.pay(1000)
        reserved = reserve(shop, till)
        ends = [
            till.ask(f"{command} 0D 000000 04 {cents:012d} 87 {receipt}")[-1]
            for command, receipt, whole in (("0630", "0001", 1000), ("0625", reserved, 10000))
            for cents in (whole - 1, whole + 1, 0, whole)
        ]

    assert ends == [NOT_REVERSED] * 3 + [COMPLETION] + [REFUSED] * 3 + [COMPLETION]
    shop.agree()


def test_the_amount_of_a_void_is_in_the_currency_of_its_payment(shop: Shop):
    shop.desk.cards = [shop.insert(), shop.insert()]
    with till_at(shop) as till:
        till.pay(1000)
        in_dollars = till.ask("0630 10 000000 04 000000001000 87 0001 49 0840")
        in_euros = till.ask("0630 10 000000 04 000000001000 87 0001 49 0978")
        till.ask("0601 0A 04 000000001000 49 0392")
        in_yen = till.ask("0630 0D 000000 04 000000001000 87 0003")

    ends = [each[-1] for each in (in_dollars, in_euros, in_yen)]
    assert ends == [NOT_REVERSED, COMPLETION, COMPLETION]


def test_a_sale_of_yesterday_is_not_reversed(shop: Shop):
    shop.desk.cards = [shop.insert()]
    with till_at(shop) as till:
        till.pay(1000)
        till.ask(CLOSE)
        till.pay(2000)

        assert till.ask(REVERSAL.format("0001"))[-1] == NOT_REVERSED
        assert till.ask(BOOK.format("0001"))[-1] == REFUSED
        assert till.ask(VOID.format("0001"))[-1] == REFUSED
        assert till.ask(REVERSAL.format("0002"))[-1] == COMPLETION
    assert shop.books()["agree"]


def test_after_9999_comes_the_first_number_that_no_reservation_has(shop: Shop):
    with till_at(shop) as till:
        kept = reserve(shop, till)
        till.ask(CLOSE)
    count_from(shop, 9998)
    with till_at(shop) as till:
        last, first = reserve(shop, till, "offline"), reserve(shop, till, "offline")

        repeated = till.ask("0620 03 000000")
        booked = till.ask(PART.format(kept))
        closed = till.ask(CLOSE)

    assert (kept, last, first) == ("0001", "9999", "0002")
    assert "870002" in repeated[1], "the newest receipt, not the highest number"
    assert booked[-1] == COMPLETION
    assert captures(shop) == [("0001-000001", GOLD, Decimal("10.00"))]
    assert closed[1].partition("60f0f5f3")[2][:8] == "99990003"


def test_a_batch_has_no_number_twice(shop: Shop):
    shop.desk.cards = [shop.insert()]
    with till_at(shop) as till:
        till.pay(1000)
    count_from(shop, 9999)

    assert shop.order("10.00", cards=[shop.insert()]).receipt == "000002"


def test_two_reservations_of_one_number_of_an_earlier_build_are_not_guessed(shop: Shop):
    with till_at(shop) as till:
        reserve(shop, till)
        till.ask(CLOSE)
        reserve(shop, till, "offline", 20000)
    second = shop.terminal.entry("0002-000002")
    assert second is not None
    shop.renumber(second, "000001")
    with till_at(shop) as till:
        for order in (BOOK, PART, VOID):
            assert till.ask(order.format("0001"))[-1] == REFUSED
        assert captures(shop) == []
        reversed_ = till.ask(REVERSAL.format("0001"))
        late = till.ask(BOOK.format("0001"))

    assert reversed_[-1] == COMPLETION, "06 30 is about the open batch"
    assert late[-1] == REFUSED, "the till may mean the one that it has reversed"
    with pytest.raises(OrderError, match="0001-000001, 0002-000001"):
        shop.order(None, OrderKind.CAPTURE, receipt="000001")
    named = shop.order(None, OrderKind.CAPTURE, receipt="0001-000001")
    assert (named.stage, named.printed.card) == (Stage.APPROVED, GOLD)


def test_a_reservation_of_an_earlier_build_is_found_by_its_number(shop: Shop):
    shop.desk.cards = [shop.insert()]
    with till_at(shop) as till:
        reserve(shop, till)
        till.ask(CLOSE)
        till.pay(1000)
    sale = shop.terminal.entry("0002-000002")
    assert sale is not None
    shop.renumber(sale, "000001")
    with till_at(shop) as till:
        booked = till.ask(PART.format("0001"))

    assert booked[-1] == COMPLETION
    assert captures(shop) == [("0001-000001", GOLD, Decimal("10.00"))]
    with pytest.raises(OrderError, match="0001-000001, 0002-000001"):
        shop.order(None, OrderKind.VOID, receipt="000001")
