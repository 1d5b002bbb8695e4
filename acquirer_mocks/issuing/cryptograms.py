"""Cryptograms of chips, checked and answered: one row a cryptogram version.

A version says which keys a card has, what a payment's key comes from, what its cryptogram covers,
how the issuer proves itself in return (ARPC), and how it signs commands. Source: EMV Book 2, 8; the
versions as pyemv has them, which derives the keys of a card and signs commands. Choice: D-432.
"""

import hmac
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from pyemv import cvn

from acquirer_mocks.issuing.macs import encrypted, filled, mac, padded, session_key
from acquirer_mocks.issuing.triple_des import supply_triple_des
from scenarios.terminal_cards import CardIssuer, TerminalCard

Objects = Mapping[str, bytes]

CRYPTOGRAM, COUNTER, INFORMATION, ISSUER_DATA = "9F26", "9F36", "9F27", "9F10"
NUMBER = "9F37"
# What every version signs, and of how many bytes: the values are signed behind each other, without
# their lengths. Source: EMV Book 3, annex A.
# fmt: off
SIGNED: Mapping[str, int] = {
    "9F02": 6, "9F03": 6, "9F1A": 2, "95": 5, "5F2A": 2, "9A": 3, "9C": 1, "9F37": 4, "82": 2,
    COUNTER: 2,
}
# fmt: on
NEEDED = (CRYPTOGRAM, ISSUER_DATA, *SIGNED)
# How long the issuer application data of each scheme may be.
LENGTHS_1, LENGTHS_2 = frozenset(range(7, 33)), frozenset({18, 20, 26, 28})

# What the issuer says to the card in return: a status update of which bit 8 of byte 2 approves, or
# the two bytes of scheme 2 of which bit 5 of byte 2 does.
APPROVING_STATUS, DECLINING_STATUS = bytes.fromhex("00800000"), bytes(4)
APPROVING_CODE, DECLINING_CODE = bytes.fromhex("0010"), bytes(2)


class ChipVersion(NamedTuple):
    """One cryptogram version: the class of pyemv, the key of a payment, the lengths that issuer
    application data may have, the parts of it that are signed, how data become whole blocks, and
    how it answers. Each command of an answer has a cryptogram of its own where the version
    `counts_commands`.
    """

    make: Callable[..., Any]
    payment_key: Callable[["CardKeys", Objects], bytes]
    lengths: frozenset[int]
    parts: tuple[slice, ...]
    blocks: Callable[[bytes], bytes]
    answer: Callable[["CardKeys", Objects, str, bool], bytes]
    counts_commands: bool = False


class CardKeys(NamedTuple):
    """The keys of one card, derived from its issuer's, and its version."""

    version: ChipVersion
    keys: Any

    def __repr__(self) -> str:
        return "CardKeys(...)"


def _of_card(keys: CardKeys, card: Objects) -> bytes:
    """The key of the card itself, for each of its payments."""
    key: bytes = keys.keys.icc_mk_ac
    return key


def _by_counter(keys: CardKeys, card: Objects) -> bytes:
    """A key that differs with the transaction counter."""
    return session_key(_of_card(keys, card), card[COUNTER] + bytes(6))


def _by_number(keys: CardKeys, card: Objects) -> bytes:
    """A key that differs with counter and unpredictable number."""
    return session_key(_of_card(keys, card), card[COUNTER] + bytes(2) + card[NUMBER])


def _by_response(keys: CardKeys, card: Objects, response: str, _approves: bool) -> bytes:
    """Method 1 over the response code: 8 bytes and the code."""
    code = response.encode("ascii")
    return encrypted(_of_card(keys, card), card[CRYPTOGRAM], code + bytes(6)) + code


def _by_status(keys: CardKeys, card: Objects, _response: str, approves: bool) -> bytes:
    """Method 2 over the card status update: 4 bytes and the update."""
    status = APPROVING_STATUS if approves else DECLINING_STATUS
    return mac(keys.version.payment_key(keys, card), padded(card[CRYPTOGRAM] + status))[:4] + status


def _by_code(keys: CardKeys, card: Objects, _response: str, approves: bool) -> bytes:
    """Method 1 over the code of scheme 2, under the key of the card."""
    code = APPROVING_CODE if approves else DECLINING_CODE
    return encrypted(_of_card(keys, card), card[CRYPTOGRAM], code + bytes(6)) + code


