"""A use case names the ports it needs: mypy refuses one that is used and not named, and these tests
one that is named and not used.
"""

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from types import FunctionType
from typing import Any, TypeVar, get_args, get_type_hints

import pytest

from simulator.domain.ports.sandbox import Ports
from simulator.tests.kit.trees import ROOT

SERVICES = sorted(
    ".".join(file.relative_to(ROOT).with_suffix("").parts)
    for file in (ROOT / "simulator" / "service").rglob("*.py")
    if file.name != "__init__.py"
)
# They hand over all ports: to work that no use case knows, or with another store.
HANDING_OVER = {
    "simulator.service.sandboxes.clock.advance_clock",
    "simulator.service.sandboxes.clock.move_clock",
    "simulator.service.sandboxes.clock._go_to",
    "simulator.service.checkouts.form_capabilities.principal_of_form",
    "simulator.service.merchants.dispatching.dispatch_to_channel",
}
GIVEN_AS = ("ports", "context.ports")
ALL = frozenset(Ports.__struct_fields__)


@pytest.mark.parametrize("module", SERVICES)
def test_a_module_names_no_port_that_it_does_not_use(module: str) -> None:
    own = [needs for name, needs in _functions_in(module) if _is_own(name, module)]
    named = frozenset().union(*own)
    tree = ast.parse((ROOT / f"{module.replace('.', '/')}.py").read_text())
    assert named <= _used_in(tree) | _needed_by_others(module, tree)


def test_no_use_case_takes_all_ports() -> None:
    found = {
        name
        for module in SERVICES
        for name, needs in _functions_in(module, whole=True)
        if needs == ALL and _is_own(name, module)
    }
    assert found <= HANDING_OVER, "name the ports it needs by a protocol of its module"


def test_the_needs_of_a_use_case_are_read_from_its_signature() -> None:
    needs = dict(_functions_in("simulator.service.risk"))
    held = {"clock", "holds", "ids", "in_flight", "store"}
    assert needs["simulator.service.risk.check_risk"] == {"journal", "risk", *held}


def _is_own(name: str, module: str) -> bool:
    return name.rpartition(".")[0] == module


def _functions_in(module: str, *, whole: bool = False) -> Iterator[tuple[str, frozenset[str]]]:
    """The functions that a module has or imports, each with the ports that its signature names."""
    for function in vars(import_module(module)).values():
        if isinstance(function, FunctionType):
            name = f"{function.__module__}.{function.__qualname__}"
            if whole or name not in HANDING_OVER:
                yield name, _needs_of(function)


def _needs_of(function: FunctionType) -> frozenset[str]:
    hints = get_type_hints(function)
    hints.pop("return", None)
    return frozenset().union(*map(_members_of, hints.values()))


def _members_of(hint: Any) -> frozenset[str]:
    """The ports of a protocol, of a context that has them, or of what a type variable stands
    for.
    """
    if isinstance(hint, TypeVar):
        return _members_of(hint.__bound__)
    if hint is Ports:
        return ALL
    if inspect.isclass(hint) and getattr(hint, "_is_protocol", False):
        members = (vars(base).items() for base in hint.__mro__)
        # A method may have the name of a port, as that of the registry which finds a sandbox.
        ports = {name for each in members for name, one in each if isinstance(one, property)}
        return ALL & ports
    return frozenset().union(*map(_members_of, get_args(hint)))


def _used_in(tree: ast.Module) -> frozenset[str]:
    """The ports that a module uses itself."""
    return frozenset(
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in GIVEN_AS
    )


def _needed_by_others(module: str, tree: ast.Module) -> frozenset[str]:
    """The ports that the functions it calls need."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return frozenset().union(
        *(
            needs
            for name, needs in _functions_in(module)
            if not _is_own(name, module) and name.rpartition(".")[2] in names
        )
    )
