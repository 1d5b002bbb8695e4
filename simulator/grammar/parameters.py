"""Parameters: one field, one row. Tables keep the order and the headings of the specification."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from simulator.grammar.formats import Format

REQUIRED = "Required"
CONDITIONAL = "Conditional"
OPTIONAL = "Optional"

REQUEST = "request"
RESPONSE = "response"
WEBHOOK = "webhook"
COLUMN = "column"
MAPPING = "mapping"

SPECIFICATION = "specification"


@dataclass(frozen=True, slots=True)
class Param:
    """One field, named as in the specification: `[n]` stands for an index, `[name]` for a key.

    `key` is the format of such a key, `schemes` the values of `<scheme>`. The value of a `secret`
    row is never shown or stored in the clear; an `echo` row comes back in the answer. A `personal`
    row says who the shopper, a passenger or a recipient is. `origin` is
    "specification" or the decision behind the row. `api_name` is what a column maps to.
    """

    name: str
    format: Format
    need: str = OPTIONAL
    note: str = ""
    secret: bool = False
    echo: bool | None = None
    personal: bool = False
    origin: str = SPECIFICATION
    direction: str = REQUEST
    api_name: str = ""
    key: Format | None = None
    schemes: tuple[str, ...] = ()

    @property
    def concrete_names(self) -> tuple[str, ...]:
        """The name with each scheme in its place; the name itself where it names none."""
        if not self.schemes:
            return (self.name,)
        return tuple(self.name.replace("<scheme>", scheme) for scheme in self.schemes)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the specification: its heading and its rows."""

    title: str
    rows: tuple[Param, ...]


def table(
    title: str,
    rows: Iterable[Param],
    *,
    echo: bool = False,
    direction: str = REQUEST,
    personal: tuple[str, ...] = (),
) -> Table:
    """A table. Its rows have its direction and, where they say nothing else, its `echo`; those
    whose names begin with one of `personal` are personal data.
    """
    completed = (_completed(row, echo, direction) for row in rows)
    return Table(
        title, tuple(replace(row, personal=row.name.startswith(personal)) for row in completed)
    )


def openly(table: Table) -> Table:
    """The table without its secret rows; the table itself where it has none."""
    rows = tuple(row for row in table.rows if not row.secret)
    return table if len(rows) == len(table.rows) else Table(table.title, rows)


def some_of(whole: Table, *names: str) -> Table:
    """The table with these rows alone, in its own order. Raises KeyError for a name it lacks."""
    rows = {row.name: row for row in whole.rows}
    wanted = {name: rows[name] for name in names}
    return Table(whole.title, tuple(row for row in whole.rows if row.name in wanted))


def renamed(rows: Iterable[Param], before: str, *, but: tuple[str, ...] = ()) -> tuple[Param, ...]:
    """The rows again, all optional, `before` before each name, save those that begin as `but`."""
    return tuple(
        replace(row, name=before + row.name, need=OPTIONAL, note=f"as {row.name}")
        for row in rows
        if not row.name.startswith(but)
    )


def _completed(row: Param, echo: bool, direction: str) -> Param:
    shown = echo if row.echo is None else row.echo
    own = direction if row.direction == REQUEST else row.direction
    return replace(row, echo=shown and not row.secret, direction=own)
