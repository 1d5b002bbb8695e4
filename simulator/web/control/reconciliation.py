"""/_sandbox/v1/sandboxes/{id}/books: the ledgers of gateway and card host, reconciled."""

import msgspec
from falcon import Request, Response

from simulator.domain.acquiring.reconciliation import LedgerReconciliation
from simulator.service.acquiring.reconciliation import reconcile_ledgers
from simulator.web.control.access import ONE_SANDBOX, ControlAccess
from simulator.web.control.documents.entities import ReconciliationReport
from simulator.web.http.answers import send
from simulator.web.http.route import Route


class CardBooksResource:
    """The reconciliation report of a sandbox."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Close them: what was moved, what differs and why, what is under way."""
        send(resp, 200, _document_of(reconcile_ledgers(self._access.ports(req, identity))))


def _document_of(books: LedgerReconciliation) -> ReconciliationReport:
    return msgspec.convert(
        {"agree": not books.differences, **msgspec.to_builtins(books)}, ReconciliationReport
    )


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    return (Route(f"{ONE_SANDBOX}/books", CardBooksResource(access)),)
