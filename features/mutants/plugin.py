"""A pytest plugin that judges several targets in one session, each by the cases chosen for it.

Starting a judge takes longer than most scenarios do, so a hundred targets share one. Verdicts are
those of `features.conformance.stream`, as `sandgate check` tells them, each with the target it is
of.

    python -m pytest -p features.conformance.stream -p features.mutants.plugin \\
        --several ORDERS --found FOUND
"""

from pathlib import Path

import msgspec
import pytest

from features.conformance.stash import not_judged
from features.conformance.stream import PROPERTY, Judged, known_of
from features.conformance.verdicts import scenario_of
from features.target.reading import read_target
from features.target.records import Target
from reports.events import Case

FIELD = "FIELD:"
TARGET = "sandgate.target"


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


class Found(msgspec.Struct, frozen=True):
    """The verdict of a case, and the target it is of."""

    target: str
    case: Case

    @property
    def name(self) -> str:
        """What an order calls the case: the address of a boundary, the title of a scenario."""
        return self.case.id if self.case.id.startswith(FIELD) else self.case.title

    @property
    def has_failed(self) -> bool:
        """Whether the target was failed."""
        return self.case.verdict == "failed"

    @property
    def text(self) -> str:
        """All that is said of the failure."""
        return self.case.failure.text if self.case.failure else ""

    @property
    def is_compared(self) -> bool:
        """Whether it failed because the judge compared two things, and not on its way there."""
        return self.has_failed and "requirement: " in self.text

    @property
    def is_judgement(self) -> bool:
        """Whether it failed in a step that judges; a boundary case has no other."""
        words = [step.keyword for step in self.case.steps if step.verdict != "not-reached"]
        parts = [word for word in words if word in ("Given", "When", "Then")]
        return self.name.startswith(FIELD) or parts[-1:] == ["Then"]


def read_found(file: Path) -> list[Found]:
    """Every line a session has written. Raises msgspec.MsgspecError."""
    return [msgspec.json.decode(line, type=Found) for line in file.read_bytes().splitlines()]


class Finder:
    """Writes down each verdict with its target, and knows what has failed already."""

    def __init__(self, path: Path):
        self._path = path
        self.failed: set[tuple[str, str]] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the verdict that the last report of a case carries."""
        told = dict(report.user_properties)
        if PROPERTY not in told:
            return
        judged = msgspec.json.decode(str(told[PROPERTY]), type=Judged)
        found = Found(str(told[TARGET]), judged.case)
        if found.has_failed:
            self.failed.add((found.target, found.name))
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(found) + b"\n")


_ORDERS = pytest.StashKey[dict[str, Order]]()
_FINDER = pytest.StashKey[Finder]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Say where the orders are and where to write what was found."""
    parser.addoption("--several", metavar="ORDERS", help="the targets to judge, as JSON")
    parser.addoption("--found", metavar="FOUND", help="where to write what was found")


def pytest_configure(config: pytest.Config) -> None:
    """Read the orders, and make the mark known that says which of them a case belongs to."""
    config.addinivalue_line("markers", "judges(name): the target that a case judges")
    orders = msgspec.json.decode(Path(config.getoption("several")).read_bytes(), type=list[Order])
    config.stash[_ORDERS] = {order.name: order for order in orders}
    config.stash[_FINDER] = Finder(Path(config.getoption("found")))
    config.pluginmanager.register(config.stash[_FINDER])


@pytest.fixture(autouse=True)
def _one_of_several(target: Target) -> None:
    """Every case has a target, so that it can be handed one of several."""


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Hand each case, in turn, the targets that it judges."""
    orders = metafunc.config.stash[_ORDERS].values()
    targets = [
        pytest.param(
            read_target(Path(order.described)), id=order.name, marks=pytest.mark.judges(order.name)
        )
        for order in orders
        if _may_want(order, metafunc)
    ]
    metafunc.parametrize("target", targets, scope="session")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the boundary cases that nobody ordered, and what judges no target at all."""
    items[:] = [item for item in items if any(o.wants(_name_of(item)) for o in _orders_of(item))]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Say which target a case is of, and leave out what would show no more than was shown."""
    (order,) = _orders_of(item)
    item.user_properties.append((TARGET, order.name))
    if order.once and (order.name, _name_of(item)) in item.config.stash[_FINDER].failed:
        not_judged(item, "not-judged", "another row of it has failed already")


def _may_want(order: Order, metafunc: pytest.Metafunc) -> bool:
    scenario = scenario_of(metafunc.function)
    if scenario is not None:
        return order.wants(scenario.name)
    return any(title.startswith(FIELD) for title in order.titles)


def _name_of(item: pytest.Item) -> str:
    known = known_of(item)
    return known.id if known.is_boundary else known.title


def _orders_of(item: pytest.Item) -> list[Order]:
    orders = item.config.stash[_ORDERS]
    return [orders[mark.args[0]] for mark in item.iter_markers("judges")]
