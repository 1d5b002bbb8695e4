"""Cryptograms, answers and command codes: published values, and cards of every version."""

import warnings

import psec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acquirer_mocks.issuing.chip_data import data_objects, written
from acquirer_mocks.issuing.commands import COMMANDS, command_named, templates
from acquirer_mocks.issuing.cryptograms import (
    NEEDED,
    VERSIONS,
    CardKeys,
    card_keys,
    command_code,
    is_valid,
    issuer_authentication,
    lacking,
)
from acquirer_mocks.issuing.triple_des import supply_triple_des
from acquirer_mocks.tests.issuing.cards import FILE, ISSUER, SmallCard

KEYS = ("0123456789ABCDEFFEDCBA9876543210", "FEDCBA98765432100123456789ABCDEF")
KEYS += ("89ABCDEF0123456776543210FEDCBA98",)
COMMON = {"9F03": "000000000000", "9F1A": "0124", "5F2A": "0124", "9F36": "001C", "82": "1800"}
FIRST = {
    **COMMON, "9F02": "000000004000", "95": "8000048000", "9A": "191105", "9C": "01",
    "9F37": "52BF4585",
}  # fmt: skip
SECOND = {
    **COMMON, "9F02": "000000009999", "95": "8000000000", "9A": "209906", "9C": "00",
    "9F37": "ABCDEF12",
}  # fmt: skip
IAD_10, IAD_18 = "06010A03A06010", "06011203A0B800"
IAD_2 = "01{:02X}A00003220000000000000000000322FF"
# Made on an HSM: github.com/knovichikhin/pyemv, tests/test_cvn_hsm.py.
# fmt: off
PUBLISHED = [
    # version  data     9F10     ARQC            approves  ARPC and what it is made over
    (10, FIRST,  IAD_10,           "29CCA15AE665FA2E", True,  "28993816AFAE4AEB3030"),
    (18, FIRST,  IAD_18,           "7A788EA6B8A3E733", False, "9AF514C100000000"),
    (22, FIRST,  IAD_18,           "7A788EA6B8A3E733", False, "9AF514C100000000"),
    (16, SECOND, IAD_2.format(16), "24CCF3DEE3158C70", True,  "73F6BBF389A6586C0010"),
    (17, SECOND, IAD_2.format(17), "EAE8A620A75648D8", True,  "29CF11FBDB9CA6500010"),
    (20, SECOND, IAD_2.format(20), "CD29615D6452E70E", True,  "DFD0956606B68D640010"),
    (21, SECOND, IAD_2.format(21), "C30E54BE496CF5E5", True,  "4F51F9CC63CE8B3C0010"),
]
# fmt: on


def keys_of(version: int) -> CardKeys:
    supply_triple_des()
    master = (bytes.fromhex(key) for key in KEYS)
    row = VERSIONS[version]
    return CardKeys(row, row.make(*master, "1234567890123456", "00"))


def objects_of(data: dict[str, str], issuer_data: str, cryptogram: str) -> dict[str, bytes]:
    written_out = {**data, "9F10": issuer_data, "9F26": cryptogram}
    return {tag: bytes.fromhex(value) for tag, value in written_out.items()}


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: f"version {row[0]}")
def test_published_cryptograms_are_valid_and_answered(row: tuple) -> None:
    version, data, issuer_data, cryptogram, approves, answer = row
    card = objects_of(data, issuer_data, cryptogram)
    assert is_valid(keys_of(version), card)
    made = issuer_authentication(keys_of(version), card, response="00", approves=approves)
    assert made.hex().upper() == answer


@pytest.mark.parametrize(
    ("version", "issuer_data", "cryptogram", "code"),
    [
        (10, IAD_10, "29CCA15AE665FA2E", "DB56BA60087CEFD3"),
        (18, IAD_18, "7A788EA6B8A3E733", "04EDE90BC24CC35E"),
    ],
)
def test_published_codes_of_a_command_are_made(
    version: int, issuer_data: str, cryptogram: str, code: str
) -> None:
    card = objects_of(FIRST, issuer_data, cryptogram)
    header = bytes.fromhex(COMMANDS["unblock-application"].header + "08")
    made = command_code(keys_of(version), card, place=0, header=header, data=b"")
    assert made.hex().upper() == code


def test_the_published_template_with_a_command_is_made() -> None:
    card = objects_of(SECOND, IAD_2.format(17), "EAE8A620A75648D8")
    made = templates(keys_of(17), card, ("unblock-pin",), script=bytes(4))
    assert written(made) == "72169F180400000000860D84240000084D1858456CD0F22A"


