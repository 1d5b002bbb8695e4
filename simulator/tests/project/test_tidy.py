"""Limits of size and form, so that a review can be about meaning. Messages say what to do."""

import ast
import codecs
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from simulator.catalogue.brands import BRANDS
from simulator.tests.kit.trees import (
    ROOT,
    Source,
    functions_of,
    nodes_of,
    sources,
)

FUNCTION_LINES_MAX = 60
MODULE_LINES_MAX = 400
FOLDER_MODULES_MAX = 20
LINE_LENGTH_MAX = 100
NESTING_MAX = 3
POSITIONAL_MAX = 4

TABLES = ("simulator/catalogue/", "features/spec/")
ROOTS = frozenset({
    "Exception", "ValueError", "KeyError", "LookupError", "RuntimeError", "OSError",
    "AssertionError", "HTTPException",
})  # fmt: skip
BASES = ROOTS | {
    # records, vocabularies and interfaces
    "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag",
    "Struct", "NamedTuple", "Protocol", "TypedDict", "Generic",
    # the extension points of libraries
    "Mapping", "MutableMapping", "TinyDB", "Storage", "Table",
    "AbstractHTTPHandler", "BaseHTTPRequestHandler", "ThreadingHTTPServer", "StreamServer",
    "Formatter",
    "RuleBasedStateMachine", "FastHttpUser", "HttpUser", "LoadTestShape", "TaskSet", "HTMLParser",
    "FileIO", "RawIOBase", "TextIOWrapper", "App",
    "TyperArgument", "TyperCommand", "TyperGroup", "TyperOption",
    "Handler", "ServerInterface", "SFTPHandle", "SFTPServer", "SFTPServerInterface",
    "HTTPResponse", "HTTPSocketPoolResponse", "FastResponse", "SafeLoader", "Transport",
    "Message", "Module", "Packetizer", "SFTPClient",
    # that of a mapping: what a missing member is
    "dict",
}  # fmt: skip
BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match, ast.AsyncFor, ast.AsyncWith)
CONTAINERS = frozenset({"list", "dict", "set", "deque", "defaultdict", "Counter", "OrderedDict"})
MUTATORS = frozenset({
    "add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem",
    "remove", "setdefault", "update",
})  # fmt: skip
STEPS = frozenset({"given", "when", "then", "fixture"})
LOOSE_ENDS = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|NotImplemented" r"Error)\b")

# Written in rot13, so that this list is not itself the only place that names them.
ROT13 = """
/jbex/ /gzc/i/ /ebbg/ /bcg/clcv /bcg/jurryf clcv.bet svyrf.clgubaubfgrq ../funerq
fgevcr nqlra oenvagerr jbeyqcnl ulcrecnl bccjn cnlba. npvjbeyqjvqr jverpneq plorefbhepr zbyyvr
fntrcnl bcnlb enmbecnl ahirv encnlq cnlfnsr svfrei rynina tybonycnlzragf urvqrycnl hamre pbzchgbc
fnsrecnl qngngenaf nhgubevmr.arg crnpucnlzragf
pynhqr naguebcvp bcranv pungtcg pbcvybg
"""
FORBIDDEN = re.compile(
    r"(?<![a-z])(?:"
    + "|".join(re.escape(codecs.decode(word, "rot13")) for word in ROT13.split())
    + r")",
    re.IGNORECASE,
)
# A value of paymentBrand cannot be another name: clients send it.
BRAND_VALUE = re.compile(rf"\b(?:{'|'.join(BRANDS)})\b")
UNREAD = {".git", ".venv", ".sandgate", "__pycache__", "dist", "build", ".hypothesis"}
UNREAD |= {".pytest_cache", ".mypy_cache", ".ruff_cache", ".import_linter_cache", ".schemathesis"}

READ_BY_NAME = {"Makefile", "LICENSE", "run", ".gitignore"}
READ_BY_SUFFIX = {
    ".csv", ".feature", ".html", ".json", ".lock", ".md", ".py", ".toml", ".txt", ".yaml", ".yml",
}  # fmt: skip


