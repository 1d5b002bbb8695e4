"""Collect the ledger lines of all processes in the process that leads the run.

A worker adds the lines since its last report to the reports that Locust sends anyway. At the end
the leader asks every worker to stop; each sends its remaining lines and confirms that it is closed.
So the ledger has every acknowledged request, or Locust ends with status 1.
"""

import logging
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import gevent
import msgspec
from locust.runners import MasterRunner, WorkerRunner
from msgspec.structs import replace

from load.plan.plan import LoadPlan, decode_plan
from simulator.client.addresses import LOOPBACK

LOG = logging.getLogger(__name__)
FLUSH_S = 0.5
CLOSE_TIMEOUT_S = 30.0
PLAN, CLOSE, CLOSED, LEDGER = "load.plan", "load.close", "load.closed", "ledger"


class LedgerCollector:
    """Moves the ledger lines of one process into the ledger file."""

    def __init__(self, environment: Any, *, start_process: Callable[[LoadPlan], None]):
        self._environment = environment
        self._runner = environment.runner
        self._start_process = start_process
        self._closed: set[str] = set()

    @property
    def is_worker(self) -> bool:
        """Whether another process leads the run."""
        return isinstance(self._runner, WorkerRunner)

    def register(self) -> None:
        """Register for the events of the run that this kind of process has to handle."""
        if self.is_worker:
            self._register_worker()
            return
        self._append(b"")
        self._environment.events.quitting.add_listener(self._finish)
        gevent.spawn(self._flush_periodically)
        if isinstance(self._runner, MasterRunner):
            self._register_master()

    def _register_worker(self) -> None:
        events = self._environment.events
        self._runner.register_message(PLAN, self._receive_plan)
        self._runner.register_message(CLOSE, lambda **_: self._runner.stop())
        events.report_to_master.add_listener(self._report)
        events.test_stop.add_listener(self._close)

    def _register_master(self) -> None:
        events = self._environment.events
        self._runner.register_message(CLOSED, self._receive_closed)
        events.test_start.add_listener(self._send_plan)
        events.worker_report.add_listener(lambda client_id, data: self._take_report(data))
        events.test_stopping.add_listener(self._wait_for_workers)

    def _receive_plan(self, msg: Any, **_: object) -> None:
        self._start_process(decode_plan(msg.data["plan"]))

    def _report(self, data: dict[str, Any], **_: object) -> None:
        context = getattr(self._environment, "process_context", None)
        if context is not None:
            data[LEDGER] = context.ledger.take_lines()

    def _close(self, **_: object) -> None:
        remaining: dict[str, Any] = {}
        self._report(remaining)
        self._runner.send_message(CLOSED, remaining)

    def _send_plan(self, **_: object) -> None:
        plan = self._environment.process_context.plan
        # What is only to be hidden does not leave the machine.
        is_near = self._environment.parsed_options.master_bind_host in LOOPBACK
        content = msgspec.json.encode(plan if is_near else replace(plan, secrets=()))
        self._runner.send_message(PLAN, {"plan": content})

    def _receive_closed(self, msg: Any, **_: object) -> None:
        self._append_report(msg.data)
        self._closed.add(msg.node_id)

    def _wait_for_workers(self, **_: object) -> None:
        """Return when every worker has closed its ledger. Log each worker that does not."""
        workers = {client.id for client in self._runner.clients.all}
        self._runner.send_message(CLOSE)
        until = (
            monotonic() + self._environment.process_context.plan.stop_timeout_s + CLOSE_TIMEOUT_S
        )
        while not workers <= self._closed and monotonic() < until:
            gevent.sleep(0.05)
        for worker in sorted(workers - self._closed):
            LOG.error("worker %s did not close its ledger; the run has no closing check", worker)
            self._environment.process_exit_code = 1

    def _take_report(self, data: dict[str, Any]) -> None:
        """Keep the lines of a worker, and hide in its failures what only this process knows: the
        reports of Locust show them.
        """
        self._append_report(data)
        shown, errors = self._environment.process_context.shown, self._environment.stats.errors
        for key in data.get("errors", ()):
            if key in errors:
                errors[key].error = shown.lines([str(errors[key].error)])

    def _append_report(self, data: dict[str, Any]) -> None:
        self._append(data.pop(LEDGER, b""))

    def _append(self, content: bytes) -> None:
        with Path(self._environment.process_context.plan.ledger).open("ab") as ledger:
            ledger.write(content)

    def _flush_periodically(self) -> None:
        while True:
            gevent.sleep(FLUSH_S)
            self._append(self._environment.process_context.ledger.take_lines())

    def _finish(self, environment: Any, **_: object) -> None:
        """Write the last lines. Failed requests are evaluated later, so Locust's status stays 0."""
        self._append(self._environment.process_context.ledger.take_lines())
        if environment.process_exit_code is None:
            environment.process_exit_code = 0
