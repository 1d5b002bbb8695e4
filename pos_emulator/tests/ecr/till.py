"""A till that knows nothing but nexo JSON over HTTPS."""

import http.client
import json
import ssl
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

POI = "10291604"
TIME = "2026-11-23T09:00:00+00:00"
DEVICES = (
    "CardReaderAPDU", "CardReaderInit", "CardReaderPowerOff", "Display", "Input", "PIN", "Print",
    "Sound", "Transmit",
)  # fmt: skip
CLASSES = {"Event": "Event"} | dict.fromkeys(DEVICES, "Device")


@dataclass
class Till:
    """Sends one request after another, each with a new ServiceID; `strings` writes amounts so."""

    url: str
    ca: Path
    sale: str = "till-1"
    strings: bool = False
    poi: str = POI
    number: int = 0
    sent: list[Any] = field(default_factory=list)

    def login(self) -> Any:
        software = {
            "ManufacturerID": "Till maker", "ApplicationName": "Till", "SoftwareVersion": "1",
            "CertificationCode": "-",
        }  # fmt: skip
        body = {"DateTime": TIME, "SaleSoftware": software, "OperatorLanguage": "en"}
        return self.ask("Login", body)

    def acquire(self, amount: str | None = None) -> Any:
        sale = {"SaleTransactionID": {"TransactionID": "receipt 1", "TimeStamp": TIME}}
        known = {} if amount is None else {"TotalAmount": self.amount(amount)}
        return self.ask("CardAcquisition", {"SaleData": sale, "CardAcquisitionTransaction": known})

    def pay(
        self,
        amount: str,
        *,
        kind: str = "Normal",
        original: str = "",
        acquired: str = "",
        currency: str = "EUR",
        **amounts: str,
    ) -> Any:
        body = self.payment(
            amount, kind=kind, original=original, acquired=acquired, currency=currency, **amounts
        )
        return self.ask("Payment", body)

    def pay_and_hang_up(self, amount: str) -> None:
        """Send a payment, and close the connection before it is answered."""
        message = self.message("Payment", self.payment(amount))
        with self.connected(20) as line:
            self.put(line, json.dumps(message).encode())

    def payment(
        self,
        amount: str,
        *,
        kind: str = "Normal",
        original: str = "",
        acquired: str = "",
        currency: str = "EUR",
        **amounts: str,
    ) -> dict[str, Any]:
        transaction: dict[str, Any] = {
            "AmountsReq": {
                "Currency": currency, "RequestedAmount": self.amount(amount),
                **{name: self.amount(value) for name, value in amounts.items()},
            }
        }  # fmt: skip
        if original:
            transaction["OriginalPOITransaction"] = _original(original)
        body = {
            "SaleData": {"SaleTransactionID": {"TransactionID": "receipt 1", "TimeStamp": TIME}},
            "PaymentTransaction": transaction,
            "PaymentData": {"PaymentType": kind},
        }
        if acquired:
            named = {"TransactionID": acquired, "TimeStamp": TIME}
            body["PaymentData"]["CardAcquisitionReference"] = named
        return body

    def reverse(self, original: str, amount: str = "") -> Any:
        body: dict[str, Any] = {
            "OriginalPOITransaction": _original(original), "ReversalReason": "MerchantCancel"
        }  # fmt: skip
        if amount:
            body["ReversedAmount"] = self.amount(amount)
        return self.ask("Reversal", body)

    def abort(self, service: str) -> Any:
        reference = {"MessageCategory": "Payment", "ServiceID": service, "SaleID": self.sale}
        return self.ask("Abort", {"AbortReason": "MerchantAbort", "MessageReference": reference})

    def status(self, service: str = "", **reference: str) -> Any:
        named = {"ServiceID": service} if service else {}
        body = {"MessageReference": {"MessageCategory": "Payment", **named, **reference}}
        return self.ask("TransactionStatus", body)

    def ask(self, category: str, body: Any, **header: str) -> Any:
        """The body of the response, None for an empty one, or the whole of what is none."""
        answer = self.send(self.message(category, body, **header))
        if answer is None or "SaleToPOIResponse" not in answer:
            return answer
        response = answer["SaleToPOIResponse"]
        assert response["MessageHeader"]["MessageType"] == "Response"
        return response[f"{category}Response"]

    def message(self, category: str, body: Any, **header: str) -> Any:
        self.number += 1
        written = {
            "ProtocolVersion": "3.0", "MessageClass": CLASSES.get(category, "Service"),
            "MessageCategory": category, "MessageType": "Request", "ServiceID": self.service,
            "SaleID": self.sale, "POIID": self.poi, **header,
        }  # fmt: skip
        return {"SaleToPOIRequest": {"MessageHeader": written, f"{category}Request": body}}

    def send(self, message: Any) -> Any:
        """What is answered to a message, read as JSON with numbers as texts."""
        content = self.post(json.dumps(message).encode())
        return json.loads(content, parse_float=str) if content else None

    def post(self, content: bytes, timeout_s: float = 20) -> bytes:
        with self.connected(timeout_s) as line:
            self.put(line, content)
            return line.getresponse().read()

    def connected(self, timeout_s: float) -> AbstractContextManager[http.client.HTTPSConnection]:
        """A connection to the terminal until the end of the block."""
        at = urlsplit(self.url)
        trusted = ssl.create_default_context(cafile=self.ca)
        return closing(
            http.client.HTTPSConnection(at.hostname, at.port, context=trusted, timeout=timeout_s)
        )

    def put(self, line: http.client.HTTPSConnection, content: bytes) -> None:
        """Send a message on a connection."""
        path = urlsplit(self.url).path
        line.request("POST", path, content, {"Content-Type": "application/json"})

    def amount(self, amount: str) -> Any:
        return amount if self.strings else float(amount)

    @property
    def service(self) -> str:
        """The ServiceID of the last request."""
        return f"{self.number:04d}"


def _original(named: str) -> Any:
    return {"POITransactionID": {"TransactionID": named, "TimeStamp": TIME}}
