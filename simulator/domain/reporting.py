"""What a report asks for, and what it shows of each transaction. Source: Reporting request."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from simulator.catalogue.operations.reports import PAGE
from simulator.domain.core.errors import Violations
from simulator.domain.core.records import Payment
from simulator.domain.payments.bodies import payment_fields, timestamp
from simulator.domain.webhooks.payloads import method_of
from simulator.grammar.choices import Choices
from simulator.grammar.violations import Violation

TRUE = ("true", "1")
# It sorts behind everything that may follow the beginning of an instant.
LAST = "~"


class Asked(NamedTuple):
    """A report of several transactions: which, and which page of them.

    `reference` is a merchantTransactionId; without one `bounds` are the instants from and until,
    the second not included.
    """

    reference: str | None
    bounds: tuple[str, str]
    types: frozenset[str]
    methods: frozenset[str]
    linked: bool
    start: int
    most: int

    def pages(self, count: int) -> int:
        """How many pages there are, of `count` transactions."""
        return -(-count // self.most)

    def admits(self, payment: Payment) -> bool:
        """Whether it asks for this one."""
        if self.types and payment.type not in self.types:
            return False
        return not self.methods or method_of(payment) in self.methods


def asked_of(sent: Mapping[str, str]) -> Asked:
    """What a checked request asks for. Choices: D-172, D-173."""
    most = int(sent.get("limit", PAGE))
    return Asked(
        reference=sent.get("merchantTransactionId"),
        bounds=_bounds(sent) if "date.from" in sent and "date.to" in sent else ("", LAST),
        types=frozenset(sent.get("paymentTypes", "").split(",")) - {""},
        methods=frozenset(sent.get("paymentMethods", "").split(",")) - {""},
        linked=asks_linked(sent),
        start=(int(sent.get("pageNo", 1)) - 1) * most,
        most=most,
    )


def asks_linked(sent: Mapping[str, str]) -> bool:
    """Whether the rest of each transaction's tree is asked for."""
    return sent.get("includeLinkedTransactions") in TRUE


def reported(payment: Payment, choices: Choices) -> dict[str, Any]:
    """The payment response with what only reports show. Source: PAY-10; Choice: D-175."""
    body = payment_fields(payment, choices)
    if "merchantMemo" in payment.sent:
        body["merchantMemo"] = payment.sent["merchantMemo"]
    body["shortId"] = payment.short_id
    body["source"] = payment.source
    body["paymentMethod"] = method_of(payment)
    body["timestamp"] = timestamp(payment.created_at)
    return body


def once(payments: Iterable[Payment]) -> Iterator[Payment]:
    """The payments, each the first time it comes."""
    seen: set[str] = set()
    for each in payments:
        if each.id not in seen:
            seen.add(each.id)
            yield each


def _bounds(sent: Mapping[str, str]) -> tuple[str, str]:
    """From the first instant of date.from to the last one of date.to: a day, or a second.

    Raises Violations where the second lies before the first.
    """
    first, last = (sent[name].replace(" ", "T") for name in ("date.from", "date.to"))
    if last + LAST < first:
        message = "must not lie before date.from"
        raise Violations([Violation("date.to", sent["date.to"], message, "REP-01")])
    return first, last + LAST