@pytest.mark.parametrize("name", FILE.cards)
def test_what_a_card_signs_its_issuer_finds_valid(name: str) -> None:
    card = SmallCard(name)
    assert is_valid(card.keys, card.signed())


@pytest.mark.parametrize("name", FILE.cards)
def test_another_card_of_the_same_account_has_other_keys(name: str) -> None:
    assert not is_valid(SmallCard(name, sequence="02").keys, SmallCard(name).signed())


@pytest.mark.parametrize("name", FILE.cards)
@pytest.mark.parametrize("tag", NEEDED)
def test_a_bit_that_was_changed_makes_a_cryptogram_invalid(name: str, tag: str) -> None:
    card = SmallCard(name)
    objects = card.signed()
    changed = bytearray(objects[tag])
    # What a card signs of its issuer data begins after key and version.
    changed[3 if tag == "9F10" else 0] ^= 0x40
    assert not is_valid(card.keys, {**objects, tag: bytes(changed)})


@given(tag=st.sampled_from(NEEDED), value=st.binary(max_size=40))
def test_data_of_any_length_is_judged_without_an_error(tag: str, value: bytes) -> None:
    card = SmallCard("offline")
    objects = card.signed()
    assert is_valid(card.keys, {**objects, tag: value}) == (value == objects[tag])


def test_what_a_cryptogram_cannot_be_checked_without_is_named() -> None:
    objects = SmallCard().signed()
    del objects["9F37"]
    assert lacking(objects) == ("9F37",)
    assert lacking({}) == NEEDED


@pytest.mark.parametrize("name", FILE.cards)
def test_an_approval_and_a_decline_are_answered_differently(name: str) -> None:
    card = SmallCard(name)
    objects = card.signed()
    yes, no = (
        issuer_authentication(card.keys, objects, response=response, approves=response == "00")
        for response in ("00", "05")
    )
    assert yes != no
    assert len(yes) == len(no)


def test_each_command_of_scheme_2_has_the_next_cryptogram() -> None:
    codes = {}
    for name in ("gold", "offline"):
        card = SmallCard(name)
        objects = card.signed()
        header = bytes.fromhex("8424000008")
        codes[name] = [
            command_code(card.keys, objects, place=place, header=header, data=b"")
            for place in (0, 1)
        ]
    assert codes["gold"][0] == codes["gold"][1]
    assert codes["offline"][0] != codes["offline"][1]


@pytest.mark.parametrize("name", ["gold", "offline"])
def test_commands_stand_before_or_after_the_second_cryptogram(name: str) -> None:
    card = SmallCard(name, counter=6)
    objects = card.signed()
    names = ("unblock-pin", "reset-counters", "put-data 9F14 05")
    made = templates(card.keys, objects, names, script=b"\x00\x00\x00\x01")
    assert list(made) == ["71", "72"]
    before, after = (made[tag].hex().upper() for tag in ("71", "72"))
    assert before.startswith("9F180400000001860F84DA9F130A0007")
    assert "860E84DA9F140905" in before
    assert after.startswith("9F180400000001860D8424000008")


@pytest.mark.parametrize("name", ["unblock", "", "put-data", "put-data 9F14", "put-data 9F14 0"])
def test_an_unknown_command_is_no_command(name: str) -> None:
    with pytest.raises(KeyError):
        command_named(name)


@given(st.dictionaries(st.sampled_from(["95", "9F36", "5F2A", "9F10"]), st.binary(max_size=300)))
def test_data_objects_are_read_as_they_were_written(objects: dict[str, bytes]) -> None:
    assert data_objects(written(objects)) == objects


@given(st.binary(max_size=60))
def test_anything_is_read_or_refused(data: bytes) -> None:
    try:
        assert sum(map(len, data_objects(data.hex()).values())) <= len(data)
    except ValueError as error:
        assert str(error).startswith("chip data: ")


@pytest.mark.parametrize("chip", ["9F", "9F26", "9F2608AA", "95810", "zz", "9583000001", "9580"])
def test_chip_data_that_is_cut_off_is_refused(chip: str) -> None:
    with pytest.raises(ValueError, match="chip data"):
        data_objects(chip)


def test_triple_des_gives_no_warning() -> None:
    supply_triple_des()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        psec.des.encrypt_tdes_ecb(bytes(range(16)), bytes(8))
        card_keys(ISSUER, FILE.cards["gold"], "01")


def test_keys_are_not_shown() -> None:
    assert repr(SmallCard().keys) == "CardKeys(...)"
