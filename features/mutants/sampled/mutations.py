"""The mutations of a module: those of mutmut, each as a whole mutated source.

mutmut compiles all mutants of a module into one file and switches between them by a variable of the
environment. A gateway is served from another process and its tables are built when it starts, so
here each mutant is a source of its own, which also allows mutants of what a module holds outside
its functions.
"""

import difflib
import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import libcst as cst
import msgspec
from libcst.metadata import MetadataWrapper, ParentNodeProvider, PositionProvider
from mutmut.mutation.file_mutation import Mutation, MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

from features.mutants.sampled.modules import ROOT, capability_of

DIGITS = 8
DECORATIVE = {
    "description",
    "title",
    "note",
    "why",
    "help",
    "doc",
    "summary",
    "expected",
    "choice",
    "source",
}
LOGGERS = {"log", "logger", "logging", "warnings"}


class SampledMutant(msgspec.Struct, frozen=True):
    """One change in one module: its lines, what stood there, and what stands there now."""

    id: str
    module: str
    capability: str
    function: str
    lines: tuple[int, int]
    before: str
    after: str


class ModuleMutations:
    """Every mutation of a module that can change what a client sees."""

    def __init__(self, module: str, root: Path = ROOT):
        self.module = module
        self.source = (root / module).read_text(encoding="utf-8")
        self._wrapper = MetadataWrapper(cst.parse_module(self.source))
        visitor = MutationVisitor(mutation_operators, IgnoredCode(set(), set(), set()))
        self._wrapper.visit(visitor)
        self.found = [each for each in visitor.mutations if self._is_meant(each)]

    @cached_property
    def by_kind(self) -> list[list[Mutation]]:
        """The mutations by what they change: comparisons, calls, numbers, strings and so on."""
        kinds: defaultdict[str, list[Mutation]] = defaultdict(list)
        for each in self.found:
            kinds[type(each.original_node).__name__].append(each)
        return list(kinds.values())

    @cached_property
    def _positions(self) -> Mapping[cst.CSTNode, Any]:
        return self._wrapper.resolve(PositionProvider)

    @cached_property
    def _parents(self) -> Mapping[cst.CSTNode, cst.CSTNode]:
        return self._wrapper.resolve(ParentNodeProvider)

    def statement_of(self, mutation: Mutation) -> tuple[int, int]:
        """The first and the last line of the statement that a mutation is in.

        Of a compound statement it is the head alone.
        """
        for node in self._ancestors(mutation.original_node):
            if isinstance(node, cst.SimpleStatementLine):
                place = self._positions[node]
                return place.start.line, place.end.line
            if isinstance(node, (cst.BaseCompoundStatement, cst.ExceptHandler, cst.MatchCase)):
                return self._head_of(node)
        place = self._positions[mutation.original_node]
        return place.start.line, place.end.line

    def mutant(self, mutation: Mutation) -> tuple[SampledMutant, str]:
        """A mutation as a record, and the mutated source."""
        mutated = self._wrapper.module.deep_replace(mutation.original_node, mutation.mutated_node)
        source = mutated.code  # type: ignore[attr-defined]
        before, after = changed_lines(self.source, source)
        function = self._function_of(mutation.original_node)
        words = "\n".join([self.module, function, before, after])
        made = SampledMutant(
            id=hashlib.sha256(words.encode()).hexdigest()[:DIGITS],
            module=self.module,
            capability=capability_of(self.module),
            function=function,
            lines=self.statement_of(mutation),
            before=before,
            after=after,
        )
        return made, source

    def _head_of(self, node: cst.CSTNode) -> tuple[int, int]:
        body: cst.CSTNode | None = getattr(node, "body", None)
        first = self._positions[node].start.line
        last = self._positions[body].start.line if body is not None else first
        return first, max(first, last)

    def _ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        current: cst.CSTNode | None = node
        while current is not None:
            yield current
            current = self._parents.get(current)

    def _function_of(self, node: cst.CSTNode) -> str:
        named = [
            each.name.value
            for each in self._ancestors(node)
            if isinstance(each, (cst.FunctionDef, cst.ClassDef))
        ]
        return ".".join(reversed(named)) or "<module>"

    def _is_meant(self, mutation: Mutation) -> bool:
        """Whether a client could see it: no text for people, no assertion, no log, no decorator."""
        node = mutation.original_node
        if isinstance(node, cst.BaseString) and not is_value(node):
            return False
        return not any(is_beside(each) for each in self._ancestors(node))


def is_value(node: cst.BaseString) -> bool:
    """Whether a string is a value of the program; one with a blank is a text for people."""
    return isinstance(node, cst.SimpleString) and " " not in node.value and len(node.value) > 2


def is_beside(node: cst.CSTNode) -> bool:
    """Whether a node is one whose contents no client can see."""
    if isinstance(node, (cst.Decorator, cst.Assert, cst.Import, cst.ImportFrom)):
        return True
    if isinstance(node, cst.Arg):
        return node.keyword is not None and node.keyword.value in DECORATIVE
    if isinstance(node, cst.If):
        return isinstance(node.test, cst.Name) and node.test.value == "TYPE_CHECKING"
    if isinstance(node, cst.FunctionDef):
        return node.name.value in ("__repr__", "__str__")
    return isinstance(node, cst.Call) and root_name(node.func) in LOGGERS


def root_name(node: cst.BaseExpression) -> str:
    """The name an attribute or a call begins with; empty where it begins with none."""
    while isinstance(node, (cst.Attribute, cst.Call)):
        node = node.value if isinstance(node, cst.Attribute) else node.func
    return node.value.lstrip("_") if isinstance(node, cst.Name) else ""


def changed_lines(before: str, after: str) -> tuple[str, str]:
    """The lines that differ, as they were and as they are."""
    changes = list(difflib.unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm=""))[
        2:
    ]
    old, new = (
        "\n".join(line[1:].strip() for line in changes if line.startswith(sign)) for sign in "-+"
    )
    return old, new
