"""Reports of settlement: sums of runs, and their records. Choices: D-392, D-393."""

from falcon import Request, Response

from simulator.catalogue.operations.reconciliations import (
    QUERY_SETTLEMENT,
    QUERY_SETTLEMENT_PAGES,
    QUERY_SETTLEMENTS,
)
from simulator.domain.settlement.reporting import reported_aggregation, reported_record
from simulator.service.settlement.aggregations import (
    page_of_records,
    records_of,
    report_aggregation,
    report_aggregations,
)
from simulator.web.http.lists import send_list
from simulator.web.http.route import Route
from simulator.web.http.validation import RequestValidator

PATH = "/reports/{version}/reconciliations/aggregations"


class SettlementSumsResource:
    """/reports/v1/reconciliations/aggregations"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_get(self, req: Request, resp: Response) -> None:
        """Report what the runs of some days add up to, one for each merchant account."""
        request = self._validator.authenticate_and_validate(req, QUERY_SETTLEMENTS)
        found = report_aggregations(request.context, request.sent)
        shown = map(reported_aggregation, found)
        send_list(resp, request.exchange, "aggregations", shown)


class SettlementRecordsResource:
    """/reports/v1/reconciliations/aggregations/{id}, and the same of v2, in pages"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Report all records of one."""
        request = self._validator.authenticate_and_validate(req, QUERY_SETTLEMENT, of=identity)
        found = report_aggregation(request.context, identity)
        records = records_of(request.context.ports.store, found, request.sent)
        shown = map(reported_record, records)
        send_list(resp, request.exchange, "records", shown, **reported_aggregation(found))

    def on_get_pages(self, req: Request, resp: Response, identity: str) -> None:
        """Report a page of them."""
        request = self._validator.authenticate_and_validate(
            req, QUERY_SETTLEMENT_PAGES, of=identity
        )
        found = report_aggregation(request.context, identity)
        page = page_of_records(request.context.ports.store, found, request.sent)
        about, shown = reported_aggregation(found), map(reported_record, page.records)
        send_list(resp, request.exchange, "records", shown, **about, pages=page.pages)


def routes(validator: RequestValidator) -> tuple[Route, ...]:
    """The routes of reports of settlement."""
    sums, records = SettlementSumsResource(validator), SettlementRecordsResource(validator)
    first, second = (PATH.format(version=version) for version in ("v1", "v2"))
    return (
        Route(first, sums),
        Route(f"{first}/{{identity}}", records),
        Route(f"{second}/{{identity}}", records, "pages"),
    )
