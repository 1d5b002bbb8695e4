import hashlib
from dataclasses import replace

import pytest

from pos_emulator import apdu
from pos_emulator.card.issuer_data import AAC, ARQC, TC
from pos_emulator.card.personalization import personalize
from pos_emulator.card.profiles import card_file
from pos_emulator.card.records import Interface, Protocol
from pos_emulator.tests.card.reader import VALUES, Reader
from pos_emulator.tests.issuer import cryptography_of, expected_cryptogram
from pos_emulator.tlv import find, find_all, parse

ALL = tuple(name for name, profile in card_file().cards.items() if "contact" in profile.interfaces)
PSE = b"1PAY.SYS.DDF01"
PPSE = b"2PAY.SYS.DDF01"


def parts(response):
    """Kind, counter, cryptogram and issuer data of either format."""
    nodes = parse(response.data)
    if nodes[0].tag == "80":
        content = nodes[0].value
        return content[0], content[1:3], content[3:11], content[11:]
    values = [find(nodes, tag) for tag in ("9F27", "9F36", "9F26", "9F10")]
    return values[0][0], *values[1:]


def answer_of(reader, profile, code=b"00"):
    """Issuer authentication data for the reader's last request."""
    keys, state = cryptography_of(profile), reader.state
    request, counter = state.session.request, state.counter
    if profile.cvn in (18, 22):
        update = bytes.fromhex("00800000") if code == b"00" else bytes(4)
        return keys.generate_arpc(request, counter, update) + update
    if profile.cvn in (20, 21):
        return keys.generate_arpc(request, counter, code) + code
    return keys.generate_arpc(request, code) + code


@pytest.mark.parametrize("name", ALL)
def test_each_card_makes_the_cryptogram_its_issuer_expects(name):
    reader, profile = Reader(name), card_file().cards[name]
    assert reader.start().is_ok

    kind, counter, code, data = parts(reader.generate("80"))

    values = VALUES | {"82": reader.chip.contact.aip, "9F36": counter, "9F10": data}
    assert kind == ARQC
    assert code == expected_cryptogram(profile, values)
    assert len(data) == len(bytes.fromhex(profile.iad))


@pytest.mark.parametrize("name", ALL)
def test_each_card_approves_once_its_issuer_has_answered(name):
    reader, profile = Reader(name), card_file().cards[name]
    reader.start()
    reader.generate("80")
    answer = answer_of(reader, profile)
    if profile.scheme == "1":
        assert reader.data("00820000", answer).is_ok
        assert reader.data("00820000", answer).sw == apdu.CONDITIONS_NOT_MET

    kind, counter, code, data = parts(reader.generate("40", second=True, **{"91": answer}))

    values = VALUES | {"82": reader.chip.contact.aip, "9F36": counter, "9F10": data}
    assert kind == TC
    assert code == expected_cryptogram(profile, values)
    assert (reader.memory.last_online_atc, reader.memory.online_pending) == (1, False)
    assert reader.generate("40", second=True).sw == apdu.CONDITIONS_NOT_MET


@pytest.mark.parametrize("name", ALL)
def test_a_card_declines_behind_a_false_issuer_and_remembers_it(name):
    reader, profile = Reader(name), card_file().cards[name]
    reader.start()
    reader.generate("80")
    answer = bytes(4) + answer_of(reader, profile)[4:]
    if profile.scheme == "1":
        assert reader.data("00820000", answer).sw == apdu.AUTHENTICATION_FAILED

    kind, *_ = parts(reader.generate("40", second=True, **{"91": answer}))

    assert kind == AAC
    assert reader.memory.issuer_failed


@pytest.mark.parametrize(
    ("name", "asked", "given"),
    [("gold", "40", TC), ("gold", "00", AAC), ("online-only", "40", ARQC), ("offline", "40", TC)],
)
def test_a_card_gives_what_was_asked_for_or_less(name, asked, given):
    reader = Reader(name)
    reader.start()

    assert parts(reader.generate(asked))[0] == given


def test_a_card_asks_for_its_issuer_after_too_many_payments_offline():
    reader = Reader("offline")
    kinds = []
    for _ in range(5):
        reader.reset()
        reader.start()
        kinds.append(parts(reader.generate("40"))[0])

    assert kinds == [TC, TC, TC, ARQC, ARQC]
    assert reader.memory.offline_amount == 3 * 60_00


def test_a_card_asks_for_its_issuer_when_the_last_request_was_cut_off():
    reader = Reader("gold")
    reader.start()
    reader.generate("80")
    reader.reset()
    reader.start()

    assert parts(reader.generate("40"))[0] == ARQC


