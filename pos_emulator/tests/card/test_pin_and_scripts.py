import pytest

from pos_emulator import apdu
from pos_emulator.card.profiles import card_file
from pos_emulator.kernel.enciphered_pin import encipher_block
from pos_emulator.keys.offline_rsa import PublicKey
from pos_emulator.tests.card.reader import Reader
from pos_emulator.tests.issuer import cryptography_of

PIN = "0020008008"


def block(pin: str) -> bytes:
    return bytes.fromhex(f"2{len(pin):X}{pin}".ljust(16, "F"))


def verify(reader: Reader, pin: str) -> int:
    return reader.data("00200080", block(pin)).sw


def enciphered(reader: Reader, pin: str, challenge: bytes) -> int:
    key = PublicKey(reader.chip.rsa.modulus_bytes, b"\x03")
    sealed = encipher_block(key, block(pin), challenge, random_bytes=bytes)
    return reader.data("00200088", sealed).sw


def started(name: str = "gold") -> Reader:
    reader = Reader(name)
    reader.start()
    return reader


def test_tries_count_down_and_a_right_pin_restores_them():
    reader = started()

    assert [verify(reader, pin) for pin in ("9999", "9999", "1234", "9999")] == [
        0x63C2, 0x63C1, apdu.OK, 0x63C2,
    ]  # fmt: skip


def test_a_pin_is_blocked_after_its_last_try_even_for_the_right_one():
    reader = started()
    for _ in range(3):
        verify(reader, "9999")

    assert verify(reader, "1234") == apdu.PIN_BLOCKED
    reader.reset()
    reader.start()
    assert verify(reader, "1234") == apdu.PIN_BLOCKED


def test_pulling_the_card_between_tries_gains_nothing():
    reader = started()
    verify(reader, "9999")
    reader.reset()
    reader.start()

    assert verify(reader, "9999") == 0x63C1


def test_a_card_may_have_fifteen_tries():
    reader = started("wrong-pin-proof")

    assert [verify(reader, "0000") for _ in range(15)] == [0x63C0 | n for n in range(14, -1, -1)]
    assert verify(reader, "4321") == apdu.PIN_BLOCKED


@pytest.mark.parametrize(
    "written", ["241234FFFFFFFFF0", "041234FFFFFFFFFF", "23123FFFFFFFFFFF", "2D1234567890123F"]
)
def test_a_block_of_another_format_counts_as_an_incorrect_pin(written):
    assert started().data("00200080", bytes.fromhex(written)).sw == 0x63C2


@pytest.mark.parametrize(
    ("command", "sw"),
    [
        (PIN[:8] + "07" + "24" + "12" * 6, apdu.WRONG_LENGTH),
        ("0020010008" + "00" * 8, apdu.WRONG_PARAMETERS),
        ("0020000008" + "00" * 8, apdu.WRONG_PARAMETERS),
    ],
)
def test_a_malformed_verify_costs_no_try(command, sw):
    reader = started()

    assert reader.send(command).sw == sw
    assert reader.memory.pin_tries == 3


def test_a_chip_without_a_pin_says_so():
    assert verify(started("sign"), "1234") == apdu.DATA_NOT_FOUND


def test_an_enciphered_pin_holds_for_its_challenge_and_once():
    reader = started()
    challenge = reader.send("0084000000").data

    assert enciphered(reader, "1234", challenge) == apdu.OK
    assert enciphered(reader, "1234", challenge) == apdu.REFERENCE_INVALIDATED
    other = reader.send("0084000000").data
    assert other != challenge
    assert enciphered(reader, "1234", challenge) == apdu.REFERENCE_INVALIDATED
    assert reader.memory.pin_tries == 3


def test_an_enciphered_pin_that_is_incorrect_costs_a_try():
    reader = started()

    assert enciphered(reader, "9999", reader.send("0084000000").data) == 0x63C2


def test_an_enciphered_pin_of_another_length_is_refused():
    reader = started()
    reader.send("0084000000")

    assert reader.data("00200088", bytes(100)).sw == apdu.WRONG_LENGTH
    assert started("sign").send("0084000000").is_ok


