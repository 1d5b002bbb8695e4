"""What the options of `sandgate load` mean. Whatever is wrong with one is `Misused`."""

import json as json_text
import re
import reprlib
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from load.passing import Passed
from load.plan import MERCHANT, PEOPLE, Arrival
from load.thresholds import BadThresholds, Thresholds, read_thresholds
from reports import files
from simulator.client.addresses import LOOPBACK_ADDRESS
from simulator.client.ports import free_port

# More digits are more than a day in every unit.
SPAN_PART = re.compile(r"([0-9]{1,9})([smh])")
UNITS_S = {"s": 1, "m": 60, "h": 3600}
SECONDS_MAX, USERS_MAX, RATE_MAX, STEPS_MAX = 24 * 3600, 20_000, 50_000, 100
PROCESSES_MAX, WORKERS_MAX, SPAWN_RATES = 64, 1000, (0.01, 20_000)
SEED_MAX = 10**18
USERS, STEPS = 20, 8
# Of these ends the names of the CSV files: ours, and those of Locust.
TABLES = ("operations", "stats", "stats_history", "failures", "exceptions")


class Misused(ValueError):
    """An option that is wrong: which, what was expected, what came."""


def within(name: str, value: float, least: float, most: float) -> Any:
    """The value of an option that has limits. Raises Misused."""
    if not least <= value <= most:
        raise Misused(f"{name}: expected {least:g} to {most:g}, got {reprlib.repr(value)}")
    return value


def one_of(name: str, value: str, known: Sequence[str]) -> Any:
    """The value of an option that is one of some words. Raises Misused."""
    if value not in known:
        raise Misused(f"{name}: expected one of {', '.join(known)}, got {value!r}")
    return value


def people_of(named: str) -> tuple[str, ...]:
    """Who takes part, of names with commas between. Raises Misused where nobody pays."""
    people = tuple(filter(None, (name.strip() for name in named.split(","))))
    for name in people:
        one_of("--users", name, PEOPLE)
    if not set(people) - {"receiver"}:
        raise Misused(f"--users: expected somebody who pays, such as {MERCHANT}, got {named!r}")
    return people


def arrivals_of(
    number: int | None, spawn: float | None, *, arrival: str, rate: float, even: bool
) -> dict[str, Any]:
    """How users come, how many there are and start a second (all, unless said otherwise), and the
    rate they come at where that is given. Raises Misused.
    """
    one_of("--arrival", arrival, get_args(Arrival))
    for option, is_given in {"--rate": rate, "--even": even}.items():
        if arrival == "closed" and is_given:
            beside = "--arrival open beside it, since users decide when they come"
            raise Misused(f"{option}: expected {beside}")
    if arrival == "open":
        within("--rate", rate, 0.01, RATE_MAX)
    at_once = USERS if arrival == "closed" else min(max(USERS, int(2 * rate)), USERS_MAX)
    users = within("-u", number, 1, USERS_MAX) if number is not None else at_once
    spawned = float(users) if spawn is None else float(within("-r", spawn, *SPAWN_RATES))
    poisson = not even
    return {
        "arrival": arrival, "users": users, "spawn_rate": spawned, "rate": rate, "poisson": poisson
    }  # fmt: skip


def steps_of(steps: int | None, shape: str) -> int:
    """How many steps there are. Raises Misused."""
    if steps is None:
        return STEPS
    if shape != "step":
        raise Misused(f"--steps: expected --shape step beside it, got --shape {shape}")
    return int(within("--steps", steps, 1, STEPS_MAX))


def seconds_of(span: str) -> float:
    """The seconds of a span such as 1h30m. Raises Misused."""
    parts = SPAN_PART.findall(span)
    if not parts or "".join(map("".join, parts)) != span:
        got = reprlib.repr(span)
        raise Misused(f"-t: expected a span such as 30s, 10m or 1h30m, got {got}")
    total = sum(int(count) * UNITS_S[unit] for count, unit in parts)
    return float(within("-t", total, 1, SECONDS_MAX))


