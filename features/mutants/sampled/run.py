"""One run: record what cases execute, draw the sample, try each mutant, and what came of it."""

import hashlib
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from features.conformance.cases import load_cases
from features.mutants.plugin import FIELD
from features.mutants.runner import FIELDS, ISOLATED, SUITE, MutantRunError
from features.mutants.sampled.equivalents import equivalent_mutants
from features.mutants.sampled.executed import ExecutedLines
from features.mutants.sampled.jobs import (
    ORIGINAL,
    Job,
    JobResult,
    read_recordings,
    read_result,
)
from features.mutants.sampled.modules import ROOT
from features.mutants.sampled.mutations import SampledMutant
from features.mutants.sampled.sampling import draw_sample
from simulator.client.processes import without_settings

CASE_S_MAX = 30
# So many cases are recorded at a time.
RECORDED = 400
# A statement that every request executes has thousands of cases. These many of the likely ones are
# tried, so that a sample takes minutes; a mutant that only another one kills counts as survived.
SCENARIOS_MAX, BOUNDARIES_MAX = 300, 50
PLUGINS = (
    "pytest_bdd.plugin", "pytest_timeout", "no:cacheprovider", "features.conformance.stream",
    "features.mutants.sampled.plugin",
)  # fmt: skip


class SamplePlan(msgspec.Struct, frozen=True):
    """What is drawn: by which seed, how many, and how many of these are tried; 0 is all."""

    seed: int
    size: int
    first: int = 0


class Tried(msgspec.Struct, frozen=True):
    """A mutant and what became of it: killed, survived, not executed, or not started."""

    mutant: SampledMutant
    group: str
    executed_by: int
    state: str
    result: JobResult | None = None


def record(folder: Path, until_s: float = 0.0) -> int:
    """Run every case against the original that no recording has; how many are left after `until_s`.

    Raises MutantRunError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    known = [each.id for each in load_cases()]
    left = _unrecorded(known, folder)
    if left:
        count = len(read_recordings(folder))
        parts = [left[start : start + RECORDED] for start in range(0, len(left), RECORDED)]
        jobs = [Job(f"{ORIGINAL}-{count + number}", "", tuple(part))
                for number, part in enumerate(parts)]  # fmt: skip
        run_jobs(folder, jobs, until_s)
    return len(_unrecorded(known, folder))


def _unrecorded(known: Iterable[str], folder: Path) -> list[str]:
    recorded = {each for result in read_recordings(folder) for each in result.tried}
    return [each for each in known if each not in recorded]


class Prepared(msgspec.Struct, frozen=True):
    """A mutant that is ready to be tried, and the group it belongs to."""

    job: Job
    mutant: SampledMutant
    group: str


def prepare(folder: Path, seed: int, size: int) -> list[Prepared]:
    """Draw the sample, and find the cases of each mutant."""
    executed = executed_lines(folder)
    return [_prepared(each, executed) for each in sampled_mutants(folder, seed, size)]


def sampled_mutants(folder: Path, seed: int, size: int) -> list[SampledMutant]:
    """The mutants of a sample, and their sources in files; drawn once, for it takes two minutes.

    Another list of equivalent mutants makes another sample.
    """
    known = sorted(equivalent_mutants())
    digest = hashlib.sha256(" ".join([str(seed), str(size), *known]).encode()).hexdigest()
    kept, sources = folder / "samples" / digest, folder / "sources"
    for each in (kept, sources):
        each.mkdir(parents=True, exist_ok=True)
    found: list[SampledMutant] = []
    for capability, drawn in draw_sample(seed, size, known):
        file = kept / f"{capability.replace('/', '-')}.json"
        if not file.exists():
            mutants = [_with_source(folder, *each) for each in drawn]
            file.write_bytes(msgspec.json.encode(mutants))
        found += msgspec.json.decode(file.read_bytes(), type=list[SampledMutant])
    return found


def _with_source(folder: Path, mutant: SampledMutant, source: str) -> SampledMutant:
    """A mutant whose source is written."""
    Job(mutant.id).source(folder).write_text(source, encoding="utf-8")
    return mutant


def _prepared(mutant: SampledMutant, executed: ExecutedLines) -> Prepared:
    cases = executed.cases_of(mutant.module, mutant.lines)
    group = executed.group_of(mutant.module, cases)
    return Prepared(Job(mutant.id, mutant.module, likely_of(cases)), mutant, group)


def likely_of(cases: Sequence[str]) -> tuple[str, ...]:
    """The first of the scenarios and the first of the boundaries among cases."""
    boundaries = [each for each in cases if each.startswith(FIELD)]
    scenarios = [each for each in cases if not each.startswith(FIELD)]
    return (*scenarios[:SCENARIOS_MAX], *boundaries[:BOUNDARIES_MAX])


def try_mutants(folder: Path, sample: SamplePlan, until_s: float = 0.0) -> list[Tried]:
    """Try every mutant of a sample that has no result in `folder` yet. Raises MutantRunError.

    They are tried in the order of their ids, so the first ones are a sample of the whole. One that
    survived is tried again by cases that are new since then. After `until_s` seconds no further
    mutant is begun; another call goes on.
    """
    prepared = prepare(folder, sample.seed, sample.size)
    prepared = sorted(prepared, key=lambda each: each.job.id)[: sample.first or None]
    found = [left_of(each.job, read_result(folder, each.job.id)) for each in prepared]
    jobs = [job for job in found if job is not None]
    if jobs:
        run_jobs(folder, jobs, until_s)
    return [_tried(folder, each) for each in prepared]


def left_of(job: Job, result: JobResult | None) -> Job | None:
    """The job with the cases that are still to be run; None where none are."""
    if result is not None and result.state != "survived":
        return None
    done = set(result.tried) if result else set()
    left = tuple(each for each in job.cases if each not in done)
    return msgspec.structs.replace(job, cases=left) if left else None


def executed_lines(folder: Path) -> ExecutedLines:
    """What the cases executed that the original passed."""
    recorded = read_recordings(folder)
    files = [folder / "gateways" / each.id / "executed" for each in recorded]
    passed = {name: seconds for each in recorded for name, seconds in each.passed.items()}
    return ExecutedLines(files, load_cases(), passed)


def run_jobs(folder: Path, jobs: list[Job], until_s: float = 0.0) -> None:
    """Run jobs in one session of pytest that forks for each. Raises MutantRunError."""
    (folder / "jobs.json").write_bytes(msgspec.json.encode(jobs))
    options = ["--work", str(folder), "--until", str(until_s), "--timeout", str(CASE_S_MAX)]
    plugins = [word for plugin in PLUGINS for word in ("-p", plugin)]
    command = [sys.executable, "-m", "pytest", "-q", "--tb=short", *plugins, *options]
    process = subprocess.run(
        [*command, *SUITE, FIELDS], cwd=ROOT, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env={**without_settings(), **ISOLATED, "COLUMNS": "160"},
    )  # fmt: skip
    if process.returncode not in (0, 1, 5):
        raise MutantRunError(f"{' '.join(command)}\n{process.stdout[-5_000:]}")


def _tried(folder: Path, each: Prepared) -> Tried:
    cases = len(each.job.cases)
    if not cases:
        return Tried(each.mutant, each.group, 0, "not executed")
    result = read_result(folder, each.job.id)
    return Tried(each.mutant, each.group, cases, result.state if result else "not tried", result)
