"""`sandgate check`: the suite against a target, in a process of its own, and what it said.

The judge is pytest, run apart from whatever configuration and plugins of pytest the user has.
"""

import json
import os
import shlex
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from importlib.metadata import PackageNotFoundError, version
from math import ceil
from pathlib import Path
from typing import Protocol

import msgspec

from features.cases import FOLDER, BadFeatures, Known
from features.masking import Masking
from features.pacing import MINUTE_S
from features.reaching import reach
from features.server import authority_in, python, running_server, without_settings
from features.target import ANY_PORT, Target, read_target
from features.target_file import target_file
from reports.events import Began, Case, Ended, Event, Waived, exit_status_of

WORKERS_MAX = 4
CASES_A_WORKER = 100
ALONE = ("pytest_bdd.plugin", "pytest_timeout", "features.plugin", "features.stream")
CASE_S_MAX = 120
# How many requests of one case may have to wait for their turn.
PACED_REQUESTS_MAX = 50
STOP_S_MAX = 10.0
# What pytest ends with when it judged: all passed, or some failed.
JUDGED = (0, 1)
# What it ends with where it cannot load a folder, or a conftest.py in it.
NOT_LOADED = 4
TAIL_LINES = 30


class JudgeBroke(Exception):
    """The judge itself ended before every case had a verdict; the message says what it wrote."""


class Waivers(Protocol):
    """Failures that are known, each with a reason and an end."""

    def reason_for(self, case_id: str, today: date) -> str | None:
        """Why a failure of this case is let pass today, or None."""

    def handed_in(self) -> list[Waived]:
        """All of them, before anything is judged."""

    def shown(self) -> list[Waived]:
        """All of them, as they stand at the end."""


@dataclass(frozen=True)
class Gateway:
    """What is judged: its target, the file that describes it, what repeats a run against it.

    `server` is the folder of a server that was started for this run.
    """

    target: Target
    file: Path
    source: str
    server: Path | None = None


@dataclass(frozen=True)
class Run:
    """One run of the judge: what is judged, by which cases, by how many workers."""

    gateway: Gateway
    cases: Sequence[Known]
    folder: Path
    features: Path | None = None
    workers: int = 1
    waivers: Waivers | None = None

    def repeat(self, case_id: str) -> str:
        """The one command that judges a case again."""
        command = ["sandgate", "check", *([] if self.gateway.server else [self.gateway.source])]
        command += ["--features", str(self.features)] if self.features else []
        return shlex.join([*command, "--only", case_id])


@contextmanager
def gateway_of(file: Path | None, folder: Path) -> Iterator[Gateway]:
    """The gateway a target file describes, or one of our own that runs until the end of the block.

    Raises BadTarget, Unreachable, NotStarted.
    """
    if file is not None:
        target = read_target(file)
        reach(target)
        yield Gateway(target, file.absolute(), str(file))
        return
    server = folder / "gateway"
    with running_server(server, "--durability", "os") as ready:
        facts = {**ready, "ca_file": authority_in(server)}
        own = folder / "target.toml"
        own.write_text(target_file(facts), encoding="utf-8")
        yield Gateway(read_target(own), own, "a gateway of its own", server)


