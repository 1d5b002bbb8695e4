"""Operations: one endpoint of the merchant API, one row."""

from dataclasses import dataclass

from simulator.grammar.formats import Format
from simulator.grammar.parameters import Table
from simulator.grammar.relations import Relation


@dataclass(frozen=True, slots=True)
class Operation:
    """An endpoint, the tables of parameters it accepts and the relations that hold for it alone.

    `formats` replace the format of single rows, where an operation takes other values.
    """

    id: str
    method: str
    path: str
    tables: tuple[Table, ...]
    relations: tuple[Relation, ...] = ()
    formats: tuple[tuple[str, Format], ...] = ()
