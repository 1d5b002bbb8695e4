"""What the judge sends is what a gateway sends: another reading of the envelope opens it."""

import pytest
from cryptography.exceptions import InvalidTag

from features.receiving.messages import PAID, activation, new_payment, registration
from features.receiving.sealing import SPOILED, again, lower_case, sealed
from features.receiving.taking import with_full_cart, with_odd_letters
from features.spec.envelopes import opened

KEY = bytes(range(32))
UNREADABLE = (InvalidTag, ValueError, KeyError)


def read(letter, key: bytes = KEY):
    headers = {name.lower(): value for name, value in letter.headers().items()}
    return opened(headers, letter.content(), key.hex())


@pytest.mark.parametrize("form", ["hex", "wrapped"])
@pytest.mark.parametrize("make", [activation, registration, with_full_cart, with_odd_letters])
def test_a_genuine_letter_is_opened_with_the_key(form, make) -> None:
    wrapper = make()

    assert read(sealed(wrapper, KEY, form)) == wrapper
    assert read(lower_case(sealed(wrapper, KEY, form))) == wrapper


@pytest.mark.parametrize("how", SPOILED)
def test_a_spoiled_letter_is_opened_by_nobody_who_verifies(how: str) -> None:
    wrapper = new_payment().told(PAID)

    with pytest.raises(UNREADABLE):
        read(SPOILED[how](sealed(wrapper, KEY), wrapper, KEY))


def test_the_next_attempt_is_the_same_letter_with_the_next_number() -> None:
    first = sealed(activation(), KEY)

    assert again(first).content() == first.content()
    assert again(first).headers() == first.headers() | {"X-Delivery-Attempt": "2"}


def test_no_two_letters_have_one_vector() -> None:
    assert len({sealed(activation(), KEY).iv for _ in range(50)}) == 50
