"""Where an exception of any kind may be caught: in loops that must not die, which log it and go on.

Everywhere else the last row of the error table alone does that (CONTRIBUTING.md).
"""

import ast
from collections.abc import Iterator

from simulator.tests.kit.trees import functions_of, sources

LOOPS = "simulator/adapters/"
# The method that passes an exception on to a waiting caller, instead of swallowing it.
HANDS_ON = "set_exception"
# A process beside the gateway has no log: it prints the traceback, and ends.
LOGS = frozenset({"exception", "print_exc"})


def broad_handlers(tree: ast.AST, *kinds: str | None) -> Iterator[ast.ExceptHandler]:
    """The handlers of these exceptions, None for one that names none."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            named = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            if any(last_name(each) in kinds for each in named):
                yield node


def last_name(node: ast.expr | None) -> str | None:
    """`b` of `b` and of `a.b`, None for nothing."""
    if node is None:
        return None
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def called_in(tree: ast.AST) -> set[str]:
    """The last names of what is called."""
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return {last_name(each) or "" for each in calls}


def silent_handlers(tree: ast.Module) -> list[int]:
    """Lines that catch Exception and do not log the traceback, there or in a function they call."""
    logging = {each.name for each in functions_of(tree) if called_in(each) & LOGS} | LOGS
    handlers = broad_handlers(tree, "Exception")
    return [each.lineno for each in handlers if not called_in(each) & logging]


def swallowing_handlers(tree: ast.Module) -> list[int]:
    """Lines that catch even what ends a greenlet or a process, and do not hand it on."""
    return [
        each.lineno
        for each in broad_handlers(tree, "BaseException", None)
        if HANDS_ON not in called_in(each)
        and not any(isinstance(node, ast.Raise) for node in ast.walk(each))
    ]


def test_exceptions_of_any_kind_are_caught_by_loops_of_adapters_alone():
    found = [
        f"{source.path}:{handler.lineno}"
        for source in sources()
        if not source.is_test and not str(source.path).startswith(LOOPS)
        for handler in broad_handlers(source.tree, "Exception", "BaseException", None)
    ]

    assert not found, f"{found}: name what can happen; the rest is for the error table"


def test_a_broad_except_logs_the_traceback_or_passes_it_on():
    found = [
        f"{source.path}:{line}"
        for source in sources()
        if not source.is_test
        for line in (*silent_handlers(source.tree), *swallowing_handlers(source.tree))
    ]

    assert not found, f"{found}: call LOG.exception in the handler, or name what can happen"


def test_the_test_finds_what_it_is_for():
    planted = ast.parse(
        "try: work()\n"
        "except Exception: pass\n"
        "try: work()\n"
        "except (ValueError, Exception): LOG.exception('it is tried again')\n"
        "try: work()\n"
        "except BaseException: LOG.exception('swallowed')\n"
        "try: work()\n"
        "except: raise\n"
        "try: work()\n"
        "except Exception: log()\n"
        "def log(): LOG.exception('it is tried again')\n"
    )

    assert silent_handlers(planted) == [2]
    assert swallowing_handlers(planted) == [6]
