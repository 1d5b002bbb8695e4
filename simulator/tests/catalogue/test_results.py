"""Result codes, brands, references and test cards: what the rows say of each other."""

from collections import Counter

import pytest

from simulator.catalogue import results
from simulator.catalogue.brands import BRANDS
from simulator.catalogue.choices import CHOICES
from simulator.catalogue.payment_types import PAYMENT_TYPES, REFERRING_TYPES
from simulator.catalogue.results import CLASSES, RESULTS, class_of
from simulator.catalogue.test_cards import TEST_CARDS
from simulator.grammar.choices import choose

# Fragments that clients look for in result.description.
FRAGMENTS = {
    "000.000.100": "successful request",
    "000.100.110": "Request successfully processed in 'Merchant in Integrator Test Mode'",
    "000.100.112": "Request successfully processed in 'Merchant in Connector Test Mode'",
    "000.200.000": "transaction pending",
    "000.200.100": "successfully created checkout",
    "100.100.101": "invalid creditcard, bank account number or bank name",
    "200.300.404": "invalid or missing parameter",
    "600.200.500": "Invalid payment data",
    "700.400.510": "capture needs at least one successful transaction of type (PA)",
    "700.400.530": "reversal needs at least one successful transaction",
    "700.400.580": "cannot find transaction",
    "800.100.151": "transaction declined (invalid card)",
    "800.900.300": "invalid authentication information",
}


def prefix_length(number: str, ranges: tuple[tuple[str, str], ...]) -> int:
    """The length of the longest range that `number` falls into, 0 for none."""
    fitting = [len(low) for low, high in ranges if low <= number[: len(low)] <= high]
    return max(fitting, default=0)


def brands_detected(number: str) -> list[str]:
    lengths = {
        brand.value: prefix_length(number, brand.ranges)
        for brand in BRANDS.values()
        if brand.detected and len(number) in brand.lengths
    }
    longest = max(lengths.values())
    return [value for value, length in lengths.items() if length == longest > 0]


@pytest.mark.parametrize(("code", "fragment"), FRAGMENTS.items())
def test_a_description_keeps_the_fragment_that_clients_look_for(code, fragment):
    assert fragment in RESULTS[code].text


def test_a_throttled_client_is_answered_too_many_requests_and_to_retry_later():
    text = RESULTS["800.120.100"].text
    assert "too many requests" in text
    assert "retry later" in text


def test_every_result_code_has_one_row():
    counted = Counter(row.code for row in results.ROWS)
    assert [code for code, count in counted.items() if count > 1] == []
    assert len(RESULTS) == 678


def test_result_codes_are_in_order_and_short_enough_for_an_answer():
    assert list(RESULTS) == sorted(RESULTS)
    assert all(1 < len(row.text) <= 255 for row in RESULTS.values())


def test_every_group_of_result_codes_has_a_class():
    assert {row.group for row in RESULTS.values()} == set(CLASSES)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("000.000.000", "success"),
        ("000.100.110", "success"),
        ("000.400.000", "review"),
        ("000.200.000", "pending"),
        ("800.400.500", "pending_delayed"),
        ("000.100.220", "chargeback"),
        ("800.100.151", "declined"),
        ("000.400.101", "declined"),
    ],
)
def test_the_class_of_a_code_is_that_of_its_group(code, expected):
    assert class_of(code) == expected


@pytest.mark.parametrize("card", TEST_CARDS, ids=lambda card: card.number)
def test_a_test_card_is_detected_as_its_brand_and_no_other(card):
    assert brands_detected(card.number) == [card.brand]


def test_ranges_of_detected_brands_do_not_overlap_at_the_same_length():
    ranges = [
        (low, high, brand.value)
        for brand in BRANDS.values()
        if brand.detected
        for low, high in brand.ranges
    ]
    for low, high, brand in ranges:
        same_length = [other for other in ranges if len(other[0]) == len(low)]
        overlapping = {name for first, last, name in same_length if first <= high and low <= last}
        assert overlapping == {brand}


def test_both_ends_of_a_range_of_card_numbers_are_equally_long():
    for brand in BRANDS.values():
        assert all(len(low) == len(high) and low <= high for low, high in brand.ranges)


def test_every_code_of_a_reference_is_a_result_code():
    for row in map(PAYMENT_TYPES.get, REFERRING_TYPES):
        assert {row.unsuitable, row.unknown, row.used_up} <= set(RESULTS)


@pytest.mark.parametrize(
    ("profile", "types"), [("specification", ("PA",)), ("field", ("PA", "DB"))]
)
def test_a_reversal_of_a_debit_is_a_matter_of_the_profile(profile, types):
    assert PAYMENT_TYPES["RV"].refers_to(choose(CHOICES, profile)) == types


def test_only_what_takes_a_whole_payment_back_needs_no_amount():
    without = [row.code for row in PAYMENT_TYPES.values() if not row.amount_needed]
    assert without == ["RV", "CB", "CR"]
