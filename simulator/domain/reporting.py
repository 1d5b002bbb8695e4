"""What a report asks for, and what it shows of each transaction. Source: Reporting request."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from simulator.catalogue.operations.reports import PAGE
from simulator.domain.core.errors import Violations
from simulator.domain.core.records import Payment
from simulator.domain.payments.bodies import payment_fields, timestamp
from simulator.domain.webhooks.payloads import method_of, source_of
from simulator.grammar.choices import Choices
from simulator.grammar.violations import Violation

TRUE = ("true", "1")
# It sorts behind everything that may follow the beginning of an instant.
LAST = "~"


class Filter(NamedTuple):
    """Which transactions a report shows of those it finds; an empty set admits all."""

    types: frozenset[str]
    methods: frozenset[str]

    @property
    def admits_all(self) -> bool:
        """Whether it shows every transaction."""
        return not (self.types or self.methods)

    def admits(self, payment: Payment) -> bool:
        """Whether it shows this one."""
        if self.types and payment.type not in self.types:
            return False
        return not self.methods or method_of(payment) in self.methods


class Asked(NamedTuple):
    """A report of several transactions: which, and which page of them.

    `reference` is a merchantTransactionId; without one `bounds` are the instants from and until,
    the second not included.
    """

    reference: str | None
    bounds: tuple[str, str]
    filter: Filter
    linked: bool
    start: int
    most: int

    def pages(self, count: int) -> int:
        """How many pages there are, of `count` transactions."""
        return -(-count // self.most)


def asked_of(sent: Mapping[str, str]) -> Asked:
    """What a checked request asks for. Choices: D-172, D-173."""
    most = int(sent.get("limit", PAGE))
    return Asked(
        reference=sent.get("merchantTransactionId"),
        bounds=_bounds(sent),
        filter=_filter_in(sent),
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
    body["source"] = source_of(payment)
    body["paymentMethod"] = method_of(payment)
    body["timestamp"] = timestamp(payment.created_at)
    return body


def filtered(payments: Iterable[Payment], sent: Mapping[str, str]) -> Iterator[Payment]:
    """Those of the payments that the filters of a request admit."""
    return filter(_filter_in(sent).admits, payments)


def once(payments: Iterable[Payment]) -> Iterator[Payment]:
    """The payments, each the first time it comes."""
    seen: set[str] = set()
    for each in payments:
        if each.id not in seen:
            seen.add(each.id)
            yield each


def _filter_in(sent: Mapping[str, str]) -> Filter:
    types, methods = (
        frozenset(sent.get(name, "").split(",")) - {""}
        for name in ("paymentTypes", "paymentMethods")
    )
    return Filter(types, methods)


def _bounds(sent: Mapping[str, str]) -> tuple[str, str]:
    """From the first instant of date.from to the last one of date.to: a day, or a second. Without
    date.to the time frame is still open (D-280); a merchantTransactionId needs neither.

    Raises Violations where the second lies before the first.
    """
    first, last = (sent.get(name, "").replace(" ", "T") for name in ("date.from", "date.to"))
    if last and last + LAST < first:
        message = "must not lie before date.from"
        raise Violations([Violation("date.to", sent["date.to"], message, "REP-01")])
    return first, last + LAST
