"""Names of the bits in the words of EMV, for the kernel to set and for people to read.

A row gives the byte, counted from 1, and the mask in it. Reserved bits are left out.
Source: EMV Book 3, annex C; EMV contactless Book C-3 for the qualifiers.
"""

from collections.abc import Mapping
from enum import Enum

ABBREVIATIONS = frozenset({
    "AC", "ARQC", "CA", "CDA", "CVM", "DDA", "ECC", "EMV", "GEN", "ICC", "ODA", "PIN", "SDA", "TC",
    "TDOL", "XDA",
})  # fmt: skip


# fmt: off
class Tvr(Enum):
    """Terminal verification results, five bytes."""

    ODA_NOT_PERFORMED                               = (1, 0x80)
    SDA_FAILED                                      = (1, 0x40)
    ICC_DATA_MISSING                                = (1, 0x20)
    CARD_ON_EXCEPTION_FILE                          = (1, 0x10)
    DDA_FAILED                                      = (1, 0x08)
    CDA_FAILED                                      = (1, 0x04)
    SDA_SELECTED                                    = (1, 0x02)
    XDA_SELECTED                                    = (1, 0x01)
    APPLICATION_VERSIONS_DIFFERENT                  = (2, 0x80)
    APPLICATION_EXPIRED                             = (2, 0x40)
    APPLICATION_NOT_EFFECTIVE                       = (2, 0x20)
    SERVICE_NOT_ALLOWED                             = (2, 0x10)
    NEW_CARD                                        = (2, 0x08)
    BIOMETRIC_PERFORMED_SUCCESSFUL                  = (2, 0x02)
    BIOMETRIC_TEMPLATE_FORMAT_NOT_SUPPORTED         = (2, 0x01)
    CVM_FAILED                                      = (3, 0x80)
    CVM_UNRECOGNIZED                                = (3, 0x40)
    PIN_TRY_LIMIT_EXCEEDED                          = (3, 0x20)
    PIN_PAD_FAILED                                  = (3, 0x10)
    PIN_NOT_ENTERED                                 = (3, 0x08)
    ONLINE_CVM_CAPTURED                             = (3, 0x04)
    BIOMETRIC_CAPTURE_FAILED                        = (3, 0x02)
    BIOMETRIC_SUBTYPE_BYPASSED                      = (3, 0x01)
    FLOOR_LIMIT_EXCEEDED                            = (4, 0x80)
    LOWER_CONSECUTIVE_OFFLINE_LIMIT_EXCEEDED        = (4, 0x40)
    UPPER_CONSECUTIVE_OFFLINE_LIMIT_EXCEEDED        = (4, 0x20)
    RANDOM_SELECTED_ONLINE                          = (4, 0x10)
    MERCHANT_FORCED_ONLINE                          = (4, 0x08)
    BIOMETRIC_TRY_LIMIT_EXCEEDED                    = (4, 0x04)
    BIOMETRIC_TYPE_NOT_SUPPORTED                    = (4, 0x02)
    XDA_FAILED                                      = (4, 0x01)
    DEFAULT_TDOL                                    = (5, 0x80)
    ISSUER_AUTHENTICATION_FAILED                    = (5, 0x40)
    SCRIPT_PROCESSING_FAILED_BEFORE_GEN_AC          = (5, 0x20)
    SCRIPT_PROCESSING_FAILED_AFTER_GEN_AC           = (5, 0x10)
    CA_ECC_KEY_MISSING                              = (5, 0x04)
    ECC_KEY_RECOVERY_FAILED                         = (5, 0x02)


class Tsi(Enum):
    """Transaction status information, two bytes."""

    ODA_PERFORMED                                   = (1, 0x80)
    CVM_PERFORMED                                   = (1, 0x40)
    CARD_RISK_MANAGEMENT_PERFORMED                  = (1, 0x20)
    ISSUER_AUTHENTICATION_PERFORMED                 = (1, 0x10)
    TERMINAL_RISK_MANAGEMENT_PERFORMED              = (1, 0x08)
    SCRIPT_PROCESSING_PERFORMED                     = (1, 0x04)


