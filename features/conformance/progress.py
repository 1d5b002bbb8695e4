"""The progress of a conformance run on the terminal: a count, how long it may take, and the failed
test cases as they come, a line each. What they compared is in the summary at the end.
"""

import time
from collections import Counter
from collections.abc import Callable

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from features.conformance.pacing import RequestedWait
from reports.events import CaseVerdict, Event, RunStarted
from reports.words import duration, readable

REPORT_INTERVAL_S = 10.0
# The first cases wait for the start of a gateway, which says nothing about the others.
ESTIMATE_CASES_MIN = 10


class ProgressDisplay:
    """Shows the events of one run: a bar on a terminal, else a line every few seconds."""

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic):
        self._console = console
        self._clock = clock
        self._counts: Counter[str] = Counter()
        self._total = 0
        self._said_at = self._began_at = clock()
        self._progress = Progress(
            TextColumn("test cases"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
            TextColumn("left:"), TimeRemainingColumn(), TextColumn("{task.fields[failed]}"),
            console=console, transient=True,
        )  # fmt: skip
        self._task = self._progress.add_task("test cases", total=None, failed="")

    def event(self, event: Event) -> None:
        """Show one event."""
        if isinstance(event, RunStarted):
            self._begin(event)
        elif isinstance(event, CaseVerdict):
            self._case(event)
        else:
            self.close()

    def waits(self, wait: RequestedWait) -> None:
        """Say that the run waits, and why."""
        demanded = f"Retry-After: {wait.said}" if wait.said else "without Retry-After"
        self._say(f"Waiting {wait.seconds:.0f} s: the target throttles requests, {demanded}")

    def close(self) -> None:
        """Remove the progress bar."""
        if self._progress.live.is_started:
            self._progress.stop()

    def _begin(self, began: RunStarted) -> None:
        self._total = began.cases
        offers = ", ".join(began.offers) or "the merchant API alone"
        profile = began.profile or "none, another gateway"
        self._say(f"Testing {began.base_url} ({began.source}) with {_cases(began.cases)}")
        self._say(f"Profile: {profile}. Offers: {offers}")
        if began.seconds_a_request:
            self._say(f"Limits: a request every {began.seconds_a_request:g} s at most")
        self._progress.update(self._task, total=began.cases)
        if self._console.is_terminal:
            self._progress.start()

    def _case(self, case: CaseVerdict) -> None:
        self._counts[case.verdict] += 1
        if case.verdict in ("failed", "error"):
            self._say(
                f"{case.verdict.upper()} {case.id}"
                + (f"  ({case.file}:{case.line})" if case.line else "")
            )
        failures = f"{self._counts['failed']} failed" if self._counts["failed"] else ""
        self._progress.update(self._task, advance=1, failed=failures)
        now = self._clock()
        if not self._console.is_terminal and now - self._said_at >= REPORT_INTERVAL_S:
            self._said_at = now
            self._say(f"{self._done_words(now - self._began_at)}; {failures or 'none failed'}")

    def _done_words(self, elapsed_s: float) -> str:
        """How much is done, and how long the rest takes where it goes on like the first cases."""
        done = self._counts.total()
        said = f"{done} of {self._total} done after {elapsed_s:.0f} s"
        if done < ESTIMATE_CASES_MIN:
            return said
        left = duration(elapsed_s * (self._total - done) / done)
        return f"{said}, about {left} left"

    def _say(self, line: str) -> None:
        # No markup and no wrapping: texts may hold brackets, and commands are pasted. Control
        # characters of a user or a target must not reach the terminal.
        self._console.print(readable(line), markup=False, highlight=False, soft_wrap=True)


def print_error(message: str) -> None:
    """Print an error message on standard error."""
    typer.echo(f"sandgate: {message}", err=True)


def _cases(count: int) -> str:
    return "1 case" if count == 1 else f"{count} cases"
