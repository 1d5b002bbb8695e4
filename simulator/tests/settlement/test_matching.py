"""Which payments a line is about: the four keys in their order, and what is said of each."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from simulator.domain.core.money import Money
from simulator.domain.settlement.lines import SettlementLine
from simulator.domain.settlement.match_keys import MatchCandidate
from simulator.domain.settlement.matching import (
    MATCHED,
    MULTIPLE,
    NOT_MATCHED,
    CandidateIndex,
    LineMatch,
)

ACCOUNT = "a" * 32
DAY = date(2030, 1, 3)


def candidate(number: int, **more: object) -> MatchCandidate:
    """A payment of 92.00 EUR that shares nothing but that with another one."""
    given = {
        "payment": f"8{number:031}",
        "kind": "DB",
        "merchant_account": ACCOUNT,
        "money": Money(Decimal("92.00"), "EUR"),
        "day": DAY,
        "reference": f"{number:012}",
        "merchant_transaction_id": f"order-{number}",
        "last4": f"{number:04}",
    }
    return MatchCandidate(**{**given, **more})


def line(**more: object) -> SettlementLine:
    """A line of 92.00 EUR that names no payment."""
    given = {
        "place": 1,
        "id": "S1",
        "batch": "1",
        "merchant_number": ACCOUNT,
        "type": "DB",
        "is_credit": True,
        "money": Money(Decimal("92.00"), "EUR"),
        "gross": Money(Decimal("92.00"), "EUR"),
        "rate": Decimal(1),
        "settlement_date": date(2030, 1, 4),
        "requested_at": datetime(2030, 1, 3, 12, tzinfo=UTC),
    }
    return SettlementLine(**{**given, **more})


def match(found: SettlementLine, *candidates: MatchCandidate) -> tuple[str, list[int], str]:
    """Status, the numbers of the payments, and why."""
    known = {each.payment: each for each in candidates}
    status, payments, why = CandidateIndex(candidates, known.get).match(found)
    return status, [int(each[1:]) for each in payments], why


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"payment": f"8{2:031}"}, "by payment id"),
        ({"reference": f"{2:012}"}, "by reference with amount and currency"),
        ({"merchant_transaction_id": "order-2"}, "by merchantTransactionId with type and amount"),
        ({"last4": "0002"}, "by amount and currency with day and last digits"),
    ],
)
def test_each_key_finds_its_payment(more: dict[str, str], why: str) -> None:
    found = match(line(**more), candidate(1), candidate(2), candidate(3))

    assert found == (MATCHED, [2], why)


def test_an_earlier_key_decides() -> None:
    keys = {
        "payment": f"8{1:031}",
        "reference": f"{2:012}",
        "merchant_transaction_id": "order-3",
        "last4": "0004",
    }
    candidates = [candidate(number) for number in (1, 2, 3, 4)]
    for number, name in enumerate(keys, 1):
        status, payments, _ = match(line(**keys), *candidates)
        assert (status, payments) == (MATCHED, [number])
        keys = {**keys, name: ""}


@pytest.mark.parametrize(
    ("more", "shared"),
    [
        ({"reference": "1" * 12}, {"reference": "1" * 12}),
        ({"merchant_transaction_id": "order"}, {"merchant_transaction_id": "order"}),
        ({"last4": "4242"}, {"last4": "4242"}),
    ],
)
def test_several_payments_with_one_key_are_all_named(
    more: dict[str, str], shared: dict[str, str]
) -> None:
    status, payments, why = match(line(**more), *(candidate(n, **shared) for n in (1, 2, 3)))

    assert (status, payments) == (MULTIPLE, [1, 2, 3])
    assert why.startswith("3 payments have its ")


@pytest.mark.parametrize(
    ("more", "other"),
    [
        ({"reference": f"{1:012}"}, {"money": Money(Decimal("92.01"), "EUR")}),
        ({"reference": f"{1:012}"}, {"money": Money(Decimal("92.00"), "USD")}),
        ({"reference": f"{1:012}"}, {"merchant_account": "b" * 32}),
        ({"payment": f"8{1:031}"}, {"merchant_account": "b" * 32}),
        ({"merchant_transaction_id": "order-1"}, {"kind": "RF"}),
        ({"last4": "0001"}, {"day": date(2030, 1, 2)}),
        ({}, {}),
    ],
)
def test_what_differs_is_no_match(more: dict[str, object], other: dict[str, object]) -> None:
    status, payments, why = match(line(**more), candidate(1, **other))

    assert (status, payments) == (NOT_MATCHED, [])
    assert why.startswith("no payment has its ")


def test_every_field_that_differs_is_named() -> None:
    found = line(
        payment=f"8{1:031}",
        reference="9" * 12,
        type="CP",
        last4="1111",
        money=Money(Decimal("92.01"), "USD"),
    )

    _, _, why = match(found, candidate(1))

    assert why == (
        "by payment id; amount 92.01 instead of 92.00; currency USD instead of EUR; "
        f"type CP instead of DB; reference {'9' * 12} instead of {1:012}; "
        "last digits 1111 instead of 0001"
    )


@pytest.mark.parametrize(("amount", "differs"), [("30.00", False), ("92.01", True)])
def test_a_part_may_be_lower_and_not_higher(amount: str, differs: bool) -> None:
    money = Money(Decimal(amount), "EUR")

    _, _, why = match(line(payment=f"8{1:031}", money=money, is_part=True), candidate(1))

    assert ("amount" in why) is differs


def test_three_decimals_are_compared_as_the_gateway_writes_them() -> None:
    found = line(reference=f"{1:012}", money=Money(Decimal("7.500"), "KWD"))

    assert match(found, candidate(1, money=Money(Decimal("7.50"), "KWD")))[0] == MATCHED


@pytest.mark.parametrize(
    ("amount", "settled", "currency"),
    [
        ("100.50", "101", "JPY"),
        ("0.49", "0", "JPY"),
        ("999.99", "1000", "CLP"),
        ("3.33", "3", "JPY"),
        ("92.50", "92.500", "KWD"),
    ],
)
@pytest.mark.parametrize(
    "more",
    [
        {"payment": f"8{1:031}"},
        {"reference": f"{1:012}"},
        {"merchant_transaction_id": "order-1"},
        {"last4": "0001"},
    ],
)
def test_an_amount_is_compared_as_it_settles(
    amount: str, settled: str, currency: str, more: dict[str, str]
) -> None:
    paid = candidate(1, money=Money(Decimal(amount), currency))
    found = line(money=Money(Decimal(settled), currency), **more)
    status, ids, why = match(found, paid)
    assert (status, ids) == (MATCHED, [1]) and "instead of" not in why


def match_elsewhere(*candidates: MatchCandidate, is_of_day: bool = False) -> LineMatch:
    """What a line with the reference of payment 1 is about, of payments of other bank days."""
    known = {each.payment: each for each in candidates}
    day = [candidate(1, payment=f"8{7:031}")] if is_of_day else []
    known |= {each.payment: each for each in day}
    index = CandidateIndex(
        day, known.get, lambda references: {each: ["gone", *known] for each in references}
    )
    found = line(reference=f"{1:012}", last4="0001")
    index.expect([found])
    return index.match(found)


def test_a_payment_of_another_bank_day_is_found_by_its_reference_with_amount() -> None:
    assert match_elsewhere(candidate(1), candidate(2)).payments == (f"8{1:031}",)


@pytest.mark.parametrize(
    "more",
    [
        {"merchant_account": "b" * 32},
        {"money": Money(Decimal("92.01"), "EUR")},
        {"money": Money(Decimal("92.00"), "USD")},
        # It has the day and the last digits of the line.
        {"reference": f"{2:012}"},
    ],
)
def test_nothing_else_finds_a_payment_of_another_bank_day(more: dict[str, object]) -> None:
    assert match_elsewhere(candidate(1, **more)).status == NOT_MATCHED


def test_several_payments_of_other_bank_days_with_one_reference_are_all_named() -> None:
    found = match_elsewhere(candidate(1), candidate(3, reference=f"{1:012}"))

    assert (found.status, len(found.payments)) == (MULTIPLE, 2)


def test_a_payment_of_the_bank_day_goes_before_those_of_others() -> None:
    assert match_elsewhere(candidate(1), is_of_day=True).payments == (f"8{7:031}",)
