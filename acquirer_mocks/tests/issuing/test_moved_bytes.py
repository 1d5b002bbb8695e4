"""What a chip signs has fixed lengths: bytes that were moved between tags make it invalid."""

from itertools import pairwise

import pytest

from acquirer_mocks.issuing.chip_data import data_objects, written
from acquirer_mocks.issuing.cryptograms import COUNTER, ISSUER_DATA, SIGNED, is_valid
from acquirer_mocks.tests.issuing.cards import FILE, SmallCard
from acquirer_mocks.tests.issuing.counters import InternalCounter, Till

ONE_OF_EACH_VERSION = {card.cvn: name for name, card in FILE.cards.items()}


def moved_forward(objects: dict[str, bytes], tag: str, other: str, count: int) -> dict[str, bytes]:
    """The last bytes of `tag` stand before those of `other`."""
    value = objects[tag]
    kept, rest = value[: len(value) - count], value[len(value) - count :]
    return {**objects, tag: kept, other: rest + objects[other]}


def moved_back(objects: dict[str, bytes], tag: str, other: str, count: int) -> dict[str, bytes]:
    """The first bytes of `other` stand behind those of `tag`."""
    value = objects[other]
    return {**objects, tag: objects[tag] + value[:count], other: value[count:]}


def replayed(objects: dict[str, bytes]) -> dict[str, bytes]:
    """Data of cryptogram version 10 with a higher counter: the values together are the same."""
    start, rest = objects[ISSUER_DATA][:3], objects[ISSUER_DATA][3:]
    return {
        **objects,
        "82": objects["82"] + objects[COUNTER],
        COUNTER: rest[:1],
        ISSUER_DATA: start + rest[1:] + b"\x00",
    }


@pytest.mark.parametrize("name", ONE_OF_EACH_VERSION.values())
@pytest.mark.parametrize("move", [moved_forward, moved_back])
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("pair", list(pairwise(SIGNED)), ids=" to ".join)
def test_a_cryptogram_is_not_valid_with_bytes_moved_between_tags(name, move, count, pair):
    card = SmallCard(name)
    objects = card.signed()
    assert is_valid(card.keys, objects)
    changed = move(objects, *pair, count)
    assert changed == objects or not is_valid(card.keys, changed)


@pytest.mark.parametrize("name", ONE_OF_EACH_VERSION.values())
@pytest.mark.parametrize("length", [0, 1, 3, 6, 33, 60])
def test_issuer_data_of_a_length_that_no_card_has_is_not_valid(name, length):
    card = SmallCard(name)
    issuer_data = (bytes.fromhex(card.profile.iad) + bytes(60))[:length]
    objects = card.signed(**{ISSUER_DATA: issuer_data.hex()})
    assert not is_valid(card.keys, objects)


def test_a_payment_with_bytes_moved_is_declined_and_the_card_still_pays():
    till, card = Till(InternalCounter()), SmallCard("sign")
    objects = card.signed()
    assert till.sell(card, chip=written(objects)).response == "00"

    again = till.sell(card, chip=written(replayed(objects)))
    assert again.response == card.profile.issuer.wrong_cryptogram
    assert till.known(card).counter == 1
    assert till.findings()[0].response == "88"

    assert till.sell(card).response == "00"
    assert till.charged(card) == "184.00"


@pytest.mark.parametrize("tag", ["9F36", "9F26", "9F02"])
def test_a_tag_that_is_there_twice_is_not_read(tag):
    till, card = Till(InternalCounter()), SmallCard("gold")
    chip = card.chip()
    size = 8 if tag == "9F26" else 2 if tag == COUNTER else 6
    assert till.sell(card, chip=f"{chip}{tag}{size:02X}{'07' * size}").response == "05"
    with pytest.raises(ValueError, match="twice"):
        data_objects(f"{chip}{tag}0100")


@pytest.mark.parametrize("length", ["8102", "820002"])
def test_another_form_of_a_length_is_the_same_payment(length):
    till, card = Till(InternalCounter()), SmallCard("sign")
    chip = card.chip()
    assert till.sell(card, chip=chip).response == "00"
    assert "9F36020001" in chip
    longer = chip.replace("9F36020001", f"9F36{length}0001")
    assert till.sell(card, chip=longer).response == "05"
    assert till.findings()[0].reason == "ATC 1 after 1: a payment is repeated"
