"""One run of `sandgate check`: its target, its test cases and its workers."""

import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from features.conformance.cases import SuiteCase
from features.conformance.pacing import MINUTE_S
from features.target.reachability import demand_reachable
from features.target.reading import TargetFileError, read_target, with_members
from features.target.records import Target
from features.target.writing import format_target_file
from reports.waivers import Waivers
from simulator.client.processes import authority_in, gateway_in

WORKERS_MAX = 4
CASES_A_WORKER = 100


@dataclass(frozen=True)
class TargetUnderTest:
    """The gateway under test: its target, the file that describes it, its name in a command.

    `server` is the folder of a server that was started for this run, `members` those members of a
    fleet that the command names beside the file.
    """

    target: Target
    file: Path
    source: str
    server: Path | None = None
    members: Sequence[str] = ()


@dataclass(frozen=True)
class ConformanceRun:
    """One conformance run: the target, the test cases and the number of workers."""

    gateway: TargetUnderTest
    cases: Sequence[SuiteCase]
    folder: Path
    features: Path | None = None
    workers: int = 1
    waivers: Waivers | None = None

    def repeat(self, case_id: str) -> str:
        """The command that repeats one test case."""
        command = ["sandgate", "check", *([] if self.gateway.server else [self.gateway.source])]
        command += ["--features", str(self.features)] if self.features else []
        command += [word for each in self.gateway.members for word in ("--member", each)]
        command += ["--real-time"] if self.gateway.target.waits else []
        return shlex.join([*command, "--only", case_id])


@contextmanager
def open_target(
    file: Path | None, folder: Path, *, waits: bool = False, members: Sequence[str] = ()
) -> Iterator[TargetUnderTest]:
    """The gateway a target file describes, or one started for this run until the end of the block.

    With `waits`, time that passes is waited for where the target has no clock to set.

    Raises TargetFileError, UnreachableTargetError, ServerStartError.
    """
    if file is not None:
        target = with_members(read_target(file), members)
        demand_reachable(target)
        target = target.waiting() if waits else target
        yield TargetUnderTest(target, file.absolute(), str(file), members=members)
        return
    if members:
        raise TargetFileError("--member: expected a target file beside it, got none")
    server = folder / "gateway"
    with gateway_in(server, "--durability", "os") as ready:
        facts = {**ready, "ca_file": authority_in(server)}
        own = folder / "target.toml"
        own.write_text(format_target_file(facts), encoding="utf-8")
        yield TargetUnderTest(read_target(own), own, "a gateway of its own", server)


def choose_worker_count(target: Target, cases: int) -> int:
    """How many workers test a target: one where scenarios would interfere with each other.

    A few test cases are done by one worker before a second has started.
    """
    is_shared = "control" not in target.offers or target.receiver.is_fixed
    is_limited = target.limits.per_second or target.limits.per_minute
    if is_shared or is_limited:
        return 1
    return min(os.cpu_count() or 1, WORKERS_MAX, 1 + cases // CASES_A_WORKER)


def request_interval_s(target: Target) -> float:
    """The seconds between two requests that the limits of a target demand, 0 where it has none."""
    limits = target.limits
    named = ((limits.per_second, 1.0), (limits.per_minute, MINUTE_S))
    return max((seconds / limit for limit, seconds in named if limit), default=0.0)
