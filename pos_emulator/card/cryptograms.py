"""What a chip computes under the keys it was given: cryptograms and the issuer's answers to them.

A cryptogram version (CVN) is a row: how session keys come about, what is signed, how the issuer
answers, and how script commands are protected. The two schemes are named 1 and 2.
Source: EMV Book 2, 8 and annex A1.
"""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from pyemv import ac, kd, sm, tools

SIGNED = ("9F02", "9F03", "9F1A", "95", "5F2A", "9A", "9C", "9F37", "82", "9F36")


class SessionKey(Enum):
    """How the key of a cryptogram comes about."""

    MASTER = "the card's master key itself"
    COMMON = "from the transaction counter"
    WITH_NUMBER = "from the transaction counter and the unpredictable number"


@dataclass(frozen=True)
class ChipCvn:
    """A row: `signs` are the parts of the issuer application data under the cryptogram.

    `method` is 1 or 2 of the response cryptogram, made under the session key or, where
    `answers_under_master`, under the master key. The keys of script commands come from the
    transaction counter, or else from the cryptogram.
    """

    session: SessionKey
    padding: ac.PaddingType
    signs: tuple[slice, ...]
    method: int
    answers_under_master: bool
    script_key_of_counter: bool
    encryption: sm.EncryptionType


EMV, ZEROS = ac.PaddingType.EMV, ac.PaddingType.VISA
FIRST, SECOND = sm.EncryptionType.VISA, sm.EncryptionType.MASTERCARD
ALL, CVR_1, CVR_2 = (slice(None),), (slice(3, 7),), (slice(2, 8),)
WITH_COUNTERS = (slice(2, 8), slice(10, 18))

# fmt: off
VERSIONS: Mapping[int, ChipCvn] = {
    #            session key             padding signs          method master counter encryption
    10: ChipCvn(SessionKey.MASTER,      ZEROS,  CVR_1,         1,     True,  True,   FIRST),
    18: ChipCvn(SessionKey.COMMON,      EMV,    ALL,           2,     False, True,   FIRST),
    22: ChipCvn(SessionKey.COMMON,      EMV,    ALL,           2,     False, False,  FIRST),
    16: ChipCvn(SessionKey.WITH_NUMBER, EMV,    CVR_2,         1,     True,  False,  SECOND),
    17: ChipCvn(SessionKey.WITH_NUMBER, EMV,    WITH_COUNTERS, 1,     True,  False,  SECOND),
    20: ChipCvn(SessionKey.COMMON,      EMV,    CVR_2,         1,     False, False,  SECOND),
    21: ChipCvn(SessionKey.COMMON,      EMV,    WITH_COUNTERS, 1,     False, False,  SECOND),
}
# fmt: on


@dataclass(frozen=True)
class ChipKeys:
    """The keys on one chip, derived from the issuer's master keys at personalization."""

    cryptograms: bytes = field(repr=False)
    integrity: bytes = field(repr=False)
    confidentiality: bytes = field(repr=False)
    magstripe_code: bytes = field(repr=False)


def signed_part(cvn: int, issuer_data: bytes) -> bytes:
    """The part of the issuer application data (9F10) that a cryptogram covers."""
    return b"".join(issuer_data[part] for part in VERSIONS[cvn].signs)


def cryptogram(cvn: int, key: bytes, values: Mapping[str, bytes], issuer_data: bytes) -> bytes:
    """The application cryptogram (9F26) over these values; `key` is the card's master key."""
    version = VERSIONS[cvn]
    data = b"".join(values[tag] for tag in SIGNED) + signed_part(cvn, issuer_data)
    session = session_key(cvn, key, counter=values["9F36"], number=values["9F37"])
    return bytes(ac.generate_ac(session, data, version.padding, 8))


def session_key(cvn: int, key: bytes, *, counter: bytes, number: bytes) -> bytes:
    """The key of one transaction's cryptograms."""
    kind = VERSIONS[cvn].session
    if kind is SessionKey.MASTER:
        return key
    tail = bytes(2) + number if kind is SessionKey.WITH_NUMBER else bytes(6)
    return bytes(kd.derive_common_sk(key, counter + tail))


def is_issuer_answer(
    cvn: int, key: bytes, *, request: bytes, counter: bytes, answer: bytes
) -> bool:
    """Whether issuer authentication data (91) answers the cryptogram `request`."""
    version = VERSIONS[cvn]
    response_key = (
        key
        if version.answers_under_master
        else session_key(cvn, key, counter=counter, number=bytes(4))
    )
    if version.method == 1:
        if len(answer) != 10:
            return False
        expected = ac.generate_arpc_1(response_key, request, answer[8:])
        return hmac.compare_digest(answer[:8], expected)
    if not 8 <= len(answer) <= 16:
        return False
    expected = ac.generate_arpc_2(response_key, request, answer[4:8], answer[8:] or None)
    return hmac.compare_digest(answer[:4], expected)


def script_key(cvn: int, key: bytes, *, counter: bytes, request: bytes) -> bytes:
    """The key of one script command, for integrity or confidentiality."""
    if VERSIONS[cvn].script_key_of_counter:
        return bytes(kd.derive_visa_sm_sk(key, counter))
    return bytes(kd.derive_common_sk(key, request))


def script_request(cvn: int, request: bytes, position: int) -> bytes:
    """The cryptogram that the script command at `position` (from 0) is bound to.

    Scheme 2 counts the cryptogram up by one for each command.
    """
    if VERSIONS[cvn].encryption is FIRST:
        return request
    return ((int.from_bytes(request, "big") + position) % (1 << 64)).to_bytes(8, "big")


def script_mac(key: bytes, *, header: bytes, counter: bytes, request: bytes, data: bytes) -> bytes:
    """The MAC of a script command; `header` is its first five bytes."""
    return bytes(sm.generate_command_mac(key, header + counter + request + data, 8))


def dynamic_number(key: bytes, *, counter: bytes, purpose: int) -> bytes:
    """Eight bytes that differ by transaction and purpose: the card's own unpredictable numbers."""
    return bytes(tools.encrypt_tdes_ecb(key, counter + bytes([purpose]) * 6))
