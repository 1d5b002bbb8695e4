"""A session of the judge: pytest in a process of its own, and each verdict as it comes.

It runs apart from whatever configuration and plugins of pytest the user has.
"""

import json
import os
import signal
import subprocess
from collections.abc import Generator, Sequence
from math import ceil
from pathlib import Path

import msgspec

from features.conformance.cases import BOUNDARIES, FOLDER, FeatureFileError, SuiteCase
from features.conformance.pacing import MINUTE_S
from features.conformance.run import ConformanceRun, request_interval_s
from features.target.records import Target
from reports.events import CaseVerdict
from reports.masking import Masking
from simulator.client.processes import python, without_settings

PLUGINS = ("pytest_bdd.plugin", "pytest_timeout", "features.plugin", "features.conformance.stream")
CASE_S_MAX = 120
# How many requests of one case may have to wait for their turn.
PACED_REQUESTS_MAX = 50
STOP_S_MAX = 10.0
# What pytest ends with when it judged: all passed, or some failed.
COMPLETED = (0, 1)
# What it ends with where it cannot load a folder, or a conftest.py in it.
NOT_LOADED = 4
OUTPUT_FILE = "pytest.txt"
TAIL_LINES = 30


class ConformanceRunError(Exception):
    """The judge itself ended before every case had a verdict; the message says what it wrote."""


def stream_results(run: ConformanceRun) -> Generator[tuple[CaseVerdict, float]]:
    """Each verdict of the judge and how long it waited for it. Raises ConformanceRunError, FeatureFileError."""
    reading, writing = os.pipe()
    process = _started(run, writing)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as lines:
            for line in lines:
                told = json.loads(line)
                yield msgspec.convert(told["case"], CaseVerdict), told["paced_s"]
        status = process.wait()
    finally:
        _stop(process)
    if status not in COMPLETED:
        raise _why_it_ended(run, status)


def _started(run: ConformanceRun, stream: int) -> subprocess.Popen[bytes]:
    """The judge, which writes its verdicts to a descriptor of ours, and all else to a file."""
    with (run.folder / OUTPUT_FILE).open("wb") as output:
        return subprocess.Popen(
            _command(run, f"/dev/fd/{stream}"), env=_environment(run), pass_fds=(stream,),
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            # Ctrl-C reaches us alone: we interrupt it once, and wait until it has cleaned up.
            start_new_session=True,
        )  # fmt: skip


def _why_it_ended(run: ConformanceRun, status: int) -> Exception:
    """What the judge wrote last, as what it means."""
    wrote = (run.folder / OUTPUT_FILE).read_text(encoding="utf-8", errors="replace").splitlines()
    shown = Masking(*run.gateway.target.secrets).text("\n".join(wrote[-TAIL_LINES:]))
    if run.features and status == NOT_LOADED:
        expected = "expected a folder that pytest can load, with its conftest.py"
        return FeatureFileError(f"{run.features}: {expected}; it said:\n{shown}")
    return ConformanceRunError(f"pytest ended with status {status}:\n{shown}")


def _command(run: ConformanceRun, stream: str) -> list[str]:
    """How pytest is called: with our plugins alone, and with no configuration but this."""
    cases = run.folder / "cases.json"
    cases.write_text(json.dumps([case.id for case in run.cases]), encoding="utf-8")
    root = run.features.resolve() if run.features else FOLDER
    suite = [root] if run.features else suite_paths_of(run.cases)
    plugins = [*PLUGINS, *(["xdist.plugin"] if run.workers > 1 else [])]
    command = [*python("import pytest; raise SystemExit(pytest.console_main())")]
    command += ["-c", os.devnull, "--rootdir", str(root), "--confcutdir", str(root)]
    command += ["--import-mode", "importlib", "--timeout", str(case_timeout_s(run.gateway.target))]
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


def suite_paths_of(cases: Sequence[SuiteCase]) -> list[Path]:
    """The parts of the shipped suite that hold these cases: to collect the other takes a second."""
    are_boundaries = {case.is_boundary for case in cases}
    parts = {False: FOLDER / "test_scenarios.py", True: FOLDER / BOUNDARIES}
    return [part for is_boundary, part in parts.items() if is_boundary in are_boundaries]


def _environment(run: ConformanceRun) -> dict[str, str]:
    kept = {name: text for name, text in without_settings().items() if not _is_of_pytest(name)}
    return {
        **kept,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        # pytest would leave compiled steps among the installed files, and uninstalling keeps them.
        "PYTHONDONTWRITEBYTECODE": "1",
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


def case_timeout_s(target: Target) -> int:
    """After how many seconds a case is given up; waiting for limits is no fault of the target.

    Limits that nobody named are learned by waiting, for a minute at most each time.
    """
    is_learning = "control" not in target.offers
    longest_s = max(request_interval_s(target), MINUTE_S if is_learning else 0.0)
    return CASE_S_MAX + ceil(PACED_REQUESTS_MAX * longest_s)
