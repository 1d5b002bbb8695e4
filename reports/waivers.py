"""Waivers: known failures that are accepted, each with a reason and an end, in a TOML file.

    [[waiver]]
    id = "PAY-10"
    reason = "the memo is shown from release 4 on"
    until = 2027-02-28

`id` is what `--only` takes: a case, a requirement with every case that shows it, all boundaries of
a field. One that names no case is refused, as `--only` refuses it. A waiver holds until the end of
its day. One that has expired waives nothing.
"""

import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from reports.events import WaiverState, WaiverStatus
from simulator.client.files.bounded import read_within
from simulator.client.shown.masking import masked_text, without_numbers

# Choice: D-221. A waiver has to be reviewed at least once a year.
LONGEST = timedelta(days=366)
MEMBERS = ("id", "reason", "until")
CasesOf = Callable[[str], Collection[str]]


class WaiverFileError(ValueError):
    """A file that is no list of waivers: which entry, what was expected, what came."""


@dataclass(frozen=True, slots=True)
class Waiver:
    """One entry of the file, and the ids of the cases it names. Its reason is masked."""

    id: str
    reason: str
    until: date
    cases: frozenset[str]


class Waivers:
    """The waivers of a run. It remembers which of them were needed, and which cases passed."""

    def __init__(self, entries: Sequence[Waiver], today: date):
        self._entries = entries
        self._today = today
        self._needed: set[str] = set()
        self._passed: set[str] = set()

    def reason_for(self, case_id: str, today: date) -> str | None:
        """Why this failed case is waived and until when, or None where it is not.

        Asked for failed cases alone: a waiver that was asked for is needed.
        """
        # A run may go on over midnight; it is reported as of its end.
        self._today = today
        matching = [entry for entry in self._entries if case_id in entry.cases]
        self._needed |= {entry.id for entry in matching}
        holding = [entry for entry in matching if today <= entry.until]
        return f"{holding[0].reason} (until {holding[0].until})" if holding else None

    def passed(self, case_id: str) -> None:
        """Record a test case that passed: a waiver all of whose test cases pass is unused."""
        self._passed.add(case_id)

    def handed_in(self) -> list[WaiverStatus]:
        """Every waiver, before the run shows which of them are needed."""
        return [_shown(each, "undecided") for each in self._entries]

    def shown(self) -> list[WaiverStatus]:
        """Every waiver as it stands at the end of the run."""
        return [_shown(each, self._state(each)) for each in self._entries]

    def _state(self, entry: Waiver) -> WaiverState:
        if entry.until < self._today:
            return "expired"
        if entry.id in self._needed:
            return "in force"
        return "unused" if entry.cases <= self._passed else "not judged"


def read_waivers(path: Path, *, cases_of: CasesOf, today: date | None = None) -> Waivers:
    """The waivers of a file. `today` is the day, in UTC, they are read on.

    `cases_of` gives the ids of the cases that a word names. Raises WaiverFileError, and what
    `cases_of` raises for an id that names no case.
    """
    today = today or datetime.now(UTC).date()
    try:
        document = tomllib.loads(read_within(path).decode())
    except OSError as error:
        raise WaiverFileError(f"expected a file, got: {error.strerror}") from None
    except ValueError as error:
        raise WaiverFileError(f"expected TOML, got: {error}") from None
    except RecursionError:
        raise WaiverFileError("expected TOML, got: what is nested too deeply") from None
    entries = document.pop("waiver", [])
    if document or not isinstance(entries, list):
        came = ", ".join(document) or "waiver as something else"
        raise WaiverFileError(f"expected [[waiver]] entries alone, got: {came}")
    return Waivers(_checked(entries, today, cases_of=cases_of), today)


def _shown(entry: Waiver, state: WaiverState) -> WaiverStatus:
    # The id may be a title, which reports show like this too.
    shown = without_numbers(entry.id)
    return WaiverStatus(shown, entry.reason, str(entry.until), state, len(entry.cases))


def _checked(entries: Sequence[Any], today: date, *, cases_of: CasesOf) -> list[Waiver]:
    found: dict[str, Waiver] = {}
    for number, entry in enumerate(entries, start=1):
        where = f"waiver {number}"
        waiver = _waiver(where, entry, today, cases_of=cases_of)
        if waiver.id in found:
            raise WaiverFileError(f"{where}: expected an id once, got {waiver.id} again")
        found[waiver.id] = waiver
    return list(found.values())


def _waiver(where: str, entry: Any, today: date, *, cases_of: CasesOf) -> Waiver:
    if not isinstance(entry, Mapping) or sorted(entry) != sorted(MEMBERS):
        came = ", ".join(entry) if isinstance(entry, Mapping) else repr(entry)
        raise WaiverFileError(f"{where}: expected {', '.join(MEMBERS)}, got: {came or 'nothing'}")
    for name in ("id", "reason"):
        if not isinstance(entry[name], str) or not entry[name].strip():
            raise WaiverFileError(f"{where}: expected {name} as a text, got: {entry[name]!r}")
    until, latest = entry["until"], today + LONGEST
    # In Python a datetime is a date too, but it would leave the end of the day open.
    if not isinstance(until, date) or isinstance(until, datetime):
        raise WaiverFileError(f"{where}: expected until as a date like {latest}, got: {until!r}")
    if until > latest:
        raise WaiverFileError(
            f"{where}: expected until at most a year ahead, {latest}, got: {until}"
        )
    # A reason may quote secrets from the failure.
    reason = masked_text(entry["reason"])
    return Waiver(entry["id"], reason, until, frozenset(cases_of(entry["id"])))
