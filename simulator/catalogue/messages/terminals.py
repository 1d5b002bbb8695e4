"""What terminals send and get, as rows: entry modes, tags of the chip, texts for the receipt.

Source: Point of sale; ISO 8583:1987; EMV books 3 and 4. Choices: D-406, D-410, D-412.
"""

from collections.abc import Mapping

# fmt: off
# The first two digits of field 22.
ENTRY_MODES: Mapping[str, str] = {
    "MANUAL":               "01",
    "ICC":                  "05",
    "NFC_ICC":              "07",
    "MAGSTRIPE_AS_FALLBACK": "80",
    "MAGSTRIPE":            "90",
    "NFC_MAGSTRIPE":        "91",
}
# The third digit of field 22.
PIN_CAPABILITIES: Mapping[str | None, str] = {
    "PIN_ENTRY_AVAILABLE":   "1",
    "PIN_ENTRY_UNAVAILABLE": "2",
    None:                    "0",
}
# Tags of account data: what a terminal encrypts of a card.
TRACK_2, NUMBER, EXPIRY, HOLDER, SEQUENCE = "57", "5A", "5F24", "5F20", "5F34"
# A private tag: EMV has none for the code that a merchant types in. Choice: D-454.
CODE = "DF01"
# Tags that may not stand in field 55: they hold the number of the card, its expiry, its holder or a
# PIN.
NOT_IN_FIELD_55 = frozenset({"56", TRACK_2, NUMBER, HOLDER, EXPIRY, "99", "9F6B"})
CHIP_BYTES_MAX = 255
# The authorization response code, and the values by which a card approved offline. What the card
# gives with it is a transaction certificate: a cryptogram of this kind. Choice: D-436.
RESPONSE_CODE, OFFLINE_APPROVALS = "8A", frozenset({b"Y1", b"Y3"})
CRYPTOGRAM, CRYPTOGRAM_BYTES = "9F26", 8
CRYPTOGRAM_KIND, KIND_BITS, TRANSACTION_CERTIFICATE = "9F27", 0xC0, 0x40
# Field 53: zone encryption, TDES, PIN block of format 0, first zone key.
PIN_FORMAT = "2001010100000000"

# What to print instead of "approved" or "declined", by the response code. Letters and digits alone.
STATUS_TEXTS: Mapping[str, str] = {
    "00": "APPROVED",
    "01": "CALLISSUER",
    "02": "CALLISSUER",
    "03": "MERCHANTUNKNOWN",
    "04": "KEEPCARD",
    "07": "KEEPCARD",
    "08": "APPROVED",
    "09": "INPROGRESS",
    "10": "PARTIAL",
    "11": "APPROVED",
    "13": "AMOUNTINVALID",
    "14": "CARDINVALID",
    "1A": "INSERTCARD",
    "16": "APPROVED",
    "33": "CARDEXPIRED",
    "38": "PINTRIESEXCEEDED",
    "41": "KEEPCARD",
    "43": "KEEPCARD",
    "51": "NOTENOUGHMONEY",
    "54": "CARDEXPIRED",
    "55": "PINWRONG",
    "61": "LIMITEXCEEDED",
    "62": "CARDBLOCKED",
    "67": "KEEPCARD",
    "68": "NOANSWER",
    "75": "PINTRIESEXCEEDED",
    "82": "CODEWRONG",
    "83": "PINNOTCHECKED",
    "85": "APPROVED",
    "86": "PINNOTCHECKED",
    "91": "ISSUERNOTAVAILABLE",
    "92": "ISSUERNOTAVAILABLE",
    "94": "SENTTWICE",
    "Z3": "ISSUERNOTAVAILABLE",
}
# Where the result code says more than the response code does.
STATUS_TEXTS_BY_RESULT: Mapping[str, str] = {
    "300.100.100": "INSERTCARD",
    "900.100.300": "NOANSWER",
    "900.100.301": "NOANSWERREVERSED",
    "900.100.600": "ISSUERNOTAVAILABLE",
}
APPROVED, DECLINED, PENDING = "APPROVED", "DECLINED", "INPROGRESS"
# fmt: on
