"""The pages about decisions: DECISIONS.md, and the index of the engineering records."""

from collections.abc import Iterable, Iterator

from simulator.catalogue.decisions import AREAS
from simulator.catalogue.engineering import RECORDS
from simulator.grammar.decisions import Area, Decision, EngineeringRecord, Switch, number_of

INTRODUCTION = """# Decisions

Where the specification is silent, something still has to happen. Each entry states what is silent
as a question, what Sandgate does and why, how to switch it, and which tests hold it. A switch is an
override such as `--override D-14=field`, which takes the value of that profile, or
`--override D-14=accept`, which takes the value itself. `specification` and `field` are the two
[profiles](docs/reference/profiles.md); a gateway names every override at start. Entries without a
switch hold in both profiles.

Choices about how Sandgate is built are [engineering records](docs/adr/README.md), under the same
series of numbers, which the [last table](#engineering-records) lists. Numbers are never used twice.
`sandgate explain D-14` shows one entry.

Printed by `sandgate decisions` from `simulator/catalogue/decisions/`, so edits here are lost.
"""
RECORDS_INTRODUCTION = """# Engineering records

How Sandgate is built, and why: one file for choices that belong together, with the context, the
decision and its consequences. What the specification leaves open is in
[DECISIONS.md](../../DECISIONS.md); both share one series of numbers, which code cites as D-100 and
`sandgate explain D-100` resolves.

A new record is a file beside this one and a row in `simulator/catalogue/engineering.py`; a test
compares them. Printed by `sandgate decisions --records`, so edits here are lost.
"""


def decisions_markdown() -> str:
    """DECISIONS.md: every decision by area, then the numbers of the engineering records."""
    parts = [INTRODUCTION, _contents()]
    for area in AREAS:
        parts.append(f"## {area.title}\n\n{area.about}\n")
        parts.extend(_entry(row) for row in area.rows)
    parts.append(f"## Engineering records\n\n{_numbers(RECORDS)}")
    return "\n".join(parts)


def records_markdown() -> str:
    """docs/adr/README.md: every engineering record with the numbers in it."""
    lines = ["| record | numbers |", "|---|---|"]
    for row in RECORDS:
        file = row.path.rsplit("/", 1)[1]
        lines.append(f"| [{row.number}. {row.title}]({file}) | {_ids(row)} |")
    return f"{RECORDS_INTRODUCTION}\n" + "\n".join(lines) + "\n"


def switch_in_words(switch: Switch, identity: str) -> str:
    """The values of a switch as overrides, each with the profile that has it."""
    values: dict[str, list[str]] = {}
    for value, profile in ((switch.specification, "specification"), (switch.field, "field")):
        values.setdefault(value, []).append(profile)
    profiles = [f"`{identity}={value}` ({_profiles(names)})" for value, names in values.items()]
    return ", ".join((*profiles, *(f"`{identity}={value}`" for value in switch.others)))


def _profiles(names: list[str]) -> str:
    return f"profile `{names[0]}`" if len(names) == 1 else "both profiles"


def _contents() -> str:
    """A table of the areas, with a link to each entry."""
    lines = ["| area | entries |", "|---|---|"]
    for area in AREAS:
        links = ", ".join(f"[{row.id}](#{row.id.lower()})" for row in _by_number(area))
        lines.append(f"| [{area.title}](#{_slug(area.title)}) | {links} |")
    return "\n".join(lines) + "\n"


def _by_number(area: Area) -> list[Decision]:
    return sorted(area.rows, key=lambda row: number_of(row.id))


def _slug(title: str) -> str:
    """The anchor that a heading has on the page."""
    return title.lower().replace(",", "").replace(" ", "-")


def _entry(row: Decision) -> str:
    return "\n".join(
        (f'<a id="{row.id.lower()}"></a>', f"### {row.id} {row.title}", "", *_lines(row))
    )


def _lines(row: Decision) -> Iterator[str]:
    yield f"- **{row.question}** {row.answer}"
    yield f"- Reason: {row.reason}"
    if row.switch is not None:
        yield f"- Switch, {row.switch.about}: {switch_in_words(row.switch, row.id)}."
    if row.setting:
        yield f"- Setting: {row.setting}"
    yield f"- Tests: {', '.join(f'[{_name(path)}]({path})' for path in row.tests)}"
    yield ""


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def _numbers(records: Iterable[EngineeringRecord]) -> str:
    lines = ["| number | title | record |", "|---|---|---|"]
    rows = [(choice, row) for row in records for choice in row.rows]
    for choice, row in sorted(rows, key=lambda pair: number_of(pair[0].id)):
        anchor = f'<a id="{choice.id.lower()}"></a>{choice.id}'
        lines.append(f"| {anchor} | {choice.title} | [{row.number}. {row.title}]({row.path}) |")
    return "\n".join(lines) + "\n"


def _ids(row: EngineeringRecord) -> str:
    return ", ".join(sorted((choice.id for choice in row.rows), key=number_of))
