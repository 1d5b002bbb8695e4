"""/_sandbox/health, /_sandbox/ready, /_sandbox/metrics: for those who operate the server."""

from collections.abc import Callable
from typing import NamedTuple

from falcon import Request, Response

from simulator.domain.core.ports import Meter
from simulator.grammar.version import __version__
from simulator.web.control.access import ControlAccess
from simulator.web.http.answers import send
from simulator.web.http.route import Route

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Watch(NamedTuple):
    """What can be watched: the meter, its text, and what is missing before the server is ready.

    `is_open` says whether the metrics need no key. Choice: D-97.
    """

    meter: Meter
    metrics: Callable[[], bytes]
    missing: Callable[[], list[str]]
    is_open: bool


class HealthResource:
    """/_sandbox/health"""

    def on_get(self, req: Request, resp: Response) -> None:
        """The process is alive: it answers this."""
        send(resp, 200, {"status": "up", "version": __version__})


class ReadyResource:
    """/_sandbox/ready"""

    def __init__(self, missing: Callable[[], list[str]]):
        self._missing = missing

    def on_get(self, req: Request, resp: Response) -> None:
        """200, or 503 with what is missing, each with what to do. Choice: D-98."""
        missing = self._missing()
        send(resp, 503 if missing else 200, {"ready": not missing, "missing": missing})


class MetricsResource:
    """/_sandbox/metrics"""

    def __init__(self, access: ControlAccess, watch: Watch):
        self._access = access
        self._watch = watch

    def on_get(self, req: Request, resp: Response) -> None:
        """What the server counts, in the text format of Prometheus. Raises UnauthenticatedError."""
        if not self._watch.is_open:
            self._access.demand_control_key(req)
        resp.content_type, resp.data = METRICS_TYPE, self._watch.metrics()


def routes(access: ControlAccess, watch: Watch) -> tuple[Route, ...]:
    """The rows of these paths."""
    return (
        Route("/_sandbox/health", HealthResource()),
        Route("/_sandbox/ready", ReadyResource(watch.missing)),
        Route("/_sandbox/metrics", MetricsResource(access, watch)),
    )