class Script:
    """A card whose request was made, and its issuer's keys."""

    def __init__(self, name: str) -> None:
        self.reader = started(name)
        self.reader.generate("80")
        self.keys = cryptography_of(card_file().cards[name])
        self.sent = 0

    def command(self, header: str, data: bytes = b"", *, is_genuine: bool = True) -> int:
        start = bytes.fromhex(header) + bytes([len(data) + 8])
        mac = self.keys.generate_command_mac(start, self.request, self.counter, data)
        self.sent += 1
        return self.reader.send(start, data, mac if is_genuine else bytes(8)).sw

    @property
    def counter(self) -> bytes:
        return self.reader.state.counter

    @property
    def request(self) -> bytes:
        first = int.from_bytes(self.reader.state.session.request, "big")
        is_counted = self.reader.chip.scheme == "2"
        return (first + self.sent * is_counted).to_bytes(8, "big")


SCRIPTED = ("gold", "stolen", "online-only", "offline", "wrong-pin-proof", "poor")


@pytest.mark.parametrize("name", SCRIPTED)
def test_the_issuer_blocks_and_unblocks_the_application(name):
    script = Script(name)

    assert script.command("841E0000") == apdu.OK
    script.reader.reset()
    assert script.reader.select().sw == apdu.INVALIDATED
    again = Script(name)
    again.reader.memory = script.reader.memory
    assert again.command("84180000") == apdu.OK


@pytest.mark.parametrize("name", SCRIPTED)
def test_a_command_without_the_issuers_mac_changes_nothing_but_is_remembered(name):
    script = Script(name)

    assert script.command("841E0000", is_genuine=False) == apdu.MAC_WRONG
    assert script.reader.send("841E000004", bytes(4)).sw == apdu.MAC_MISSING
    assert script.reader.memory.blocked == ()
    assert script.reader.memory.script_failed


def test_the_issuer_blocks_the_card():
    script = Script("gold")
    script.command("84160000")
    script.reader.reset()

    assert script.reader.select().sw == apdu.FUNCTION_NOT_SUPPORTED


@pytest.mark.parametrize("name", ["gold", "offline", "wrong-pin-proof", "stolen"])
def test_the_issuer_unblocks_the_pin(name):
    script = Script(name)
    for _ in range(15):
        verify(script.reader, "9999")
    assert script.reader.memory.pin_tries == 0

    assert script.command("84240000") == apdu.OK
    assert verify(script.reader, card_file().cards[name].pin) == apdu.OK


@pytest.mark.parametrize("name", ["gold", "offline", "wrong-pin-proof", "stolen"])
def test_the_issuer_changes_the_pin(name):
    script = Script(name)
    scheme_2 = script.reader.chip.scheme == "2"
    pin = script.keys.generate_pin_change_command
    command = pin("87654321", script.request, script.counter)

    assert script.reader.send(command).sw == apdu.OK
    assert verify(script.reader, "87654321") == apdu.OK
    assert verify(script.reader, card_file().cards[name].pin) & 0xFFF0 == apdu.TRIES_LEFT
    assert "87654321" not in repr(script.reader.memory)
    assert scheme_2 == (len(command) == 5 + 8 + 8)


def test_the_issuer_puts_limits_and_resets_counters():
    script = Script("offline")

    assert script.command("84DA9F14", b"\x01") == apdu.OK
    assert script.reader.send("80CA9F1400").data.hex() == "9f140101"
    assert script.command("84DA9F02", b"\x01") == apdu.DATA_NOT_FOUND
    assert script.command("84DA9F23", b"\x01\x02") == apdu.WRONG_LENGTH


def test_several_commands_of_one_script_are_each_under_their_own_mac():
    script = Script("offline")

    results = [script.command("84DA9F14", bytes([value])) for value in (1, 2, 3)]

    assert results == [apdu.OK] * 3
    assert script.reader.memory.data["9F14"] == b"\x03"