def is_table(source: Source) -> bool:
    return source.path.startswith(TABLES)


def test_a_function_fits_a_screen():
    found = [
        f"{source.path}:{function.lineno} {function.name} has {length} lines"
        for source in sources()
        for function in functions_of(source.tree)
        if (length := lines_without_docstring(function)) > FUNCTION_LINES_MAX
    ]

    assert not found, report(found, "name a part of it and make that a function of its own")


def test_a_module_is_about_one_thing():
    found = [
        f"{source.path} has {length} lines"
        for source in sources()
        if not is_table(source) and (length := source.text.count("\n")) > MODULE_LINES_MAX
    ]

    assert not found, report(found, "split it where the names change subject")


def test_a_folder_is_taken_in_at_a_glance():
    modules = Counter(
        source.path.rpartition("/")[0]
        for source in sources()
        if not source.path.endswith("/__init__.py")
    )
    found = [
        f"{folder} has {count} modules"
        for folder, count in modules.items()
        if count > FOLDER_MODULES_MAX
    ]

    assert not found, report(found, "give a capability in it a folder of its own")


def test_a_line_fits_beside_another():
    found = [
        f"{source.path}:{number} has {len(line)} columns"
        for source in sources()
        for number, line in enumerate(source.text.splitlines(), 1)
        if len(line) > LINE_LENGTH_MAX
    ]

    assert not found, report(found, f"break the line; {LINE_LENGTH_MAX} columns are the limit")


def test_nothing_is_nested_deeply():
    found = [
        f"{source.path}:{function.lineno} {function.name} is {depth} deep"
        for source in sources()
        for function in functions_of(source.tree)
        if (depth := nesting(function.body)) > NESTING_MAX
    ]

    assert not found, report(found, "leave early, or make the inner block a function")


def test_arguments_that_could_be_swapped_are_named():
    found = [
        f"{source.path}:{function.lineno} {function.name} takes {count} by position"
        for source in sources()
        if not source.is_test
        for function in functions_of(source.tree)
        if (count := positional(function)) > POSITIONAL_MAX and not is_step(function)
    ]

    assert not found, report(found, "put a * before the ones a caller could mix up")


def test_nothing_inherits_but_records_errors_and_extension_points():
    classes = {
        node.name: node
        for source in sources()
        for node in nodes_of(source)
        if isinstance(node, ast.ClassDef)
    }
    found = [
        f"{source.path}:{node.lineno} {node.name} inherits from {base}"
        for source in sources()
        for node in nodes_of(source)
        if isinstance(node, ast.ClassDef)
        for base in map(last_name, node.bases)
        if base not in BASES and not is_error(base, classes) and not is_protocol(base, classes)
    ]

    assert not found, report(found, "hold the other thing in a field, or hand it in as an argument")


def test_no_module_keeps_state():
    found = [
        f"{source.path}:{line} {what}"
        for source in sources()
        if not source.is_test
        for line, what in module_state(source.tree)
    ]

    assert not found, report(found, "keep it in an object that a caller makes and passes on")


def test_an_import_does_nothing():
    found = [
        f"{source.path}:{node.lineno} calls {ast.unparse(node.value.func)} when it is imported"
        for source in sources()
        if not source.is_test
        for node in source.tree.body
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ]

    assert not found, report(found, "do it in a function that a caller calls at the right time")


def test_nothing_is_left_for_later():
    found = [
        f"{source.path}:{number} {line.strip()}"
        for source in sources()
        for number, line in enumerate(source.text.splitlines(), 1)
        if LOOSE_ENDS.search(line)
    ]

    assert not found, report(found, "do it, or take it out and say so where plans are kept")


def test_the_texts_name_no_machine_no_registry_and_no_company():
    found = [
        f"{path.relative_to(ROOT)}:{number} {match[0]!r}"
        for path in text_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (match := FORBIDDEN.search(BRAND_VALUE.sub("", line)))
    ]

    assert not found, report(found, "say it without the name, or with an invented one")


