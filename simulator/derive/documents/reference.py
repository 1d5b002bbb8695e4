"""The reference: every parameter, operation, result code and decision, for a person to look up."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.decisions import DECISIONS
from simulator.catalogue.fields.parameters import RELATIONS, TABLES
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.catalogue.results import CLASSES, RESULTS
from simulator.derive.checks.acceptance import resolved
from simulator.derive.schemas.causes import causes
from simulator.derive.schemas.conditions import describe_relation
from simulator.derive.schemas.facts import Fact, fact_of
from simulator.grammar.choices import Choices, choose
from simulator.grammar.decisions import number_of
from simulator.grammar.parameters import SPECIFICATION, Param, Table
from simulator.grammar.relations import Relation
from simulator.grammar.results import ResultCode
from simulator.grammar.version import __version__

TEMPLATE = "reference.html"
# A tag, or where a word may be broken.
JOINT = re.compile(r"(<[^>]*>)|[./_](?=[^\s<])")
INTRODUCTION = """# Reference

Every parameter and field in the order and under the headings of the specification, in the profile
`specification`. Printed by `sandgate reference`, so edits here are lost. A running gateway shows
more at `/reference`: result codes, relations, the order of errors, decisions.

A = letters, N = digits, AN = any characters; the number is the greatest length.
"""


class Rule(NamedTuple):
    """A relation in words, with the operations it holds in where it does not hold in all."""

    id: str
    words: str
    operations: tuple[str, ...]


class Section(NamedTuple):
    """A table of the specification with its facts. `slug` names it in addresses."""

    title: str
    slug: str
    direction: str
    facts: tuple[Fact, ...]
    rules: tuple[Rule, ...]


class CodeGroup(NamedTuple):
    """The result codes of one group, and what they mean for a payment."""

    title: str
    meaning: str
    codes: tuple[ResultCode, ...]


def reference_page(choices: Choices) -> str:
    """The reference as one HTML page that needs nothing else, as it holds under `choices`."""
    # Imported when the page is asked for: a gateway starts without it.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("simulator.derive"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {
        "describe": describe_relation,
        "slug": slug_of,
        "breakable": breakable,
        "capital": _capital,
        "under": resolved,
    }
    return environment.get_template(TEMPLATE).render(
        version=__version__,
        choices=choices,
        sections=sections_of(choices),
        operations=OPERATIONS.values(),
        payment_types=PAYMENT_TYPES.values(),
        causes=causes(choices),
        groups=code_groups(),
        decisions=sorted(DECISIONS.values(), key=lambda row: number_of(row.id)),
    )


def reference_markdown() -> str:
    """The parameters alone as Markdown, as docs/reference/parameters.md keeps them."""
    parts = [INTRODUCTION]
    for section in sections_of(choose(CHOICES, SPECIFICATION)):
        parts.append(f"## {section.title} ({section.direction})\n")
        parts.append(_table(("name", "format", "need", "rule"), map(_markdown_row, section.facts)))
    return "\n".join(parts)


def sections_of(choices: Choices) -> list[Section]:
    """Every table of the catalogue, in its order."""
    return [_section(table, choices) for table in (*TABLES, *tables_beyond_the_specification())]


def tables_beyond_the_specification() -> list[Table]:
    """The tables of parameters that operations take though the specification shows none: one a
    title.
    """
    specified = {table.title for table in TABLES}
    tables = [table for operation in OPERATIONS.values() for table in operation.tables]
    found: dict[str, dict[str, Param]] = {}
    for table in tables:
        if table.title not in specified:
            found.setdefault(table.title, {}).update({row.name: row for row in table.rows})
    return [Table(title, tuple(rows.values())) for title, rows in found.items()]


def code_groups() -> list[CodeGroup]:
    """Every result code, those of a group together."""
    grouped: dict[str, list[ResultCode]] = {}
    for row in RESULTS.values():
        grouped.setdefault(row.group, []).append(row)
    return [
        CodeGroup(group.replace("_", " "), CLASSES[group].replace("_", " "), tuple(rows))
        for group, rows in grouped.items()
    ]


def breakable(text: str) -> Markup:
    """The text, which may be broken after a dot, slash or underscore inside a word."""
    marked = JOINT.sub(lambda found: found[1] or f"{found[0]}<wbr>", str(escape(text)))
    return Markup(marked)


def slug_of(title: str) -> str:
    """A title as a part of an address."""
    return "-".join(title.lower().replace("(", "").replace(")", "").split())


def _section(table: Table, choices: Choices) -> Section:
    names = {name for row in table.rows for name in row.concrete_names}
    holding = {row: ops for row, ops in _holding().items() if _is_listed_here(row, names)}
    direction = table.rows[0].direction
    return Section(
        title=table.title,
        slug=slug_of(f"{table.title} {direction}"),
        direction=direction,
        facts=tuple(fact_of(row, choices, _holding()) for row in table.rows),
        rules=tuple(
            Rule(row.id, describe_relation(row), operations) for row, operations in holding.items()
        ),
    )


def _holding() -> dict[Relation, tuple[str, ...]]:
    """Every relation with the operations it holds in; none: wherever its parameters are sent."""
    holding: dict[Relation, tuple[str, ...]] = dict.fromkeys(RELATIONS, ())
    for operation in OPERATIONS.values():
        for relation in operation.relations:
            holding[relation] = (*holding.get(relation, ()), operation.id)
    return holding


def _is_listed_here(relation: Relation, names: set[str]) -> bool:
    """A relation is listed at the table of the first parameter it is about."""
    first = relation.names[0]
    return first in names or any(name.startswith(f"{first}[") for name in names)


def _capital(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def _markdown_row(fact: Fact) -> Iterator[str]:
    relations = ", ".join(dict.fromkeys(relation.id for relation in fact.relations))
    yield f"`{fact.name}`"
    yield fact.notation
    yield fact.need
    yield "; ".join(filter(None, (fact.note, relations, ", ".join(fact.decisions))))


def _table(head: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    cells = ([cell.replace("|", r"\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells) + "\n"
