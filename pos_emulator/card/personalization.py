"""Makes a chip of a profile: keys derived, records laid out, certificates signed.

The layout is the same for each card: file 1 identifies the holder, file 2 holds what the issuer
signed, file 3 the issuer's certificate, file 4 the card's; a tap has files 5 to 7 of its own.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from functools import cache

from msgspec.structs import replace
from pyemv import kd

from pos_emulator.bits import Aip, is_set
from pos_emulator.card.cryptograms import ChipKeys
from pos_emulator.card.profiles import CardFile, Profile, ProfileAuthority, Tap, card_file
from pos_emulator.card.records import Chip, ChipApplication, Options, Records, TapRules
from pos_emulator.card.rsa import (
    EXPONENT,
    PrivateKey,
    certify_card,
    certify_issuer,
    key_of,
    sign_static_data,
)
from pos_emulator.dol import parse_dol
from pos_emulator.keys.triple_des import supply_triple_des
from pos_emulator.tlv import build, object_bytes

IN_DIRECTORY = ("5F2D", "9F11", "9F12", "9F38")
SIGNED_HERE = (
    "5A", "5F24", "5F25", "5F28", "5F30", "5F34", "9F07", "8E", "9F0D", "9F0E", "9F0F", "9F4A",
)  # fmt: skip
BESIDE_SIGNED_ON_TAP = ("57", "8C", "8D", "9F08", "9F42", "9F44")
SIGNED_ON_TAP = ("5A", "5F24", "5F28", "5F34", "9F07", "9F4A")
LOG_FORMAT = bytes.fromhex("9F02065F2A029A039C019F3602")
LIMITS = ("9F14", "9F23")
LOG_ENTRY = bytes.fromhex("0B0A")


def personalize(name: str, file: CardFile | None = None, sequence: str = "") -> Chip:
    """The chip of the card with this name; `sequence` is another sequence number than that of its
    profile. Raises KeyError for an unknown name.
    """
    if file is None or file is card_file():
        return _shipped_chip(name, sequence)
    return _chip_in(file, name, sequence)


@cache
def _shipped_chip(name: str, sequence: str) -> Chip:
    """A chip of the cards that are shipped: its certificates take longer than a payment."""
    return _chip_in(card_file(), name, sequence)


def _chip_in(file: CardFile, name: str, sequence: str) -> Chip:
    profile = file.cards[name]
    profile = replace(profile, sequence=sequence) if sequence else profile
    return chip_of(name, profile, file)


def chip_of(name: str, profile: Profile, file: CardFile) -> Chip:
    """The chip of a profile."""
    supply_triple_des()
    keys = _keys(profile, file)
    rsa = key_of(profile.rsa.p, profile.rsa.q) if profile.rsa else None
    values = _values(profile)
    tap = profile.contactless
    is_contact = "contact" in profile.interfaces
    return Chip(
        name=name,
        scheme=profile.scheme,
        cvn=profile.cvn,
        issuer_data=bytes.fromhex(profile.iad),
        answers=profile.answers,
        applications=tuple(_applications(profile)),
        contact=_contact(profile, file, values, rsa) if is_contact else None,
        contactless=_contactless(profile, file, values, rsa) if tap else None,
        tap=_tap_rules(profile, tap) if tap else None,
        cdol1=parse_dol(values["8C"]),
        cdol2=parse_dol(values["8D"]),
        ddol=parse_dol(values.get("9F49", b"")),
        track2=values["57"],
        sequence=values["5F34"],
        keys=keys,
        rsa=rsa,
        pin_check=pin_digest(keys, profile.pin) if profile.pin else b"",
        pin_tries=profile.offline_pin,
        log_format=parse_dol(LOG_FORMAT),
        limits={tag: values[tag] for tag in LIMITS if tag in values},
    )


def pin_digest(keys: ChipKeys, pin: str) -> bytes:
    """What the chip keeps in place of a PIN."""
    return hmac.new(keys.confidentiality, pin.encode(), hashlib.sha256).digest()


def authority_of(profile: Profile, file: CardFile) -> ProfileAuthority:
    """The authority of the profile's scheme. Raises LookupError if the file has none."""
    rid = profile.applications[0].aid[:10]
    return next(authority for authority in file.authorities if authority.rid == rid)


def _keys(profile: Profile, file: CardFile) -> ChipKeys:
    master = file.issuer.master_keys
    return ChipKeys(*(
        bytes(kd.derive_icc_mk_a(bytes.fromhex(key), profile.number, profile.sequence))
        for key in (master.ac, master.smi, master.smc, master.cvc3)
    ))  # fmt: skip


def _values(profile: Profile) -> dict[str, bytes]:
    values = {tag: bytes.fromhex(value) for tag, value in profile.data.items()}
    track2 = f"{profile.number}D{profile.expiry}{profile.service_code}{profile.discretionary.chip}"
    values |= {
        "57": bytes.fromhex(track2 + "F" * (len(track2) % 2)),
        "5A": bytes.fromhex(profile.number + "F" * (len(profile.number) % 2)),
        "5F20": profile.holder.encode("ascii"),
        "5F24": bytes.fromhex(profile.expiry + "31"),
        "5F25": bytes.fromhex(profile.effective + "01"),
        "5F30": bytes.fromhex(profile.service_code.rjust(4, "0")),
        "5F34": bytes.fromhex(profile.sequence),
        "9F4A": b"\x82",
    }
    return values


