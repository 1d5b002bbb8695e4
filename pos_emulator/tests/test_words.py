import pytest

from pos_emulator.apdu import (
    ApduError,
    CardCommand,
    CardResponse,
    parse_command,
    parse_response,
    status_words,
)
from pos_emulator.bits import Aip, Tsi, Tvr, bit_names, is_set, with_bit, word_of
from pos_emulator.tags import SECRET, format_of, in_words, name_of, tags


def test_every_tag_has_a_name_and_a_known_format():
    assert len(tags()) >= 133
    assert {row.format for row in tags().values()} <= {"n", "cn", "an", "ans", "b", "t"}
    assert all(row.name for row in tags().values())
    assert (name_of("9F26"), format_of("5A")) == ("application cryptogram", "cn")
    assert name_of("DF7F") == "unknown data object"


@pytest.mark.parametrize(
    ("tag", "value", "words"),
    [
        ("95", "8000048000", ["ODA not performed", "online CVM captured", "floor limit exceeded"]),
        ("9B", "F800", ["ODA performed", "card risk management performed"]),
        ("82", "3D00", ["DDA supported", "CVM supported", "CDA supported"]),
        ("9F27", "80", ["ARQC, online"]),
        ("9F34", "420300", ["enciphered PIN checked online", "unknown"]),
        ("8E", "000000000000000042031F00", ["if the terminal supports it", "no verification"]),
        ("50", "56495341", ["VISA"]),
        ("9F36", "001C", ["001C"]),
    ],
)
def test_a_value_is_put_into_words(tag, value, words):
    shown = in_words(tag, bytes.fromhex(value))

    assert all(word in shown for word in words), shown


@pytest.mark.parametrize("tag", sorted(SECRET))
def test_a_secret_value_is_never_shown(tag):
    assert "4242" not in in_words(tag, bytes.fromhex("4242420000010009"))


def test_a_bit_is_in_one_place():
    assert with_bit(bytes(5), Tvr.ISSUER_AUTHENTICATION_FAILED).hex() == "0000000040"
    assert word_of(2, Tsi.ODA_PERFORMED, Tsi.SCRIPT_PROCESSING_PERFORMED).hex() == "8400"
    assert is_set(bytes.fromhex("0080"), Aip.EMV_MODE_SUPPORTED)
    assert not is_set(b"", Aip.EMV_MODE_SUPPORTED)
    assert bit_names("5A", b"\xff") == ()


@pytest.mark.parametrize(
    ("written", "command"),
    [
        ("00A40400", CardCommand(0, 0xA4, 4, 0)),
        ("80CA9F1700", CardCommand(0x80, 0xCA, 0x9F, 0x17, expected=0)),
        ("0020008002AABB", CardCommand(0, 0x20, 0, 0x80, b"\xaa\xbb")),
        ("80A80000028300" + "00", CardCommand(0x80, 0xA8, 0, 0, b"\x83\x00", 0)),
    ],
)
def test_a_command_is_read_as_it_is_written(written, command):
    assert parse_command(bytes.fromhex(written)) == command
    assert command.encode() == bytes.fromhex(written)


@pytest.mark.parametrize(
    "written", ["", "00A404", "00A4040002AA", "00A4040001AABBCC", "00A404000000"]
)
def test_bytes_that_are_no_command_are_refused(written):
    with pytest.raises(ApduError):
        parse_command(bytes.fromhex(written))


@pytest.mark.parametrize("written", [b"", b"\x90", bytes(259)])
def test_bytes_that_are_no_response_are_refused(written):
    with pytest.raises(ApduError):
        parse_response(written)


def test_data_that_fit_into_no_command_are_refused():
    with pytest.raises(ApduError):
        CardCommand(0, 0xDA, 0, 0, bytes(256)).encode()


def test_a_status_word_says_what_it_means():
    assert status_words(0x63C2) == "wrong PIN, 2 tries left"
    assert status_words(0x6112) == "18 bytes wait to be fetched"
    assert status_words(0x6C20) == "the length is 32"
    assert status_words(0x6985) == "conditions of use not satisfied"
    assert status_words(0x1234) == "status not known"
    assert CardResponse(0x9000, b"\x01").encode() == b"\x01\x90\x00"
