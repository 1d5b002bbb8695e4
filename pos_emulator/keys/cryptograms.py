"""Cryptograms of the chip: keys of the card, session keys, requests and responses.

Which key and padding a card uses stands in its cryptogram version, a row of VERSIONS.
Source: EMV Book 2, 8 and Annex A1.
"""

from enum import Enum, auto
from typing import NamedTuple

from pyemv import ac, kd

from pos_emulator.keys.errors import InvalidDataError, InvalidKeyError
from pos_emulator.keys.triple_des import supply_triple_des

KEY_BYTES = 16
COUNTER_BYTES, UNPREDICTABLE_BYTES, CRYPTOGRAM_BYTES = 2, 4, 8


class Session(Enum):
    """What a session key comes from: nothing, the card's counter, or counter and random number."""

    CARD_KEY = auto()
    COUNTER = auto()
    COUNTER_AND_NUMBER = auto()


class Response(Enum):
    """How an issuer answers: method 1 under the card's key or the session key, or method 2."""

    METHOD_1_CARD_KEY = auto()
    METHOD_1_SESSION_KEY = auto()
    METHOD_2 = auto()


class CryptogramVersion(NamedTuple):
    """A cryptogram version: its session key, its padding, its response, and whether card keys
    derive by option B, which also takes numbers of over 16 digits.
    """

    session: Session
    padding: ac.PaddingType
    response: Response
    option_b: bool = False


# Data are filled with zeros, or with 80 and zeros.
ZEROS, MARKED = ac.PaddingType.VISA, ac.PaddingType.EMV

# fmt: off
VERSIONS = {
    10: CryptogramVersion(Session.CARD_KEY,           ZEROS,  Response.METHOD_1_CARD_KEY),
    16: CryptogramVersion(Session.COUNTER_AND_NUMBER, MARKED, Response.METHOD_1_CARD_KEY),
    17: CryptogramVersion(Session.COUNTER_AND_NUMBER, MARKED, Response.METHOD_1_CARD_KEY),
    18: CryptogramVersion(Session.COUNTER,            MARKED, Response.METHOD_2),
    20: CryptogramVersion(Session.COUNTER,            MARKED, Response.METHOD_1_SESSION_KEY),
    21: CryptogramVersion(Session.COUNTER,            MARKED, Response.METHOD_1_SESSION_KEY),
    22: CryptogramVersion(Session.COUNTER,            MARKED, Response.METHOD_2, option_b=True),
}
# fmt: on


def derive_card_key(issuer_key: bytes, pan: str, sequence: str, *, option_b: bool = False) -> bytes:
    """Return the key of a card, 16 bytes, from the issuer's, its number and sequence number.

    Raises InvalidKeyError, InvalidDataError.
    """
    _check_key(issuer_key)
    supply_triple_des()
    derive = kd.derive_icc_mk_b if option_b else kd.derive_icc_mk_a
    try:
        return derive(issuer_key, pan, sequence)
    except ValueError:
        raise InvalidDataError("expected a card number and a sequence of two digits") from None


def derive_session_key(card_key: bytes, diversifier: bytes) -> bytes:
    """Return the common session key of 16 bytes for 8 bytes that differ each time.

    Raises InvalidKeyError, InvalidDataError.
    """
    _check_key(card_key)
    if len(diversifier) != CRYPTOGRAM_BYTES:
        raise InvalidDataError(f"a session key derives from {CRYPTOGRAM_BYTES} bytes")
    supply_triple_des()
    return kd.derive_common_sk(card_key, diversifier)


def session_key(
    version: CryptogramVersion, card_key: bytes, counter: bytes, number: bytes
) -> bytes:
    """Return the key of one transaction, from the card's counter (2 bytes) and the terminal's
    unpredictable number (4 bytes). Raises InvalidKeyError, InvalidDataError.
    """
    _check_key(card_key)
    if len(counter) != COUNTER_BYTES or len(number) != UNPREDICTABLE_BYTES:
        raise InvalidDataError("expected a counter of 2 bytes and a number of 4 bytes")
    match version.session:
        case Session.CARD_KEY:
            return card_key
        case Session.COUNTER:
            return derive_session_key(card_key, counter + bytes(6))
        case Session.COUNTER_AND_NUMBER:
            return derive_session_key(card_key, counter + bytes(2) + number)


def cryptogram(key: bytes, data: bytes, padding: ac.PaddingType = MARKED) -> bytes:
    """Return the cryptogram of 8 bytes over the data of a transaction, under its session key.

    Raises InvalidKeyError, InvalidDataError.
    """
    _check_key(key)
    if not data:
        raise InvalidDataError("a cryptogram is over data")
    supply_triple_des()
    return ac.generate_ac(key, data, padding)


def response_cryptogram(
    version: CryptogramVersion, request: bytes, answer: bytes, *, card_key: bytes, key: bytes
) -> bytes:
    """Return the issuer's cryptogram over the one it was sent and its `answer`.

    `key` is that of the transaction; the answer is a response code of 2 bytes (method 1, 8 bytes
    come back) or a status update of 4 bytes (method 2, 4 bytes come back). Raises InvalidKeyError,
    InvalidDataError.
    """
    if version.response is Response.METHOD_2:
        return response_2(key, request, answer)
    is_card_key = version.response is Response.METHOD_1_CARD_KEY
    return response_1(card_key if is_card_key else key, request, answer)


def response_1(key: bytes, request: bytes, code: bytes) -> bytes:
    """Return the response of method 1, 8 bytes. Raises InvalidKeyError, InvalidDataError."""
    _check_answer(key, request, code, 2)
    return ac.generate_arpc_1(key, request, code)


def response_2(key: bytes, request: bytes, status: bytes) -> bytes:
    """Return the response of method 2, 4 bytes. Raises InvalidKeyError, InvalidDataError."""
    _check_answer(key, request, status, 4)
    return ac.generate_arpc_2(key, request, status)


def _check_answer(key: bytes, request: bytes, answer: bytes, size: int) -> None:
    _check_key(key)
    if len(request) != CRYPTOGRAM_BYTES or len(answer) != size:
        raise InvalidDataError(f"expected a cryptogram of 8 bytes and an answer of {size}")
    supply_triple_des()


def _check_key(key: bytes) -> None:
    if len(key) != KEY_BYTES:
        raise InvalidKeyError(f"a key of the card has {KEY_BYTES} bytes")