def test_the_counter_goes_up_with_each_payment_and_stops_at_its_end():
    reader = Reader("gold")
    reader.remember(atc=0xFFFE)

    assert reader.start().is_ok
    assert reader.memory.atc == 0xFFFF
    reader.reset()
    assert reader.start().sw == apdu.CONDITIONS_NOT_MET
    assert reader.memory.atc == 0xFFFF


@pytest.mark.parametrize(
    ("steps", "command"),
    [
        ("", "80A80000028300"),
        ("", "00B2010C00"),
        ("", "0020008008241234FFFFFFFFFF"),
        ("", "80CA9F1700"),
        ("select", "00B2010C00"),
        ("select", "80AE8000021122"),
        ("select", "008800000401020304"),
        ("start", "80A8000004830202" + "76"),
        ("start", "00820000" + "08" + "00" * 8),
        ("start", "8424000008" + "00" * 8),
    ],
)
def test_a_command_before_its_time_is_refused(steps, command):
    reader = Reader("gold")
    if steps:
        getattr(reader, steps)()

    assert reader.send(command).sw == apdu.CONDITIONS_NOT_MET


@pytest.mark.parametrize(
    ("command", "sw"),
    [
        ("00", apdu.WRONG_LENGTH),
        ("00A4000000", apdu.WRONG_PARAMETERS),
        ("00A4040004A0000000", apdu.WRONG_LENGTH),
        ("00A4040007A0000000999999", apdu.FILE_NOT_FOUND),
        ("00FF0000", apdu.INS_NOT_SUPPORTED),
        ("90A40400", apdu.CLA_NOT_SUPPORTED),
        ("00C0000010", apdu.CONDITIONS_NOT_MET),
    ],
)
def test_a_command_that_is_none_is_refused_with_its_status_word(command, sw):
    assert Reader("gold").send(command).sw == sw


def test_the_directory_names_each_application():
    reader = Reader("two-apps")
    directory = find(parse(reader.data("00A40400", PSE).data), "88")
    records = [reader.send(f"00B2{number:02X}0C00") for number in range(1, 5)]

    assert directory == b"\x01"
    assert [find(parse(record.data), "50") for record in records[:3]] == [
        b"VISA CREDIT", b"VISA DEBIT", b"VPAY",
    ]  # fmt: skip
    assert records[3].sw == apdu.RECORD_NOT_FOUND


def test_a_record_of_the_directory_may_name_several_applications():
    chip = replace(personalize("two-apps"), directory=((0, 1), (2,)))
    reader = Reader(chip)
    reader.data("00A40400", PSE)

    first, second = (reader.send(f"00B2{number:02X}0C00") for number in (1, 2))

    assert len(find_all(parse(first.data), "61")) == 2
    assert len(find_all(parse(second.data), "61")) == 1


def test_a_partial_name_finds_one_application_after_the_other():
    reader = Reader("two-apps")
    found = [reader.data("00A40400", bytes.fromhex("A000000003"))]
    for _ in range(3):
        found.append(reader.data("00A40402", bytes.fromhex("A000000003")))

    assert [response.sw for response in found] == [
        apdu.OK, apdu.OK, apdu.INVALIDATED, apdu.FILE_NOT_FOUND,
    ]  # fmt: skip
    assert find(parse(found[1].data), "84").hex().upper() == "A0000000032010"


def test_a_blocked_application_is_found_but_does_not_pay():
    reader = Reader("two-apps")

    assert reader.select(2).sw == apdu.INVALIDATED
    assert reader.send("80A80000048302027600").sw == apdu.CONDITIONS_NOT_MET


def test_each_interface_has_its_own_directory():
    assert Reader("gold").data("00A40400", PPSE).sw == apdu.FILE_NOT_FOUND
    tapped = Reader("tap", Interface.CONTACTLESS)
    assert tapped.data("00A40400", PPSE).is_ok
    assert tapped.data("00A40400", PSE).sw == apdu.FILE_NOT_FOUND
    assert Reader("tap").select().sw == apdu.FILE_NOT_FOUND


def test_a_card_of_protocol_t0_has_its_response_fetched():
    reader = Reader(replace(personalize("gold"), protocol=Protocol.T0))
    waiting = reader.select()
    again = reader.send("00C0000001")
    fetched = reader.send(f"00C00000{waiting.sw & 0xFF:02X}")
    nothing_left = reader.send(f"00C00000{waiting.sw & 0xFF:02X}")

    assert waiting.sw & 0xFF00 == apdu.BYTES_LEFT
    assert again.sw == apdu.LENGTH_IS | waiting.sw & 0xFF
    assert find(parse(fetched.data), "84") == reader.chip.applications[0].aid
    assert nothing_left.sw == apdu.CONDITIONS_NOT_MET


