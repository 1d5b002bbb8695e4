"""What counts as the answer to a boundary of a field."""

import pytest

from features.boundaries.cases import all_cases
from features.boundaries.test_fields import shown_whole, taken
from features.spec.results import TOO_MANY_REQUESTS
from simulator.client import Answer


@pytest.mark.parametrize(("code", "holds"), [("800.100.151", True), (TOO_MANY_REQUESTS, False)])
def test_a_throttled_value_is_not_known_to_be_taken(code: str, holds: bool) -> None:
    case = next(case for case in all_cases() if case.taken and case.format_only)
    assert taken(case, Answer(400, {}, {"result": {"code": code}}))[0] is holds


@pytest.mark.parametrize(
    ("address", "shown", "holds"),
    [
        ("FIELD:billing.city:longest", {"billing": {"city": "a" * 48}}, True),
        ("FIELD:billing.city:longest", {"billing": {"city": "a" * 47}}, False),
        ("FIELD:billing.city:longest", {}, True),
        ("FIELD:amount:shortest", {"amount": "1.00"}, True),
        ("FIELD:amount:shortest", {"amount": "1"}, False),
        ("FIELD:customer.surname:long", {"customer": {"surname": "a" * 48}}, True),
        ("FIELD:customer.surname:long", {"customer": {"surname": "a" * 300}}, False),
    ],
)
def test_a_field_that_is_shown_is_shown_whole(address: str, shown: object, holds: bool) -> None:
    case = next(case for case in all_cases() if case.address == address)
    assert shown_whole(case, Answer(200, {}, shown))[0] is holds
