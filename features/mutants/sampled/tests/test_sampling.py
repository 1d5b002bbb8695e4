"""Samples of mutants: the same for a seed, from every capability, and only what a client sees."""

import sys
from collections.abc import Mapping, Sequence
from importlib.util import module_from_spec
from pathlib import Path

from features.mutants.sampled.equivalents import equivalent_mutants
from features.mutants.sampled.imports import MutatedFinder
from features.mutants.sampled.modules import ROOT, modules_by_capability, mutated_modules
from features.mutants.sampled.mutations import ModuleMutations, SampledMutant, changed_lines
from features.mutants.sampled.sampling import draw_sample, shares

LIMITS = '''"""The limits."""
import logging

LARGEST = 100


def is_within(amount: int, open_amount: int) -> bool:
    """Whether an amount is at most the open one."""
    assert amount > 0, "an amount is positive"
    logging.getLogger("limits").info("compared", extra={"n": 7})
    if amount > LARGEST:
        raise ValueError("expected an amount of at most 100")
    return amount <= open_amount
'''
NAMES = 'def greet(name: str = "you") -> str:\n    return "hello".upper() + name\n'
LIMITS_AT, NAMES_AT = "simulator/domain/limits.py", "simulator/domain/names.py"
MODULES: Mapping[str, list[str]] = {"limits": [LIMITS_AT], "names": [NAMES_AT]}


def written(folder: Path) -> Path:
    (folder / "simulator" / "domain").mkdir(parents=True)
    (folder / LIMITS_AT).write_text(LIMITS, encoding="utf-8")
    (folder / NAMES_AT).write_text(NAMES, encoding="utf-8")
    return folder


def drawn(
    root: Path, *, seed: int = 1, size: int = 4, known: Sequence[str] = ()
) -> list[SampledMutant]:
    found = draw_sample(seed, size, known, modules=MODULES, root=root)
    return [mutant for _, mutants in found for mutant, _ in mutants]


def test_a_seed_draws_the_same_mutants_and_another_seed_others(tmp_path: Path) -> None:
    root = written(tmp_path)
    first, again, other = ([each.id for each in drawn(root, seed=seed)] for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_sample_has_no_two_mutants_of_a_statement_and_some_of_each_capability(
    tmp_path: Path,
) -> None:
    found = drawn(written(tmp_path), size=5)
    assert len({(each.module, each.lines) for each in found}) == len(found)
    assert {each.module for each in found} == {LIMITS_AT, NAMES_AT}


def test_a_known_equivalent_mutant_is_not_drawn(tmp_path: Path) -> None:
    root = written(tmp_path)
    known = drawn(root)[0].id
    assert known not in [each.id for each in drawn(root, known=[known])]


def test_texts_logs_assertions_and_annotations_are_not_mutated(tmp_path: Path) -> None:
    module = ModuleMutations(LIMITS_AT, written(tmp_path))
    changed = {module.mutant(each)[0].before for each in module.found}
    assert changed == {
        "LARGEST = 100",
        "if amount > LARGEST:",
        'raise ValueError("expected an amount of at most 100")',
        "return amount <= open_amount",
    }


def test_a_mutant_is_its_source_with_one_change(tmp_path: Path) -> None:
    module = ModuleMutations(LIMITS_AT, written(tmp_path))
    for mutation in module.found:
        made, source = module.mutant(mutation)
        assert changed_lines(LIMITS, source) == (made.before, made.after)
        assert made.before != made.after
        assert made.before.split("\n")[0] in LIMITS.splitlines()[made.lines[0] - 1]


def test_every_capability_has_a_share_and_the_shares_are_the_sample() -> None:
    weights = {"large": {"a": 10_000}, "small": {"b": 4}, "middle": {"c": 900}}
    counts = shares(weights, 60)
    assert sum(counts.values()) == 60
    assert counts["large"] > counts["middle"] > counts["small"] >= 1


def test_a_module_is_imported_from_its_mutated_source(tmp_path: Path) -> None:
    source = tmp_path / "mutated.py"
    source.write_text("ROOT = 'mutated'\n", encoding="utf-8")
    finder = MutatedFinder("features/mutants/sampled/modules.py", source)
    found = finder.find_spec("features.mutants.sampled.modules", None)
    assert found is not None and found.loader is not None
    module = module_from_spec(found)
    found.loader.exec_module(module)
    assert module.ROOT == "mutated"
    assert sys.modules["features.mutants.sampled.modules"].ROOT == ROOT
    assert finder.find_spec("features.mutants.sampled.mutations", None) is None


def test_the_mutated_modules_are_those_of_the_gateway_without_tests_and_console() -> None:
    modules = list(mutated_modules())
    assert len(modules) > 250
    assert "simulator/service/payments/pipeline.py" in modules
    assert not [each for each in modules if "/tests/" in each or "/console/" in each]
    assert sum(map(len, modules_by_capability().values())) == len(modules)


def test_an_equivalent_mutant_has_a_reason_and_still_exists() -> None:
    for row in equivalent_mutants().values():
        assert row["reason"], row["id"]
        source = (ROOT / row["module"]).read_text(encoding="utf-8")
        for line in row["before"].splitlines():
            assert line in source, row
