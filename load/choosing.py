"""What the options of `sandgate load` mean. Whatever is wrong with one is `Misused`."""

import re
import socket
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from features.receiving.choosing import Usage, demand_writable
from load.passing import Passed
from load.plan import MERCHANT, PEOPLE
from load.thresholds import BadThresholds, Thresholds, read_thresholds

LOOPBACK_ADDRESS = "127.0.0.1"
UNITS_S = {"s": 1, "m": 60, "h": 3600}
SECONDS_MAX, USERS_MAX, RATE_MAX, STEPS_MAX = 24 * 3600, 20_000, 50_000, 100
PROCESSES_MAX, WORKERS_MAX, SPAWN_RATES = 64, 1000, (0.01, 20_000)
USERS, STEPS = 20, 8


class Misused(ValueError):
    """An option that is wrong: which, what was expected, what came."""


def within(name: str, value: float, least: float, most: float) -> Any:
    """The value of an option that has limits. Raises Misused."""
    if not least <= value <= most:
        raise Misused(f"{name}: expected {least:g} to {most:g}, got {value:g}")
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


def arrivals_of(number: int | None, arrival: str, *, rate: float) -> dict[str, Any]:
    """How users come, how many there are, and the rate they come at where that is given.

    Raises Misused.
    """
    if arrival == "closed" and rate:
        raise Misused(
            "--rate: expected --arrival open beside it, since users decide when they come"
        )
    if arrival == "open":
        within("--rate", rate, 0.01, RATE_MAX)
    at_once = USERS if arrival == "closed" else min(max(USERS, int(2 * rate)), USERS_MAX)
    users = within("-u", number, 1, USERS_MAX) if number is not None else at_once
    return {"arrival": arrival, "users": users, "rate": rate}


def steps_of(steps: int | None, shape: str) -> int:
    """How many steps there are. Raises Misused."""
    if steps is None:
        return STEPS
    if shape != "step":
        raise Misused(f"--steps: expected --shape step beside it, got --shape {shape}")
    return int(within("--steps", steps, 1, STEPS_MAX))


def seconds_of(span: str) -> float:
    """The seconds of a span such as 1h30m. Raises Misused."""
    parts = re.findall(r"(\d+)([smh])", span)
    if not parts or "".join(map("".join, parts)) != span:
        raise Misused(f"-t: expected a span such as 30s, 10m or 1h30m, got {span!r}")
    total = sum(int(count) * UNITS_S[unit] for count, unit in parts)
    return float(within("-t", total, 1, SECONDS_MAX))


def spawn_rate_of(spawn: float | None, users: int) -> float:
    """How many users come a second: all of them, unless said otherwise. Raises Misused."""
    return float(users) if spawn is None else float(within("-r", spawn, *SPAWN_RATES))


def processes_of(processes: int | None) -> int:
    """How many processes of this host make the load. Raises Misused."""
    return 1 if processes is None else int(within("--processes", processes, 1, PROCESSES_MAX))


def workers_of(expected: int) -> int:
    """How many workers a master waits for. Raises Misused."""
    return int(within("--expect-workers", expected, 1, WORKERS_MAX))


def demand_one_part(given: Mapping[str, bool]) -> None:
    """Raises Misused where somebody is to lead, to work for another and to be many at once."""
    parts = [name for name, is_given in given.items() if is_given]
    if len(parts) > 1:
        raise Misused(f"expected one of {', '.join(given)}, got {' and '.join(parts)}")


def demand_files(html: Path | None, csv: str, json: Path | None) -> None:
    """Raises Misused unless every report can be written where it is wanted."""
    rows = Path(f"{csv}_operations.csv") if csv else None
    try:
        demand_writable({"--html": html, "--csv": rows, "--json": json})
    except Usage as error:
        raise Misused(f"{error.option}: {error}") from None


def thresholds_of(path: Path | None) -> Thresholds:
    """The thresholds of a file, or those that hold without one. Raises Misused."""
    try:
        return read_thresholds(path.read_text("utf-8"), source=str(path)) if path else Thresholds()
    except UnicodeDecodeError as error:
        raise Misused(f"{path}: expected TOML as UTF-8, got: {error}") from None
    except (BadThresholds, OSError) as error:
        raise Misused(str(error)) from None


def table_of(named: str) -> Any:
    """A throttle table as the control API takes it: rows of a file, or a name. Raises Misused."""
    if not named.endswith(".toml"):
        return named or None
    try:
        return tomllib.loads(Path(named).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise Misused(f"{named}: expected a throttle table, got: {error}") from None


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
        port = str(_free_port())
        ports = ["--master-bind-port", port, "--master-port", port]
        return [*options, "--processes", str(processes), *ports]
    return options


def report_options(html: Path | None, csv: str) -> list[str]:
    """Locust's own reports beside ours."""
    own_page = ["--html", str(html.absolute().with_suffix(".locust.html"))] if html else []
    return own_page + (["--csv", str(Path(csv).absolute())] if csv else [])


def _free_port() -> int:
    """A port that nobody listens on, so that two runs on one machine do not meet."""
    with socket.create_server((LOOPBACK_ADDRESS, 0)) as listener:
        return int(listener.getsockname()[1])