def _by_code_of_session(keys: CardKeys, card: Objects, _response: str, approves: bool) -> bytes:
    """Method 1 over the code of scheme 2, under the key of this payment."""
    code = APPROVING_CODE if approves else DECLINING_CODE
    key = keys.version.payment_key(keys, card)
    return encrypted(key, card[CRYPTOGRAM], code + bytes(6)) + code


RESULTS, RESULTS_2, COUNTERS = slice(3, 7), slice(2, 8), slice(10, 18)
WHOLE = slice(None)
# fmt: off
VERSIONS: Mapping[int, ChipVersion] = {
    #               class of pyemv       key of a payment, 9F10: lengths, signed, blocks, answer
    10: ChipVersion(cvn.VisaCVN10,       _of_card,    LENGTHS_1, (RESULTS,),            filled,
                    _by_response),
    18: ChipVersion(cvn.VisaCVN18,       _by_counter, LENGTHS_1, (WHOLE,),              padded,
                    _by_status),
    22: ChipVersion(cvn.VisaCVN22,       _by_counter, LENGTHS_1, (WHOLE,),              padded,
                    _by_status),
    16: ChipVersion(cvn.MasterCardCVN16, _by_number,  LENGTHS_2, (RESULTS_2,),          padded,
                    _by_code, True),
    17: ChipVersion(cvn.MasterCardCVN17, _by_number,  LENGTHS_2, (RESULTS_2, COUNTERS), padded,
                    _by_code, True),
    20: ChipVersion(cvn.MasterCardCVN20, _by_counter, LENGTHS_2, (RESULTS_2,),          padded,
                    _by_code_of_session, True),
    21: ChipVersion(cvn.MasterCardCVN21, _by_counter, LENGTHS_2, (RESULTS_2, COUNTERS), padded,
                    _by_code_of_session, True),
}
# fmt: on


def card_keys(issuer: CardIssuer, card: TerminalCard, sequence: str) -> CardKeys:
    """The keys of a card with a sequence number of two digits."""
    master = issuer.master_keys
    keys = _keys_of(card.cvn, (master.ac, master.smi, master.smc), card.number, sequence)
    return CardKeys(VERSIONS[card.cvn], keys)


def lacking(card: Objects) -> tuple[str, ...]:
    """The tags that a cryptogram cannot be checked without."""
    return tuple(tag for tag in NEEDED if tag not in card)


def is_valid(keys: CardKeys, card: Objects) -> bool:
    """Whether the cryptogram is the one of this card over this data, of which nothing is lacking.

    Data of another length than the version signs is not valid.
    """
    if not _has_lengths(keys.version, card):
        return False
    key = keys.version.payment_key(keys, card)
    expected = mac(key, keys.version.blocks(_signed(keys.version, card)))
    return hmac.compare_digest(expected, card[CRYPTOGRAM])


def issuer_authentication(keys: CardKeys, card: Objects, *, response: str, approves: bool) -> bytes:
    """Tag 91: the issuer's answer to the cryptogram of the card, over a response code of two
    characters or the status that follows from it.
    """
    return keys.version.answer(keys, card, response, approves)


def command_code(keys: CardKeys, card: Objects, *, place: int, header: bytes, data: bytes) -> bytes:
    """The MAC of 8 bytes over a command to the card, its `place`-th in the answer, from 0."""
    cryptogram = card[CRYPTOGRAM]
    if keys.version.counts_commands:
        number = (int.from_bytes(cryptogram, "big") + place) % (1 << 64)
        cryptogram = number.to_bytes(8, "big")
    return bytes(keys.keys.generate_command_mac(header, cryptogram, card[COUNTER], data))


def _has_lengths(version: ChipVersion, card: Objects) -> bool:
    are_fixed = all(len(card[tag]) == length for tag, length in SIGNED.items())
    return are_fixed and len(card[ISSUER_DATA]) in version.lengths


def _signed(version: ChipVersion, card: Objects) -> bytes:
    whole = card[ISSUER_DATA]
    return b"".join((*(card[tag] for tag in SIGNED), *(whole[part] for part in version.parts)))


# The keys of a card last as long as it does.
@lru_cache(maxsize=1024)
def _keys_of(version: int, master: tuple[str, str, str], number: str, sequence: str) -> Any:
    supply_triple_des()
    ac, smi, smc = map(bytes.fromhex, master)
    return VERSIONS[version].make(ac, smi, smc, number, sequence)
