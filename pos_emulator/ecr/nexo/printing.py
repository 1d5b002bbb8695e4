"""Documents of a till on the printer of the terminal."""

from collections.abc import Iterator
from typing import Any

from pos_emulator.ecr.nexo.messages import Body, Header, checked_text, printable
from pos_emulator.ecr.nexo.outcomes import Condition, NexoError
from pos_emulator.ecr.nexo.sessions import model_of
from pos_emulator.ecr.nexo.station import Station
from pos_emulator.receipts.document import BLANK, PrintedLine, Style

# The documents that a till has printed, and what each is called on the printer.
NAMES = {
    "SaleReceipt": "SALE RECEIPT",
    "CashierReceipt": "CASHIER RECEIPT",
    "CustomerReceipt": "CUSTOMER RECEIPT",
    "Document": "DOCUMENT",
    "Voucher": "VOUCHER",
    "Journal": "JOURNAL",
}


def print_document(station: Station, header: Header, body: Body) -> Body:
    """Print a document; it is printed when this is answered. Raises NexoError."""
    output = body["PrintOutput"]
    model = model_of(station.terminal.identity.model)
    if not model.prints:
        text = f"expected a terminal with a printer, but {model.name} has none"
        raise NexoError(Condition.UNAVAILABLE_DEVICE, text)
    content = output["OutputContent"]
    if content["OutputFormat"] != "Text":
        text = f"OutputFormat: expected Text, received {content['OutputFormat']}"
        raise NexoError(Condition.UNAVAILABLE_DEVICE, text)
    if station.is_busy():
        raise NexoError(Condition.BUSY, "expected an idle printer, but a payment is under way")
    qualifier = output["DocumentQualifier"]
    lines = tuple(_lines_of(content.get("OutputText", [])))
    checked_text("\n".join(line.left for line in lines))
    station.desk_of_customer().print_lines(NAMES[qualifier], lines)
    return {"DocumentQualifier": qualifier, "Response": station.response()}


def _lines_of(texts: list[dict[str, Any]]) -> Iterator[PrintedLine]:
    """The lines of a document. A text without an end of line goes on with the next one."""
    left = ""
    for each in texts:
        left += printable(each.get("Text", ""))
        if not each.get("EndOfLineFlag", True):
            continue
        yield PrintedLine(left, style=_style_of(each)) if left.strip() else BLANK
        left = ""
    if left.strip():
        yield PrintedLine(left)


def _style_of(text: Body) -> Style:
    if text.get("Alignment") == "Centred":
        return Style.TITLE
    return Style.BOLD if text.get("CharacterStyle") == "Bold" else Style.PLAIN
