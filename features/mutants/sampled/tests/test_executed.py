"""Which cases may see a change of what runs when a module is imported, and which of them first."""

from collections.abc import Mapping
from pathlib import Path

from coverage import CoverageData

from features.conformance.cases import CaseKey, SuiteCase
from features.mutants.sampled.executed import ExecutedLines
from features.mutants.sampled.modules import ROOT

ERRORS = "simulator/domain/core/errors.py"
LOADING = "simulator/domain/terminals/loading.py"
LOADED = "simulator/service/terminals/loading.py"
RECORDS = "simulator/domain/core/records.py"
RESULTS = "simulator/catalogue/results.py"
COMMANDS = "acquirer_mocks/issuing/commands.py"
BODIES = "simulator/domain/payments/bodies.py"
# Cases by name, "" for imports: the lines that each executes, by what stands in them.
Executed = Mapping[str, Mapping[str, str]]


def executed_lines(
    folder: Path, executed: Executed, requirements: Mapping[str, str]
) -> ExecutedLines:
    file = folder / "executed"
    data = CoverageData(str(file))
    for name, modules in executed.items():
        data.set_context(name)
        lines = {str(ROOT / module): [line_of(module, text)] for module, text in modules.items()}
        data.add_lines(lines)
    data.write()
    cases = [
        SuiteCase(name, CaseKey("f", name), name, "f", requirements=(requirements[name],))
        for name in requirements
    ]
    return ExecutedLines([file], cases, dict.fromkeys(requirements, 0.1))


def line_of(module: str, text: str) -> int:
    source = (ROOT / module).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(source, start=1) if text in line)


def cases_of(
    folder: Path, module: str, text: str, executed: Executed, requirements: Mapping[str, str]
) -> list[str]:
    line = line_of(module, text)
    imported = {"": {module: text}}
    found = executed_lines(folder, {**imported, **executed}, requirements)
    return found.cases_of(module, (line, line))


def test_a_default_has_to_do_with_the_cases_that_call_its_function(tmp_path: Path) -> None:
    executed = {
        "caller": {ERRORS: "self.is_too_long = is_too_long"},
        "other": {ERRORS: "self.detail = detail"},
    }
    found = cases_of(
        tmp_path, ERRORS, "is_too_long: bool = False", executed,
        {"caller": "MODE-03", "other": "PAY-01"},
    )  # fmt: skip
    assert found == ["caller"]


def test_cases_that_name_the_class_of_a_member_come_first(tmp_path: Path) -> None:
    member = "version: int = 0"
    named = {LOADED: "stored = ports.store.get(TerminalAuthority, AUTHORITY)"}
    executed = {"a": {RECORDS: member}, "b": {RECORDS: member, **named}, "c": {RECORDS: member}}
    requirements = {"a": "PAY-01", "b": "POS-02", "c": "PAY-01"}
    found = cases_of(tmp_path, LOADING, member, executed, requirements)
    assert found[0] == "b"
    assert sorted(found) == ["a", "b", "c"]


def test_cases_of_the_group_of_a_table_come_first(tmp_path: Path) -> None:
    shown = {BODIES: "RESULTS["}
    executed = {"a": shown, "b": shown, "c": shown}
    requirements = {"a": "PAY-01", "b": "ERR-03", "c": "PAY-01"}
    found = cases_of(tmp_path, RESULTS, '("100.400.301"', executed, requirements)
    assert found == ["b", "a", "c"]


def test_a_function_in_a_table_leaves_the_other_rows_to_who_reads_the_table(
    tmp_path: Path,
) -> None:
    first, last = line_of(COMMANDS, "COMMANDS: Mapping"), line_of(COMMANDS, '"reset-counters"')
    executed = {
        "": {COMMANDS: "COMMANDS: Mapping"},
        "reader": {COMMANDS: "return COMMANDS[name]"},
        "caller": {COMMANDS: '"reset-counters"'},
    }
    found = executed_lines(tmp_path, executed, {"reader": "POS-03", "caller": "POS-03"})
    assert sorted(found.cases_of(COMMANDS, (first, last))) == ["caller", "reader"]
