"""Point of sale."""

from simulator.grammar.formats import alphanumeric, choice_of, decimal, digits, switched, text
from simulator.grammar.parameters import OPTIONAL, REQUIRED, Param, table
from simulator.grammar.relations import required_if_any

ENTRY_MODE = choice_of(
    "MANUAL", "MAGSTRIPE", "MAGSTRIPE_AS_FALLBACK", "ICC", "NFC_ICC", "NFC_MAGSTRIPE",
    notation="AN32",
)  # fmt: skip
PIN_ENTRY = choice_of("PIN_ENTRY_AVAILABLE", "PIN_ENTRY_UNAVAILABLE", notation="AN32")
SOURCE = choice_of("POS", notation="A3")

# The six strings are not shown, so any text is taken; these are ours. Choice: D-55.
TERMINAL_MODELS = (
    "SANDGATE_COUNTERTOP", "SANDGATE_PORTABLE", "SANDGATE_MOBILE",
    "SANDGATE_PINPAD", "SANDGATE_INTEGRATED", "SANDGATE_UNATTENDED",
)  # fmt: skip
DEVICE_TYPE = switched(text(32), "device_types", choice_of(*TERMINAL_MODELS, notation="AN32"))

# fmt: off
POINT_OF_SALE = table("Point of sale", (
    Param("pos.deviceId",                  digits(1, 32),      OPTIONAL, "terminal serial number"),
    Param("pos.deviceType",                DEVICE_TYPE,        OPTIONAL,
          "six terminal models are known, each with its maker's word before it", origin="D-55"),
    Param("pos.encryptedPin.data",         alphanumeric(2048), OPTIONAL,
          "encrypted online PIN", secret=True),
    Param("pos.encryptedPin.ksn",          text(2048),         OPTIONAL,
          "key serial number for the PIN"),
    Param("pos.encryptedSred.data",        text(2048),         OPTIONAL,
          "encrypted account data (PAN, track 2, expiry)", secret=True),
    Param("pos.encryptedSred.ksn",         text(2048),         OPTIONAL,
          "key serial number for account data"),
    Param("pos.entryMode",                 ENTRY_MODE,         REQUIRED),
    Param("pos.iccDataRequest",            text(2048),         OPTIONAL,
          "data returned by the card, including the cryptogram", secret=True),
    Param("pos.location.accuracy",         digits(1, 32),      OPTIONAL, "GPS accuracy"),
    Param("pos.location.latitude",         decimal(2, 8),      OPTIONAL),
    Param("pos.location.longitude",        decimal(3, 8),      OPTIONAL),
    Param("pos.panSequenceNumber",         digits(1, 32),      OPTIONAL),
    Param("pos.pinEntryCapability",        PIN_ENTRY,          OPTIONAL),
    Param("pos.terminalId",                digits(1, 32),      REQUIRED, "acquirer-assigned"),
    Param("pos.transactionSequenceNumber", digits(1, 32),      OPTIONAL),
    Param("pos.transactionSource",         SOURCE,             OPTIONAL, "always POS"),
))

POINT_OF_SALE_RELATIONS = (
    required_if_any("POS-01", "pos.", "pos.entryMode", "pos.terminalId"),
)
# fmt: on
