"""Cards for terminals: what is on their chip and magstripe, and what their issuer decides by.

`terminal_cards.yaml` is the only place that has them: a virtual card is personalized from the file,
and the issuer verifies PIN and cryptograms by the same values. Choice: D-430.
"""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
import yaml

FILE = "terminal_cards.yaml"
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
Hex = str


def _shown(record: msgspec.Struct) -> str:
    """A record with keys, numbers or PINs is shown by its class alone."""
    return f"{type(record).__name__}(...)"


class RsaKey(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The two primes of an RSA key, in hex with blanks; its public exponent is 3."""

    p: Hex
    q: Hex

    __repr__ = _shown


class MasterKeys(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The issuer's keys, from which those of a card derive: cryptograms, script integrity and
    confidentiality, dynamic codes.
    """

    ac: Hex
    smi: Hex
    smc: Hex
    cvc3: Hex

    __repr__ = _shown


class CardIssuer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The issuer of all cards of the file; country and currency as ISO 8583 has them."""

    country: str
    currency: str
    master_keys: MasterKeys
    pvk: Hex
    pvki: str
    cvk: Hex
    certificate_expiry: str
    rsa: RsaKey

    __repr__ = _shown


class Authority(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A certification authority: the scheme's RID, and the index of its key."""

    rid: Hex
    index: Hex
    expiry: str
    p: Hex
    q: Hex

    __repr__ = _shown


class Application(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An application of a chip; a lower priority comes first."""

    aid: Hex
    label: str
    priority: int
    confirm: bool = False
    blocked: bool = False


class Discretionary(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The discretionary data of track 2, on the magstripe and in the chip: PVKI, PVV and CVV."""

    magstripe: str
    chip: str

    __repr__ = _shown


class Track2(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Contactless magstripe mode: the digits of track 2 that a tap fills, as bitmaps of EMV."""

    static: str
    pcvc3: Hex
    punatc: Hex
    natc: int


class Contactless(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a card answers a tap. `cvm` is its list of verifications for taps; `device_verified` is a
    phone whose holder has unlocked it.
    """

    mode: Literal["chip", "generate-ac", "magstripe"]
    aip: Hex
    pdol: Hex
    cvm: Hex = ""
    ctq: Hex = ""
    ctq_above: Hex = ""
    device_verified: bool = False
    track2: Track2 | None = None


class IssuerRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the issuer decides by. `refuses` is the response code of every payment;
    `wrong_cryptogram` and `taps_exceeded` are those of such a payment. An amount above what the
    account has is approved `in_part` where that is at least half of it.
    """

    limit: Decimal = Decimal("100000000.00")
    most: Decimal = Decimal("10000.00")
    refuses: str | None = None
    in_part: bool = False
    pin_tries: int = 3
    atc_jump: int = 100
    wrong_cryptogram: Literal["05", "88"] = "05"
    taps: int = 5
    taps_amount: Decimal = Decimal("150.00")
    taps_exceeded: Literal["65", "1A"] = "65"


class TerminalCard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One card. Dates are YYMM; `scheme` 1 and 2 differ in issuer application data and keys."""

    title: str
    number: str
    sequence: str
    effective: str
    expiry: str
    service_code: str
    holder: str
    discretionary: Discretionary
    interfaces: tuple[Literal["contact", "contactless", "magstripe"], ...]
    pin: str | None = None
    pvv: str | None = None
    offline_pin: int | None = None
    scheme: Literal["1", "2"]
    cvn: Literal[10, 16, 17, 18, 20, 21, 22]
    iad: Hex
    aip: Hex
    answers: Literal["TC", "ARQC", "AAC"]
    applications: tuple[Application, ...]
    data: Mapping[str, Hex]
    contactless: Contactless | None = None
    rsa: RsaKey | None = None
    faults: tuple[Literal["mute"], ...] = ()
    issuer: IssuerRules = IssuerRules()

    __repr__ = _shown


class TerminalCards(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file: its issuer, the authorities of the schemes, and the cards by name.

    `schemes` and `contactless` are what cards of the file repeat.
    """

    issuer: CardIssuer
    authorities: tuple[Authority, ...]
    schemes: Mapping[str, Any]
    contactless: Contactless
    generated: Contactless
    cards: Mapping[str, TerminalCard]

    __repr__ = _shown


@cache
def terminal_cards() -> TerminalCards:
    """The cards for terminals, read once. Raises msgspec.ValidationError naming the wrong field."""
    written = files("scenarios").joinpath(FILE).read_text(encoding="utf-8")
    return msgspec.convert(yaml.load(written, _Loader), TerminalCards)


def terminal_card(number: str) -> tuple[str, TerminalCard] | None:
    """Name and profile of the card with a number; None for any other number."""
    return _by_number().get(number)


@cache
def _by_number() -> Mapping[str, tuple[str, TerminalCard]]:
    return {card.number: (name, card) for name, card in terminal_cards().cards.items()}
