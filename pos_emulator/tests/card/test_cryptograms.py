"""The card's cryptograms against published numbers (made on an HSM) and against pyemv's classes."""

import pytest
from pyemv import kd

from pos_emulator.card.cryptograms import (
    VERSIONS,
    cryptogram,
    dynamic_number,
    is_issuer_answer,
    script_key,
    script_mac,
    script_request,
)
from pos_emulator.card.profiles import card_file
from pos_emulator.keys.triple_des import supply_triple_des
from pos_emulator.tests.issuer import CLASSES

MASTER = bytes.fromhex("0123456789ABCDEFFEDCBA9876543210")
PAN, COUNTER = "1234567890123456", bytes.fromhex("001C")
COMMON = {"9F03": "000000000000", "9F1A": "0124", "5F2A": "0124", "82": "1800", "9F36": "001C"}
SCHEME_1 = {
    "9F02": "000000004000", "95": "8000048000", "9A": "191105", "9C": "01", "9F37": "52BF4585",
}  # fmt: skip
SCHEME_2 = {
    "9F02": "000000009999", "95": "8000000000", "9A": "209906", "9C": "00", "9F37": "ABCDEF12",
}  # fmt: skip
ISSUER_DATA_2 = "0110A00003220000" + "0000" + "00000000000322FF"
# Made on an HSM: version, values, issuer application data, request, issuer's answer.
PUBLISHED = [
    (10, SCHEME_1, "06010A03A06010", "29CCA15AE665FA2E", "28993816AFAE4AEB3030"),
    (18, SCHEME_1, "06011203A0B800", "7A788EA6B8A3E733", "9AF514C100000000"),
    (22, SCHEME_1, "06011203A0B800", "7A788EA6B8A3E733", "9AF514C100000000"),
    (16, SCHEME_2, ISSUER_DATA_2, "24CCF3DEE3158C70", "73F6BBF389A6586C0010"),
    (17, SCHEME_2, ISSUER_DATA_2, "EAE8A620A75648D8", "29CF11FBDB9CA6500010"),
    (20, SCHEME_2, ISSUER_DATA_2, "CD29615D6452E70E", "DFD0956606B68D640010"),
    (21, SCHEME_2, ISSUER_DATA_2, "C30E54BE496CF5E5", "4F51F9CC63CE8B3C0010"),
]


@pytest.fixture(autouse=True)
def _triple_des():
    supply_triple_des()


def values_of(rows: dict[str, str]) -> dict[str, bytes]:
    return {tag: bytes.fromhex(value) for tag, value in (COMMON | rows).items()}


@pytest.mark.parametrize(("version", "rows", "issuer_data", "request_made", "answer"), PUBLISHED)
def test_request_and_answer_equal_the_published_ones(
    version, rows, issuer_data, request_made, answer
):
    key = kd.derive_icc_mk_a(MASTER, PAN, "00")
    request = bytes.fromhex(request_made)

    made = cryptogram(version, key, values_of(rows), bytes.fromhex(issuer_data))

    assert made == request
    assert is_issuer_answer(
        version, key, request=request, counter=COUNTER, answer=bytes.fromhex(answer)
    )


@pytest.mark.parametrize("version", sorted(VERSIONS))
def test_issuer_and_card_compute_the_same_at_each_version(version):
    issuer = CLASSES[version](MASTER, MASTER, MASTER, PAN, "00")
    key, request = kd.derive_icc_mk_a(MASTER, PAN, "00"), bytes.fromhex("1122334455667788")
    if VERSIONS[version].method == 2:
        update = bytes.fromhex("03920000")
        answer = issuer.generate_arpc(request, COUNTER, update) + update
    elif version in (20, 21):
        answer = issuer.generate_arpc(request, COUNTER, b"00") + b"00"
    else:
        answer = issuer.generate_arpc(request, b"00") + b"00"

    def accepts(answer: bytes) -> bool:
        return is_issuer_answer(version, key, request=request, counter=COUNTER, answer=answer)

    assert accepts(answer)
    assert not accepts(answer[:-1] + bytes([answer[-1] ^ 1]))
    assert not accepts(bytes([answer[0] ^ 1]) + answer[1:])
    assert not any(accepts(answer[:size]) for size in range(len(answer)))


@pytest.mark.parametrize("version", sorted(VERSIONS))
def test_a_script_mac_of_the_issuer_is_the_one_the_card_expects(version):
    issuer = CLASSES[version](MASTER, MASTER, MASTER, PAN, "00")
    key, first = kd.derive_icc_mk_a(MASTER, PAN, "00"), bytes.fromhex("11223344556677FF")
    header = bytes.fromhex("8424000008")
    for position in range(3):
        request = script_request(version, first, position)
        session = script_key(version, key, counter=COUNTER, request=request)
        made = script_mac(session, header=header, counter=COUNTER, request=request, data=b"")

        assert made == issuer.generate_command_mac(header, request, COUNTER)


def test_commands_of_scheme_2_are_bound_to_a_cryptogram_that_counts_up():
    last = b"\xff" * 8

    assert script_request(16, last, 1) == bytes(8)
    assert script_request(18, last, 1) == last


def test_the_cards_own_numbers_differ_by_transaction_and_purpose():
    numbers = {
        dynamic_number(MASTER, counter=counter.to_bytes(2, "big"), purpose=purpose)
        for counter in range(20)
        for purpose in range(20)
    }

    assert len(numbers) == 400


def test_no_key_is_shown_by_the_records_that_hold_it():
    file = card_file()
    shown = f"{file} {file.issuer} {file.issuer.master_keys} {file.cards['gold']}"

    assert not any(
        secret in shown
        for secret in (file.issuer.master_keys.ac, file.cards["gold"].number, "1234")
    )