def _applications(profile: Profile) -> Iterable[ChipApplication]:
    extra = {tag: bytes.fromhex(profile.data[tag]) for tag in IN_DIRECTORY if tag in profile.data}
    extra.pop("9F38", None)
    for row in profile.applications:
        yield ChipApplication(
            bytes.fromhex(row.aid),
            row.label,
            row.priority,
            confirm=row.confirm,
            is_blocked=row.blocked,
            extra=build(*extra.items()),
        )


def _contact(
    profile: Profile, file: CardFile, values: Mapping[str, bytes], rsa: PrivateKey | None
) -> Options:
    aip = bytes.fromhex(profile.aip)
    others = [
        tag for tag in values
        if tag not in SIGNED_HERE and tag not in IN_DIRECTORY and tag not in ("57", "5F20")
    ]  # fmt: skip
    signed = (_objects(values, SIGNED_HERE), _objects(values, others))
    records = {
        (1, 1): _record(_objects(values, ("57", "5F20"))),
        (2, 1): _record(signed[0]),
        (2, 2): _record(signed[1]),
    }
    if any(is_set(aip, bit) for bit in (Aip.SDA_SUPPORTED, Aip.DDA_SUPPORTED, Aip.CDA_SUPPORTED)):
        static_data = b"".join(signed) + aip
        records |= _certificates(
            profile, file, rsa, issuer_file=3, static_data=static_data,
            is_static=is_set(aip, Aip.SDA_SUPPORTED),
        )  # fmt: skip
    pdol = values.get("9F38", b"")
    return Options(aip, _locator(records, signed_file=2), parse_dol(pdol), pdol, records)


def _contactless(
    profile: Profile, file: CardFile, values: Mapping[str, bytes], rsa: PrivateKey | None
) -> Options:
    tap = profile.contactless
    assert tap is not None
    aip, pdol = bytes.fromhex(tap.aip), bytes.fromhex(tap.pdol)
    if tap.mode == "magstripe":
        records: Records = {(1, 1): _record(_magstripe_objects(profile, tap))}
        return Options(aip, _locator(records), parse_dol(pdol), pdol, records)
    if tap.mode == "generate-ac":
        signed = _objects({**values, "8E": bytes.fromhex(tap.cvm)}, SIGNED_HERE)
        records = {
            (1, 1): _record(_objects(values, BESIDE_SIGNED_ON_TAP)),
            (5, 1): _record(signed),
        }
    else:
        signed = _objects(values, SIGNED_ON_TAP)
        records = {(5, 1): _record(signed)}
    if rsa:
        records |= _certificates(
            profile, file, rsa, issuer_file=6, static_data=signed + aip, is_static=False
        )
    return Options(aip, _locator(records, signed_file=5), parse_dol(pdol), pdol, records)


def _certificates(
    profile: Profile,
    file: CardFile,
    rsa: PrivateKey | None,
    *,
    issuer_file: int,
    static_data: bytes,
    is_static: bool,
) -> Records:
    authority = authority_of(profile, file)
    issuer = key_of(file.issuer.rsa.p, file.issuer.rsa.q)
    expiry = file.issuer.certificate_expiry
    certificate = certify_issuer(
        key_of(authority.p, authority.q), issuer, bin_digits=profile.number[:8], expiry=expiry
    )
    exponent = bytes([EXPONENT])
    records = {
        (issuer_file, 1): _record(build(
            ("8F", bytes.fromhex(authority.index)), ("9F32", exponent),
            ("92", certificate.remainder), ("90", certificate.signed),
        ))
    }  # fmt: skip
    if is_static:
        signature = sign_static_data(issuer, code=b"\x5a\x9d", static_data=static_data)
        records[(issuer_file, 2)] = _record(build(("93", signature)))
    if rsa:
        own = certify_card(
            issuer, rsa, number=profile.number, expiry=expiry, static_data=static_data
        )
        records[(issuer_file + 1, 1)] = _record(
            build(("9F46", own.signed), ("9F47", exponent), ("9F48", own.remainder))
        )
    return records


def _magstripe_objects(profile: Profile, tap: Tap) -> bytes:
    magstripe = tap.track2
    assert magstripe is not None
    return build(
        ("9F6C", b"\x00\x01"),
        ("9F65", bytes.fromhex(magstripe.pcvc3)),
        ("9F66", bytes.fromhex(magstripe.punatc)),
        ("9F6B", _magstripe_template(profile, tap)),
        ("9F67", bytes([magstripe.natc])),
        ("5F34", bytes.fromhex(profile.sequence)),
    )


def _magstripe_template(profile: Profile, tap: Tap) -> bytes:
    assert tap.track2 is not None
    track2 = f"{profile.number}D{profile.expiry}{profile.service_code}{tap.track2.static}"
    return bytes.fromhex(track2 + "F" * (len(track2) % 2))


def _tap_rules(profile: Profile, tap: Tap) -> TapRules:
    if tap.mode == "magstripe":
        return TapRules(is_magstripe=True, magstripe_template=_magstripe_template(profile, tap))
    currency = bytes.fromhex(profile.data.get("9F42", ""))
    return TapRules(False, bytes.fromhex(tap.ctq), bytes.fromhex(tap.ctq_above), currency)


def _objects(values: Mapping[str, bytes], tags: Iterable[str]) -> bytes:
    return build(*((tag, values[tag]) for tag in tags if tag in values))


def _record(content: bytes) -> bytes:
    return object_bytes("70", content)


def _locator(records: Records, signed_file: int | None = None) -> bytes:
    """The application file locator (94); every record of the signed file counts for ODA."""
    entries = b""
    for file in sorted({file for file, _ in records}):
        count = sum(1 for number, _ in records if number == file)
        entries += bytes([file << 3, 1, count, count if file == signed_file else 0])
    return entries
