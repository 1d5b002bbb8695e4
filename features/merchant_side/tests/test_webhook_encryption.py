"""What the judge sends is what a gateway sends: another reading of the envelope opens it."""

import csv
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidTag

from features.merchant_side.checks.accepting import with_full_cart, with_odd_letters
from features.merchant_side.webhook_encryption import (
    TAMPERINGS,
    encrypt_notification,
    next_attempt,
    with_lower_case_digits,
)
from features.merchant_side.webhook_messages import PAID, activation, new_payment, registration
from features.spec.envelopes import opened

KEY = bytes(range(32))
# What clients of the field get beside the specification (W2, E30); the id has rows of its own.
BESIDE = {"id", "authentication.entityId", "card.last4Digits"}
UNREADABLE = (InvalidTag, ValueError, KeyError)


def read(notification, key: bytes = KEY):
    headers = {name.lower(): value for name, value in notification.headers().items()}
    return opened(headers, notification.content(), key.hex())


@pytest.mark.parametrize("form", ["hex", "wrapped"])
@pytest.mark.parametrize("make", [activation, registration, with_full_cart, with_odd_letters])
def test_a_genuine_letter_is_opened_with_the_key(form, make) -> None:
    wrapper = make()

    assert read(encrypt_notification(wrapper, KEY, form)) == wrapper
    assert read(with_lower_case_digits(encrypt_notification(wrapper, KEY, form))) == wrapper


@pytest.mark.parametrize("how", TAMPERINGS)
def test_a_tampered_notification_fails_verification(how: str) -> None:
    wrapper = new_payment().notification(PAID)

    with pytest.raises(UNREADABLE):
        read(TAMPERINGS[how](encrypt_notification(wrapper, KEY), wrapper, KEY))


@pytest.mark.parametrize("action", ["CREATED", "UPDATED", None])
def test_a_payment_is_notified_as_the_specification_has_it(action) -> None:
    wrapper = new_payment().notification(PAID, action)

    assert wrapper["type"] == "PAYMENT" and wrapper.get("action") == action
    assert re.fullmatch("[0-9a-f]{32}", wrapper["payload"]["id"])
    assert leaves(wrapper["payload"]) <= {*specified(), *BESIDE}


def leaves(value: object, path: str = "") -> set[str]:
    """The paths of everything in a payload that holds nothing else."""
    if not isinstance(value, Mapping):
        return {path}
    inner = (leaves(each, f"{path}.{name}".lstrip(".")) for name, each in value.items())
    return set().union(*inner)


def specified() -> set[str]:
    """Every name the suite's own tables of the specification have."""
    path = Path(__file__).parents[2] / "spec" / "parameters.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return {row["name"] for row in csv.DictReader(file)}


def test_the_next_attempt_is_the_same_letter_with_the_next_number() -> None:
    first = encrypt_notification(activation(), KEY)

    assert next_attempt(first).content() == first.content()
    assert next_attempt(first).headers() == first.headers() | {"X-Delivery-Attempt": "2"}


def test_no_two_letters_have_one_vector() -> None:
    assert len({encrypt_notification(activation(), KEY).iv for _ in range(50)}) == 50
