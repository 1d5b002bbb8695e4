"""PINs at the issuer: a block under the zone key, compared by its verification value.

Neither a PIN nor anything that a block holds is in an error, a result or a record. Source: ISO
9564-1, format 0; the method of PVV. Choice: D-431.
"""

import hmac

from psec.pinblock import decode_pinblock_iso_0

from acquirer_mocks.issuing.triple_des import (
    BLOCK,
    decrypt_block,
    encrypt_block,
    supply_triple_des,
)
from scenarios.terminal_cards import CardIssuer, TerminalCard

PIN_SIZE = 4
DECIMALS = str.maketrans("abcdef", "012345")


def is_pin_of(card: TerminalCard, issuer: CardIssuer, block: str, *, zone_key: bytes) -> bool:
    """Whether a PIN block of 16 hex digits holds the PIN of a card.

    A block that cannot be read with the number of the card is a wrong PIN like any other: which
    PINs a changed number makes impossible must not be seen.
    """
    supply_triple_des()
    pin = _pin_in(block, card.number, zone_key)
    if pin is None or len(pin) != PIN_SIZE or card.pvv is None:
        return False
    found = verification_value(bytes.fromhex(issuer.pvk), issuer.pvki, pin, card.number)
    return hmac.compare_digest(found, card.pvv)


def verification_value(key: bytes, key_index: str, pin: str, number: str) -> str:
    """The PVV of a PIN of four digits: the first four decimal digits of an encrypted block, then
    its letters as digits. psec makes a cipher for each, which costs ten times as much.
    """
    block = bytes.fromhex(number[-12:-1] + key_index + pin)
    encrypted = encrypt_block(key, block).hex()
    digits = "".join(filter(str.isdigit, encrypted))
    letters = "".join(filter(str.isalpha, encrypted)).translate(DECIMALS)
    return (digits + letters)[:PIN_SIZE]


def _pin_in(block: str, number: str, zone_key: bytes) -> str | None:
    try:
        sealed = bytes.fromhex(block)
        if len(sealed) != BLOCK:
            return None
        return decode_pinblock_iso_0(decrypt_block(zone_key, sealed), number)
    except ValueError:
        # The library's message says which digits a block holds.
        return None
