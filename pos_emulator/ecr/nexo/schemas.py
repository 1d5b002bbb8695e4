"""What a request of a till has to contain: one row a member, and JSON Schemas computed from them.

Members that no row names are allowed and ignored, as tills send many that steer other terminals.
Source: nexo Retailer protocol 3.0. Choice: D-460.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

VIOLATIONS_MAX = 5
WORD = re.compile(r"[A-Za-z]{1,32}")
# The end of a text: $ alone stands before a line feed at its end too.
END = r"$(?!\n)"
Schema = dict[str, Any]


class Member(NamedTuple):
    """A row: where a member is, what it holds, and whether it has to be there.

    A segment of the path that ends in `[]` is a list of what follows.
    """

    path: str
    form: Schema
    needed: bool = False


class Category(NamedTuple):
    """A row: a kind of request, its message class, and the member of its body.

    `is_session` is one that needs a Login, as it is about what happened since.
    """

    name: str
    message_class: str
    member: str
    is_session: bool = False


def text(most: int) -> Schema:
    """A text of at least one character."""
    return {
        "type": "string", "minLength": 1, "maxLength": most,
        "description": f"a text of 1 to {most} characters",
    }  # fmt: skip


def one_of(*names: str) -> Schema:
    """One of some words."""
    return {"enum": list(names), "description": "one of " + ", ".join(names)}


def at_most(count: int, form: Schema) -> Schema:
    """A list of one to `count` items."""
    return {
        "type": "array", "items": form, "minItems": 1, "maxItems": count,
        "description": f"a list of 1 to {count} items",
    }  # fmt: skip


# A long receipt of a till has some two hundred lines.
MANY, LIST_MAX = "[]", 250
GROUP: Schema = {"type": "object", "description": "an object"}
FLAG: Schema = {"type": "boolean", "description": "true or false"}
LENGTH: Schema = {"type": "integer", "minimum": 0, "maximum": 100, "description": "0 to 100"}
COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": 999, "description": "0 to 999"}
AMOUNT: Schema = {
    "anyOf": [
        {"type": "number", "minimum": 0, "maximum": 99_999_999},
        {"type": "string", "pattern": rf"^[0-9]{{1,8}}(\.[0-9]{{1,6}})?{END}"},
    ],
    "description": "an amount from 0 to 99999999 such as 12.50, as a number or as a text",
}
CURRENCY: Schema = {
    "type": "string", "pattern": f"^[A-Z]{{3}}{END}", "description": "a currency such as EUR"
}  # fmt: skip
INSTANT: Schema = {
    "type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d", "maxLength": 40,
    "description": "a date with a time such as 2026-11-23T09:00:00Z",
}  # fmt: skip
LANGUAGE: Schema = {
    "type": "string", "pattern": f"^[a-z]{{2}}{END}", "description": "a language such as en"
}  # fmt: skip
SERVICE_ID: Schema = {
    "type": "string", "pattern": f"^[A-Za-z0-9._:-]{{1,36}}{END}",
    "description": "1 to 36 letters, digits and signs of .-_:",
}  # fmt: skip
SALE_ID: Schema = {
    "type": "string", "pattern": f"^[ -~]{{1,64}}{END}",
    "description": "1 to 64 printable characters",
}  # fmt: skip
PAYMENT_TYPES = (
    "CashAdvance", "CashDeposit", "Completion", "FirstReservation", "Instalment",
    "IssuerInstalment", "Normal", "OneTimeReservation", "PaidOut", "Recurring", "Refund",
    "UpdateReservation",
)  # fmt: skip
DEVICES = one_of("CashierDisplay", "CustomerDisplay", "CashierInput", "CustomerInput")
QUALIFIES = one_of(
    "CustomerAssistance", "Display", "Document", "Error", "Input", "POIReplication", "Receipt",
    "Sound", "Status", "Voucher",
)  # fmt: skip
ID, NEEDED = text(64), True
SERVICE, DEVICE, EVENT = "Service", "Device", "Event"

# fmt: off
CATEGORIES: Mapping[str, Category] = {row.name: row for row in (
    #        name                  class    member
    Category("Abort",              SERVICE, "AbortRequest"),
    Category("Admin",              SERVICE, "AdminRequest"),
    Category("BalanceInquiry",     SERVICE, "BalanceInquiryRequest"),
    Category("Batch",              SERVICE, "BatchRequest"),
    Category("CardAcquisition",    SERVICE, "CardAcquisitionRequest"),
    Category("CardReaderAPDU",     DEVICE,  "CardReaderAPDURequest"),
    Category("CardReaderInit",     DEVICE,  "CardReaderInitRequest"),
    Category("CardReaderPowerOff", DEVICE,  "CardReaderPowerOffRequest"),
    Category("Diagnosis",          SERVICE, "DiagnosisRequest"),
    Category("Display",            DEVICE,  "DisplayRequest"),
    Category("EnableService",      SERVICE, "EnableServiceRequest"),
    Category("Event",              EVENT,   "EventNotification"),
    Category("GetTotals",          SERVICE, "GetTotalsRequest", True),
    Category("Input",              DEVICE,  "InputRequest"),
    Category("InputUpdate",        DEVICE,  "InputUpdate"),
    Category("Login",              SERVICE, "LoginRequest"),
    Category("Logout",             SERVICE, "LogoutRequest"),
    Category("Loyalty",            SERVICE, "LoyaltyRequest"),
    Category("PIN",                DEVICE,  "PINRequest"),
    Category("Payment",            SERVICE, "PaymentRequest"),
    Category("Print",              DEVICE,  "PrintRequest"),
    Category("Reconciliation",     SERVICE, "ReconciliationRequest", True),
    Category("Reversal",           SERVICE, "ReversalRequest"),
    Category("Sound",              DEVICE,  "SoundRequest"),
    Category("StoredValue",        SERVICE, "StoredValueRequest"),
    Category("TransactionStatus",  SERVICE, "TransactionStatusRequest"),
    Category("Transmit",           DEVICE,  "TransmitRequest"),
)}

HEADER = (
    Member("ProtocolVersion", {"type": "string", "pattern": rf"^3\.[0-9]{END}",
                               "description": "3.0"}),
    Member("MessageClass",    one_of(SERVICE, DEVICE, EVENT),   NEEDED),
    Member("MessageCategory", one_of(*CATEGORIES),              NEEDED),
    Member("MessageType",     one_of("Request"),                NEEDED),
    Member("ServiceID",       SERVICE_ID,                       NEEDED),
    Member("DeviceID",        SERVICE_ID),
    Member("SaleID",          SALE_ID,                          NEEDED),
    Member("POIID",           ID,                               NEEDED),
)

SALE = (
    Member("SaleData",                                 GROUP,   NEEDED),
    Member("SaleData.SaleTransactionID",               GROUP,   NEEDED),
    Member("SaleData.SaleTransactionID.TransactionID", ID,      NEEDED),
    Member("SaleData.SaleTransactionID.TimeStamp",     INSTANT, NEEDED),
)
OPTIONAL_SALE = tuple(row._replace(needed=False) for row in SALE)
REFERENCE = (
    Member("MessageReference",                 GROUP),
    Member("MessageReference.MessageCategory", one_of(*CATEGORIES)),
    Member("MessageReference.ServiceID",       SERVICE_ID),
    Member("MessageReference.SaleID",          SALE_ID),
)
OUTPUT = (
    Member("OutputContent",                            GROUP, NEEDED),
    Member("OutputContent.OutputFormat", one_of("Text", "XHTML", "BarCode", "MessageRef"), NEEDED),
    Member("OutputContent.OutputText[].Text",          text(1000)),
    Member("OutputContent.OutputText[].EndOfLineFlag", FLAG),
)
ORIGINAL = "OriginalPOITransaction.POITransactionID"

BODIES: Mapping[str, tuple[Member, ...]] = {
    "Login": (
        Member("DateTime",                     INSTANT,  NEEDED),
        Member("SaleSoftware",                 GROUP,    NEEDED),
        Member("SaleSoftware.ManufacturerID",  text(64), NEEDED),
        Member("SaleSoftware.ApplicationName", text(64), NEEDED),
        Member("SaleSoftware.SoftwareVersion", text(64), NEEDED),
        Member("OperatorLanguage",             LANGUAGE, NEEDED),
        Member("OperatorID",                   text(64)),
        Member("ShiftNumber",                  text(16)),
        Member("TrainingModeFlag",             FLAG),
    ),
    "Payment": (
        *SALE,
        Member("PaymentTransaction",                            GROUP,    NEEDED),
        Member("PaymentTransaction.AmountsReq",                 GROUP,    NEEDED),
        Member("PaymentTransaction.AmountsReq.Currency",        CURRENCY, NEEDED),
        Member("PaymentTransaction.AmountsReq.RequestedAmount", AMOUNT),
        Member("PaymentTransaction.AmountsReq.CashBackAmount",  AMOUNT),
        Member("PaymentTransaction.AmountsReq.TipAmount",       AMOUNT),
        Member(f"PaymentTransaction.{ORIGINAL}",                GROUP),
        Member(f"PaymentTransaction.{ORIGINAL}.TransactionID",  text(128), NEEDED),
        Member("PaymentTransaction.TransactionConditions.ForceOnlineFlag", FLAG),
        Member("PaymentData",                                   GROUP),
        Member("PaymentData.PaymentType",                       one_of(*PAYMENT_TYPES)),
        Member("PaymentData.CardAcquisitionReference",               GROUP),
        Member("PaymentData.CardAcquisitionReference.TransactionID", text(128), NEEDED),
    ),
    "CardAcquisition": (
        *SALE,
        Member("CardAcquisitionTransaction",             GROUP, NEEDED),
        Member("CardAcquisitionTransaction.TotalAmount", AMOUNT),
    ),
    "Reversal": (
        *OPTIONAL_SALE,
        Member("OriginalPOITransaction",    GROUP,     NEEDED),
        Member(ORIGINAL,                    GROUP,     NEEDED),
        Member(f"{ORIGINAL}.TransactionID", text(128), NEEDED),
        Member("ReversalReason",
               one_of("CustCancel", "Malfunction", "MerchantCancel", "Unable2Compl"), NEEDED),
        Member("ReversedAmount",            AMOUNT),
    ),
    "Abort": (
        *REFERENCE,
        Member("MessageReference",           GROUP,      NEEDED),
        Member("MessageReference.ServiceID", SERVICE_ID, NEEDED),
        Member("AbortReason",                text(64),   NEEDED),
    ),
    "TransactionStatus": REFERENCE,
    "Reconciliation": (
        Member("ReconciliationType",
               one_of("AcquirerReconciliation", "AcquirerSynchronisation",
                      "PreviousReconciliation", "SaleReconciliation"), NEEDED),
        Member("POIReconciliationID", text(16)),
    ),
    "Diagnosis": (Member("HostDiagnosisFlag", FLAG),),
    "EnableService": (
        Member("TransactionAction", one_of("StartTransaction", "AbortTransaction"), NEEDED),
        Member("ServicesEnabled",
               at_most(3, one_of("CardAcquisition", "Loyalty", "Payment"))),
    ),
    "Display": (
        Member("DisplayOutput[]",             GROUP,     NEEDED),
        Member("DisplayOutput[].Device",      DEVICES,   NEEDED),
        Member("DisplayOutput[].InfoQualify", QUALIFIES, NEEDED),
        *(row._replace(path=f"DisplayOutput[].{row.path}") for row in OUTPUT),
    ),
    "Input": (
        Member("InputData",              GROUP,     NEEDED),
        Member("InputData.Device",       DEVICES,   NEEDED),
        Member("InputData.InfoQualify",  QUALIFIES, NEEDED),
        Member("InputData.InputCommand",
               one_of("DecimalString", "DigitString", "GetAnyKey", "GetConfirmation",
                      "GetFunctionKey", "GetMenuEntry", "Password", "SiteManager", "TextString"),
               NEEDED),
        Member("InputData.MaxInputTime", COUNT),
        Member("InputData.MinLength",          LENGTH),
        Member("InputData.MaxLength",          LENGTH),
        Member("InputData.MaxDecimalLength",   LENGTH),
        Member("InputData.MaskCharactersFlag", FLAG),
        Member("InputData.NotifyCardInputFlag", FLAG),
        Member("DisplayOutput",          GROUP),
        *(row._replace(path=f"DisplayOutput.{row.path}") for row in OUTPUT),
        Member("DisplayOutput.MenuEntry[].OutputText[].Text", text(100), NEEDED),
    ),
    "Print": (
        Member("PrintOutput",                   GROUP, NEEDED),
        Member("PrintOutput.DocumentQualifier",
               one_of("CashierReceipt", "CustomerReceipt", "Document", "Journal", "SaleReceipt",
                      "Voucher"), NEEDED),
        Member("PrintOutput.ResponseMode",
               one_of("Immediate", "NotRequired", "PrintEnd", "SoundEnd"), NEEDED),
        *(row._replace(path=f"PrintOutput.{row.path}") for row in OUTPUT),
        Member("PrintOutput.OutputContent.OutputText[].CharacterStyle",
               one_of("Bold", "Italic", "Normal", "Underlined")),
        Member("PrintOutput.OutputContent.OutputText[].Alignment",
               one_of("Centred", "Justified", "Left", "Right")),
    ),
}
# fmt: on
MEMBERS: Mapping[str, tuple[Member, ...]] = {
    "MessageHeader": HEADER,
    **{CATEGORIES[name].member: rows for name, rows in BODIES.items()},
}


def violations_of(value: object, name: str) -> list[str]:
    """What was expected and received of each member of a header or body, at most five, never a
    value that may be secret. `name` is "MessageHeader" or that of a body, "PaymentRequest".
    """
    found = dict.fromkeys(
        violation
        for error in _validator(name).iter_errors(value)
        for violation in _violations(error, name)
    )
    return list(found)[:VIOLATIONS_MAX]


def schema_of(members: Iterable[Member]) -> Schema:
    """The JSON Schema of an object with these members."""
    root = dict(GROUP, properties={}, required=[])
    for member in members:
        *parents, last = member.path.split(".")
        inner = root
        for name in parents:
            inner = _child(inner, name)
        _set(inner, last, member)
    return root


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema_of(MEMBERS.get(name, ())))


def _child(schema: Schema, name: str) -> Schema:
    """The object under a name, or that of each item of the list under it."""
    properties = schema["properties"]
    plain = name.removesuffix(MANY)
    new = dict(GROUP, properties={}, required=[])
    found = properties.setdefault(plain, at_most(LIST_MAX, new) if name != plain else new)
    child: Schema = found["items"] if name != plain else found
    return child


def _set(schema: Schema, name: str, member: Member) -> None:
    plain = name.removesuffix(MANY)
    if member.form is GROUP:
        _child(schema, name)
    else:
        schema["properties"][plain] = member.form
    if member.needed and plain not in schema["required"]:
        schema["required"].append(plain)


def _violations(error: ValidationError, where: str) -> Iterator[str]:
    path = ".".join([where, *map(str, error.absolute_path)])
    if error.validator != "required":
        yield f"{path}: expected {error.schema['description']}, received {shape_of(error.instance)}"
        return
    for name in error.validator_value:
        if name not in error.instance:
            expected = error.schema["properties"][name]["description"]
            yield f"{path}.{name}: expected {expected}, received nothing"


def shape_of(value: object) -> str:
    """A value as an error shows it: a single word as it is, of all else its kind and size."""
    if isinstance(value, str):
        return value if WORD.fullmatch(value) else f"a text of {len(value)} characters"
    names = {bool: "true or false", dict: "an object", list: "a list", type(None): "null"}
    return names.get(type(value), "a number")
