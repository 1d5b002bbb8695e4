"""Rounds and programs that a proof runs, and lines for people."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import typer

from load.figures.figure import AT_MOST, Figure, Goal
from load.gateway.server import ROOT

LINES_SHOWN = 40
NONE = Goal(AT_MOST, must=0, aim=0)


class Round(Protocol):
    """What came of one round of a proof."""

    @property
    def faults(self) -> Sequence[str]: ...


AnyRound = TypeVar("AnyRound", bound=Round)


class ProgramFailedError(Exception):
    """A program ended with another status than 0; what it said last is printed."""


def run_rounds(
    count: int, run: Callable[[Path, int], AnyRound]
) -> tuple[list[AnyRound], list[str]]:
    """So many rounds, each with a folder and a seed of its own; and the faults of all of them,
    which are printed.
    """
    rounds = []
    for seed in range(count):
        with tempfile.TemporaryDirectory(prefix="sandgate-proof-") as folder:
            rounds.append(run(Path(folder), seed))
    faults = [fault for one in rounds for fault in one.faults]
    print_lines(faults)
    return rounds, faults


def run_program(module: str, *arguments: object) -> Any:
    """What a program printed as JSON; most are among the gateway's own tests. Raises
    ProgramFailedError.
    """
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        print_line(" ".join(command[2:]))
        print_lines(done.stderr.splitlines()[-LINES_SHOWN:])
        raise ProgramFailedError(module)
    return json.loads(done.stdout)


def failed_run(name: str) -> Figure:
    """The figure of a proof whose program failed."""
    return Figure(f"{name}: runs that failed", "count", (1,), NONE)


def print_lines(lines: Iterable[str]) -> None:
    """Print the first lines, and how many more there are."""
    all_lines = list(lines)
    for line in all_lines[:LINES_SHOWN]:
        print_line(line)
    if more := len(all_lines[LINES_SHOWN:]):
        print_line(f"and {more} more")


def print_line(text: str) -> None:
    """Print a line beside the figures."""
    typer.echo(text, err=True)
