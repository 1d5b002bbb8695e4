"""Operations: one endpoint of the merchant API, one row."""

from dataclasses import dataclass

from simulator.grammar.formats import Format
from simulator.grammar.parameters import Table
from simulator.grammar.relations import Relation


# A row is the same as itself alone: it is looked up with every request, and is long to compare.
@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """An endpoint, the tables of parameters it accepts and the relations that hold for it alone.

    `formats` replace the format of single rows, where an operation takes other values. `rests` are
    the ids of relations of the catalogue that do not hold in it. With `is_bare` the path may also
    be written without the version prefix. With `is_part` what is sent is a part: the relations of
    the catalogue that need the whole, and gaps of lists, are looked for in what it is added to.
    `kept` are parameters that name another account than the one that pays: no profile ignores them.
    """

    id: str
    method: str
    path: str
    tables: tuple[Table, ...]
    relations: tuple[Relation, ...] = ()
    formats: tuple[tuple[str, Format], ...] = ()
    rests: tuple[str, ...] = ()
    is_bare: bool = False
    is_part: bool = False
    kept: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """Every way to write its path."""
        return (self.path, self.path.removeprefix("/v1")) if self.is_bare else (self.path,)
