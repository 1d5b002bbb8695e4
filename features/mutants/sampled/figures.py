"""The figures of a run: killed of the mutants that started, in all and by group of requirements."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

# A page is printed without the tool that mutates and the one that records.
if TYPE_CHECKING:
    from features.mutants.sampled.run import Tried

FILE = Path(__file__).with_name("figures.json")
KILLED, NOT_STARTED, NOT_EXECUTED = "killed", "not-started", "not executed"


class GroupFigure(msgspec.Struct, frozen=True):
    """How many mutants of a group were tried, and how many of these were killed."""

    tried: int
    killed: int

    @property
    def percent(self) -> float:
        """The share that was killed."""
        return 100 * self.killed / self.tried if self.tried else 0.0


class SurvivingMutant(msgspec.Struct, frozen=True):
    """A mutant that no case killed, and how many cases executed its statement."""

    id: str
    group: str
    module: str
    function: str
    before: str
    after: str
    executed_by: int


class SampleFigures(msgspec.Struct, frozen=True):
    """The figures of a sample, with everything that is needed to draw it again."""

    run: dict[str, Any]
    seed: int
    drawn: int
    not_started: int
    equivalent: int
    all: GroupFigure
    by_scenarios: int
    groups: dict[str, GroupFigure]
    capabilities: dict[str, GroupFigure]
    survivors: list[SurvivingMutant]


def figures_of(
    tried: "Sequence[Tried]", *, run: Mapping[str, Any], seed: int, equivalent: int
) -> SampleFigures:
    """The figures of a sample. A gateway that did not start is no mutant that a client meets.

    A statement that no case executes is one that no case can judge: its mutant survived.
    """
    started = [each for each in tried if each.state != NOT_STARTED]
    killed = [each for each in started if each.state == KILLED]
    return SampleFigures(
        run=dict(run),
        seed=seed,
        drawn=len(tried),
        not_started=len(tried) - len(started),
        equivalent=equivalent,
        all=GroupFigure(len(started), len(killed)),
        by_scenarios=sum(not _is_boundary(each) for each in killed),
        groups=_by((each.group, each) for each in started),
        capabilities=_by((each.mutant.capability, each) for each in started),
        survivors=[survivor_of(each) for each in started if each.state != KILLED],
    )


def survivor_of(tried: "Tried") -> SurvivingMutant:
    """A mutant that was not killed, as it is listed."""
    mutant = tried.mutant
    return SurvivingMutant(
        id=mutant.id,
        group=tried.group,
        module=mutant.module,
        function=mutant.function,
        before=mutant.before,
        after=mutant.after,
        executed_by=tried.executed_by,
    )


def read_figures(file: Path = FILE) -> SampleFigures | None:
    """The stored figures; None where there are none yet. Raises msgspec.MsgspecError."""
    if not file.exists():
        return None
    return msgspec.json.decode(file.read_bytes(), type=SampleFigures)


def write_figures(figures: SampleFigures, file: Path = FILE) -> None:
    """Store the figures."""
    file.write_bytes(msgspec.json.format(msgspec.json.encode(figures), indent=2) + b"\n")


def _is_boundary(tried: "Tried") -> bool:
    return tried.result is not None and tried.result.killer.startswith("FIELD:")


def _by(named: "Iterable[tuple[str, Tried]]") -> dict[str, GroupFigure]:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, each in named:
        counts[name].update(["tried", *(["killed"] if each.state == KILLED else [])])
    return {name: GroupFigure(counts[name]["tried"], counts[name]["killed"])
            for name in sorted(counts)}  # fmt: skip