def processes_of(processes: int | None) -> int:
    """How many processes of this host make the load. Raises Misused."""
    return 1 if processes is None else int(within("--processes", processes, 1, PROCESSES_MAX))


def workers_of(expected: int | None, *, master: bool) -> int | None:
    """How many workers a master waits for, one unless said otherwise; None where nobody leads any.

    Raises Misused.
    """
    if master:
        return 1 if expected is None else int(within("--expect-workers", expected, 1, WORKERS_MAX))
    if expected is not None:
        raise Misused("--expect-workers: expected --master beside it, which waits for them")
    return None


def demand_one_part(*, master: bool, worker: bool, processes: bool) -> None:
    """Raises Misused where somebody is to lead, to work for another and to be many at once."""
    given = {"--master": master, "--worker": worker, "--processes": processes}
    parts = [name for name, is_given in given.items() if is_given]
    if len(parts) > 1:
        raise Misused(f"expected one of {', '.join(given)}, got {' and '.join(parts)}")


def demand_files(
    passed: Passed, thresholds: Path | None, *, html: Path | None, csv: str, json: Path | None
) -> None:
    """Raises Misused unless each report can be written where it is wanted, and over nothing
    else.
    """
    if passed.has("--csv-full-history") and not csv:
        raise Misused("--csv-full-history: expected --csv beside it, got none")
    log = passed.value_of("--logfile")
    tables = [("--csv", Path(f"{csv}_{name}.csv")) for name in TABLES if csv]
    written = [("--html", html), ("--json", json), *tables]
    written += [("--logfile", Path(log))] if log else []
    written += [("--html (Locust's own page)", locust_page(html))] if html else []
    read = [("--thresholds", thresholds), ("TARGET", passed.target)]
    try:
        files.demand_writable_files(written, others=read)
    except files.FileOptionError as error:
        raise Misused(f"{error.option}: {error}") from None


def locust_page(html: Path) -> Path:
    """Where Locust's own page stands beside ours."""
    return html.parent / f"{html.stem}.locust.html"


def thresholds_of(path: Path | None) -> Thresholds:
    """The thresholds of a file, or those that hold without one. Raises Misused."""
    try:
        return read_thresholds(path.read_text("utf-8"), source=str(path)) if path else Thresholds()
    except (OSError, UnicodeDecodeError) as error:
        raise Misused(f"--thresholds: expected a file with TOML as UTF-8, got: {error}") from None
    except BadThresholds as error:
        raise Misused(str(error)) from None


def table_of(named: str) -> Any:
    """A throttle table as the control API takes it: rows of a file, or a name. Raises Misused."""
    if not named.endswith(".toml"):
        return named or None
    try:
        table = tomllib.loads(Path(named).read_text(encoding="utf-8"))
        # TOML has dates, and can be nested deeper than it can be sent.
        json_text.dumps(table)
    except (ValueError, TypeError, RecursionError, OSError) as error:
        raise Misused(f"{named}: expected a throttle table, got: {error}") from None
    return table


def locust_options(passed: Passed, *, processes: int, workers: int | None) -> list[str]:
    """What makes Locust lead others, who are sent a token: on loopback, unless told otherwise.

    `workers` is how many come from elsewhere, None where none do.
    """
    options = list(passed.options)
    is_leading = workers is not None or processes > 1
    if is_leading and not passed.has("--master-bind-host"):
        options += ["--master-bind-host", LOOPBACK_ADDRESS]
    if workers is not None:
        return [*options, "--master", "--expect-workers", str(workers)]
    if processes > 1:
        # One of its own, so that two runs on one machine do not meet.
        port = str(free_port())
        ports = ["--master-bind-port", port, "--master-port", port]
        return [*options, "--processes", str(processes), *ports]
    return options


def report_options(html: Path | None, csv: str) -> list[str]:
    """Locust's own reports beside ours."""
    own_page = ["--html", str(locust_page(html.absolute()))] if html else []
    return own_page + (["--csv", str(Path(csv).absolute())] if csv else [])
