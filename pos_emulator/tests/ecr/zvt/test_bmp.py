"""Fields of messages, with those of real terminals as the witness."""

from random import Random

import pytest

from pos_emulator.ecr.zvt.bmp import (
    FIELDS,
    FieldError,
    Form,
    bcd,
    digits_of,
    objects_of,
    parse_fields,
    write_fields,
)
from pos_emulator.ecr.zvt.frames import LengthFrames
from pos_emulator.ecr.zvt.settings import registration_of
from pos_emulator.tests.ecr.zvt import recorded
from pos_emulator.tlv import find

WITH_FIELDS = [
    recorded.AUTHORIZATION, recorded.REGISTERED, recorded.CANCELED, recorded.PAID,
    recorded.PAID_BY_CHIP, recorded.DECLINED,
]  # fmt: skip


def data_of(message: str) -> bytes:
    (apdu,) = LengthFrames().feed(bytes.fromhex(message))
    return apdu.data


@pytest.mark.parametrize("message", WITH_FIELDS)
def test_fields_of_real_terminals_are_read_and_written_as_they_came(message):
    data = data_of(message)
    assert write_fields(parse_fields(data)) == data


def test_what_a_real_terminal_says_of_a_payment_is_understood():
    fields = parse_fields(data_of(recorded.PAID))

    assert digits_of(fields[0x04]) == "000000002040"
    assert digits_of(fields[0x87]) == "0470"
    assert fields[0x22].hex() == "eeeeeeeeeeee4771"
    assert fields[0x8B] == b"Debit Mastercard\x00"
    assert fields[0x3C] == b"GEN.NR.:611804"


def test_objects_of_real_messages_are_found():
    chip = objects_of(parse_fields(data_of(recorded.PAID_BY_CHIP)))
    declined = objects_of(parse_fields(data_of(recorded.DECLINED)))
    status = objects_of(parse_fields(data_of(recorded.INSERT_CARD)[2:]))

    assert find(chip, "1F12") == b"\x01"
    assert find(chip, "44") == b"Debit Mastercard"
    assert find(declined, "07") == b"Abgelehnt"
    assert find(status, "07") == b"Bitte Karte einstecken"


def test_a_real_till_registers():
    registration = registration_of(data_of(recorded.REGISTRATION)[3:])

    assert registration.currency == "EUR"
    assert registration.prints_payments
    assert registration.prints_reports
    assert registration.wants_statuses
    assert registration.makes_receipts
    assert registration.takes_blocks
    assert registration.apdu_bytes_max == 0x1000


@pytest.mark.parametrize(
    ("sent", "currency"),
    [("02 0756", "CHF"), ("02", "EUR"), ("02 0300", "EUR"), ("02 0978 0300 0600", "EUR")],
)
def test_the_currency_of_a_registration_may_be_left_out(sent, currency):
    assert registration_of(bytes.fromhex(sent)).currency == currency


@pytest.mark.parametrize("number", sorted(FIELDS))
def test_each_field_comes_back_and_one_that_is_cut_off_does_not(number):
    row = FIELDS[number]
    value = bytes(row.size if row.form is Form.FIXED else 130)
    if row.form is Form.LLVAR:
        value = value[:99]
    written = write_fields({number: value})

    assert parse_fields(written) == {number: value}
    for end in range(1, len(written)):
        with pytest.raises(FieldError):
            parse_fields(written[:end])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("FE00", "without a row"), ("2700 2700", "twice"), ("22F1", "digits"), ("22FAF0", "digits"),
        ("0683000001", "one to three"), ("06", "one to three"), ("3CF0F0", "digits"),
    ],
)  # fmt: skip
def test_what_is_no_field_is_named(data, reason):
    with pytest.raises(FieldError, match=reason):
        parse_fields(bytes.fromhex(data))


def test_a_value_that_does_not_fit_is_refused():
    for values in ({0x27: b"12"}, {0x22: bytes(100)}, {0x3C: bytes(1000)}):
        with pytest.raises(FieldError):
            write_fields(values)
    with pytest.raises(FieldError):
        bcd("12345", 2)
    with pytest.raises(FieldError):
        bcd("-1", 2)
    with pytest.raises(FieldError):
        digits_of(b"\x1e")


def read_at_random(count: int, seed: int) -> int:
    """How many of so many random data were fields."""
    random, read = Random(seed), 0
    messages = [data_of(each) for each in WITH_FIELDS]
    for _ in range(count):
        data = bytearray(random.choice([*messages, random.randbytes(random.randrange(60))]))
        for _ in range(random.randrange(3) if data else 0):
            data[random.randrange(len(data))] = random.randrange(256)
        for act in (lambda data: objects_of(parse_fields(data)), registration_of):
            try:
                act(bytes(data))
                read += 1
            except FieldError:
                pass
    return read


def test_random_data_end_in_fields_or_in_an_error_of_their_own():
    assert read_at_random(2_000, seed=3) > 0


@pytest.mark.proof
def test_200_000_random_data_end_in_fields_or_in_an_error_of_their_own():
    assert read_at_random(200_000, seed=4) > 0
