"""Offline data authentication: is the card's data genuine (SDA), is the chip (DDA, CDA)?

The best method that both sides know is used. CDA is checked later, on the cryptogram itself.
Source: EMV Book 3, 10.3; EMV Book 2, 5 and 6.
"""

import hashlib
import hmac
from collections.abc import Mapping

from pos_emulator.apdu import CardCommand
from pos_emulator.bits import Aip, Capability, Tsi, Tvr, is_set
from pos_emulator.dol import parse_dol
from pos_emulator.kernel.dialog import Dialog
from pos_emulator.kernel.reading import parsed, signed_static_data
from pos_emulator.kernel.records import EndError
from pos_emulator.keys import offline_rsa
from pos_emulator.keys.errors import InvalidCertificateError
from pos_emulator.keys.offline_rsa import PublicKey
from pos_emulator.tlv import TlvError, build, find, leaves

NEEDED_OF_ISSUER = ("8F", "90", "9F32")
NEEDED_OF_CARD = ("9F46", "9F47")
NAMES: Mapping[Tvr, str] = {
    Tvr.SDA_FAILED: "static data authentication",
    Tvr.DDA_FAILED: "dynamic data authentication",
    Tvr.CDA_FAILED: "combined data authentication",
}


def authenticate_data(dialog: Dialog) -> None:
    """Authenticate the card's data as far as it can be done before the cryptogram."""
    method = _method(dialog)
    if method is None:
        dialog.note(Tvr.ODA_NOT_PERFORMED)
        return
    needed = NEEDED_OF_ISSUER + (("93",) if method is Tvr.SDA_FAILED else NEEDED_OF_CARD)
    missing = [tag for tag in needed if tag not in dialog.values]
    if missing:
        dialog.note(Tvr.ICC_DATA_MISSING)
        dialog.note(method)
        return
    try:
        _authenticate(dialog, method)
    except InvalidCertificateError as error:
        dialog.note(method)
        dialog.say(f"{NAMES[method]} failed: {error}", step="authentication")
    if method is not Tvr.CDA_FAILED or dialog.found(method):
        dialog.note(Tsi.ODA_PERFORMED)


def _method(dialog: Dialog) -> Tvr | None:
    """The method, by the bit that says it failed."""
    if not dialog.terminal.authenticates_data:
        return None
    for aip, capability, failed in (
        (Aip.CDA_SUPPORTED, Capability.CDA, Tvr.CDA_FAILED),
        (Aip.DDA_SUPPORTED, Capability.DDA, Tvr.DDA_FAILED),
        (Aip.SDA_SUPPORTED, Capability.SDA, Tvr.SDA_FAILED),
    ):
        if dialog.has(aip) and is_set(dialog.terminal.capabilities, capability):
            return failed
    return None


def _authenticate(dialog: Dialog, method: Tvr) -> None:
    static_data = signed_static_data(dialog)
    if static_data is None:
        raise InvalidCertificateError("the card signs other data than its profile")
    issuer = recover_issuer_key(dialog)
    if method is Tvr.SDA_FAILED:
        dialog.note(Tvr.SDA_SELECTED)
        code = offline_rsa.static_code(issuer, dialog.values["93"], static_data)
        dialog.values["9F45"] = code
        return
    dialog.card_key = recover_card_key(dialog, issuer, static_data)
    if method is Tvr.CDA_FAILED:
        dialog.wants_signature = True
        return
    _challenge(dialog, dialog.card_key)


def recover_issuer_key(dialog: Dialog) -> PublicKey:
    """The issuer's key. Raises InvalidCertificateError."""
    rid, index = dialog.values["9F06"][:5], dialog.values["8F"][:1]
    authority = dialog.terminal.authorities.get((rid, int.from_bytes(index, "big")))
    if authority is None:
        raise InvalidCertificateError("the authority's key is unknown")
    return offline_rsa.issuer_key(
        authority,
        dialog.values["90"],
        remainder=dialog.values.get("92", b""),
        exponent=dialog.values["9F32"],
        pan=dialog.account_number(),
        today=dialog.payment.at.date(),
    ).key


