"""The sample: mutants drawn by a seed, the same for the same source, from every capability."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path

from features.mutants.sampled.modules import ROOT, modules_by_capability
from features.mutants.sampled.mutations import ModuleMutations, SampledMutant

TRIES = 40


def draw_sample(
    seed: int,
    size: int,
    equivalent: Iterable[str] = (),
    *,
    modules: Mapping[str, Sequence[str]] | None = None,
    root: Path = ROOT,
) -> Iterator[tuple[str, Iterator[tuple[SampledMutant, str]]]]:
    """`size` mutants with their sources by capability, without those known to be equivalent.

    `modules` are those of each capability, by their paths in `root`; without them, all.

    A capability has a share of the root of its size, so that a small one is not left out. No two
    mutants of a sample are in the same statement. Every kind of change of a module is equally
    likely: most changes that mutmut knows are arguments left out, which end in an error at once.
    """
    apart = modules or modules_by_capability()
    weights = {name: weights_of(each, root) for name, each in apart.items()}
    left_out = set(equivalent)
    for name, count in shares(weights, size).items():
        rng = random.Random(f"{seed} {name}")
        yield name, _drawn(rng, weights[name], count, left_out=left_out, root=root)


def weights_of(modules: Iterable[str], root: Path) -> Mapping[str, int]:
    """The number of lines of each module."""
    return {each: (root / each).read_text(encoding="utf-8").count("\n") for each in modules}


def shares(weights: Mapping[str, Mapping[str, int]], size: int) -> Mapping[str, int]:
    """How many mutants each capability gets, `size` in all; the largest remainders are rounded up.

    At least one for each.
    """
    parts = {name: sqrt(sum(each.values())) for name, each in weights.items()}
    exact = {name: size * part / sum(parts.values()) for name, part in parts.items()}
    counts = {name: max(1, int(part)) for name, part in exact.items()}
    by_rest = sorted(exact, key=lambda name: exact[name] % 1, reverse=True)
    for name in by_rest[: max(0, size - sum(counts.values()))]:
        counts[name] += 1
    return counts


def _drawn(
    rng: random.Random, weights: Mapping[str, int], count: int, *, left_out: set[str], root: Path
) -> Iterator[tuple[SampledMutant, str]]:
    modules, lines = list(weights), list(weights.values())
    parsed: dict[str, ModuleMutations] = {}
    used: set[tuple[str, tuple[int, int]]] = set()
    for _ in range(count * TRIES):
        if len(used) == count:
            return
        (module,) = rng.choices(modules, lines)
        if module not in parsed:
            parsed[module] = ModuleMutations(module, root)
        known = parsed[module]
        if not known.found:
            continue
        mutation = rng.choice(rng.choice(known.by_kind))
        place = module, known.statement_of(mutation)
        if place in used:
            continue
        made, source = known.mutant(mutation)
        if made.id not in left_out and compiles(source):
            used.add(place)
            yield made, source


def compiles(source: str) -> bool:
    """Whether a mutated source is a program at all."""
    try:
        compile(source, "<mutant>", "exec")
    except SyntaxError:
        return False
    return True
