"""Decisions and engineering records: rows, pages, tests and citations agree."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.decisions import AREAS, DECISIONS
from simulator.catalogue.engineering import ENGINEERING, RECORDS
from simulator.derive.documents.decisions import (
    decisions_markdown,
    records_markdown,
    switch_in_words,
)
from simulator.grammar.decisions import EngineeringRecord
from simulator.tests.kit.trees import PACKAGES, ROOT

TEXT_SUFFIXES = frozenset({".csv", ".feature", ".html", ".json", ".md", ".py", ".toml", ".yaml"})
# `END-02` is the id of a requirement.
CITATION = re.compile(r"(?<![A-Za-z])D-\d{2,3}\b")
NO_DECISIONS = frozenset({"D-00", "D-999"})  # Tests of unknown ids.
TESTED = {**{row.id: row.tests for row in DECISIONS.values()},
          **{row.id: row.tests for row in ENGINEERING.values()}}  # fmt: skip
FEATURES = sorted((ROOT / "features").glob("*.feature"))


def texts() -> Iterator[tuple[Path, str]]:
    """Every text file of the repository that may cite a decision."""
    files = [*ROOT.glob("*.*"), *(file for name in (*PACKAGES, "docs", "examples")
                                  for file in (ROOT / name).rglob("*.*"))]  # fmt: skip
    for file in files:
        if file.is_file() and file.suffix in TEXT_SUFFIXES:
            yield file, file.read_text(encoding="utf-8")


def test_no_number_is_used_twice() -> None:
    numbers = [row.id for area in AREAS for row in area.rows]
    numbers += [row.id for record in RECORDS for row in record.rows]

    assert len(numbers) == len(set(numbers))
    assert all(CITATION.fullmatch(number) for number in numbers)


def test_every_cited_number_exists() -> None:
    known = {*DECISIONS, *ENGINEERING, *NO_DECISIONS}
    dangling = {
        f"{file.relative_to(ROOT)}: {cited}"
        for file, text in texts()
        for cited in CITATION.findall(text)
        if cited not in known
    }

    assert dangling == set()


def test_a_decision_is_a_question_with_an_answer_and_a_reason() -> None:
    for row in DECISIONS.values():
        assert "?" in row.question, row.id
        assert row.answer.endswith("."), row.id
        assert row.reason.endswith("."), row.id
        assert not row.title.endswith("."), row.id


def test_the_tests_of_every_row_exist() -> None:
    assert [identity for identity, paths in TESTED.items() if not paths] == []
    named = [(identity, path) for identity, paths in TESTED.items() for path in paths]
    assert [(identity, path) for identity, path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.name)
def test_a_decision_that_a_scenario_holds_names_the_feature(feature: Path) -> None:
    tagged = set(re.findall(r"@decision:(D-\d+)", feature.read_text(encoding="utf-8")))
    path = feature.relative_to(ROOT).as_posix()

    assert [identity for identity in tagged if path not in TESTED[identity]] == []


def test_files_and_decisions_that_an_answer_names_exist() -> None:
    words = " ".join(f"{row.answer} {row.reason}" for row in DECISIONS.values())
    words += " ".join(row.choice for row in ENGINEERING.values())
    files = re.findall(r"\b(?:docs|features|simulator|scenarios)/[\w/.-]*\w", words)

    assert [file for file in files if not (ROOT / file).exists()] == []


def test_a_switch_shows_each_of_its_values() -> None:
    for choice in CHOICES:
        switch = DECISIONS[choice.id].switch
        assert switch is not None
        words = switch_in_words(switch, choice.id)
        assert [value for value in choice.options if f"`{choice.id}={value}`" not in words] == []


def test_the_page_of_decisions_is_the_printed_one() -> None:
    """Print it with `sandgate decisions > DECISIONS.md`."""
    assert (ROOT / "DECISIONS.md").read_text(encoding="utf-8") == decisions_markdown()


def test_every_link_of_the_page_leads_to_an_anchor() -> None:
    page = decisions_markdown()
    headings = re.findall(r"^## (.+)$", page, re.MULTILINE)
    anchors = {re.sub(r"[^a-z0-9-]", "", title.lower().replace(" ", "-")) for title in headings}
    anchors |= set(re.findall(r'<a id="([^"]+)">', page))

    assert set(re.findall(r"\(#([^)]+)\)", page)) - anchors == set()
    assert {identity.lower() for identity in (*DECISIONS, *ENGINEERING)} <= anchors


def test_the_index_of_the_records_is_the_printed_one() -> None:
    """Print it with `sandgate decisions --records > docs/adr/README.md`."""
    index = (ROOT / "docs" / "adr" / "README.md").read_text(encoding="utf-8")
    assert index == records_markdown()


def test_every_file_of_a_record_has_a_row() -> None:
    files = {file.relative_to(ROOT).as_posix() for file in (ROOT / "docs" / "adr").glob("[0-9]*")}

    assert files == {row.path for row in RECORDS}
    numbers = [row.number for row in RECORDS]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("row", RECORDS, ids=lambda row: row.slug)
def test_a_record_has_context_decision_and_consequences(row: EngineeringRecord) -> None:
    text = (ROOT / row.path).read_text(encoding="utf-8")
    title, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    sections = {part.partition("\n")[0]: " ".join(part.partition("\n")[2].split())
                for part in parts}  # fmt: skip
    choices = [f"- **{choice.id}, {_uncapitalized(choice.title)}.** {choice.choice}"
               for choice in row.rows]  # fmt: skip

    assert title.startswith(f"# {row.number}. {row.title}\n")
    assert list(sections) == ["Context", "Decision", "Consequences"]
    assert all(sections.values())
    assert sections["Decision"] == " ".join(choices)


def _uncapitalized(title: str) -> str:
    return title[0].lower() + title[1:]
