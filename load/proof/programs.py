"""Programs that a proof runs, most of them among the gateway's own tests, and lines for people."""

import json
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

import typer

from load.figures.figure import AT_MOST, Figure, Goal
from load.gateway.server import ROOT

LINES_SHOWN = 40
NONE = Goal(AT_MOST, must=0, aim=0)


class ProgramFailedError(Exception):
    """A program ended with another status than 0; what it said last is printed."""


def run_program(module: str, *arguments: object) -> Any:
    """What a program printed as JSON. Raises ProgramFailedError."""
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