class Aip(Enum):
    """Application interchange profile, two bytes."""

    XDA_SUPPORTED                                   = (1, 0x80)
    SDA_SUPPORTED                                   = (1, 0x40)
    DDA_SUPPORTED                                   = (1, 0x20)
    CVM_SUPPORTED                                   = (1, 0x10)
    TERMINAL_RISK_MANAGEMENT_REQUIRED               = (1, 0x08)
    ISSUER_AUTHENTICATION_SUPPORTED                 = (1, 0x04)
    ON_DEVICE_VERIFICATION_SUPPORTED                = (1, 0x02)
    CDA_SUPPORTED                                   = (1, 0x01)
    EMV_MODE_SUPPORTED                              = (2, 0x80)
    MOBILE_PHONE                                    = (2, 0x40)
    CONTACTLESS_TRANSACTION                         = (2, 0x20)
    RELAY_RESISTANCE_SUPPORTED                      = (2, 0x01)


class Auc(Enum):
    """Application usage control, two bytes."""

    DOMESTIC_CASH                                   = (1, 0x80)
    INTERNATIONAL_CASH                              = (1, 0x40)
    DOMESTIC_GOODS                                  = (1, 0x20)
    INTERNATIONAL_GOODS                             = (1, 0x10)
    DOMESTIC_SERVICES                               = (1, 0x08)
    INTERNATIONAL_SERVICES                          = (1, 0x04)
    ATM                                             = (1, 0x02)
    NON_ATM                                         = (1, 0x01)
    DOMESTIC_CASHBACK                               = (2, 0x80)
    INTERNATIONAL_CASHBACK                          = (2, 0x40)


class Ttq(Enum):
    """Terminal transaction qualifiers, four bytes."""

    MAGSTRIPE_MODE_SUPPORTED                        = (1, 0x80)
    EMV_MODE_SUPPORTED                              = (1, 0x20)
    EMV_CONTACT_SUPPORTED                           = (1, 0x10)
    OFFLINE_ONLY_READER                             = (1, 0x08)
    ONLINE_PIN_SUPPORTED                            = (1, 0x04)
    SIGNATURE_SUPPORTED                             = (1, 0x02)
    ODA_FOR_ONLINE_AUTH_SUPPORTED                   = (1, 0x01)
    ONLINE_CRYPTOGRAM_REQUIRED                      = (2, 0x80)
    CVM_REQUIRED                                    = (2, 0x40)
    OFFLINE_PIN_SUPPORTED                           = (2, 0x20)
    FAST_MODE_SUPPORTED                             = (2, 0x08)
    TRANSIT_TERMINAL                                = (2, 0x04)
    ISSUER_UPDATE_PROCESSING_SUPPORTED              = (3, 0x80)
    ON_DEVICE_VERIFICATION_SUPPORTED                = (3, 0x40)
    ON_DEVICE_VERIFICATION_FOR_TRANSIT_SUPPORTED    = (3, 0x20)
    ON_DEVICE_VERIFICATION_REQUIRED                 = (3, 0x08)
    FDDA_V1_SUPPORTED                               = (4, 0x80)


class Ctq(Enum):
    """Card transaction qualifiers, two bytes."""

    ONLINE_PIN_REQUIRED                             = (1, 0x80)
    SIGNATURE_REQUIRED                              = (1, 0x40)
    ONLINE_IF_ODA_FAILED                            = (1, 0x20)
    SWITCH_INTERFACE_IF_ODA_FAILED                  = (1, 0x10)
    ONLINE_IF_APPLICATION_EXPIRED                   = (1, 0x08)
    SWITCH_INTERFACE_IF_CASH                        = (1, 0x04)
    SWITCH_INTERFACE_IF_CASHBACK                    = (1, 0x02)
    ATM_NOT_VALID                                   = (1, 0x01)
    ON_DEVICE_VERIFICATION_PERFORMED                = (2, 0x80)
    ISSUER_UPDATE_PROCESSING_SUPPORTED              = (2, 0x40)


