"""The pytest session of a conformance run, in a process of its own, and its verdicts.

Configuration and plugins of pytest that the user has do not affect it.
"""

import json
import os
import signal
import subprocess
from collections.abc import Callable, Generator, Iterable, Sequence
from math import ceil
from pathlib import Path

import msgspec

from features.conformance.cases import FOLDER, SuiteCase
from features.conformance.pacing import MINUTE_S, RequestedWait
from features.conformance.run import ConformanceRun, request_interval_s
from features.gherkin.files import FeatureFileError
from features.target.records import Target
from reports.events import CaseVerdict
from simulator.client.processes import python, without_settings
from simulator.client.shown.masking import Masking

PLUGINS = ("pytest_bdd.plugin", "pytest_timeout", "features.plugin", "features.conformance.stream")
CASE_S_MAX = 120
# How many requests of one test case may have to wait for the limits.
PACED_REQUESTS_MAX = 50
STOP_S_MAX = 10.0
# The exit statuses of pytest after a complete session: all passed, or some failed.
COMPLETED = (0, 1)
# Its exit status where it cannot load a folder, or a conftest.py in it.
NOT_LOADED = 4
OUTPUT_FILE = "pytest.txt"
TAIL_LINES = 30


class ConformanceRunError(Exception):
    """pytest ended before every test case had a verdict; the message holds its last output."""


def stream_results(
    run: ConformanceRun, announce: Callable[[RequestedWait], None]
) -> Generator[tuple[CaseVerdict, float]]:
    """Each verdict, and how long its test case waited for rate limits. Waits that the target
    demands are announced as they begin.

    Raises ConformanceRunError, FeatureFileError.
    """
    reading, writing = os.pipe()
    process = _started(run, writing)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as lines:
            yield from results_in(lines, announce)
        status = process.wait()
    finally:
        _stop(process)
    if status not in COMPLETED:
        raise _why_it_ended(run, status)


def results_in(
    lines: Iterable[bytes], announce: Callable[[RequestedWait], None]
) -> Generator[tuple[CaseVerdict, float]]:
    """What pytest wrote, each result in a line. It may have been ended in the middle of the last
    one: its exit status says why.
    """
    for line in lines:
        if not line.endswith(b"\n"):
            return
        result = json.loads(line)
        if "wait" in result:
            announce(msgspec.convert(result["wait"], RequestedWait))
            continue
        yield msgspec.convert(result["case"], CaseVerdict), result["paced_s"]


def _started(run: ConformanceRun, stream: int) -> subprocess.Popen[bytes]:
    """pytest, which writes its verdicts to the descriptor `stream`, and its output to a file."""
    with (run.folder / OUTPUT_FILE).open("wb") as output:
        return subprocess.Popen(
            _command(run, f"/dev/fd/{stream}"), env=_environment(run), pass_fds=(stream,),
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            # Ctrl-C reaches this process alone, which interrupts pytest once and waits for it.
            start_new_session=True,
        )  # fmt: skip


def _why_it_ended(run: ConformanceRun, status: int) -> Exception:
    """The error that explains the exit status, with the last output of pytest."""
    wrote = (run.folder / OUTPUT_FILE).read_text(encoding="utf-8", errors="replace").splitlines()
    shown = Masking(*run.gateway.target.secrets).text("\n".join(wrote[-TAIL_LINES:]))
    if run.features and status == NOT_LOADED:
        expected = "expected a folder that pytest can load, with its conftest.py"
        return FeatureFileError(f"{run.features}: {expected}; it wrote:\n{shown}")
    return ConformanceRunError(f"pytest ended with status {status}:\n{shown}")


def _command(run: ConformanceRun, stream: str) -> list[str]:
    """The command line of pytest: with these plugins alone, and no configuration file."""
    cases = run.folder / "cases.json"
    cases.write_bytes(msgspec.json.encode(run.cases))
    root = run.features.resolve() if run.features else FOLDER
    suite = [root] if run.features else suite_paths_of(run.cases)
    plugins = [*PLUGINS, *(["xdist.plugin"] if run.workers > 1 else [])]
    command = [*python("import pytest; raise SystemExit(pytest.main())")]
    command += ["-c", os.devnull, "--rootdir", str(root), "--confcutdir", str(root)]
    command += ["--import-mode", "importlib", "--timeout", str(case_timeout_s(run.gateway.target))]
    command += [word for plugin in plugins for word in ("-p", plugin)]
    command += ["-p", "no:cacheprovider", "--stream", stream, "--cases", str(cases)]
    # A secret that an assertion shows in part could not be masked.
    command += ["-o", "verbosity_assertions=2"]
    command += ["-n", str(run.workers)] if run.workers > 1 else []
    # Python tests beside a user's features are not collected; features are, in every folder but a
    # hidden one, even where a virtual environment is made of it.
    own = ["--feature-files", str(root), "-o", "python_files=", "-o", "norecursedirs=.*"]
    own += ["--collect-in-virtualenv"]
    command += own if run.features else []
    command += ["--server-folder", str(run.gateway.server)] if run.gateway.server else []
    return [*command, *map(str, suite)]


def suite_paths_of(cases: Sequence[SuiteCase]) -> list[Path]:
    """The files of the suite with these test cases; collecting all of them takes seconds."""
    return list(dict.fromkeys(FOLDER / case.key.file for case in cases))


def _environment(run: ConformanceRun) -> dict[str, str]:
    kept = {name: text for name, text in without_settings().items() if not _is_of_pytest(name)}
    return {
        **kept,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        # pytest would leave compiled steps among the installed files, and uninstalling keeps them.
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONSAFEPATH": "1",
        "SANDGATE_TARGET": str(run.gateway.file),
        "SANDGATE_MEMBERS": " ".join(run.gateway.members),
        **({"SANDGATE_REAL_TIME": "1"} if run.gateway.target.waits else {}),
    }


def _is_of_pytest(name: str) -> bool:
    return name.startswith("PYTEST_")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Interrupt pytest if it still runs, and wait until it has removed its sandboxes."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(STOP_S_MAX)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def case_timeout_s(target: Target) -> int:
    """The time-out of a test case in seconds, with allowance for rate limits.

    Limits that the target file does not name are learned by waiting, at most a minute each time.
    """
    is_learning = "control" not in target.offers
    longest_s = max(request_interval_s(target), MINUTE_S if is_learning else 0.0)
    waited_s = 2 * MINUTE_S if target.waits else 0.0
    return CASE_S_MAX + ceil(PACED_REQUESTS_MAX * longest_s + waited_s)
