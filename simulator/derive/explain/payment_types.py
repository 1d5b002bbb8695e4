"""Explain a payment type, by its code or by what it does: `RF` or `refund`."""

from collections.abc import Iterator

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.derive.explain.lines import labeled
from simulator.derive.explain.subject import Subject
from simulator.grammar.choices import Choices
from simulator.grammar.payment_types import LedgerRule, PaymentTypeRow


def explain_payment_type(name: str, choices: Choices) -> Iterator[str]:
    """The rows of a payment type, or of all that have the effect `name`."""
    rows = [row for row in PAYMENT_TYPES.values() if name in (row.code, row.effect.value)]
    for number, row in enumerate(rows):
        yield from ("",) if number else ()
        yield from _lines(row, choices)


def _lines(row: PaymentTypeRow, choices: Choices) -> Iterator[str]:
    yield f"{row.code}  (payment type: {row.effect})"
    yield from labeled("does", row.what)
    yield f"  0.00        {'accepted' if row.zero_amount else 'refused'}"
    yield from _references(row, choices)
    later = [each.code for each in PAYMENT_TYPES.values() if row.code in each.refers_to(choices)]
    yield from labeled("then", ", ".join(later))
    if row.accounts:
        yield from labeled("accounts", ", ".join(row.accounts))
    if row.three_d_secure:
        yield "  3-D Secure  may authenticate the shopper"
    yield from _switches(row)
    yield from _effects(row)


def _references(row: PaymentTypeRow, choices: Choices) -> Iterator[str]:
    if not row.is_initial:
        refused = f"{row.unsuitable} (type), {row.unknown} (unknown), {row.used_up} (used up)"
        yield from labeled("refers to", ", ".join(row.refers_to(choices)))
        yield from labeled("refused", refused)


def _switches(row: PaymentTypeRow) -> Iterator[str]:
    for choice in CHOICES:
        if choice.name in (row.switch, row.also_switch):
            yield from labeled("switched", f"by {choice.id} ({choice.name}): {choice.title}")


def _effects(row: PaymentTypeRow) -> Iterator[str]:
    """What a payment type does in ledger, card messages, webhook events and settlement."""
    if row.ledger is not None:
        yield from labeled("ledger", _ledger(row.ledger))
    if row.message is not None:
        message, processing = row.message.message, row.message.processing
        yield f"  ISO 8583    {message}, processing code {processing}"
    yield from labeled("event", row.event)
    settled = " ".join(filter(None, (row.record, row.transaction)))
    yield from labeled("settlement", ", ".join(filter(None, (settled, row.fee))))


def _ledger(rule: LedgerRule) -> str:
    if rule.debit:
        back = ", the other way where the payment it refers to did the same" * rule.gives_back
        return f"debits {rule.debit}, credits {rule.credit}{back}"
    return f"posts the entry of the payment it is about {'backwards' if rule.reverses else 'again'}"


TYPES_OF_PAYMENT = Subject(
    kind="a payment type",
    example="RF",
    page="docs/how-to/payments.md",
    names=lambda: (*PAYMENT_TYPES, *(row.effect.value for row in PAYMENT_TYPES.values())),
    explain=explain_payment_type,
)
