"""The options of Locust's own command line that `sandgate load` passes on, and those it refuses."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from load.options.master_address import (
    DEFAULT_HOST,
    DEFAULT_PORT,
    HOST,
    PORT,
    require_master_address,
)
from simulator.client.ports import free_port

Kind = Literal["flag", "value", "file", "level", "port", "seconds"]
PASSED_ON: dict[str, Kind] = {
    "--csv-full-history": "flag",
    "--exclude-tags": "value",
    "--expect-workers-max-wait": "seconds",
    "--logfile": "file",
    "--loglevel": "level",
    "--master-bind-host": "value",
    "--master-bind-port": "port",
    "--master-host": "value",
    "--master-port": "port",
    "--print-stats": "flag",
    "--skip-log-setup": "flag",
    "--tags": "value",
}
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
PORT_MAX, SECONDS_MAX = 65535, 24 * 3600
NUMBER = re.compile(r"[0-9]{1,5}")
SHORT = {"-E": "--exclude-tags", "-L": "--loglevel", "-T": "--tags"}
# Options that would redirect or change the load, and what to use instead.
USE_INSTEAD = {
    "--host": "a target file",
    "-H": "a target file",
    "--locustfile": "--users",
    "-f": "--users",
    "--config": "the options of sandgate load",
    "--headless": "nothing: a run has no web page of its own",
    "--run-time": "-t",
    "--spawn-rate": "-r",
    "--stop-timeout": "nothing: requests in flight are always finished",
    "-s": "nothing: requests in flight are always finished",
}


class LocustOptionError(ValueError):
    """An argument that is neither an option of `sandgate load` nor passed on to Locust."""


class LocustArguments(NamedTuple):
    """The target, if there is one, and Locust's options, each written `--name=value`."""

    target: Path | None
    options: tuple[str, ...]

    def has(self, name: str) -> bool:
        """Whether an option was given."""
        return self.value_of(name) is not None

    def value_of(self, name: str) -> str | None:
        """Return the value of an option, empty for a flag; None if it was not given."""
        given = dict(option.partition("=")[::2] for option in self.options)
        return given.get(name)


def parse_arguments(arguments: Sequence[str]) -> LocustArguments:
    """Split the remaining arguments into target and Locust's options. Raises LocustOptionError."""
    targets: list[str] = []
    options: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument.startswith("-"):
            options.append(_parse_option(argument, rest))
        else:
            targets.append(argument)
    if len(targets) > 1:
        raise LocustOptionError(f"expected one target, got {' and '.join(targets)}")
    return LocustArguments(Path(targets[0]) if targets else None, tuple(options))


def create_locust_options(
    arguments: LocustArguments, *, processes: int, workers: int | None
) -> list[str]:
    """Return Locust's options of a run. `workers` come from elsewhere; None if there are none.

    A leader sends its workers a token, so it binds to loopback unless an option says otherwise.
    Raises OptionError where it cannot listen there.
    """
    options = list(arguments.options)
    if workers is None and processes == 1:
        return options
    host = arguments.value_of(HOST) or DEFAULT_HOST
    if workers is not None:
        port = int(arguments.value_of(PORT) or DEFAULT_PORT)
        role = ["--master", "--expect-workers", str(workers)]
    else:
        # A free port, so that two runs on one machine do not meet.
        port = free_port()
        role = ["--processes", str(processes), PORT, str(port), "--master-port", str(port)]
    require_master_address(host, port)
    return [*options, HOST, host, *role]


def _parse_option(argument: str, rest: Iterator[str]) -> str:
    """Return an option with its value. Names cannot be abbreviated, so none is passed unseen."""
    given, sign, value = argument.partition("=")
    name = SHORT.get(given, given)
    if name not in PASSED_ON:
        instead = USE_INSTEAD.get(name, f"one of {', '.join(PASSED_ON)} to pass on to Locust")
        raise LocustOptionError(f"{given}: expected {instead}")
    if PASSED_ON[name] == "flag":
        if sign:
            raise LocustOptionError(f"{name}: expected no value, got one")
        return name
    return f"{name}={_parse_value(name, value if sign else next(rest, ''))}"


def _parse_value(name: str, text: str) -> str:
    """Return a valid value. Locust would refuse it too, but only after everything was started."""
    kind = PASSED_ON[name]
    if not text or text.startswith("-"):
        raise LocustOptionError(f"{name}: expected a value, got {text or 'none'}")
    if kind == "level" and text.upper() not in LEVELS:
        raise LocustOptionError(f"{name}: expected one of {', '.join(LEVELS)}, got {text!r}")
    if kind == "port":
        _require_number(name, text, 1, PORT_MAX)
    if kind == "seconds":
        _require_number(name, text, 0, SECONDS_MAX)
    return str(Path(text).absolute()) if kind == "file" else text


def _require_number(name: str, text: str, lowest: int, highest: int) -> None:
    if not NUMBER.fullmatch(text) or not lowest <= int(text) <= highest:
        raise LocustOptionError(f"{name}: expected {lowest} to {highest}, got {text!r}")
