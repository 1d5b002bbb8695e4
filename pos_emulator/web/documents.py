"""What the page shows, as JSON: nothing in it is secret, because nothing it is made of is."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from pos_emulator.counter.desk import DeskView, Paper
from pos_emulator.counter.feed import NumberedNotice
from pos_emulator.ecr.ports import InputPrompt, InputSigns
from pos_emulator.receipts.document import ReceiptError, amount_text
from pos_emulator.receipts.text import render_text
from pos_emulator.terminal.orders import asked_amount
from pos_emulator.terminal.records import TerminalEntry, Totals

ENTRIES_MAX = 60


def view_document(view: DeskView) -> Mapping[str, Any]:
    """Display, question, card in the reader."""
    question = view.question
    return {
        "display": view.display,
        "inserted": view.inserted,
        "fault": view.fault,
        "question": None if question is None else {
            "kind": question.kind, "number": question.number, "text": question.text,
            "readers": question.readers, "labels": question.labels,
            "is_online": question.is_online, "tries_left": question.tries_left,
            "terms": question.terms,
            "typed": _typed_document(question.prompt),
        },
    }  # fmt: skip


def _typed_document(prompt: InputPrompt | None) -> Mapping[str, Any] | None:
    """What may be typed for a text of a till."""
    if prompt is None:
        return None
    return {
        "is_digits": prompt.signs is not InputSigns.TEXT,
        "longest": prompt.longest,
        "is_masked": prompt.is_masked,
    }


def entry_documents(entries: Iterable[TerminalEntry]) -> list[Mapping[str, Any]]:
    """The last payments of a journal, newest first."""
    last = list(entries)[-ENTRIES_MAX:]
    return [_entry_document(entry) for entry in reversed(last)]


def _entry_document(entry: TerminalEntry) -> Mapping[str, Any]:
    asked = None if entry.order.amount is None else asked_amount(entry.order)
    amount = entry.approved if entry.approved is not None else asked
    return {
        "name": entry.name,
        "receipt": entry.receipt,
        "operation": entry.order.operation.value,
        "amount": "" if amount is None else _amount(amount, entry.order.currency),
        "stage": entry.stage.value,
        "ending": entry.ending.value if entry.ending else "",
        "reason": entry.reason,
        "payment": entry.payment,
        "result_code": entry.result_code,
        "tries_left": entry.tries_left,
        "is_offline": entry.is_offline,
        "charged": _charged(entry),
        "is_open": entry.is_open,
    }


def _charged(entry: TerminalEntry) -> str:
    """What the card was charged in its own currency; empty where that is the till's."""
    chosen = entry.conversion
    return "" if chosen is None else _amount(chosen.amount, chosen.currency)


def _amount(amount: Decimal, currency: str) -> str:
    try:
        return amount_text(amount, currency)
    except ReceiptError:
        # Of an order that was refused: it stands as it was given.
        return f"{currency} {amount:f}"


def notice_document(each: NumberedNotice) -> Mapping[str, Any]:
    """A notice, with the exchange of a card where it is one."""
    notice, event = each.notice, each.notice.event
    return {
        "number": each.number,
        "kind": notice.kind,
        "at": f"{notice.at:%H:%M:%S}",
        "text": notice.text,
        "entry": notice.entry,
        "step": event.step if event else "",
        "command": event.command if event else "",
        "response": event.response if event else "",
        "objects": event.objects if event else (),
    }


def paper_document(paper: Paper) -> Mapping[str, Any]:
    """A printed document, as text of 40 columns."""
    return {
        "number": paper.number,
        "receipt": paper.receipt,
        "copy": paper.name,
        "text": render_text(paper.lines),
    }


def totals_document(totals: Totals) -> Mapping[str, Any]:
    """A batch in numbers, one line a currency."""
    return {
        "batch": totals.batch,
        "is_closed": totals.closed_at is not None,
        "currencies": [
            {
                "currency": row.currency,
                "sales": f"{row.sales}: {row.sales_amount:f}",
                "refunds": f"{row.refunds}: {row.refunds_amount:f}",
                "voids": f"{row.voids}: {row.voids_amount:f}",
                "declined": str(row.declined),
            }
            for row in totals.currencies
        ],
        "open_receipts": totals.open_receipts,
        "differences": totals.differences,
    }
