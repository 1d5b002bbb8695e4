"""Waivers: failures somebody answers for, each with a reason and an end, kept in a TOML file.

    [[waiver]]
    id = "PAY-10"
    reason = "the memo is shown from release 4 on"
    until = 2027-02-28

`id` is that of a case, as `--only` takes it, or of a requirement, then of every case that shows it.
A waiver holds until the end of its day. One that has expired waives nothing.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

# Choice: D-221. What nobody looks at for a year is no exception but a rule.
LONGEST = timedelta(days=366)
MEMBERS = ("id", "reason", "until")


class BadWaivers(ValueError):
    """A file that is no list of waivers: which entry, what was expected, what came."""


@dataclass(frozen=True, slots=True)
class Waiver:
    """One entry of the file."""

    id: str
    reason: str
    until: date


class Waivers:
    """The waivers of a run. It remembers which of them were needed."""

    def __init__(self, entries: Sequence[Waiver], today: date):
        self._entries = {entry.id: entry for entry in entries}
        self._today = today
        self._needed: set[str] = set()

    def reason_for(self, case_id: str, requirements: Sequence[str], today: date) -> str | None:
        """Why this failed case is waived and until when, or None where it is not.

        Asked for failed cases alone: a waiver that no failure needs is reported as unused.
        """
        for name in (case_id, *requirements):
            entry = self._entries.get(name)
            if entry is not None:
                self._needed.add(name)
                if today <= entry.until:
                    return f"{entry.reason} (until {entry.until})"
        return None

    def shown(self) -> list[dict[str, str]]:
        """Every waiver for a report: `id`, `reason`, `until`, and `state`.

        The state is `in force`, `unused` where nothing that failed needed it, or `expired`.
        """
        return [
            {"id": each.id, "reason": each.reason, "until": str(each.until),
             "state": self._state(each)}
            for each in self._entries.values()
        ]  # fmt: skip

    def _state(self, entry: Waiver) -> str:
        if entry.until < self._today:
            return "expired"
        return "in force" if entry.id in self._needed else "unused"


def read_waivers(path: Path, *, today: date | None = None) -> Waivers:
    """The waivers of a file. `today` is the day, in UTC, they are read on.

    Raises BadWaivers.
    """
    today = today or datetime.now(UTC).date()
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadWaivers(f"expected a file, got: {error.strerror}") from None
    except ValueError as error:
        raise BadWaivers(f"expected TOML, got: {error}") from None
    entries = document.pop("waiver", [])
    if document or not isinstance(entries, list):
        came = ", ".join(document) or "waiver as something else"
        raise BadWaivers(f"expected [[waiver]] entries alone, got: {came}")
    return Waivers(_checked(entries, today), today)


def _checked(entries: Sequence[Any], today: date) -> list[Waiver]:
    found: dict[str, Waiver] = {}
    for number, entry in enumerate(entries, start=1):
        where = f"waiver {number}"
        waiver = _waiver(where, entry, today)
        if waiver.id in found:
            raise BadWaivers(f"{where}: expected an id once, got {waiver.id} again")
        found[waiver.id] = waiver
    return list(found.values())


def _waiver(where: str, entry: Any, today: date) -> Waiver:
    if not isinstance(entry, Mapping) or sorted(entry) != sorted(MEMBERS):
        came = ", ".join(entry) if isinstance(entry, Mapping) else repr(entry)
        raise BadWaivers(f"{where}: expected {', '.join(MEMBERS)}, got: {came or 'nothing'}")
    for name in ("id", "reason"):
        if not isinstance(entry[name], str) or not entry[name].strip():
            raise BadWaivers(f"{where}: expected {name} as a text, got: {entry[name]!r}")
    until, latest = entry["until"], today + LONGEST
    # A time is a date too, to Python, but which end it means nobody could say.
    if not isinstance(until, date) or isinstance(until, datetime):
        raise BadWaivers(f"{where}: expected until as a date like {latest}, got: {until!r}")
    if until > latest:
        raise BadWaivers(f"{where}: expected until at most a year ahead, {latest}, got: {until}")
    return Waiver(entry["id"], entry["reason"], until)
