"""Where what runs once, when a module is imported, is used: which cases it has to do with.

The value of a constant or of a table is read where its name stands, so the cases that execute these
lines are the ones that may see it change. The head of a function, with the defaults of its
arguments, has to do with the cases that call it.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from features.mutants.sampled.modules import gateway_modules

IMPORT = re.compile(r"\s*(from|import)\b")
WORD = re.compile(r"[A-Za-z_]\w*")
Place = tuple[str, int]


def users_of(module: str, lines: tuple[int, int], root: Path) -> set[Place]:
    """The modules and lines that use what a statement outside functions gives a value.

    Where another such statement uses it, as a table does that is made of rows, also those that use
    the value of that one.
    """
    found: set[Place] = set()
    left = [(module, lines)]
    while left:
        user, place = left.pop()
        for name in names_at(_text_of(root / user), place):
            new = set(uses_of(name, user, root)) - found
            found |= new
            left += [(each, (line, line)) for each, line in sorted(new)]
    return found


def names_at(source: str, lines: tuple[int, int]) -> set[str]:
    """The names that a statement outside functions gives a value: of variables, or of members."""
    found: set[str] = set()
    for node in _outside_functions(source):
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or not _covers(node, lines):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        found |= {each.id for target in targets for each in ast.walk(target)
                  if isinstance(each, ast.Name)}  # fmt: skip
    return found


def body_of(module: str, lines: tuple[int, int], root: Path) -> tuple[int, int] | None:
    """The first and the last line in the body of the function whose head these lines are in; None
    where they are in no such head.
    """
    for node in ast.walk(_tree_of(_text_of(root / module))):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            if first <= lines[0] < node.body[0].lineno:
                return node.body[0].lineno, node.end_lineno or node.lineno
    return None


def class_of(module: str, lines: tuple[int, int], root: Path) -> str:
    """The name of the class whose member a statement outside functions is; empty where it is none
    of any.
    """
    for node in _outside_functions(_text_of(root / module)):
        if isinstance(node, ast.ClassDef) and any(_covers(each, lines) for each in node.body):
            return node.name
    return ""


def uses_of(name: str, module: str, root: Path) -> Iterator[Place]:
    """Each module and line that a name of a module stands in, but for imports.

    A member of a class is used in any module, a variable in those that name its module.
    """
    is_variable = name.isupper()
    dotted = module.removesuffix(".py").replace("/", ".")
    for user, line in _index(root).get(name, ()):
        if not is_variable or user == module or dotted in _text_of(root / user):
            yield user, line


@lru_cache(maxsize=1)
def _index(root: Path) -> Mapping[str, list[Place]]:
    """The places of every word of the gateway, but for imports: what is mutated may be used by a
    module that is not.
    """
    found: defaultdict[str, list[Place]] = defaultdict(list)
    for module in gateway_modules():
        for number, line in enumerate(_text_of(root / module).splitlines(), start=1):
            for word in () if IMPORT.match(line) else set(WORD.findall(line)):
                found[word].append((module, number))
    return found


@lru_cache(maxsize=512)
def _outside_functions(source: str) -> tuple[ast.stmt, ...]:
    """The statements of a module and of its classes."""
    found: list[ast.stmt] = []
    left = list(_tree_of(source).body)
    while left:
        node = left.pop()
        found.append(node)
        left += node.body if isinstance(node, (ast.ClassDef, ast.If)) else []
    return tuple(found)


@lru_cache(maxsize=512)
def _tree_of(source: str) -> ast.Module:
    return ast.parse(source)


def _covers(node: ast.stmt, lines: tuple[int, int]) -> bool:
    return node.lineno <= lines[0] and lines[1] <= (node.end_lineno or node.lineno)


@lru_cache(maxsize=512)
def _text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")
