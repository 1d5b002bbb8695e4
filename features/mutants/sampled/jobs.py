"""The jobs of a run and their results, as files of its folder: a run that is stopped goes on."""

from pathlib import Path
from typing import Literal

import msgspec

# Recordings of the original are numbered: each has some of the cases.
ORIGINAL = "original"
State = Literal["killed", "survived", "not-started", "recorded"]


class Job(msgspec.Struct, frozen=True):
    """A gateway to run cases against: the original, or one with a mutated module."""

    id: str
    module: str = ""
    cases: tuple[str, ...] = ()

    @staticmethod
    def read_all(folder: Path) -> "list[Job]":
        """The jobs of a run, in their order. Raises msgspec.MsgspecError."""
        return msgspec.json.decode((folder / "jobs.json").read_bytes(), type=list[Job])

    @property
    def is_recording(self) -> bool:
        """Whether it is the original that is to be run."""
        return not self.module

    def source(self, folder: Path) -> Path:
        """The file with the mutated source."""
        return folder / "sources" / f"{self.id}.py"

    def result(self, folder: Path) -> Path:
        """Where its result is written."""
        return result_file(folder, self.id)


class JobResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of a job: after how many cases it ended, and which one killed the mutant.

    `passed` are the cases that the original passed, with the seconds of each; `tried` are all that
    were run.
    """

    id: str
    state: State
    cases: int = 0
    killer: str = ""
    requirements: list[str] = []
    reason: str = ""
    unsteady: list[str] = []
    passed: dict[str, float] = {}
    tried: tuple[str, ...] = ()
    seconds: float = 0.0


def result_file(folder: Path, name: str) -> Path:
    """Where the result of a job is written."""
    return folder / "results" / f"{name}.json"


def write_result(folder: Path, result: JobResult) -> None:
    """Write a result whole or not at all."""
    file = result_file(folder, result.id)
    file.parent.mkdir(parents=True, exist_ok=True)
    own = file.with_suffix(".new")
    own.write_bytes(msgspec.json.encode(result))
    own.replace(file)


def read_result(folder: Path, name: str) -> JobResult | None:
    """The result of a job; None where it has none yet. Raises msgspec.MsgspecError."""
    file = result_file(folder, name)
    return msgspec.json.decode(file.read_bytes(), type=JobResult) if file.exists() else None


def read_recordings(folder: Path) -> list[JobResult]:
    """The recordings of the original so far. Raises msgspec.MsgspecError."""
    files = sorted((folder / "results").glob(f"{ORIGINAL}-*.json"))
    return [msgspec.json.decode(file.read_bytes(), type=JobResult) for file in files]
