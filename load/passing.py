"""What of Locust's own command line `sandgate load` passes on, and what it keeps for itself."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

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
# What would take the load elsewhere, or another load, and what to say instead.
OURS = {
    "--host": "a target file",
    "-H": "a target file",
    "--locustfile": "--users",
    "-f": "--users",
    "--config": "the options of sandgate load",
    "--headless": "nothing: a run has no page of its own",
    "--run-time": "-t",
    "--spawn-rate": "-r",
    "--stop-timeout": "nothing: what is under way is waited for",
    "-s": "nothing: what is under way is waited for",
}


class NotPassedOn(ValueError):
    """Something on the command line that is neither ours nor passed on to Locust."""


class Passed(NamedTuple):
    """The target, where there is one, and Locust's options, each written `--name=value`."""

    target: Path | None
    options: tuple[str, ...]

    def has(self, name: str) -> bool:
        """Whether an option was given."""
        return self.value_of(name) is not None

    def value_of(self, name: str) -> str | None:
        """The value of an option, empty for a flag; None where it was not given."""
        given = dict(option.partition("=")[::2] for option in self.options)
        return given.get(name)


def passed_on(arguments: Sequence[str]) -> Passed:
    """What the arguments that are not ours mean. Raises NotPassedOn."""
    targets: list[str] = []
    options: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument.startswith("-"):
            options.append(_option(argument, rest))
        else:
            targets.append(argument)
    if len(targets) > 1:
        raise NotPassedOn(f"expected one target, got {' and '.join(targets)}")
    return Passed(Path(targets[0]) if targets else None, tuple(options))


def _option(argument: str, rest: Iterator[str]) -> str:
    """An option with its value. Names are not abbreviated, so that none slips through."""
    given, sign, value = argument.partition("=")
    name = SHORT.get(given, given)
    if name not in PASSED_ON:
        instead = OURS.get(name, f"one of {', '.join(PASSED_ON)} to pass on to Locust")
        raise NotPassedOn(f"{given}: expected {instead}")
    if PASSED_ON[name] == "flag":
        if sign:
            raise NotPassedOn(f"{name}: expected no value, got one")
        return name
    return f"{name}={_value(name, value if sign else next(rest, ''))}"


def _value(name: str, text: str) -> str:
    """The value of an option. Locust would refuse it too, but late: when all has been started."""
    kind = PASSED_ON[name]
    if not text or text.startswith("-"):
        raise NotPassedOn(f"{name}: expected a value, got {text or 'none'}")
    if kind == "level" and text.upper() not in LEVELS:
        raise NotPassedOn(f"{name}: expected one of {', '.join(LEVELS)}, got {text!r}")
    if kind == "port":
        _demand_number(name, text, 1, PORT_MAX)
    if kind == "seconds":
        _demand_number(name, text, 0, SECONDS_MAX)
    return str(Path(text).absolute()) if kind == "file" else text


def _demand_number(name: str, text: str, least: int, most: int) -> None:
    if not NUMBER.fullmatch(text) or not least <= int(text) <= most:
        raise NotPassedOn(f"{name}: expected {least} to {most}, got {text!r}")
