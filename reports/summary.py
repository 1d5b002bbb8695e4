"""The end of a run on the terminal: what failed, how to repeat it, counts, and what to do next."""

from collections import Counter

from rich.console import Console
from rich.text import Text

from reports.events import CaseVerdict, Verdict, WaiverState
from reports.requirements import statements
from reports.run import VERDICTS, RecordedRun
from reports.words import SIGNS, State, duration, headline_of, readable, reason_of

# Further failures are left to the reports.
FAILED_MAX = 20
TEXT_MAX = 400
# The signs of waivers that need no action.
AT_REST: dict[WaiverState, State] = {"in force": "waived", "not judged": "not-judged"}


def print_summary(run: RecordedRun, console: Console, *, stream: str = "") -> None:
    """Print the lines below; commands run over the edge of the terminal instead of being cut.

    In a file every line stays whole, so that it can be searched.
    """
    for line in summary_lines(run, stream=stream):
        console.print(line, soft_wrap=bool(line.no_wrap) or not console.is_terminal)


def summary_lines(run: RecordedRun, *, stream: str = "") -> list[Text]:
    """What `sandgate check` says at its end, a line a text.

    `stream` is where the stream is kept, for the commands that come next.
    """
    return [
        *_failed("failed", "Failed", run, stream),
        *_failed("error", "Errors of steps", run, stream),
        *_waivers(run),
        *_aside(run),
        *_verdict(run),
        *(Text(f"Next: {words}", style="bold") for words in _next(run, stream)),
    ]


def _failed(verdict: Verdict, title: str, run: RecordedRun, stream: str) -> list[Text]:
    cases = [case for case in run.cases if case.verdict == verdict]
    if not cases:
        return []
    said = statements()
    lines = [Text(title, style="bold")]
    for case in cases[:FAILED_MAX]:
        lines.append(_signed(verdict, case.title if case.title == case.id else
                             f"{case.title} ({case.id})"))  # fmt: skip
        lines += [_inner(f"{name}: {said.get(name, 'is in no table')}")
                  for name in (*case.requirements, *case.expectations)]  # fmt: skip
        lines += [_inner(f"{name}: see sandgate explain {name}") for name in case.decisions]
        lines += [_inner(f"{step.keyword} {step.text}")
                  for step in case.steps if step.verdict == "failed"]  # fmt: skip
        if case.failure:
            lines.append(_inner(_both_sides(case)))
        if case.repeat:
            lines.append(_command(case.repeat))
    if len(cases) > FAILED_MAX:
        rest = len(cases) - FAILED_MAX
        lines.append(_inner(f"... and {rest:,} more; {_report_command(stream)} shows all"))
    return [*lines, Text()]


def _both_sides(case: CaseVerdict) -> str:
    failure = case.failure
    assert failure is not None
    sides = [("expected", failure.expected), ("came", failure.came)]
    return "; ".join([failure.what, *(f"{name} {text}" for name, text in sides if text)])


def _waivers(run: RecordedRun) -> list[Text]:
    """Every waiver; those that need an action stand out."""
    lines = []
    for waiver in run.waivers:
        what = f"{waiver.id} ({_cases(waiver.cases)}), {waiver.state}, until {waiver.until}"
        words = f"{what}: {waiver.reason}"
        lines.append(_signed(AT_REST.get(waiver.state, "not-checkable"), words))
    return [Text("Waivers", style="bold"), *lines, Text()] if lines else []


def _aside(run: RecordedRun) -> list[Text]:
    """What was not checkable or not evaluated, by reason."""
    reasons = Counter(
        (case.verdict, reason_of(case))
        for case in run.cases
        if case.verdict in ("not-checkable", "not-judged")
    )
    lines = [_signed(verdict, f"{SIGNS[verdict].word}, {_cases(count)}: {reason}")
             for (verdict, reason), count in reasons.most_common()]  # fmt: skip
    return [Text("Not checked", style="bold"), *lines, Text()] if lines else []


def _verdict(run: RecordedRun) -> list[Text]:
    headline = headline_of(run)
    counts = Text("  ").join(
        _signed(verdict, f"{run.counts[verdict]:,} {SIGNS[verdict].word}")
        for verdict in VERDICTS
        if verdict != "error" or run.counts[verdict]
    )
    where = f"{run.began.base_url}, profile {run.began.profile or 'none'}, {duration(run.seconds)}"
    if run.ended and run.ended.paced_s:
        where += f", of which {duration(run.ended.paced_s)} waited for the limits of the target"
    title = Text(f"{headline.title}: {headline.words}".strip(), style=SIGNS[headline.state].style)
    return [counts, Text(readable(where), style="dim"), title]


def _next(run: RecordedRun, stream: str) -> list[str]:
    """What to do now, the most urgent first."""
    advice = []
    if run.lacks:
        is_all = len(run.cases) == run.began.cases
        missing = "the end of the run is missing" if is_all else "the missing cases were not run"
        advice.append(f"run it again; {missing}.")
    if run.counts["failed"]:
        advice.append("repeat one case by the command below it.")
    if run.counts["error"]:
        advice.append("correct the steps that ended in an error; the target was not judged there.")
    lacking = {need for case in run.cases for need in case.needs} - set(run.began.offers)
    if run.counts["not-checkable"] and lacking:
        advice.append(f"test a target that offers {', '.join(sorted(lacking))}.")
    if any(waiver.state == "expired" for waiver in run.waivers):
        advice.append("renew the waivers that expired, or take them out.")
    if any(waiver.state == "unused" for waiver in run.waivers):
        advice.append("take out the waivers that nothing needs.")
    is_about_one = any(case.requirements for case in run.cases)
    if is_about_one and run.counts["passed"] == len(run.cases):
        advice.append(f"see which requirements that proves: sandgate coverage {stream}".rstrip())
    return [readable(words) for words in advice]


def _report_command(stream: str) -> str:
    return f"sandgate report {stream or 'STREAM'} --html report.html"


def _cases(count: int) -> str:
    return "1 case" if count == 1 else f"{count:,} cases"


def _signed(state: State, words: str) -> Text:
    sign = SIGNS[state]
    return Text.assemble((sign.sign, sign.style), " ", _short(words))


def _inner(words: str) -> Text:
    return Text(f"    {_short(words)}")


def _command(command: str) -> Text:
    """A command as it is pasted: whole, and not broken into lines."""
    return Text(f"    {readable(command)}", style="cyan", no_wrap=True)


def _short(words: str) -> str:
    """On one line, at most TEXT_MAX characters, and nothing a terminal would obey."""
    words = words if len(words) <= TEXT_MAX else f"{words[:TEXT_MAX]} ..."
    return " ".join(readable(words).split())
