"""How much code one payment passes through: files, functions, and switches between files.

`make trace-payment` sends a warm sale to a gateway in the process and counts every call of the
project's own code. `--list` prints the path, file by file. The figures stand in
docs/makers/performance.md.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.trees import ROOT

PACKAGES = ("simulator", "acquirer_mocks", "scenarios")
# The kit with which tests look at the gateway from outside.
OUTSIDE = ("/tests/", "simulator/client/")
WARM_UPS = 20


class Call(NamedTuple):
    """One call: the file below the project, and the name of what is called there."""

    file: str
    function: str


class Measure(NamedTuple):
    """What a path comes to. A switch is a call into another file than the call before it."""

    files: int
    functions: int
    calls: int
    switches: int

    def __str__(self) -> str:
        return (
            f"{self.files} files, {self.functions} functions, {self.calls} calls, "
            f"{self.switches} switches between files"
        )


def main() -> None:
    """Print the measure of one sale, and with --list its path."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--list", action="store_true", help="print the path, file by file")
    chosen = parser.parse_args()
    path = trace_sale()
    if chosen.list:
        for file, calls in groupby(path, key=lambda call: call.file):
            print(f"{file}: {', '.join(call.function for call in calls)}")
    print(measure(path))


def trace_sale() -> list[Call]:
    """The calls of one sale at a gateway that has answered some before."""
    with tempfile.TemporaryDirectory() as folder:
        gateway = Gateway(Path(folder), is_described=False)
        try:
            for _ in range(WARM_UPS):
                assert gateway.post().status_code == 200
            return _traced(gateway.post)
        finally:
            gateway.close()


def measure(path: Iterable[Call]) -> Measure:
    """What a path comes to."""
    path = list(path)
    return Measure(
        files=len({call.file for call in path}),
        functions=len(set(path)),
        calls=len(path),
        switches=sum(1 for _ in groupby(path, key=lambda call: call.file)) - 1,
    )


def _traced(work: Callable[[], object]) -> list[Call]:
    roots = tuple(f"{ROOT / package}/" for package in PACKAGES)
    codes: list[CodeType] = []

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(roots):
            codes.append(frame.f_code)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    calls = (
        Call(str(Path(code.co_filename).relative_to(ROOT)), code.co_qualname) for code in codes
    )
    return [call for call in calls if not any(part in call.file for part in OUTSIDE)]


if __name__ == "__main__":
    main()