def test_the_limits_find_what_they_are_for():
    planted = ast.parse(
        "class Odd(Base): pass\n"
        "seen = {}\n"
        "KNOWN = []\n"
        "def deep(a, b, c, d, e):\n"
        "    if a:\n"
        "        for b in c:\n"
        "            while d:\n"
        "                with e: KNOWN.append(b)\n"
    )
    deep = next(functions_of(planted))

    assert (nesting(deep.body), positional(deep)) == (4, 5)
    assert [line for line, _ in module_state(planted)] == [2, 8]
    assert FORBIDDEN.search("see " + codecs.decode("/jbex/znva", "rot13"))


def report(found: list[str], advice: str) -> str:
    return "\n".join([f"{advice}:", *found])


def lines_without_docstring(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    length = (function.end_lineno or 0) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function, clean=False) is None:
        return length
    return length - ((first.end_lineno or 0) - first.lineno + 1)


def nesting(body: list[ast.stmt]) -> int:
    """How many blocks stand inside each other; an elif is no deeper than its if."""
    return max((depth(statement) for statement in body), default=0)


def depth(statement: ast.stmt) -> int:
    if not isinstance(statement, BLOCKS):
        return 0
    inner = [getattr(statement, "body", []), getattr(statement, "finalbody", [])]
    inner += [part.body for part in getattr(statement, "handlers", [])]
    inner += [part.body for part in getattr(statement, "cases", [])]
    deepest = 1 + max(nesting(part) for part in inner if part is not None)
    other = getattr(statement, "orelse", [])
    is_elif = isinstance(statement, ast.If) and len(other) == 1 and isinstance(other[0], ast.If)
    return max(deepest, nesting(other) + (0 if is_elif else 1) if other else 0)


def positional(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    names = [argument.arg for argument in function.args.posonlyargs + function.args.args]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def is_step(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a test framework fills the arguments by their names."""
    decorators = [
        node.func if isinstance(node, ast.Call) else node for node in function.decorator_list
    ]
    return any(last_name(node) in STEPS for node in decorators)


def last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Subscript):
        return last_name(node.value)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "?")


def is_error(name: str, classes: dict[str, ast.ClassDef]) -> bool:
    if name not in classes:
        return name in ROOTS
    return any(is_error(last_name(base), classes) for base in classes[name].bases)


def is_protocol(name: str, classes: dict[str, ast.ClassDef]) -> bool:
    """Whether the class only says what others have: it passes on no behaviour."""
    return name in classes and any(last_name(base) == "Protocol" for base in classes[name].bases)


def module_state(tree: ast.Module) -> Iterator[tuple[int, str]]:
    constants: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and is_container(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
            constants.update(names)
            # A name in capitals is a table; what changes it is found below.
            yield from ((node.lineno, name) for name in names if not name.strip("_").isupper()
                        and not (name.startswith("__") and name.endswith("__")))  # fmt: skip
    for function in functions_of(tree):
        shared = constants - local_names(function)
        for node in ast.walk(function):
            yield from changes(node, shared)


def is_container(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call):
        return last_name(value.func) in CONTAINERS
    return isinstance(
        value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
    )


def local_names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    stored = (node for node in ast.walk(function) if isinstance(node, ast.Name))
    return {node.id for node in stored if isinstance(node.ctx, ast.Store)}


def changes(node: ast.AST, constants: set[str]) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Global):
        yield node.lineno, f"global {', '.join(node.names)}"
    changed = None
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        changed = node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        changed = node.func.value if node.func.attr in MUTATORS else None
    if isinstance(changed, ast.Name) and changed.id in constants:
        yield changed.lineno, f"{changed.id} is changed"


def text_files() -> Iterator[Path]:
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(set(folders) - UNREAD)
        for name in sorted(names):
            if name in READ_BY_NAME or Path(name).suffix in READ_BY_SUFFIX:
                yield Path(folder, name)
