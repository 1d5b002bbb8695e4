"""Sound messages are written and read as the library would, and what is not sound is left to it."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from simulator.adapters.acquiring.codec import (
    HEADER,
    TPDU_BYTES,
    InvalidMessageError,
    decoded,
    decoded_by_library,
    encoded_by_library,
)
from simulator.adapters.acquiring.sound_messages import read_sound, write_sound
from simulator.domain.acquiring.fields import FIELDS, FIXED
from simulator.tests.acquiring.test_card_messages import MESSAGES, ask, message

SAMPLE = message(ask())
RAW = encoded_by_library(SAMPLE)
KEYS = st.sampled_from(["t", "h", "1", "65", "128", "200", "x", *(row.key for row in FIELDS)])
VALUES = st.one_of(
    st.text(max_size=40),
    st.text("0123456789ABCDEF", max_size=1_001),
    st.sampled_from(["", "é", "12 34", "4" * 19, "4" * 20]),
)


@settings(max_examples=300, deadline=None)
@given(MESSAGES)
def test_a_sound_message_is_the_librarys_byte_for_byte(sent: dict[str, str]) -> None:
    raw = write_sound(HEADER, sent)
    assert raw == encoded_by_library(sent)
    assert read_sound(raw, TPDU_BYTES) == decoded_by_library(raw) == sent


@settings(max_examples=500, deadline=None)
@given(MESSAGES, KEYS, VALUES)
def test_what_the_library_refuses_to_write_is_not_written(
    sent: dict[str, str], key: str, value: str
) -> None:
    changed = {**sent, key: value}
    raw = write_sound(HEADER, changed)
    if raw is None:
        return
    assert raw == encoded_by_library(changed)


@settings(max_examples=1_000, deadline=None)
@given(st.data())
@example(None)
def test_what_the_library_refuses_to_read_is_not_read(data: st.DataObject | None) -> None:
    raw = RAW if data is None else _damaged(data)
    read = read_sound(raw, TPDU_BYTES)
    if read is not None:
        assert read == decoded_by_library(raw)


def _damaged(data: st.DataObject) -> bytes:
    """A message with some bytes changed, cut out, added or doubled."""
    raw = bytearray(encoded_by_library(data.draw(MESSAGES)))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(raw)))
        end = data.draw(st.integers(start, min(len(raw), start + 4)))
        raw[start:end] = data.draw(st.one_of(st.binary(max_size=4), st.just(raw[start:end] * 2)))
    return bytes(raw)


def test_what_is_cut_off_anywhere_is_refused_as_by_the_library() -> None:
    for size in range(len(RAW)):
        assert read_sound(RAW[:size], TPDU_BYTES) is None
        assert _refusal(decoded, RAW[:size]) == _refusal(decoded_by_library, RAW[:size])
    assert read_sound(RAW + b"0", TPDU_BYTES) is None


def test_each_row_at_its_limits_is_the_librarys() -> None:
    for row in FIELDS:
        digits = 2 if row.content == "b" else 1
        for size in (0, 1, row.size - 1, row.size, row.size + 1):
            sent = {"t": "0100", row.key: "1" * size * digits}
            raw = write_sound(HEADER, sent)
            fits = size == row.size if row.length == FIXED else size <= row.size
            assert (raw is not None) == fits, (row.key, size)
            if raw is not None:
                assert raw == encoded_by_library(sent)
                assert read_sound(raw, TPDU_BYTES) == (sent if size else None)


def _refusal(read: object, raw: bytes) -> str:
    try:
        return str(read(raw))  # type: ignore[operator]
    except InvalidMessageError as error:
        return str(error)
