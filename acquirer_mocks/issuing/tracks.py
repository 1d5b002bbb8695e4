"""Codes on tracks: of the magstripe, of the chip, and the dynamic one of a tap in magstripe mode.

Choice: D-438.
"""

import hmac
from typing import NamedTuple

from psec.cvv import generate_cvv
from pyemv.cvv import generate_cvc3
from pyemv.kd import derive_icc_mk_a

from acquirer_mocks.issuing.triple_des import supply_triple_des
from scenarios.terminal_cards import CardIssuer, TerminalCard, Track2

# Service code over which the code in a chip is made, so that it is of no use on a magstripe.
CHIP_SERVICE_CODE = "999"
# Where the code stands in the discretionary data: after PVKI and PVV.
CODE_PLACE = slice(5, 8)


class TrackData(NamedTuple):
    """Track 2 by its parts; `rest` is the discretionary data."""

    number: str
    expiry: str
    service_code: str
    rest: str

    def __repr__(self) -> str:
        return "TrackData(...)"


class TapCode(NamedTuple):
    """What the digits of a tap say: code, unpredictable number, end of the counter."""

    code: str
    unpredictable: str
    counter: str

    def __repr__(self) -> str:
        return "TapCode(...)"


def track_data(track: str) -> TrackData:
    """The parts of track 2, with D or = as separator. Raises ValueError, which shows none of it."""
    number, found, rest = track.replace("=", "D").rstrip("F").partition("D")
    digits = number + rest
    if not (found and digits.isascii() and digits.isdigit() and len(rest) >= 7):
        raise ValueError("track 2: expected a number, an expiry date and a service code")
    return TrackData(number, rest[:4], rest[4:7], rest[7:])


def is_code_valid(
    issuer: CardIssuer, card: TerminalCard, track: TrackData, *, in_chip: bool
) -> bool:
    """Whether track 2 holds the code of a magstripe, or of a chip, over what else stands in it."""
    supply_triple_des()
    service_code = CHIP_SERVICE_CODE if in_chip else track.service_code
    expected = generate_cvv(bytes.fromhex(issuer.cvk), card.number, track.expiry, service_code)
    return hmac.compare_digest(expected, track.rest[CODE_PLACE])


def tap_code(filled: Track2, track: TrackData) -> TapCode | None:
    """What a tap wrote into its track; None where the track is too short for it."""
    if len(track.rest) != len(filled.static):
        return None
    code = _digits_at(filled.pcvc3, track.rest)
    both = _digits_at(filled.punatc, track.rest)
    return TapCode(code, both[filled.natc :], both[: filled.natc])


def full_counter(end: str, seen: int) -> int:
    """The first counter above `seen` that ends with these digits."""
    size = int("1" + "0" * len(end))
    counter = seen - seen % size + int(end)
    return counter if counter > seen else counter + size


def is_tap_code_valid(
    issuer: CardIssuer, card: TerminalCard, track: TrackData, *, sequence: str, counter: int
) -> bool:
    """Whether a tap in magstripe mode wrote the code of this card for a counter."""
    supply_triple_des()
    filled = None if card.contactless is None else card.contactless.track2
    tapped = None if filled is None else tap_code(filled, track)
    if filled is None or tapped is None or counter > 0xFFFF:
        return False
    template = f"{card.number}D{track.expiry}{track.service_code}{filled.static}"
    key = derive_icc_mk_a(bytes.fromhex(issuer.master_keys.cvc3), card.number, sequence)
    expected = generate_cvc3(
        key,
        bytes.fromhex(template + "F" * (len(template) % 2)),
        counter.to_bytes(2, "big"),
        bytes.fromhex(tapped.unpredictable.rjust(8, "0")),
    )
    return hmac.compare_digest(expected.zfill(5)[-len(tapped.code) :], tapped.code)


def _digits_at(bitmap: str, rest: str) -> str:
    """The digits at the places of a bitmap, whose last bit is the last digit."""
    bits = bin(int(bitmap, 16))[2:].zfill(len(rest))[-len(rest) :]
    return "".join(digit for digit, bit in zip(rest, bits, strict=True) if bit == "1")
