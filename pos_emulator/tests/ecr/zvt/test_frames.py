"""Messages are cut from a stream of bytes, whole or in pieces; nothing else gets through."""

import sys
from random import Random

import pytest

from pos_emulator.ecr.zvt.frames import (
    APDU_BYTES_MAX,
    Apdu,
    FrameError,
    LengthFrames,
    SerialFrames,
    Signal,
    encode_apdu,
)
from pos_emulator.tests.ecr.zvt import recorded

FRAMES = [LengthFrames, SerialFrames]
APDUS = [Apdu(0x0601, b"\x04\x10\x10\x03"), Apdu(0x8000), Apdu(0x06D3, bytes(range(256)))]


def test_a_message_of_a_real_terminal_on_a_serial_line_is_read_and_written():
    sent = bytes.fromhex(recorded.SERIAL_COMPLETION)

    (found,) = SerialFrames().feed(sent)

    assert found == Apdu(0x060F, b"\xf0\xf0\xf72.14.15\x00")
    assert SerialFrames().wrap(found) == sent


@pytest.mark.parametrize("make", FRAMES)
@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_messages_are_read_however_they_are_cut(make, size):
    frames = make()
    sent = b"".join(frames.wrap(each) for each in APDUS)
    found = []
    for at in range(0, len(sent), size):
        found += frames.feed(sent[at : at + size])

    assert found == APDUS
    assert not frames.has_part


def test_each_byte_of_a_message_is_looked_at_once_however_it_is_cut():
    frames, calls = SerialFrames(), []
    sent = frames.wrap(Apdu(0x06D3, bytes(1000)))[:-4]
    sys.setprofile(lambda frame, event, called: calls.append(called))
    try:
        for byte in sent:
            list(frames.feed(bytes((byte,))))
    finally:
        sys.setprofile(None)

    assert len(calls) < 20 * len(sent)


@pytest.mark.parametrize("length", ["06 01 FF 01 00 07", "06 01 01 07"])
def test_a_length_has_one_byte_or_three(length):
    assert list(LengthFrames().feed(bytes.fromhex(length))) == [Apdu(0x0601, b"\x07")]


@pytest.mark.parametrize("size", [0, 1, 254, 255, 256, APDU_BYTES_MAX])
def test_a_message_of_any_size_comes_back(size):
    apdu = Apdu(0x04FF, bytes(size))
    assert list(LengthFrames().feed(encode_apdu(apdu))) == [apdu]


def test_a_message_above_the_limit_is_neither_read_nor_written():
    with pytest.raises(FrameError, match="4096"):
        encode_apdu(Apdu(0x0601, bytes(APDU_BYTES_MAX + 1)))
    with pytest.raises(FrameError, match="4096"):
        list(LengthFrames().feed(b"\x06\x01\xff\x01\x10"))
    with pytest.raises(FrameError, match="8192"):
        list(SerialFrames().feed(b"\x10\x02" + bytes(9000)))


def test_a_damaged_message_has_to_come_again_and_the_next_is_read():
    sent = bytearray(SerialFrames().wrap(APDUS[0]))
    sent[2] ^= 1
    frames = SerialFrames()

    assert list(frames.feed(bytes(sent))) == [Signal.DAMAGED]
    assert list(frames.feed(b"\x06\x15" + frames.wrap(APDUS[0]))) == [
        Signal.ACK, Signal.NAK, APDUS[0]
    ]  # fmt: skip


def read_at_random(count: int, seed: int) -> int:
    """How many messages were found in so many pieces of random bytes."""
    random, found = Random(seed), 0
    frames = [make() for make in FRAMES]
    for _ in range(count):
        # What begins like a message is of more interest than mere noise.
        begin = random.choice([b"", b"\x10\x02", b"\x06\x01", b"\x10\x03", b"\x04\x0f\xff"])
        data = begin + random.randbytes(random.randrange(40))
        for place, each in enumerate(frames):
            try:
                found += sum(1 for _ in each.feed(data))
            except FrameError:
                frames[place] = FRAMES[place]()
    return found


def test_random_bytes_end_in_messages_or_in_an_error_of_their_own():
    assert read_at_random(2_000, seed=1) > 0


@pytest.mark.proof
def test_200_000_random_pieces_end_in_messages_or_in_an_error_of_their_own():
    assert read_at_random(200_000, seed=2) > 0
