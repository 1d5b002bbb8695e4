"""An address of the live host of a fleet: which ones the suite takes for it."""

import pytest

from features.steps.payments.asynchronous import is_live_at_a_member
from features.target.records import Target

FLEET = Target(
    base_url="http://10.0.0.7:8080/", token="t", entity_id="0" * 32,
    members=("http://10.0.0.8:8080/", "http://[::1]:8080/"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("url", "is_taken"),
    [
        ("http://10.0.0.8:8081/pages/1", True),
        ("https://10.0.0.8/pages/1", True),
        ("http://[::1]:8081/", True),
        ("http://10.0.0.8:8080/pages/1", False),
        ("http://10.0.0.7:8080/pages/1", False),
        ("http://shop.example/10.0.0.8", False),
        ("http://10.0.0.8.shop.example/", False),
        ("ftp://10.0.0.8:8081/", False),
        ("", False),
    ],
)
def test_it_is_at_the_host_name_of_a_member_and_not_of_the_test_host(
    url: str, *, is_taken: bool
) -> None:
    assert is_live_at_a_member(url, FLEET) is is_taken
