"""What of Locust's own command line `sandgate load` passes on, and what it keeps for itself."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

Kind = Literal["flag", "value", "file"]
PASSED_ON: dict[str, Kind] = {
    "--csv-full-history": "flag",
    "--exclude-tags": "value",
    "--expect-workers-max-wait": "value",
    "--logfile": "file",
    "--loglevel": "value",
    "--master-bind-host": "value",
    "--master-bind-port": "value",
    "--master-host": "value",
    "--master-port": "value",
    "--print-stats": "flag",
    "--skip-log-setup": "flag",
    "--tags": "value",
}
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
        return any(option.partition("=")[0] == name for option in self.options)


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
    text = value if sign else next(rest, "")
    if not text or text.startswith("-"):
        raise NotPassedOn(f"{name}: expected a value, got {text or 'none'}")
    return f"{name}={Path(text).absolute() if PASSED_ON[name] == 'file' else text}"
