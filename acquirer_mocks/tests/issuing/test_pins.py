"""PIN blocks at the issuer: the right one, every wrong one, and what cannot be read."""

import psec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acquirer_mocks.issuing.pins import is_pin_of, verification_value
from acquirer_mocks.issuing.triple_des import supply_triple_des
from acquirer_mocks.tests.issuing.cards import FILE, ISSUER, ZONE_KEY, SmallCard

WITH_PIN = [name for name, card in FILE.cards.items() if card.pin is not None]


def is_right(card: SmallCard, block: str) -> bool:
    return is_pin_of(card.profile, ISSUER, block, zone_key=ZONE_KEY)


@pytest.fixture(autouse=True)
def _supplied() -> None:
    supply_triple_des()


def test_the_published_verification_value_is_made() -> None:
    # From the documentation of psec.
    key = bytes.fromhex("0123456789ABCDEFFEDCBA9876543210")
    assert psec.pin.generate_visa_pvv(key, "3", "4524", "1122334455667788") == "4021"

    assert verification_value(key, "3", "4524", "1122334455667788") == "4021"


@given(
    key=st.binary(min_size=16, max_size=16),
    index=st.sampled_from("0123456"),
    pin=st.from_regex("[0-9]{4}", fullmatch=True),
    number=st.from_regex("[0-9]{13,19}", fullmatch=True),
)
def test_each_verification_value_is_that_of_the_library(
    key: bytes, index: str, pin: str, number: str
) -> None:
    supply_triple_des()
    made = psec.pin.generate_visa_pvv(key, index, pin, number)
    assert verification_value(key, index, pin, number) == made


@pytest.mark.parametrize("name", WITH_PIN)
def test_the_pin_of_each_card_is_valid(name: str) -> None:
    card = SmallCard(name)
    assert is_right(card, card.pin_block(card.profile.pin))


@given(pin=st.from_regex("[0-9]{4,12}", fullmatch=True), name=st.sampled_from(WITH_PIN))
def test_every_other_pin_is_not(pin: str, name: str) -> None:
    supply_triple_des()
    card = SmallCard(name)
    made = psec.pin.generate_visa_pvv(
        bytes.fromhex(ISSUER.pvk), ISSUER.pvki, pin[:4], card.profile.number
    )
    # A verification value has four digits: some PINs share one.
    shares = len(pin) == 4 and made == card.profile.pvv
    assert is_right(card, card.pin_block(pin)) == shares


def test_a_longer_pin_that_begins_with_the_right_one_is_wrong() -> None:
    card = SmallCard("gold")
    assert not is_right(card, card.pin_block("12345"))


@given(st.binary(max_size=12))
def test_a_block_of_any_bytes_is_a_wrong_pin(data: bytes) -> None:
    card = SmallCard("gold")
    assert data == bytes.fromhex(card.pin_block("1234")) or not is_right(card, data.hex())


def test_a_block_for_another_card_is_a_wrong_pin() -> None:
    assert not is_right(SmallCard("gold"), SmallCard("dead-chip").pin_block("1234"))


def test_a_card_without_a_pin_has_no_valid_one() -> None:
    card = SmallCard("sign")
    assert not is_right(card, card.pin_block("1234"))
