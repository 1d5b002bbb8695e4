"""Run Locust in processes of its own that know nothing but the load plan."""

import os
import signal
import site
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, time

import msgspec

from load.gateway.server import ROOT
from load.ledger.records import REQUEST_LINE, RequestRecord
from load.plan.plan import PLAN_VARIABLE, LoadPlan, write_plan
from load.progress import Progress
from load.traffic.shown import shown_texts

LOCUSTFILE = ROOT / "load" / "locustfile.py"
USER_CLASSES = {
    "merchant": "MerchantUser",
    "shopper": "CheckoutUser",
    "one-click": "OneClickUser",
    "back-office": "BackOfficeUser",
    "reporter": "ReportingUser",
    "form": "FormUser",
    "terminal": "TerminalUser",
}
# How long after its planned end a run may take to stop, and after SIGTERM to exit, in seconds.
STOP_TIMEOUT_S = 120.0
EXIT_TIMEOUT_S = 10.0
PROGRESS_S = 5.0
LOG_LINES_SHOWN = 20


class LocustRunError(RuntimeError):
    """Locust failed to make the load; the message shows the end of its log."""


def run_locust(
    plan: LoadPlan, folder: Path, *, options: Sequence[str], progress: Progress
) -> float | None:
    """Run Locust until the plan is completed or interrupted. Raises LocustRunError.

    Returns when it was interrupted, in seconds since 1970; None if it was not.
    """
    write_plan(plan, folder / "plan.json")
    home = folder / "locust"
    home.mkdir()
    environment = isolated_environment(home) | {PLAN_VARIABLE: str(folder / "plan.json")}
    log = folder / "locust.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            locust_command(plan, options), cwd=home, env=environment, stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        try:
            status, interrupted_at = _wait(process, plan, progress)
        finally:
            terminate(process)
    if interrupted_at is not None and not Path(plan.ledger).exists():
        raise LocustRunError("interrupted before any load was made")
    if status != 0:
        text = log.read_text(encoding="utf-8", errors="replace")
        last = shown_texts(plan).lines(text.splitlines()[-LOG_LINES_SHOWN:])
        raise LocustRunError(f"expected status 0 of Locust, got {status}:\n{last}")
    return interrupted_at


def run_worker(options: Sequence[str], folder: Path) -> int:
    """Work for a master until the run is over, and return the status of Locust."""
    command = [sys.executable, "-m", "locust", *options, "-f", str(LOCUSTFILE)]
    process = subprocess.Popen(
        [*command, "--headless", "--worker"], cwd=folder, env=isolated_environment(folder),
        start_new_session=True,
    )  # fmt: skip
    try:
        return process.wait()
    finally:
        terminate(process)


def locust_command(plan: LoadPlan, options: Sequence[str]) -> list[str]:
    """Return the command of Locust. Our own options come last, so that they take effect."""
    classes = [USER_CLASSES[name] for name in plan.virtual_users if name in USER_CLASSES]
    command = [sys.executable, "-m", "locust", *options, "-f", str(LOCUSTFILE), "--headless"]
    return [*command, "--only-summary", "--host", plan.base_url.rstrip("/"), *classes]


def isolated_environment(folder: Path) -> dict[str, str]:
    """Return an environment without settings of Locust, whose home is an empty folder.

    Locust reads variables, and settings from its folder and from the home: any of them could
    send the load, and the token, to another host.
    """
    kept = {name: text for name, text in os.environ.items() if not name.startswith("LOCUST_")}
    path = os.pathsep.join(filter(None, (str(ROOT), kept.get("PYTHONPATH"))))
    own = {"HOME": str(folder), "PYTHONUSERBASE": site.getuserbase(), "PYTHONPATH": path}
    return {**kept, **own}


def terminate(process: subprocess.Popen[bytes]) -> None:
    """Terminate Locust and its children by SIGTERM; by SIGKILL if that takes too long."""
    _signal_group(process, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(EXIT_TIMEOUT_S)
    _signal_group(process, signal.SIGKILL)
    process.wait()


def _signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send a signal to a process and its children, which are one process group."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def _wait(
    process: subprocess.Popen[bytes], plan: LoadPlan, progress: Progress
) -> tuple[int, float | None]:
    """Return the status of Locust, and when it was interrupted, if so (seconds since 1970).

    Raises LocustRunError when it runs far beyond its planned end.
    """
    began, counter = monotonic(), RequestCounter(Path(plan.ledger))
    interrupted_at: float | None = None
    while True:
        try:
            return process.wait(PROGRESS_S), interrupted_at
        except subprocess.TimeoutExpired:
            progress(progress_line(counter, plan.seconds, now=time()))
            elapsed = monotonic() - began
            if elapsed > plan.seconds + plan.stop_timeout_s + STOP_TIMEOUT_S:
                raise LocustRunError(
                    f"expected Locust to end, but it still ran after {elapsed:.0f} s"
                ) from None
        except KeyboardInterrupt:
            interrupted_at = interrupted_at or time()
            # Only the leader gets the signal: it stops its workers.
            process.send_signal(signal.SIGINT)
            progress("interrupted; waiting for requests in flight")


class RequestCounter:
    """Counts the requests in a ledger file; each call reads only new lines."""

    def __init__(self, ledger: Path):
        self._ledger = ledger
        self._count = 0
        self.read_bytes = 0
        # When the first of them was sent, in seconds since 1970.
        self.first_at: float | None = None

    def count(self) -> int:
        """Return the requests in the ledger so far, 0 if there is no file yet."""
        with suppress(FileNotFoundError), self._ledger.open("rb") as lines:
            lines.seek(self.read_bytes)
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                self.read_bytes += len(line)
                if line.startswith(REQUEST_LINE):
                    self._count += 1
                    self.first_at = self.first_at or sent_at_in(line)
        return self._count


def progress_line(counter: RequestCounter, seconds: float, *, now: float) -> str:
    """What was made so far of a run of so many seconds. The process starts before the load, and
    ends after it.
    """
    count = counter.count()
    made = 0.0 if counter.first_at is None else min(max(now - counter.first_at, 0), seconds)
    return f"{made:.0f} of {seconds:.0f} s, {count:,} requests so far"


def sent_at_in(line: bytes) -> float:
    """When the request of a line was sent."""
    return msgspec.json.decode(line, type=RequestRecord).sent_at
