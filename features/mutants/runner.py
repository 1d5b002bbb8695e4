"""Runs the suite against mutants: one original gateway, one proxy, one pytest session for all."""

import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from typing import Any

import msgspec

from features.mutants.file_proxy import serve_files
from features.mutants.mutant import Mutant
from features.mutants.plugin import CaseResult, TargetRun, read_results
from features.mutants.proxy import MutantFunction, serve_gateways
from simulator.client.processes import authority_in, gateway_in, without_settings

ROOT = Path(__file__).parents[2]
SESSIONS = 2
SUITE = ("features/test_scenarios.py",)
FIELDS = "features/boundaries/test_fields.py"
# Loading pytest plugins that are not needed takes longer than the scenarios.
ISOLATED = {"PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
NEEDED = (
    "pytest_bdd.plugin", "pytest_timeout", "no:cacheprovider", "features.conformance.stream",
    "features.mutants.plugin",
)  # fmt: skip
PLUGINS = tuple(word for plugin in NEEDED for word in ("-p", plugin))


class MutantRunError(RuntimeError):
    """The session ended early; the message repeats its output."""


@contextmanager
def serve_mutants(
    folder: Path, gateways: Mapping[str, MutantFunction]
) -> Iterator[dict[str, Path]]:
    """The target file of every gateway by its name; the gateways run until the block ends."""
    original = folder / "original"
    with (
        gateway_in(original, "--durability", "os") as ready,
        serve_gateways(ready, gateways) as address,
        serve_files(ready["sftp"], gateways) as files,
    ):
        facts = {**ready, "ca_file": authority_in(original)}
        yield {
            name: write_target(
                folder / f"{name}.toml",
                {**target_facts(each, facts, f"{address}{name}/"), "sftp": f"{files}/{name}"},
            )
            for name, each in gateways.items()
        }


def target_facts(
    gateway: MutantFunction, ready: Mapping[str, Any], proxy_url: str
) -> dict[str, str]:
    """The members of a target file, changed where the defect of the mutant is in them."""
    target = proxied_target(ready, proxy_url)
    return gateway.describe(target) if isinstance(gateway, Mutant) else target


def proxied_target(ready: Mapping[str, Any], proxy_url: str) -> dict[str, str]:
    """The members of a target file, with the addresses of the proxy.

    TLS connections bypass the proxy.
    """
    names = ("token", "entity_id", "control_key", "profile", "live_token", "tls_url", "ca_file")
    interfaces = {"base_url": "merchant", "live_url": "live", "control_url": "control"}
    return {name: str(ready[name]) for name in names} | {
        name: f"{proxy_url}{interface}/" for name, interface in interfaces.items()
    }


def write_target(file: Path, target: Mapping[str, str]) -> Path:
    """Write a target file; its path."""
    lines = [f'{name} = "{text}"' for name, text in target.items()]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def run_suite(folder: Path, runs: Iterable[TargetRun]) -> list[CaseResult]:
    """The results of several targets in one session. Raises MutantRunError."""
    runs = list(runs)
    (folder / "runs.json").write_bytes(msgspec.json.encode(runs))
    results = folder / "results.jsonl"
    results.write_bytes(b"")
    options = ["--targets", str(folder / "runs.json"), "--results", str(results)]
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", *PLUGINS, *options]
    process = subprocess.run(
        [*command, *modules_for(runs)],
        cwd=ROOT, env={**without_settings(), **ISOLATED}, capture_output=True, text=True,
    )  # fmt: skip
    if process.returncode not in (0, 1):
        raise MutantRunError(
            f"{' '.join(command)}\n{process.stdout[-5_000:]}{process.stderr[-5_000:]}"
        )
    return read_results(results)


def modules_for(runs: Iterable[TargetRun]) -> tuple[str, ...]:
    """The test modules that hold the cases of these runs."""
    titles = [title for run in runs for title in run.titles]
    return (*SUITE, FIELDS) if any(title.startswith("FIELD:") for title in titles) else SUITE


def run_apart(folder: Path, runs: Sequence[TargetRun]) -> Iterator[CaseResult]:
    """The results of two sessions at once: a form that a mutant broke is waited for in vain.
    Raises MutantRunError.
    """
    with ThreadPoolExecutor(SESSIONS) as pool:
        for results in pool.map(_run_share, repeat(folder), repeat(runs), range(SESSIONS)):
            yield from results


def _run_share(folder: Path, runs: Sequence[TargetRun], number: int) -> list[CaseResult]:
    """The results of one session's share."""
    own = folder / f"session {number}"
    own.mkdir()
    return run_suite(own, runs[number::SESSIONS])