def workers_for(target: Target, cases: int) -> int:
    """How many workers judge a target: one where scenarios would get into each other's way.

    Few cases are judged sooner by one than a second has started.
    """
    is_shared = "control" not in target.offers or has_fixed_port(target)
    is_limited = target.limits.per_second or target.limits.per_minute
    if is_shared or is_limited:
        return 1
    return min(os.cpu_count() or 1, WORKERS_MAX, 1 + cases // CASES_A_WORKER)


def has_fixed_port(target: Target) -> bool:
    """Whether notifications come to one port of the judge, where one worker can listen."""
    return not target.receiver.listen.endswith(ANY_PORT)


def apart_s(target: Target) -> float:
    """How many seconds the limits of a target put between two requests, 0 where it has none."""
    limits = target.limits
    named = ((limits.per_second, 1.0), (limits.per_minute, MINUTE_S))
    return max((seconds / limit for limit, seconds in named if limit), default=0.0)


def case_s_max(target: Target) -> int:
    """After how many seconds a case is given up; waiting for limits is no fault of the target.

    Limits that nobody named are learned by waiting, for a minute at most each time.
    """
    is_learning = "control" not in target.offers
    longest_s = max(apart_s(target), MINUTE_S if is_learning else 0.0)
    return CASE_S_MAX + ceil(PACED_REQUESTS_MAX * longest_s)


def judge(run: Run, tell: Callable[[Event], None]) -> Ended:
    """Judge every case, and tell each event of the stream as it comes.

    Raises JudgeBroke, BadFeatures; the stream then has no end, and neither has it after a
    KeyboardInterrupt.
    """
    began, clock = _began(run), time.monotonic()
    counts: Counter[str] = Counter()
    paced_s = 0.0
    with closing(_verdicts(run)) as verdicts:
        tell(began)
        for case, waited_s in verdicts:
            paced_s += waited_s
            judged = waived_where_known(case, run)
            counts[judged.verdict] += 1
            tell(judged)
        if counts.total() != len(run.cases):
            raise JudgeBroke(f"{counts.total()} of {len(run.cases)} cases have a verdict")
        ended = Ended(
            at=_now(),
            seconds=round(time.monotonic() - clock, 1),
            counts=dict(counts),
            exit_status=exit_status_of(dict(counts)),
            waivers=run.waivers.shown() if run.waivers else [],
            paced_s=round(paced_s, 1),
        )
        tell(ended)
    return ended


def _began(run: Run) -> Began:
    target = run.gateway.target
    return Began(
        at=_now(),
        base_url=target.base_url,
        source=run.gateway.source,
        version=_version(),
        cases=len(run.cases),
        profile=target.profile,
        offers=sorted(target.offers),
        seconds_a_request=round(apart_s(target), 3),
        waivers=run.waivers.handed_in() if run.waivers else [],
    )


def waived_where_known(case: Case, run: Run) -> Case:
    """A case with the command that repeats it; a failure that is known is let pass."""
    why = None
    if case.verdict == "failed" and run.waivers:
        why = run.waivers.reason_for(case.id, datetime.now(UTC).date())
    told = msgspec.structs.replace(case, repeat=run.repeat(case.id))
    return told if why is None else msgspec.structs.replace(told, verdict="waived", reason=why)


def _verdicts(run: Run) -> Generator[tuple[Case, float]]:
    """Each verdict of the judge and how long it waited for it. Raises JudgeBroke, BadFeatures."""
    reading, writing = os.pipe()
    wrote = run.folder / "pytest.txt"
    with wrote.open("wb") as output:
        process = subprocess.Popen(
            _command(run, f"/dev/fd/{writing}"), env=_environment(run), pass_fds=(writing,),
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            # Ctrl-C reaches us alone: we interrupt it once, and wait until it has cleaned up.
            start_new_session=True,
        )  # fmt: skip
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as lines:
            for line in lines:
                told = json.loads(line)
                yield msgspec.convert(told["case"], Case), told["paced_s"]
        status = process.wait()
    finally:
        _stop(process)
    if status not in JUDGED:
        tail = wrote.read_text(encoding="utf-8", errors="replace").splitlines()[-TAIL_LINES:]
        shown = Masking(*run.gateway.target.secrets).text("\n".join(tail))
        if run.features and status == NOT_LOADED:
            expected = "expected a folder that pytest can load, with its conftest.py"
            raise BadFeatures(f"{run.features}: {expected}; it said:\n{shown}")
        raise JudgeBroke(f"pytest ended with status {status}:\n{shown}")


def _command(run: Run, stream: str) -> list[str]:
    """How pytest is called: with our plugins alone, and with no configuration but this."""
    cases = run.folder / "cases.json"
    cases.write_text(json.dumps([case.id for case in run.cases]), encoding="utf-8")
    root = run.features.resolve() if run.features else FOLDER
    suite = [root] if run.features else parts_of(run.cases)
    plugins = [*ALONE, *(["xdist.plugin"] if run.workers > 1 else [])]
    command = [*python("import pytest; raise SystemExit(pytest.console_main())")]
    command += ["-c", os.devnull, "--rootdir", str(root), "--confcutdir", str(root)]
    command += ["--import-mode", "importlib", "--timeout", str(case_s_max(run.gateway.target))]
    command += [word for plugin in plugins for word in ("-p", plugin)]
    command += ["-p", "no:cacheprovider", "--stream", stream, "--cases", str(cases)]
    command += ["-n", str(run.workers)] if run.workers > 1 else []
    # Tests in Python that lie beside a user's features are no part of this; features are, in
    # whatever folder but a hidden one, even where a virtual environment is made of it.
    own = ["--feature-files", str(root), "-o", "python_files=", "-o", "norecursedirs=.*"]
    own += ["--collect-in-virtualenv"]
    command += own if run.features else []
    command += ["--server-folder", str(run.gateway.server)] if run.gateway.server else []
    return [*command, *map(str, suite)]


def parts_of(cases: Sequence[Known]) -> list[Path]:
    """The parts of the shipped suite that hold these cases: to collect the other takes a second."""
    are_boundaries = {case.is_boundary for case in cases}
    parts = {False: FOLDER / "test_scenarios.py", True: FOLDER / "boundaries"}
    return [part for is_boundary, part in parts.items() if is_boundary in are_boundaries]


def _environment(run: Run) -> dict[str, str]:
    kept = {name: text for name, text in without_settings().items() if not _is_of_pytest(name)}
    return {
        **kept,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONSAFEPATH": "1",
        "SANDGATE_TARGET": str(run.gateway.file),
    }


def _is_of_pytest(name: str) -> bool:
    return name.startswith("PYTEST_")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Interrupt the judge if it still runs, and wait until it has removed its sandboxes."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(STOP_S_MAX)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _version() -> str:
    try:
        return version("sandgate")
    except PackageNotFoundError:
        return "from source"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