def recover_card_key(dialog: Dialog, issuer: PublicKey, static_data: bytes) -> PublicKey:
    """The card's own key. Raises InvalidCertificateError."""
    return offline_rsa.card_key(
        issuer,
        dialog.values["9F46"],
        remainder=dialog.values.get("9F48", b""),
        exponent=dialog.values["9F47"],
        pan=dialog.account_number(),
        today=dialog.payment.at.date(),
        static_data=static_data,
    ).key


def _challenge(dialog: Dialog, key: PublicKey) -> None:
    """INTERNAL AUTHENTICATE with the terminal's number."""
    try:
        ddol = parse_dol(dialog.values.get("9F49", dialog.accepted.default_ddol))
    except TlvError:
        raise InvalidCertificateError("the card's list of data is damaged") from None
    if "9F37" not in dict(ddol):
        raise InvalidCertificateError("the card does not sign the terminal's number")
    asked = dialog.fill(ddol)
    response = dialog.send(CardCommand(0x00, 0x88, 0, 0, asked, 0))
    if not response.is_ok:
        raise InvalidCertificateError("the card does not sign")
    nodes = parsed(response.data)
    signature = find(nodes, "9F4B") or find(nodes, "80") or b""
    content = offline_rsa.dynamic_data(key, signature, asked)
    if content and len(content) > content[0]:
        dialog.values["9F4C"] = content[1 : 1 + content[0]]


def read_signed_cryptogram(dialog: Dialog, data: bytes, *, sent: bytes) -> bool:
    """Check a cryptogram inside a signature (CDA) and keep it; False if it does not hold.

    `sent` is all that the terminal sent for it: the options, and each list of data.
    """
    objects = {node.tag: node.value for node in leaves(parsed(data))}
    signature = objects.pop("9F4B", b"")
    dialog.take(objects.items())
    dialog.note(Tsi.ODA_PERFORMED)
    try:
        if dialog.card_key is None:
            raise InvalidCertificateError("the card's key is unknown")
        content = offline_rsa.dynamic_data(dialog.card_key, signature, dialog.values["9F37"])
        _compare(content, objects, sent)
    except (InvalidCertificateError, EndError) as error:
        dialog.note(Tvr.CDA_FAILED)
        dialog.say(f"combined data authentication failed: {error}", step="authentication")
        return False
    size = content[0]
    dialog.values["9F4C"] = content[1 : 1 + size]
    dialog.values["9F26"] = content[2 + size : 10 + size]
    return True


def _compare(content: bytes, objects: Mapping[str, bytes], sent: bytes) -> None:
    size = content[0] if content else 0
    if not 2 <= size <= 8 or len(content) != size + 30:
        raise InvalidCertificateError("its content has another length")
    if content[1 + size : 2 + size] != objects.get("9F27"):
        raise InvalidCertificateError("the kind of cryptogram in it differs")
    shown = build(*objects.items())
    expected = hashlib.sha1(sent + shown, usedforsecurity=False).digest()
    if not hmac.compare_digest(content[10 + size :], expected):
        raise InvalidCertificateError("the data of the payment in it differ")


def read_fast_signature(dialog: Dialog) -> bool:
    """Check what a tap has signed (fast DDA); False if it does not hold."""
    related = dialog.values.get("9F69", b"")
    said = b"".join(dialog.values[tag] for tag in ("9F37", "9F02", "5F2A"))
    needed = (*NEEDED_OF_ISSUER, *NEEDED_OF_CARD, "9F4B")
    try:
        if any(tag not in dialog.values for tag in needed) or related[:1] != b"\x01":
            raise InvalidCertificateError("the card's data are not complete")
        static_data = signed_static_data(dialog)
        if static_data is None:
            raise InvalidCertificateError("the card signs other data than its profile")
        key = recover_card_key(dialog, recover_issuer_key(dialog), static_data)
        offline_rsa.dynamic_data(key, dialog.values["9F4B"], said + related)
    except InvalidCertificateError as error:
        dialog.note(Tvr.DDA_FAILED)
        dialog.say(f"fast data authentication failed: {error}", step="authentication")
        return False
    dialog.note(Tsi.ODA_PERFORMED)
    return True