def test_a_card_of_protocol_t0_names_the_length_of_a_record():
    reader = Reader(replace(personalize("gold"), protocol=Protocol.T0))
    reader.start()

    named = reader.send("00B2010C00")
    record = reader.send(f"00B2010C{named.sw & 0xFF:02X}")

    assert named.sw & 0xFF00 == apdu.LENGTH_IS
    assert record.is_ok and len(record.data) == named.sw & 0xFF


def test_get_data_gives_counters_and_no_other_object():
    reader = Reader("offline")
    reader.remember(atc=7, last_online_atc=4)
    reader.start()

    assert reader.send("80CA9F3600").data.hex() == "9f36020008"
    assert reader.send("80CA9F1300").data.hex() == "9f13020004"
    assert reader.send("80CA9F1700").data.hex() == "9f170103"
    assert find(parse(reader.send("80CA9F4F00").data), "9F4F")
    for tag in ("5A", "57", "9F26"):
        assert reader.send(f"80CA{tag.rjust(4, '0')}00").sw == apdu.DATA_NOT_FOUND


def test_payments_are_logged_and_the_log_is_bounded():
    reader = Reader("gold")
    for _ in range(12):
        reader.reset()
        reader.start()
        reader.generate("40")

    assert len(reader.memory.log) == 10
    newest = reader.send("00B2015C00").data
    assert newest.hex() == "000000006000" + "0978" + "261123" + "00" + "000c"
    assert reader.send("00B20B5C00").sw == apdu.RECORD_NOT_FOUND


def test_a_signature_over_the_terminals_number_opens_with_the_cards_public_key():
    reader = Reader("gold")
    reader.start()
    signature = parse(reader.send("008800000401020304").data)[0].value
    key = reader.chip.rsa
    block = pow(int.from_bytes(signature, "big"), 3, key.modulus).to_bytes(key.size, "big")

    hashed = hashlib.sha1(block[1:-21] + bytes.fromhex("01020304")).digest()

    assert (block[:3].hex(), block[-1], block[-21:-1]) == ("6a0501", 0xBC, hashed)


def test_a_card_without_a_key_does_not_sign():
    reader = Reader("sign")
    reader.start()

    assert reader.send("008800000401020304").sw == apdu.INS_NOT_SUPPORTED


def test_a_tap_answers_with_the_cryptogram_and_with_what_the_card_wants():
    below, above = Reader("gold", Interface.CONTACTLESS), Reader("gold", Interface.CONTACTLESS)
    first = below.start(**{"9F66": bytes.fromhex("36800000")})
    second = above.start(**{"9F66": bytes.fromhex("36C00000")})

    assert find(parse(first.data), "9F27") == bytes([ARQC])
    assert find(parse(first.data), "9F6C").hex() == "0000"
    assert find(parse(second.data), "9F6C").hex() == "8000"
    values = VALUES | {node.tag: node.value for node in parse(first.data)[0].children}
    profile = card_file().cards["gold"]
    assert values["9F26"] == expected_cryptogram(profile, values)


def test_a_tap_of_a_card_that_may_approve_is_signed():
    reader = Reader("gold", Interface.CONTACTLESS)

    answer = parse(reader.start().data)

    assert find(answer, "9F27") == bytes([TC])
    assert len(find(answer, "9F4B")) == reader.chip.rsa.size
    assert reader.memory.offline_in_a_row == 1


@pytest.mark.parametrize("bits", ["00400000", "00200000", "03100000"])
def test_a_status_update_of_the_issuer_is_obeyed_and_none_of_an_impostor(bits):
    for is_genuine in (True, False):
        reader = Reader("gold")
        reader.remember(pin_tries=1)
        reader.start()
        reader.generate("80")
        update = bytes.fromhex(bits)
        keys, state = cryptography_of(card_file().cards["gold"]), reader.state
        answer = keys.generate_arpc(state.session.request, state.counter, update)
        reader.data("00820000", (answer if is_genuine else bytes(4)) + update)
        reader.generate("40", second=True)

        memory = reader.memory
        obeyed = memory.card_blocked or bool(memory.blocked) or memory.pin_tries == 3
        assert obeyed is is_genuine
