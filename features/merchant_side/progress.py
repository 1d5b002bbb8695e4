"""The progress of a run on the terminal: a line for each check, and at the end what to do next."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from features.merchant_side.checks.table import CHECKS, GROUPS, MerchantCheck, fix_of
from reports.events import CaseVerdict, Event, RunEnded, RunStarted, Verdict

STYLES: dict[Verdict, str] = {
    "passed": "green", "failed": "bold red", "not-checkable": "yellow", "not-judged": "dim",
}  # fmt: skip
MARKS: dict[Verdict, str] = {"passed": "✓", "failed": "✗", "not-checkable": "?", "not-judged": "-"}
# For terminals without these characters.
PLAIN_MARKS = {"✓": "+", "✗": "x"}
ID_WIDTH = max(len(check.id) for check in CHECKS)
INDENT = 4
SLOW_S = 0.5
ROWS = {check.id: check for check in CHECKS}
ORDER: tuple[Verdict, ...] = ("passed", "failed", "not-checkable", "not-judged")
WORDS = {"not-checkable": "not checkable", "not-judged": "not requested"}


def show_progress(
    events: Iterable[Event], checks: Sequence[MerchantCheck], console: Console
) -> Iterator[Event]:
    """The same events, each shown as it passes, with the title of the check that runs."""
    results: list[CaseVerdict] = []
    with console.status("") as status:
        for event in events:
            if isinstance(event, RunStarted):
                _show_beginning(event, console)
            elif isinstance(event, CaseVerdict):
                results.append(event)
                _show_case(event, console)
            else:
                status.stop()
                _show_end(event, results, console)
            if len(results) < len(checks):
                _announce(checks, len(results), console)
                status.update(Text(checks[len(results)].title, "dim"))
            yield event


def _show_beginning(began: RunStarted, console: Console) -> None:
    checks = "check" if began.cases == 1 else "checks"
    console.print(Text.assemble(("Testing ", "bold"), (began.base_url, "bold cyan")))
    console.print(Text(f"{began.cases} {checks}, with {', '.join(began.offers)}", "dim"))


def _announce(checks: Sequence[MerchantCheck], upcoming: int, console: Console) -> None:
    """The heading of a group, before the first of its checks is made."""
    group = checks[upcoming].group
    if upcoming == 0 or checks[upcoming - 1].group != group:
        console.print()
        console.print(Text(GROUPS[group], "bold"))


def _show_case(case: CaseVerdict, console: Console) -> None:
    mark, style = _mark(case.verdict, console), STYLES[case.verdict]
    seconds = f"{case.seconds:.1f} s" if case.seconds >= SLOW_S else ""
    quiet = "" if case.verdict in ("passed", "failed") else "dim"
    title = Text(ROWS[case.id].title, "bold" if case.verdict == "failed" else quiet)
    row = _grid(ID_WIDTH)
    row.add_row(Text(mark, style), Text(case.id, style if quiet == "" else quiet), title, seconds)
    console.print(row)
    if case.failure is not None:
        _show_failure(case, console)


def _show_failure(case: CaseVerdict, console: Console) -> None:
    assert case.failure is not None, "shown of failed cases alone"
    rules = [*case.requirements, *case.expectations, *case.decisions]
    lines = Table.grid(padding=(0, 2))
    lines.add_column(no_wrap=True, style="dim")
    lines.add_column(overflow="fold")
    lines.add_row("expected", Text(case.failure.expected))
    lines.add_row("came", Text(case.failure.came, "red"))
    lines.add_row("fix", Text(fix_of(ROWS[case.id], case.failure.came), "bold"))
    lines.add_row("rules", Text(", ".join(rules), "dim"))
    console.print(Padding(lines, (0, 0, 1, INDENT)))


def _show_end(ended: RunEnded, results: list[CaseVerdict], console: Console) -> None:
    console.print()
    _show_reasons(results, console)
    parts = [
        (f"{ended.counts[verdict]} {WORDS.get(verdict, verdict)}", STYLES[verdict])
        for verdict in ORDER
        if ended.counts.get(verdict)
    ]
    line = Text(", ").join(Text(*part) for part in parts)
    console.print(line.append(f", in {ended.seconds:.1f} s", "dim"))
    failed = [case for case in results if case.verdict == "failed"]
    if failed:
        console.print(Text(f"Fix the first, then run it alone: --only {failed[0].id}"))
    elif ended.exit_status == 3:
        console.print(
            Text("Nothing failed, but not every check could be made: this is not a pass.")
        )
    else:
        console.print(Text("Every requested check passed.", "green"))


def _show_reasons(results: list[CaseVerdict], console: Console) -> None:
    """Why some checks were not made: each reason once, with the count of its checks."""
    reasons = Counter(
        (case.verdict, case.reason) for case in results if case.verdict in WORDS and case.reason
    )
    for (verdict, reason), count in reasons.items():
        mark, style = _mark(verdict, console), STYLES[verdict]
        row = _grid(len("99 checks"))
        checks = "1 check" if count == 1 else f"{count} checks"
        row.add_row(Text(mark, style), checks, Text(reason), "")
        console.print(row)
    if reasons:
        console.print()


def _mark(verdict: Verdict, console: Console) -> str:
    """The sign of a verdict, as far as the terminal can show it."""
    mark = MARKS[verdict]
    return mark if console.encoding.startswith("utf") else PLAIN_MARKS.get(mark, mark)


def _grid(second_width: int) -> Table:
    """One line: a mark, a name, a text that may wrap, and a time at the right."""
    row = Table.grid(padding=(0, 1), expand=True)
    row.add_column(width=1)
    row.add_column(width=second_width, no_wrap=True)
    row.add_column(ratio=1)
    row.add_column(width=7, justify="right", style="dim")
    return row
