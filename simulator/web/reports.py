"""Reports: one transaction, or several of them."""

from collections.abc import Iterable
from typing import Any

from falcon import Request, Response

from simulator.catalogue.operations.reports import (
    QUERY_PAGES,
    QUERY_PAYMENT,
    QUERY_PAYMENTS,
    QUERY_RECORD,
)
from simulator.domain.core.records import Payment, PaymentType
from simulator.domain.reporting import asks_linked, filtered, reported
from simulator.grammar.operations import Operation
from simulator.service.reporting import Report, report_transaction, report_transactions
from simulator.web.http.answers import result_body, send
from simulator.web.http.context import Exchange
from simulator.web.http.lists import FOUND, send_list
from simulator.web.http.route import Route
from simulator.web.http.validation import RequestValidator


class TransactionResource:
    """/v1/query/{id}, and /v3/query/{id}, which answers a list"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Report one transaction; with those linked to it, as a list."""
        request = self._validator.authenticate_and_validate(req, QUERY_PAYMENT, of=identity)
        found = report_transaction(request.context, identity, request.sent)
        if asks_linked(request.sent):
            _send_list(resp, request.exchange, "payments", found)
            return
        body = _reported(request.exchange, next(found))
        closing = result_body(request.exchange, FOUND)
        del closing["result"]
        send(resp, 200, body | closing)

    def on_get_records(self, req: Request, resp: Response, identity: str) -> None:
        """Report one transaction, or those linked to it as well, as a page. Source: E64."""
        request = self._validator.authenticate_and_validate(req, QUERY_RECORD, of=identity)
        found = report_transaction(request.context, identity, request.sent)
        shown = filtered(found, request.sent)
        _send_list(resp, request.exchange, "records", shown, pages=1)


class TransactionsResource:
    """/v1/query, and /v3/query, which always answers how many pages there are"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_get(self, req: Request, resp: Response) -> None:
        """Report the transactions with a merchantTransactionId, or of a time frame; where they
        are more than a page, how many pages there are. Choice: D-690.
        """
        exchange, report = self._reported(req, QUERY_PAYMENTS)
        sign = {"pages": report.pages} if report.pages > 1 else {}
        _send_list(resp, exchange, "payments", report.payments, **sign)

    def on_get_pages(self, req: Request, resp: Response) -> None:
        """The same in pages."""
        exchange, report = self._reported(req, QUERY_PAGES)
        _send_list(resp, exchange, "records", report.payments, pages=report.pages)

    def _reported(self, req: Request, operation: Operation) -> tuple[Exchange, Report]:
        request = self._validator.authenticate_and_validate(req, operation)
        return request.exchange, report_transactions(request.context, request.sent)


def routes(validator: RequestValidator) -> tuple[Route, ...]:
    """The routes of reports."""
    one, several = TransactionResource(validator), TransactionsResource(validator)
    return (
        Route("/v1/query", several),
        Route("/v1/query/{identity}", one),
        Route("/v3/query", several, "pages"),
        Route("/v3/query/{identity}", one, "records"),
    )


def _send_list(
    resp: Response, exchange: Exchange, name: str, payments: Iterable[Payment], **about: int
) -> None:
    """A list of transactions under `name`, and what is said about it. Choice: D-175."""
    shown = (_reported(exchange, each) for each in payments)
    send_list(resp, exchange, name, shown, **about)


def _reported(exchange: Exchange, payment: Payment) -> dict[str, Any]:
    if payment.type is PaymentType.RG:
        # With the registration the journal forgets the list that showed it. Choice: D-120.
        exchange.listed.append(payment.id)
    return exchange.work(len(payment.sent), reported, payment, exchange.choices)
