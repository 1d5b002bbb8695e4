"""A pytest plugin that judges several targets in one session, each by the cases chosen for it.

Starting a judge takes longer than most scenarios do, so a hundred targets share one. What it found
is written as a line of JSON for each case, whatever becomes of it.

    python -m pytest -p features.broken.several --several ORDERS --found FOUND features
"""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from pytest_bdd.scenario import scenario_wrapper_template_registry

from features.boundaries.cases import Case
from features.target import Target, read_target

FIELD = "FIELD:"


class Order(msgspec.Struct, frozen=True):
    """A target to judge: its name, the file that describes it, and the titles of what judges it.

    A title is that of a scenario or the address of a boundary case; no titles mean all scenarios.
    With `once` the other rows of a scenario are left out as soon as one of them has failed.
    """

    name: str
    described: str
    titles: tuple[str, ...] = ()
    once: bool = False

    def wants(self, title: str) -> bool:
        """Whether a scenario or a boundary case is among what judges this target."""
        return title in self.titles if self.titles else not title.startswith(FIELD)


class Found(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of one case of a `file`: the step that failed, and what was said of it.

    `compared` tells whether it failed because the judge compared two things, and not before.
    """

    target: str
    file: str
    case: str
    row: str
    verdict: str
    step: str = ""
    text: str = ""
    compared: bool = False


def read_found(file: Path) -> list[Found]:
    """Every line a session has written. Raises msgspec.MsgspecError."""
    return [msgspec.json.decode(line, type=Found) for line in file.read_bytes().splitlines()]


_ORDERS = pytest.StashKey[list[Order]]()
_STEP = pytest.StashKey[str]()
_FAILED = pytest.StashKey[set[tuple[str, str]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Say where the orders are and where to write what was found."""
    parser.addoption("--several", metavar="ORDERS", help="the targets to judge, as JSON")
    parser.addoption("--found", metavar="FOUND", help="where to write what was found")


def pytest_configure(config: pytest.Config) -> None:
    """Read the orders, and make the mark known that says which of them a case belongs to."""
    config.addinivalue_line("markers", "judges(name): the target that a case judges")
    orders = Path(config.getoption("several")).read_bytes()
    config.stash[_ORDERS] = msgspec.json.decode(orders, type=list[Order])
    config.stash[_FAILED] = set()


@pytest.fixture(autouse=True)
def _one_of_several(target: Target) -> None:
    """Every case has a target, so that it can be handed one of several."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Hand each case, in turn, the targets that it judges."""
    wanting = [order for order in metafunc.config.stash[_ORDERS] if _may_want(order, metafunc)]
    targets = [
        pytest.param(
            read_target(Path(order.described)), id=order.name, marks=pytest.mark.judges(order.name)
        )
        for order in wanting
    ]
    metafunc.parametrize("target", targets, scope="session")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the boundary cases that nobody ordered, and what judges no target at all."""
    orders = {order.name: order for order in config.stash[_ORDERS]}
    items[:] = [item for item in items if _is_wanted(item, orders)]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what would show no more than was shown already."""
    (name,) = _targets_of(item)
    once = any(order.once for order in item.config.stash[_ORDERS] if order.name == name)
    if once and (name, _title_of(item)) in item.config.stash[_FAILED]:
        pytest.skip("another row of it has failed already")


def pytest_bdd_step_error(request: pytest.FixtureRequest, step: Any) -> None:
    """Remember which step failed."""
    request.node.stash[_STEP] = f"{step.type} {step.name}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Write down what became of a case, once it has run or has not been able to."""
    report = yield
    if report.when == "call" or (report.when == "setup" and not report.passed):
        if report.failed:
            item.config.stash[_FAILED].add((_targets_of(item)[0], _title_of(item)))
        with Path(item.config.getoption("found")).open("ab") as file:
            file.write(msgspec.json.encode(_found(item, call, report)) + b"\n")
    return report


def _found(item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport) -> Found:
    error = call.excinfo.value if call.excinfo and report.failed else None
    text = "" if error is None else f"{type(error).__name__}: {error}"
    if report.skipped and isinstance(report.longrepr, tuple):
        text = str(report.longrepr[2])
    params = _params(item)
    example = params.get("_pytest_bdd_example", {})
    return Found(
        target=_targets_of(item)[0],
        file=_file_of(item),
        case=_title_of(item),
        row=str(example.get("why", "")),
        verdict=report.outcome,
        step=item.stash.get(_STEP, ""),
        text=text,
        compared=isinstance(error, AssertionError) and "requirement: " in str(error),
    )


def _may_want(order: Order, metafunc: pytest.Metafunc) -> bool:
    scenario = _scenario_of(metafunc.function)
    if scenario is not None:
        return order.wants(scenario.name)
    return any(title.startswith(FIELD) for title in order.titles)


def _is_wanted(item: pytest.Item, orders: dict[str, Order]) -> bool:
    return any(orders[name].wants(_title_of(item)) for name in _targets_of(item))


def _title_of(item: Any) -> str:
    case = _params(item).get("case")
    return case.address if isinstance(case, Case) else str(_scenario_of(item.obj).name)


def _file_of(item: Any) -> str:
    scenario = _scenario_of(item.obj)
    return Path(scenario.feature.filename if scenario else item.path).name


def _targets_of(item: pytest.Item) -> list[str]:
    return [mark.args[0] for mark in item.iter_markers("judges")]


def _scenario_of(function: Any) -> Any:
    return scenario_wrapper_template_registry.get(function)


def _params(item: pytest.Item) -> dict[str, Any]:
    callspec = getattr(item, "callspec", None)
    return dict(callspec.params) if callspec is not None else {}
