"""Imports point down, or stay on their floor. Read from the syntax trees."""

import ast
from collections.abc import Callable
from functools import cache

from simulator.tests.kit.trees import Source, imports_of, sources

FLOORS = (
    #  package                 floor
    ("simulator.grammar", 0),
    ("simulator.client", 0),
    ("simulator.catalogue", 1),
    ("simulator.derive", 2),
    ("simulator.domain", 3),
    ("scenarios", 3),
    ("acquirer_mocks", 4),
    ("simulator.adapters", 4),
    ("simulator.service", 5),
    ("simulator.web", 6),
    ("simulator", 7),
)
ASIDE = ("pos_emulator", "features", "load", "reports")
# The programs that know the gateway by HTTP alone, lowest first: each may import those before.
BLACK_BOX = ("simulator.client", "reports", "features", "load")
FOREIGN = {
    #  what must stay out    of these, whatever floor they are on
    "falcon": ("simulator.grammar", "simulator.catalogue", "simulator.derive", "simulator.domain",
               "scenarios", "simulator.service"),
    "tinydb": ("simulator.grammar", "simulator.catalogue", "simulator.derive", "simulator.domain",
               "scenarios", "simulator.service", "simulator.web"),
}  # fmt: skip
STAY_APART = (
    #  the one               does not know the other
    ("simulator.service", "simulator.adapters"),
    ("simulator.web", "simulator.adapters"),
    ("simulator.grammar", "simulator.client"),
    ("simulator.client", "simulator.grammar"),
)
GEVENT_ALLOWED = ("simulator.adapters", "simulator.serving", "simulator.__main__", "load")
PURE = ("simulator.grammar", "simulator.catalogue", "simulator.derive", "simulator.domain")
EFFECTS = frozenset({
    "gevent", "os", "pathlib", "random", "requests", "secrets", "socket", "subprocess", "threading",
    "time", "urllib.request", "uuid",
})  # fmt: skip


@cache
def modules() -> list[Source]:
    """The modules that are no tests. Nobody else who collects this file waits for them."""
    return [source for source in sources() if not source.is_test]


def is_in(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)


def floor_of(module: str) -> int:
    if module == "simulator":
        return 0  # The package itself holds nothing; see the test of it below.
    return next((floor for name, floor in FLOORS if is_in(module, name)), 0)


def imports_where(is_wrong: Callable[[Source, str], bool], modules: list[Source]) -> list[str]:
    return sorted(
        {
            f"{source.path}:{line} imports {name}"
            for source in modules
            for name, line in imports_of(source)
            if is_wrong(source, name)
        }
    )


def test_an_import_points_down_or_stays_on_its_floor():
    core = [source for source in modules() if source.package not in ASIDE]

    found = imports_where(lambda source, name: floor_of(name) > floor_of(source.module), core)

    assert not found, f"{found}: move what is shared down, or hand it in as an argument"


def test_the_package_itself_imports_nothing():
    found = imports_where(lambda source, name: source.module == "simulator", modules())

    assert not found, f"{found}: simulator/__init__.py holds nothing"


def test_the_core_does_not_know_the_programs_beside_it():
    core = [source for source in modules() if source.package not in ASIDE]

    found = imports_where(lambda source, name: is_in(name, *ASIDE), core)

    assert not found, f"{found}: {', '.join(ASIDE)} use the gateway, never the other way round"


def test_a_judge_knows_the_gateway_through_its_client_alone():
    judges = [source for source in sources() if source.package in ASIDE]
    ours = ("simulator", "scenarios", "acquirer_mocks")

    found = imports_where(
        lambda source, name: (
            is_in(name, *ours) and name != "simulator" and not is_in(name, "simulator.client")
        ),
        judges,
    )

    assert not found, f"{found}: speak HTTP through simulator.client, and keep tables of your own"


def test_black_box_programs_import_in_one_order():
    programs = [source for source in sources() if is_in(source.module, *BLACK_BOX)]

    found = imports_where(
        lambda source, name: is_in(name, *BLACK_BOX[black_box_rank(source.module) + 1 :]), programs
    )

    assert not found, f"{found}: the order is {' < '.join(BLACK_BOX)}; move what is shared down"


def black_box_rank(module: str) -> int:
    return next(rank for rank, name in enumerate(BLACK_BOX) if is_in(module, name))


def test_neighbours_that_stay_apart_do_not_know_each_other():
    for one, other in STAY_APART:
        found = imports_where(
            lambda source, name, one=one, other=other: (
                is_in(source.module, one) and is_in(name, other)
            ),
            modules(),
        )

        assert not found, f"{found}: {one} gets it through a port or an argument"


def test_libraries_stay_on_their_floors():
    for library, packages in FOREIGN.items():
        found = imports_where(
            lambda source, name, library=library, packages=packages: (
                is_in(source.module, *packages) and is_in(name, library)
            ),
            modules(),
        )

        assert not found, f"{found}: {library} belongs to the edges (adapters or web)"


def test_gevent_is_known_where_things_wait_and_nowhere_else():
    found = imports_where(
        lambda source, name: is_in(name, "gevent") and not is_in(source.module, *GEVENT_ALLOWED),
        modules(),
    )

    assert not found, f"{found}: put what waits behind a port; its adapter may use gevent"


def test_gevent_patches_in_the_entry_point_alone():
    found = imports_where(
        lambda source, name: is_in(name, "gevent.monkey") and source.module != "simulator.__main__",
        sources(),
    )

    assert not found, f"{found}: simulator/__main__.py patches, before anything else is imported"


def test_locust_is_known_to_load_alone():
    found = imports_where(
        lambda source, name: is_in(name, "locust") and source.package != "load", sources()
    )

    assert not found, f"{found}: importing locust patches the process; keep it in load/"


def test_pure_floors_have_no_effects():
    found = imports_where(
        lambda source, name: is_in(source.module, *PURE) and name in EFFECTS, modules()
    )

    assert not found, f"{found}: take the time, the random number or the content as an argument"


def test_a_planted_import_that_points_up_is_found():
    planted = Source(
        "simulator.domain.planted", "planted.py", "", ast.parse("from simulator.web import routes")
    )

    assert imports_where(
        lambda source, name: floor_of(name) > floor_of(source.module), [planted]
    ) == [
        "planted.py:1 imports simulator.web",
        "planted.py:1 imports simulator.web.routes",
    ]
