"""Making the load: Locust in processes of its own, that hear of nothing but the plan."""

import os
import signal
import site
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, time

from load.plan import PLAN_VARIABLE, Plan, write_plan
from load.servers import ROOT

LOCUSTFILE = Path(__file__).with_name("locustfile.py")
CLASSES = {
    "merchant": "Merchant",
    "shopper": "CheckoutShopper",
    "one-click": "OneClickShopper",
    "back-office": "BackOffice",
    "reporter": "Reporter",
}
# How long after its time a run may take to come to an end, and then to be gone, in seconds.
PATIENCE_S = 120.0
ENDING_S = 10.0
PROGRESS_S = 5.0

Progress = Callable[[str], None]


class RunFailed(RuntimeError):
    """Locust did not make the load; the message shows the end of what it wrote."""


def make_load(
    plan: Plan, folder: Path, *, options: Sequence[str], progress: Progress
) -> float | None:
    """Run Locust until the plan is over, or until somebody interrupts it. Raises RunFailed.

    The answer is when it was interrupted, in seconds since 1970; None where nobody did.
    """
    write_plan(plan, folder / "plan.json")
    alone = folder / "locust"
    alone.mkdir()
    environment = environment_in(alone) | {PLAN_VARIABLE: str(folder / "plan.json")}
    log = folder / "locust.log"
    with log.open("wb") as written:
        process = subprocess.Popen(
            locust_command(plan, options), cwd=alone, env=environment, stdin=subprocess.DEVNULL,
            stdout=written, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        try:
            status, interrupted = _wait(process, plan, progress)
        finally:
            end(process)
    if interrupted is not None and not Path(plan.ledger).exists():
        raise RunFailed("interrupted before any load was made")
    if status != 0:
        text = log.read_text(encoding="utf-8", errors="replace")
        last = "\n".join(text.splitlines()[-20:])
        raise RunFailed(f"expected status 0 of Locust, got {status}:\n{last}")
    return interrupted


def work(options: Sequence[str], folder: Path) -> int:
    """Work for a master until it is done; the status of Locust."""
    command = [sys.executable, "-m", "locust", *options, "-f", str(LOCUSTFILE)]
    process = subprocess.Popen(
        [*command, "--headless", "--worker"], cwd=folder, env=environment_in(folder),
        start_new_session=True,
    )  # fmt: skip
    try:
        return process.wait()
    finally:
        end(process)


def locust_command(plan: Plan, options: Sequence[str]) -> list[str]:
    """Locust with our people in it, after what else it is told: the last that is said counts."""
    people = [CLASSES[person] for person in plan.people if person in CLASSES]
    command = [sys.executable, "-m", "locust", *options, "-f", str(LOCUSTFILE), "--headless"]
    return [*command, "--only-summary", "--host", plan.base_url.rstrip("/"), *people]


def environment_in(folder: Path) -> dict[str, str]:
    """An environment that sets nothing of Locust, whose home is an empty folder.

    Locust reads its variables, and settings from its folder and from the home: any of them could
    send the load, and the token, to another host.
    """
    kept = {name: text for name, text in os.environ.items() if not name.startswith("LOCUST_")}
    path = os.pathsep.join(filter(None, (str(ROOT), kept.get("PYTHONPATH"))))
    own = {"HOME": str(folder), "PYTHONUSERBASE": site.getuserbase(), "PYTHONPATH": path}
    return {**kept, **own}


def end(process: subprocess.Popen[bytes]) -> None:
    """End Locust and what it started: asked first, killed where that takes too long."""
    _tell(process, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(ENDING_S)
    _tell(process, signal.SIGKILL)
    process.wait()


def _tell(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send a signal to a process and those it started, which are a group."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def _wait(
    process: subprocess.Popen[bytes], plan: Plan, progress: Progress
) -> tuple[int, float | None]:
    """The status of Locust, and when it was interrupted, if it was (seconds since 1970).

    Raises RunFailed when its time has long been over.
    """
    began, answers = monotonic(), Answers(Path(plan.ledger))
    interrupted: float | None = None
    while True:
        try:
            return process.wait(PROGRESS_S), interrupted
        except subprocess.TimeoutExpired:
            over = monotonic() - began
            progress(f"{over:.0f} of {plan.seconds:.0f} s, {answers.count():,} answers so far")
            if over > plan.seconds + plan.stop_timeout_s + PATIENCE_S:
                raise RunFailed(f"expected Locust to end, got none after {over:.0f} s") from None
        except KeyboardInterrupt:
            interrupted = interrupted or time()
            # Only who leads: its workers hear of it from there.
            process.send_signal(signal.SIGINT)
            progress("interrupted; waiting for what is under way")


class Answers:
    """How many answers a ledger has; each look reads only what is new."""

    def __init__(self, ledger: Path):
        self._ledger = ledger
        self._counted = 0
        self.read_bytes = 0

    def count(self) -> int:
        """The answers in the ledger so far, 0 where there is none yet."""
        with suppress(FileNotFoundError), self._ledger.open("rb") as kept:
            kept.seek(self.read_bytes)
            for line in kept:
                if not line.endswith(b"\n"):
                    break
                self.read_bytes += len(line)
                self._counted += line.startswith(b'["told"')
        return self._counted
