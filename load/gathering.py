"""How the ledgers of all processes come together on the one that leads.

A worker adds the lines since its last report to the reports that Locust sends anyway. At the end
the leader asks every worker to stop, and each sends what is left and says that it is closed:
nothing that was acknowledged is missing from the ledger, or Locust ends with status 1.
"""

import logging
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import gevent
import msgspec
from locust.runners import MasterRunner, WorkerRunner

from load.plan import Plan, read_plan

LOG = logging.getLogger(__name__)
FLUSH_S = 0.5
CLOSING_S = 30.0
PLAN, CLOSE, CLOSED, LEDGER = "load.plan", "load.close", "load.closed", "ledger"


class Gathering:
    """The lines of one process on their way into the one file."""

    def __init__(self, environment: Any, *, open_hall: Callable[[Plan], None]):
        self._environment = environment
        self._runner = environment.runner
        self._open_hall = open_hall
        self._closed: set[str] = set()

    @property
    def is_worker(self) -> bool:
        """Whether another process leads."""
        return isinstance(self._runner, WorkerRunner)

    def listen(self) -> None:
        """Take part in the events of the run, each kind of process as it must."""
        if self.is_worker:
            self._listen_as_worker()
            return
        self._append(b"")
        self._environment.events.quitting.add_listener(self._finish)
        gevent.spawn(self._flush_for_ever)
        if isinstance(self._runner, MasterRunner):
            self._listen_as_master()

    def _listen_as_worker(self) -> None:
        events = self._environment.events
        self._runner.register_message(PLAN, self._take_plan)
        self._runner.register_message(CLOSE, lambda **_: self._runner.stop())
        events.report_to_master.add_listener(self._report)
        events.test_stop.add_listener(self._close)

    def _listen_as_master(self) -> None:
        events = self._environment.events
        self._runner.register_message(CLOSED, self._take_closed)
        events.test_start.add_listener(self._send_plan)
        events.worker_report.add_listener(lambda client_id, data: self._keep(data))
        events.test_stopping.add_listener(self._wait_for_workers)

    def _take_plan(self, msg: Any, **_: object) -> None:
        self._open_hall(read_plan(msg.data["plan"]))

    def _report(self, data: dict[str, Any], **_: object) -> None:
        hall = getattr(self._environment, "hall", None)
        if hall is not None:
            data[LEDGER] = hall.book.take()

    def _close(self, **_: object) -> None:
        left: dict[str, Any] = {}
        self._report(left)
        self._runner.send_message(CLOSED, left)

    def _send_plan(self, **_: object) -> None:
        content = msgspec.json.encode(self._environment.hall.plan)
        self._runner.send_message(PLAN, {"plan": content})

    def _take_closed(self, msg: Any, **_: object) -> None:
        self._keep(msg.data)
        self._closed.add(msg.node_id)

    def _wait_for_workers(self, **_: object) -> None:
        """Return when every worker has told all. A worker that does not is said so in the log."""
        workers = {client.id for client in self._runner.clients.all}
        self._runner.send_message(CLOSE)
        until = monotonic() + self._environment.hall.plan.stop_timeout_s + CLOSING_S
        while not workers <= self._closed and monotonic() < until:
            gevent.sleep(0.05)
        for worker in sorted(workers - self._closed):
            LOG.error("worker %s never closed its ledger; the run has no certificate", worker)
            self._environment.process_exit_code = 1

    def _keep(self, data: dict[str, Any]) -> None:
        self._append(data.pop(LEDGER, b""))

    def _append(self, content: bytes) -> None:
        with Path(self._environment.hall.plan.ledger).open("ab") as ledger:
            ledger.write(content)

    def _flush_for_ever(self) -> None:
        while True:
            gevent.sleep(FLUSH_S)
            self._append(self._environment.hall.book.take())

    def _finish(self, environment: Any, **_: object) -> None:
        """Write the last lines. What failed is judged afterwards, so Locust's own status is 0."""
        self._append(self._environment.hall.book.take())
        if environment.process_exit_code is None:
            environment.process_exit_code = 0
