"""The cards a terminal comes with, read from the file that their issuer reads too.

`terminal_cards.yaml` of the package `scenarios` is data shared by both sides; this loader reads of
it what a chip and a magstripe hold, and nothing that only the issuer knows.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
import yaml

PACKAGE = "scenarios"
FILE = "terminal_cards.yaml"


def _shown(row: object) -> str:
    """A record by its class alone: keys and PINs stand in it."""
    return f"{type(row).__name__}(...)"


class Primes(msgspec.Struct, frozen=True, kw_only=True):
    """An RSA key: two primes in hexadecimal digits, which may hold blanks; exponent 3."""

    p: str
    q: str

    __repr__ = _shown


class ProfileKeys(msgspec.Struct, frozen=True, kw_only=True):
    """The issuer's keys, from which those of a card are derived at personalization."""

    ac: str
    smi: str
    smc: str
    cvc3: str

    __repr__ = _shown


class ProfileIssuer(msgspec.Struct, frozen=True, kw_only=True):
    """Who personalizes the cards."""

    master_keys: ProfileKeys
    certificate_expiry: str
    rsa: Primes

    __repr__ = _shown


class ProfileAuthority(msgspec.Struct, frozen=True, kw_only=True):
    """A certification authority of a scheme."""

    rid: str
    index: str
    expiry: str
    p: str
    q: str

    __repr__ = _shown


class ProfileApplication(msgspec.Struct, frozen=True, kw_only=True):
    """An application of a chip."""

    aid: str
    label: str
    priority: int
    confirm: bool = False
    blocked: bool = False

    __repr__ = _shown


class ProfileDiscretionary(msgspec.Struct, frozen=True, kw_only=True):
    """Discretionary data of track 2, as it stands on the magstripe and in the chip."""

    magstripe: str
    chip: str

    __repr__ = _shown


class MagstripeMode(msgspec.Struct, frozen=True, kw_only=True):
    """Where a tap in magstripe mode puts its digits."""

    static: str
    pcvc3: str
    punatc: str
    natc: int

    __repr__ = _shown


class Tap(msgspec.Struct, frozen=True, kw_only=True):
    """How a card answers a tap."""

    mode: Literal["chip", "generate-ac", "magstripe"]
    aip: str
    pdol: str
    cvm: str = ""
    ctq: str = ""
    ctq_above: str = ""
    device_verified: bool = False
    track2: MagstripeMode | None = None

    __repr__ = _shown


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """One card."""

    title: str
    number: str
    sequence: str
    effective: str
    expiry: str
    service_code: str
    holder: str
    discretionary: ProfileDiscretionary
    interfaces: tuple[str, ...]
    pin: str | None = None
    offline_pin: int | None = None
    scheme: Literal["1", "2"]
    cvn: int
    iad: str
    aip: str
    answers: Literal["TC", "ARQC", "AAC"]
    applications: tuple[ProfileApplication, ...]
    data: Mapping[str, str]
    contactless: Tap | None = None
    rsa: Primes | None = None
    faults: tuple[str, ...] = ()

    __repr__ = _shown


class CardFile(msgspec.Struct, frozen=True, kw_only=True):
    """The file."""

    issuer: ProfileIssuer
    authorities: tuple[ProfileAuthority, ...]
    cards: Mapping[str, Profile]

    __repr__ = _shown


def read_cards(written: str) -> CardFile:
    """The cards in YAML text. Raises msgspec.ValidationError, which names the field."""
    loaded: Any = yaml.load(written, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return msgspec.convert(loaded, CardFile)


@cache
def card_file() -> CardFile:
    """The cards that are shipped, read once."""
    return read_cards(files(PACKAGE).joinpath(FILE).read_text(encoding="utf-8"))
