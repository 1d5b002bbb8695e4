"""Answers to payments and reversals, made of the entry that the terminal keeps of each.

They are made of nothing else than that entry and what was remembered of the request, so an answer
can be made again after a power cut. Choice: D-463.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from pos_emulator.ecr.nexo.messages import Body, instant
from pos_emulator.ecr.nexo.outcomes import BY_ENDING, SUCCESS, NexoOutcome, NexoResult
from pos_emulator.ecr.nexo.station import Station
from pos_emulator.receipts.conversion import Conversion
from pos_emulator.receipts.document import (
    PaymentReceipt,
    ReceiptCopy,
    Style,
    Verification,
    document_of,
)
from pos_emulator.receipts.text import rows_of
from pos_emulator.terminal.records import Ending, Stage, TerminalEntry

# fmt: off
QUALIFIERS: Mapping[ReceiptCopy, str] = {
    ReceiptCopy.MERCHANT:   "CashierReceipt",
    ReceiptCopy.CARDHOLDER: "CustomerReceipt",
}
METHODS: Mapping[Verification, str] = {
    Verification.PIN:       "OnlinePIN",
    Verification.SIGNATURE: "PaperSignature",
    Verification.ON_DEVICE: "UnknownMethod",
    Verification.NONE:      "Bypass",
}
ENTRY_MODES: Mapping[str, str] = {
    "CHIP":             "ICC",
    "CONTACTLESS":      "Contactless",
    "SWIPED":           "MagStripe",
    "SWIPED, FALLBACK": "MagStripe",
    "KEYED":            "Keyed",
}
# fmt: on
ASK_AGAIN = "the terminal finds out what became of it: ask for its status"


def payment_answer(station: Station, entry: TerminalEntry, request: Body) -> Body:
    """PaymentResponse: how the payment ended, what it is called, what was paid, what to print."""
    answer: dict[str, Any] = {
        "Response": station.response(outcome_of(entry)),
        "SaleData": {"SaleTransactionID": request.get("SaleTransactionID", {})},
        "POIData": _poi_data(entry),
        "PaymentResult": _payment_result(entry, request.get("PaymentType", "Normal")),
    }
    if entry.printed:
        answer["PaymentReceipt"] = _receipts(entry.printed)
    return answer


def reversal_answer(station: Station, entry: TerminalEntry, request: Body) -> Body:
    """ReversalResponse."""
    answer: dict[str, Any] = {
        "Response": station.response(outcome_of(entry)),
        "POIData": _poi_data(entry),
    }
    if "SaleTransactionID" in request:
        answer["SaleData"] = {"SaleTransactionID": request["SaleTransactionID"]}
    if entry.approved is not None:
        answer["ReversedAmount"] = entry.approved
    if entry.printed:
        answer["PaymentReceipt"] = _receipts(entry.printed)
    return answer


def failed_answer(station: Station, category: str, outcome: NexoOutcome, request: Body) -> Body:
    """The response of a category whose request did not come to the terminal."""
    answer: dict[str, Any] = {"Response": station.response(outcome)}
    if category in ("CardAcquisition", "Payment"):
        header = request.get("MessageHeader", {})
        named = {"TransactionID": header.get("ServiceID", "0"), "TimeStamp": instant(station.now())}
        answer["SaleData"] = {"SaleTransactionID": request.get("SaleTransactionID", named)}
        answer["POIData"] = {"POITransactionID": named}
    return answer


def outcome_of(entry: TerminalEntry) -> NexoOutcome:
    """How a payment ended."""
    if entry.ending is None:
        raise ValueError(f"the payment {entry.receipt} is under way")
    result, condition = BY_ENDING[entry.ending]
    if result is NexoResult.SUCCESS:
        return SUCCESS
    left = "" if entry.tries_left is None else f"tries left: {entry.tries_left}"
    unknown = ASK_AGAIN if entry.stage is Stage.ASKED else ""
    reason = "; ".join(filter(None, (entry.reason, left, unknown)))
    return NexoOutcome(result, condition, entry.ending.value, reason)


def _poi_data(entry: TerminalEntry) -> Body:
    named = {"TransactionID": entry.name, "TimeStamp": instant(entry.at)}
    return {"POITransactionID": named, "POIReconciliationID": entry.batch}


def _payment_result(entry: TerminalEntry, payment_type: str) -> Body:
    amounts = {
        "Currency": entry.order.currency,
        "AuthorizedAmount": Decimal(0) if entry.approved is None else entry.approved,
    }
    # Of a part no cash is paid out, and none of it is a tip.
    parts = {"CashBackAmount": entry.order.cashback, "TipAmount": entry.order.tip}
    if entry.ending is Ending.APPROVED:
        amounts |= {name: amount for name, amount in parts.items() if amount}
    result: dict[str, Any] = {
        "PaymentType": payment_type, "AmountsResp": amounts, "OnlineFlag": not entry.is_offline
    }  # fmt: skip
    if entry.conversion is not None and entry.approved is not None:
        result["CurrencyConversion"] = [_conversion(entry.conversion)]
    return {**result, **_card_result(entry, entry.printed)} if entry.printed else result


def _conversion(chosen: Conversion) -> Body:
    """What the cardholder chose to be charged, in the currency of the card."""
    return {
        "CustomerApprovedFlag": True,
        "ConvertedAmount": {"AmountValue": chosen.amount, "Currency": chosen.currency},
        "Rate": chosen.rate,
        "Markup": chosen.markup,
    }


def _card_result(entry: TerminalEntry, printed: PaymentReceipt) -> Body:
    card: dict[str, Any] = {
        "MaskedPan": f"**** {printed.card}",
        "EntryMode": [ENTRY_MODES.get(printed.entry_mode, "Manual")],
    }
    if printed.brand:
        card["PaymentBrand"] = printed.brand
    if printed.sequence:
        card["SensitiveCardData"] = {"CardSeqNumb": printed.sequence}
    acquirer: dict[str, Any] = {
        "AcquirerPOIID": printed.terminal_id, "MerchantID": printed.merchant_id,
    }  # fmt: skip
    if entry.payment:
        named = {"TransactionID": entry.payment, "TimeStamp": instant(entry.at)}
        acquirer["AcquirerTransactionID"] = named
    if printed.authorization_code:
        acquirer["ApprovalCode"] = printed.authorization_code
    return {
        "AuthenticationMethod": [METHODS[printed.verification]],
        "PaymentInstrumentData": {"PaymentInstrumentType": "Card", "CardData": card},
        "PaymentAcquirerData": acquirer,
    }


def _receipts(printed: PaymentReceipt) -> list[Body]:
    is_signed = printed.verification is Verification.SIGNATURE
    return [
        {
            "DocumentQualifier": QUALIFIERS[copy],
            "RequiredSignatureFlag": is_signed and copy is ReceiptCopy.MERCHANT,
            "OutputContent": {"OutputFormat": "Text", "OutputText": _lines(printed, copy)},
        }
        for copy in ReceiptCopy
    ]


def _lines(printed: PaymentReceipt, copy: ReceiptCopy) -> list[Body]:
    """The rows of a receipt; titles and amounts are bold."""
    bold = (Style.BOLD, Style.TITLE)
    return [
        {
            **({"Text": row.rstrip()} if row.strip() else {}),
            "EndOfLineFlag": True,
            "CharacterStyle": "Bold" if line.style in bold else "Normal",
        }
        for line in document_of(printed, copy)
        for row in rows_of(line)
    ]