class Capability(Enum):
    """Terminal capabilities, three bytes: input, cardholder verification, security."""

    MANUAL_ENTRY                                    = (1, 0x80)
    MAGSTRIPE                                       = (1, 0x40)
    CONTACT_CHIP                                    = (1, 0x20)
    PLAIN_OFFLINE_PIN                               = (2, 0x80)
    ONLINE_PIN                                      = (2, 0x40)
    SIGNATURE                                       = (2, 0x20)
    ENCIPHERED_OFFLINE_PIN                          = (2, 0x10)
    NO_CVM                                          = (2, 0x08)
    SDA                                             = (3, 0x80)
    DDA                                             = (3, 0x40)
    CARD_CAPTURE                                    = (3, 0x20)
    CDA                                             = (3, 0x08)


# fmt: on


Bit = Tvr | Tsi | Aip | Auc | Ttq | Ctq | Capability
Word = type[Tvr] | type[Tsi] | type[Aip] | type[Auc] | type[Ttq] | type[Ctq] | type[Capability]

# fmt: off
WORDS: Mapping[str, Word] = {
    "95": Tvr, "9B": Tsi, "82": Aip, "9F07": Auc, "9F66": Ttq, "9F6C": Ctq,
    "9F33": Capability,
}
CVM_CODES: Mapping[int, str] = {
    0x00: "fail cardholder verification",
    0x01: "plain PIN checked by the card",
    0x02: "enciphered PIN checked online",
    0x03: "plain PIN checked by the card, and signature",
    0x04: "enciphered PIN checked by the card",
    0x05: "enciphered PIN checked by the card, and signature",
    0x1E: "signature",
    0x1F: "no verification required",
    0x3F: "no verification performed",
}
CVM_CONDITIONS: Mapping[int, str] = {
    0x00: "always",
    0x01: "if unattended cash",
    0x02: "if not cash and no cashback",
    0x03: "if the terminal supports it",
    0x04: "if manual cash",
    0x05: "if purchase with cashback",
    0x06: "if under X in the application currency",
    0x07: "if over X in the application currency",
    0x08: "if under Y in the application currency",
    0x09: "if over Y in the application currency",
}
CVM_RESULTS: Mapping[int, str] = {0: "unknown", 1: "failed", 2: "successful"}
CRYPTOGRAMS: Mapping[int, str] = {0x00: "AAC, declined", 0x40: "TC, approved", 0x80: "ARQC, online"}
# fmt: on


def is_set(word: bytes, bit: Bit) -> bool:
    """Whether the bit is 1; a word that is too short has 0 there."""
    byte, mask = bit.value
    return len(word) >= byte and bool(word[byte - 1] & mask)


def with_bit(word: bytes, bit: Bit) -> bytes:
    """The word with this bit set. Raises IndexError if the word is too short."""
    byte, mask = bit.value
    changed = bytearray(word)
    changed[byte - 1] |= mask
    return bytes(changed)


def word_of(length: int, *bits: Bit) -> bytes:
    """A word of this many bytes in which these bits are set."""
    word = bytes(length)
    for bit in bits:
        word = with_bit(word, bit)
    return word


def bit_names(tag: str, value: bytes) -> tuple[str, ...]:
    """The names of the bits set in a word, in order; empty for a tag that is no such word."""
    if tag not in WORDS:
        return ()
    return tuple(bit_name(bit) for bit in WORDS[tag] if is_set(value, bit))


def bit_name(bit: Enum) -> str:
    """What a bit says, in words; abbreviations stay capital."""
    words = bit.name.split("_")
    return " ".join(word if word in ABBREVIATIONS else word.lower() for word in words)


def cvm_words(code: int, condition: int) -> str:
    """A rule of a CVM list in words."""
    method = CVM_CODES.get(code & 0x3F, f"method {code & 0x3F:02X}")
    return f"{method}, {CVM_CONDITIONS.get(condition, f'condition {condition:02X}')}"
