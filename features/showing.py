"""What a run shows on the terminal: how far it is, failures as they come, and what to do next."""

import time
from collections import Counter
from collections.abc import Callable, Iterator

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from features.spec.tables import expectations, requirements
from reports.events import Began, Case, Ended, Event

EVERY_S = 10.0
# A target that fails nearly everything is told in one line a case after so many.
SHOWN_IN_FULL = 10
REASONS_SHOWN = 8
ORDER = ("passed", "failed", "waived", "not-checkable", "not-judged")
MARGIN = "    "


class Showing:
    """Shows the events of one run: a bar where there is a terminal, else a line now and then."""

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic):
        self._console = console
        self._clock = clock
        self._counts: Counter[str] = Counter()
        self._reasons: Counter[tuple[str, str]] = Counter()
        self._failed: list[Case] = []
        self._total = 0
        self._said_at = self._began_at = clock()
        self._progress = Progress(
            TextColumn("judged"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
            TextColumn("{task.fields[failed]}"), console=console, transient=True,
        )  # fmt: skip
        self._task = self._progress.add_task("judged", total=None, failed="")

    def event(self, event: Event) -> None:
        """Show one event."""
        if isinstance(event, Began):
            self._begin(event)
        elif isinstance(event, Case):
            self._case(event)
        else:
            self._end(event)

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._progress.live.is_started:
            self._progress.stop()

    def _begin(self, began: Began) -> None:
        self._total = began.cases
        offers = ", ".join(began.offers) or "the merchant API alone"
        profile = began.profile or "none, a gateway that is not ours"
        self._say(f"Judging {began.base_url} ({began.source}) by {_cases(began.cases)}")
        self._say(f"Profile: {profile}. Offers: {offers}")
        if began.seconds_a_request:
            self._say(f"Limits: a request every {began.seconds_a_request:g} s at most")
        self._progress.update(self._task, total=began.cases)
        if self._console.is_terminal:
            self._progress.start()

    def _case(self, case: Case) -> None:
        self._counts[case.verdict] += 1
        if case.reason:
            self._reasons[case.verdict, case.reason] += 1
        if case.verdict == "failed":
            self._failed.append(case)
            is_full = len(self._failed) <= SHOWN_IN_FULL
            for line in failure_lines(case) if is_full else (f"FAILED {case.id}",):
                self._say(line)
        told = f"{self._counts['failed']} failed" if self._counts["failed"] else ""
        self._progress.update(self._task, advance=1, failed=told)
        now = self._clock()
        if not self._console.is_terminal and now - self._said_at >= EVERY_S:
            self._said_at = now
            done = f"{self._counts.total()} of {self._total} judged"
            self._say(f"{done} after {now - self._began_at:.0f} s; {told or 'none failed'}")

    def _end(self, ended: Ended) -> None:
        self.close()
        for line in self._summary(ended):
            self._say(line)

    def _summary(self, ended: Ended) -> Iterator[str]:
        named = [f"{ended.counts[verdict]} {verdict.replace('-', ' ')}"
                 for verdict in ORDER if ended.counts.get(verdict)]  # fmt: skip
        yield f"{_cases(self._counts.total())} in {ended.seconds:g} s: {', '.join(named)}"
        for (verdict, reason), count in self._reasons.most_common(REASONS_SHOWN):
            yield f"  {verdict.replace('-', ' ')}: {count} because {reason}"
        if ended.paced_s:
            yield f"  waited {ended.paced_s:g} s in all to keep to the limits of the target"
        for waiver in ended.waivers:
            yield "  waiver: " + ", ".join(f"{name} {text}" for name, text in waiver.items())
        yield from self._next(ended)

    def _next(self, ended: Ended) -> Iterator[str]:
        if self._failed:
            yield f"Next: {self._failed[0].repeat}"
        elif ended.exit_status:
            yield "Next: let the target file offer what is missing, or judge the rest with --only"
        else:
            yield "Everything that was judged is as the specification says"

    def _say(self, line: str) -> None:
        # No markup and no wrapping: what is told may hold brackets, and commands are pasted.
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)


def failure_lines(case: Case) -> Iterator[str]:
    """A failure as a person reads it: the step, both sides, the requirement, what repeats it."""
    yield f"FAILED {case.id}  ({case.file}:{case.line})" if case.line else f"FAILED {case.id}"
    for step in case.steps:
        if step.verdict == "failed":
            yield f"{MARGIN}{step.keyword} {step.text}"
    if case.failure is not None:
        yield f"{MARGIN}{case.failure.what}"
        yield f"{MARGIN}  expected: {case.failure.expected}"
        yield f"{MARGIN}  came:     {case.failure.came}"
    stated = {**requirements(), **expectations()}
    for key in (*case.requirements, *case.expectations, *case.decisions):
        yield f"{MARGIN}  rule:     {key}, {stated.get(key, 'see DECISIONS.md')}"
    yield f"{MARGIN}  again:    {case.repeat}"


def say(message: str) -> None:
    """Tell what is wrong with a call, where errors are told."""
    typer.echo(f"sandgate: {message}", err=True)


def _cases(count: int) -> str:
    return "1 case" if count == 1 else f"{count} cases"
