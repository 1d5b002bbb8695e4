"""Parse the values of the options of `sandgate load`. An invalid one raises OptionError."""

import json as json_text
import re
import reprlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from load.plan.plan import MERCHANT, RECEIVER, VIRTUAL_USERS, Arrival
from load.results.thresholds import Thresholds, ThresholdsFormatError, parse_thresholds
from simulator.client.files.bounded import read_within
from simulator.client.files.tables import is_table_file, read_table_file
from simulator.client.shown.beginnings import beginning_of

# More digits are more than a day in every unit.
SPAN_PART = re.compile(r"([0-9]{1,9})([smh])")
UNITS_S = {"s": 1, "m": 60, "h": 3600}
SECONDS_MAX, USERS_MAX, RATE_MAX, STEPS_MAX = 24 * 3600, 20_000, 50_000, 100
PROCESSES_MAX, WORKERS_MAX, SPAWN_RATES = 64, 1000, (0.01, 20_000)
USERS, STEPS = 20, 8


class OptionError(ValueError):
    """An invalid option: its name, what was expected, what was received."""


def require_range(name: str, value: float, lowest: float, highest: float) -> Any:
    """Return the value of a numeric option. Raises OptionError."""
    if not lowest <= value <= highest:
        received = reprlib.repr(value)
        raise OptionError(f"{name}: expected {lowest:g} to {highest:g}, got {received}")
    return value


def require_choice(name: str, value: str, known: Sequence[str]) -> Any:
    """Return the value of an option with a fixed set of words. Raises OptionError."""
    if value not in known:
        raise OptionError(f"{name}: expected one of {', '.join(known)}, got {value!r}")
    return value


def parse_virtual_users(text: str) -> tuple[str, ...]:
    """Return the names in a comma-separated list. Raises OptionError if none of them pays."""
    names = tuple(filter(None, (name.strip() for name in text.split(","))))
    for name in names:
        require_choice("--users", name, VIRTUAL_USERS)
    if not set(names) - {RECEIVER}:
        raise OptionError(
            f"--users: expected a user that sends requests, such as {MERCHANT}, got {text!r}"
        )
    return names


def parse_arrivals(
    number: int | None, spawn: float | None, *, arrival: str, rate: float, even: bool
) -> dict[str, Any]:
    """Return arrival, users, spawn rate (by default all at once) and rate. Raises OptionError."""
    require_choice("--arrival", arrival, get_args(Arrival))
    for option, is_given in {"--rate": rate, "--even": even}.items():
        if arrival == "closed" and is_given:
            raise OptionError(
                f"{option}: expected --arrival open beside it, closed arrival has no rate"
            )
    if arrival == "open":
        if not rate:
            raise OptionError(f"--rate: expected 0.01 to {RATE_MAX} with --arrival open, got none")
        require_range("--rate", rate, 0.01, RATE_MAX)
    default = USERS if arrival == "closed" else min(max(USERS, int(2 * rate)), USERS_MAX)
    users = require_range("-u", number, 1, USERS_MAX) if number is not None else default
    spawn_rate = users if spawn is None else require_range("-r", spawn, *SPAWN_RATES)
    return {
        "arrival": arrival, "users": users, "spawn_rate": float(spawn_rate), "rate": rate,
        "poisson": not even,
    }  # fmt: skip


def parse_steps(steps: int | None, shape: str) -> int:
    """Return the number of steps. Raises OptionError."""
    if steps is None:
        return STEPS
    if shape != "step":
        raise OptionError(f"--steps: expected --shape step beside it, got --shape {shape}")
    return int(require_range("--steps", steps, 1, STEPS_MAX))


def parse_span(span: str) -> float:
    """Return the seconds of a span such as 1h30m. Raises OptionError."""
    parts = SPAN_PART.findall(span)
    if not parts or "".join(map("".join, parts)) != span:
        received = repr(beginning_of(span))
        raise OptionError(f"-t: expected a span such as 30s, 10m or 1h30m, got {received}")
    total = sum(int(count) * UNITS_S[unit] for count, unit in parts)
    return float(require_range("-t", total, 1, SECONDS_MAX))


def parse_processes(processes: int | None) -> int:
    """Return the number of local processes that make the load. Raises OptionError."""
    return (
        1 if processes is None else int(require_range("--processes", processes, 1, PROCESSES_MAX))
    )


def parse_workers(expected: int | None, *, master: bool) -> int | None:
    """Return how many workers a master waits for, by default one; None without --master.

    Raises OptionError.
    """
    if master:
        count = 1 if expected is None else expected
        return int(require_range("--expect-workers", count, 1, WORKERS_MAX))
    if expected is not None:
        raise OptionError("--expect-workers: expected --master beside it, which waits for them")
    return None


def require_one_role(*, master: bool, worker: bool, processes: bool) -> None:
    """Require at most one of the options that set the role of this process. Raises OptionError."""
    given = {"--master": master, "--worker": worker, "--processes": processes}
    roles = [name for name, is_given in given.items() if is_given]
    if len(roles) > 1:
        raise OptionError(f"expected one of {', '.join(given)}, got {' and '.join(roles)}")


def read_thresholds(path: Path | None) -> Thresholds:
    """Return the thresholds of a file, or the default ones. Raises OptionError."""
    if path is None:
        return Thresholds()
    try:
        return parse_thresholds(read_within(path).decode(), source=str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(
            f"--thresholds: expected a file with TOML as UTF-8, got {path}: "
            f"{getattr(error, 'strerror', None) or error}"
        ) from None
    except ThresholdsFormatError as error:
        raise OptionError(str(error)) from None


def read_throttle_table(name: str) -> Any:
    """Return a throttle table for the control API: the rows of a file, or a name; None if empty.

    Raises OptionError.
    """
    if not is_table_file(name):
        return name or None
    try:
        table = read_table_file(name)
        # TOML has dates, and can be nested deeper than JSON can be.
        json_text.dumps(table)
    except (ValueError, TypeError, RecursionError, OSError) as error:
        raise OptionError(f"{name}: expected a throttle table, got: {error}") from None
    return table
