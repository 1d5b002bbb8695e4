"""What changed between two runs: the verdicts of a case in an earlier run and in this one."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.text import Text

from reports.events import CaseVerdict
from reports.run import RecordedRun
from reports.words import SIGNS, readable

SHOWN_MAX = 20
BAD = ("failed", "error")


class CaseChange(NamedTuple):
    """A case and its two verdicts in words; `none` where one of the runs had no such case."""

    id: str
    before: str
    after: str


def failed_ids(run: RecordedRun) -> list[str]:
    """The cases of a run that failed or ended in an error."""
    return [case.id for case in run.cases if case.verdict in BAD]


def changes_between(before: RecordedRun, after: RecordedRun) -> list[CaseChange]:
    """The cases of `after` with another verdict than in `before`, the worst first.

    Cases that `after` did not select are no change.
    """
    earlier = {case.id: case for case in before.cases}
    changed = [case for case in after.cases if _verdict(earlier.get(case.id)) != case.verdict]
    order = list(SIGNS)
    worst_first = sorted(changed, key=lambda case: order.index(case.verdict))
    return [CaseChange(case.id, _word(earlier.get(case.id)), _word(case)) for case in worst_first]


def change_lines(before: RecordedRun, after: RecordedRun) -> list[Text]:
    """The changes as lines of the terminal, at most SHOWN_MAX of them."""
    changes = changes_between(before, after)
    title = f"Since the run of {before.began.at}: {_count(changes)}"
    lines = [Text(readable(title), style="bold")]
    lines += [Text(f"    {readable(each.id)}: {each.before}, now {each.after}")
              for each in changes[:SHOWN_MAX]]  # fmt: skip
    left = len(changes) - SHOWN_MAX
    return [*lines, *([Text(f"    ... and {left:,} more")] if left > 0 else [])]


def _count(changes: Sequence[CaseChange]) -> str:
    return f"{len(changes):,} changed" if changes else "no case changed"


def _verdict(case: CaseVerdict | None) -> str:
    return case.verdict if case else "none"


def _word(case: CaseVerdict | None) -> str:
    return SIGNS[case.verdict].word if case else "none"
