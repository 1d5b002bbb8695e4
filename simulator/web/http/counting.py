"""Counting every exchange, whatever its answer: a middleware that wraps all others."""

import re
from collections.abc import Iterable, Mapping

from falcon import Request, Response

from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.domain.core.ports import Meter
from simulator.web.http.route import Route

MERCHANT = "merchant"
OTHER = "other"
PLACEHOLDER = re.compile(r"\{\w+\}")


class Counting:
    """Reports each answer to the meter: the operation, the status, the result code, and since when.

    The merchant API is counted by the operations of the catalogue, the rest by `groups`, the route
    tables by their names; what has no route, or an unknown method, is "other".
    """

    def __init__(self, meter: Meter, groups: Mapping[str, Iterable[Route]]):
        self._mark = meter.mark
        self._answered = meter.answered
        self._operations = _operations_of(groups[MERCHANT])
        self._groups = {
            route.path: name
            for name, routes in groups.items()
            if name != MERCHANT
            for route in routes
        }

    def process_request(self, req: Request, resp: Response) -> None:
        """Mark the beginning."""
        req.context.began = self._mark()

    def process_response(
        self, req: Request, resp: Response, resource: object, req_succeeded: bool
    ) -> None:
        """Count the answer."""
        template = req.uri_template or ""
        operation = self._operations.get((req.method, template))
        if operation is None:
            operation = self._groups.get(template, OTHER)
        began, exchange = req.context.began, req.context.exchange
        self._answered(began, operation, resp.status, exchange.code)


def _operations_of(routes: Iterable[Route]) -> dict[tuple[str, str], str]:
    """The id of an operation by method and route; the catalogue names placeholders its own way."""
    paths = {PLACEHOLDER.sub("", route.path): route.path for route in routes}
    return {
        (row.method, paths[bare]): row.id
        for row in OPERATIONS.values()
        for path in row.paths
        if (bare := PLACEHOLDER.sub("", path)) in paths
    }
