"""Messages as they travel: one JSON object with a header, and a member its category names."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

import msgspec

from pos_emulator.card_numbers import has_card_number
from pos_emulator.ecr.nexo.outcomes import (
    CARD_NUMBER,
    Condition,
    NexoError,
    UnreadableMessageError,
)
from pos_emulator.ecr.nexo.schemas import (
    CATEGORIES,
    EVENT,
    shape_of,
    violations_of,
)

VERSION = "3.0"
REQUEST, RESPONSE = "SaleToPOIRequest", "SaleToPOIResponse"
Body = Mapping[str, Any]
_DECODER = msgspec.json.Decoder(float_hook=Decimal)
_ENCODER = msgspec.json.Encoder(decimal_format="number")


@dataclass(frozen=True, kw_only=True)
class Header:
    """The header of a request; `service_id` is new for every request of a till."""

    category: str
    message_class: str
    service_id: str
    sale_id: str
    poi_id: str
    device_id: str = ""
    version: str = VERSION

    def as_json(self, message_type: str) -> Body:
        """The header of a message of this exchange: "Request", "Response", "Notification"."""
        written = {
            "ProtocolVersion": self.version, "MessageClass": self.message_class,
            "MessageCategory": self.category, "MessageType": message_type,
            "ServiceID": self.service_id, "DeviceID": self.device_id,
            "SaleID": self.sale_id, "POIID": self.poi_id,
        }  # fmt: skip
        return {name: value for name, value in written.items() if value}


@dataclass(frozen=True)
class TillRequest:
    """A request with a valid header; its body is not checked yet."""

    header: Header
    members: Body

    def body(self) -> Body:
        """The member that the category names. Raises NexoError where a row forbids it."""
        name = CATEGORIES[self.header.category].member
        body: Body = self.members.get(name, {})
        violations = violations_of(body, name)
        if violations:
            raise NexoError(Condition.MESSAGE_FORMAT, "; ".join(violations))
        return body


def read_object(content: bytes) -> Body:
    """A JSON object, its fractions exact. Raises UnreadableMessageError."""
    try:
        value = _DECODER.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, ArithmeticError, RecursionError, ValueError):
        raise UnreadableMessageError("expected a JSON object, received no valid JSON") from None
    if not isinstance(value, dict):
        raise UnreadableMessageError(f"expected a JSON object, received {shape_of(value)}")
    return value


def read_request(message: Body) -> TillRequest:
    """A request out of its envelope. Raises UnreadableMessageError."""
    members = message.get(REQUEST)
    if not isinstance(members, dict):
        raise UnreadableMessageError(f"{REQUEST}: expected an object, received nothing of it")
    header = members.get("MessageHeader", {})
    violations = violations_of(header, "MessageHeader")
    if violations or not isinstance(header, dict):
        raise UnreadableMessageError("; ".join(violations))
    return TillRequest(
        Header(
            category=header["MessageCategory"],
            message_class=header["MessageClass"],
            service_id=header["ServiceID"],
            sale_id=header["SaleID"],
            poi_id=header["POIID"],
            device_id=header.get("DeviceID", ""),
            version=header.get("ProtocolVersion", VERSION),
        ),
        members,
    )


def response_to(header: Header, body: Body) -> Body:
    """The response to a request, in its envelope."""
    member = f"{header.category}Response"
    return {RESPONSE: {"MessageHeader": header.as_json("Response"), member: body}}


def notification(poi_id: str, event: str, *, at: datetime, details: str) -> Body:
    """An event that the terminal notifies, in its envelope; "Reject" is of a message that could
    not be read.
    """
    header = {
        "ProtocolVersion": VERSION, "MessageClass": EVENT, "MessageCategory": "Event",
        "MessageType": "Notification", "POIID": poi_id,
    }  # fmt: skip
    body = {"EventToNotify": event, "EventDetails": details, "TimeStamp": instant(at)}
    return {REQUEST: {"MessageHeader": header, "EventNotification": body}}


def display_message(poi_id: str, text: str) -> Body:
    """A text for the display of the cashier, which the till need not answer."""
    header = {
        "ProtocolVersion": VERSION, "MessageClass": "Device", "MessageCategory": "Display",
        "MessageType": "Request", "POIID": poi_id,
    }  # fmt: skip
    output = {
        "Device": "CashierDisplay", "InfoQualify": "Status", "ResponseRequiredFlag": False,
        "OutputContent": {"OutputFormat": "Text", "OutputText": [{"Text": text}]},
    }  # fmt: skip
    return {REQUEST: {"MessageHeader": header, "DisplayRequest": {"DisplayOutput": [output]}}}


def write_object(message: Body) -> bytes:
    """A message as JSON; decimal numbers are written as numbers, exactly."""
    return _ENCODER.encode(message)


def instant(at: datetime) -> str:
    """A date with a time as tills read it, in UTC."""
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"


def printable(text: str) -> str:
    """A text of a till without control characters and those that reverse its order, which would
    steer a printer or the window that shows it.
    """
    return "".join(each if each.isprintable() else " " for each in text)


def checked_text(text: str) -> str:
    """A text as it is shown or printed. Raises NexoError where the parts that a till sent make a
    number of a card together.
    """
    if has_card_number(text):
        raise NexoError(Condition.MESSAGE_FORMAT, CARD_NUMBER)
    return text
