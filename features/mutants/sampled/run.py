"""One run: record what cases execute, draw the sample, try each mutant, and what came of it."""

import csv
import hashlib
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from features.conformance.cases import load_cases
from features.mutants.plugin import FIELD
from features.mutants.runner import FIELDS, ISOLATED, SUITE, MutantRunError
from features.mutants.sampled.executed import ExecutedLines
from features.mutants.sampled.jobs import ORIGINAL, Job, JobResult, read_result
from features.mutants.sampled.modules import ROOT
from features.mutants.sampled.mutations import SampledMutant
from features.mutants.sampled.sampling import draw_sample
from simulator.client.processes import without_settings

EQUIVALENT = Path(__file__).with_name("equivalent.csv")
CASE_S_MAX = 30
# A statement that every request executes has thousands of cases. These many of the likely ones are
# tried, so that a sample takes minutes; a mutant that only another one kills counts as survived.
SCENARIOS_MAX, BOUNDARIES_MAX = 150, 50
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


def equivalent_mutants() -> Mapping[str, dict[str, str]]:
    """The mutants that no client can tell from the original, each with the reason, by id."""
    with EQUIVALENT.open(encoding="utf-8", newline="") as source:
        return {row["id"]: row for row in csv.DictReader(source)}


def record(folder: Path) -> None:
    """Run every case against the original, once a folder. Raises MutantRunError."""
    if read_result(folder, ORIGINAL) is None:
        folder.mkdir(parents=True, exist_ok=True)
        run_jobs(folder, [Job(ORIGINAL)])


class Prepared(msgspec.Struct, frozen=True):
    """A mutant that is ready to be tried, and the group it belongs to."""

    job: Job
    mutant: SampledMutant
    group: str


def prepare(folder: Path, seed: int, size: int) -> list[Prepared]:
    """Draw the sample, and write its sources; once a folder, for it takes a minute.

    Another list of equivalent mutants makes another sample.
    """
    known = sorted(equivalent_mutants())
    digest = hashlib.sha256(" ".join([str(seed), str(size), *known]).encode()).hexdigest()
    kept = folder / "samples" / f"{digest}.json"
    if not kept.exists():
        kept.parent.mkdir(exist_ok=True)
        kept.write_bytes(msgspec.json.encode(list(_prepared(folder, seed, size, known))))
    return msgspec.json.decode(kept.read_bytes(), type=list[Prepared])


def _prepared(folder: Path, seed: int, size: int, known: Iterable[str]) -> Iterator[Prepared]:
    executed = executed_lines(folder)
    (folder / "sources").mkdir(exist_ok=True)
    for mutant, source in draw_sample(seed, size, known):
        (folder / "sources" / f"{mutant.id}.py").write_text(source, encoding="utf-8")
        cases = executed.cases_of(mutant.module, mutant.lines)
        group = executed.group_of(mutant.module, cases)
        yield Prepared(Job(mutant.id, mutant.module, likely_of(cases)), mutant, group)


def likely_of(cases: Sequence[str]) -> tuple[str, ...]:
    """The first of the scenarios and the first of the boundaries among cases."""
    boundaries = [each for each in cases if each.startswith(FIELD)]
    scenarios = [each for each in cases if not each.startswith(FIELD)]
    return (*scenarios[:SCENARIOS_MAX], *boundaries[:BOUNDARIES_MAX])


def try_mutants(folder: Path, sample: SamplePlan, until_s: float = 0.0) -> list[Tried]:
    """Try every mutant of a sample that has no result in `folder` yet. Raises MutantRunError.

    They are tried in the order of their ids, so the first ones are a sample of the whole.

    After `until_s` seconds no further mutant is begun; another call goes on.
    """
    record(folder)
    prepared = prepare(folder, sample.seed, sample.size)
    prepared = sorted(prepared, key=lambda each: each.job.id)[: sample.first or None]
    jobs = [each.job for each in prepared if each.job.cases]
    if any(read_result(folder, job.id) is None for job in jobs):
        run_jobs(folder, jobs, until_s)
    return [_tried(folder, each) for each in prepared]


def executed_lines(folder: Path) -> ExecutedLines:
    """What the cases executed that the original passed."""
    recorded = read_result(folder, ORIGINAL)
    assert recorded is not None, "recorded before"
    data = folder / "gateways" / ORIGINAL / "executed"
    return ExecutedLines(data, load_cases(), recorded.passed)


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
