"""What the suite knows of requirements and expectations without a run, for `reports.coverage`."""

from collections import defaultdict
from pathlib import Path

from features.conformance.cases import load_cases
from features.mutants.catalogue import mutants_by_expectation, mutants_by_requirement
from reports.coverage import SuiteFacts
from reports.requirements import beside, expectations, planned, requirements


def suite_facts(features: Path | None = None) -> SuiteFacts:
    """The facts about the shipped suite, or about a folder of features.

    Mutants were made for the shipped suite, so another folder has none. Raises FeatureFileError.
    """
    mutants = {} if features else {**mutants_by_requirement(), **mutants_by_expectation()}
    return SuiteFacts(
        requirements(),
        cases_by_requirement(features),
        mutants,
        planned(),
        expectations=expectations(),
        beside=beside(),
    )


def cases_by_requirement(features: Path | None = None) -> dict[str, list[str]]:
    """The ids of the test cases of each requirement and expectation: of the shipped suite, or of a
    folder.

    A row of examples is a test case, and so is a boundary of a field. Raises FeatureFileError.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for case in load_cases(features):
        for name in sorted({*case.requirements, *case.expectations}):
            found[name].append(case.id)
    return dict(found)
