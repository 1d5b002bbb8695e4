"""Libraries and effects stay on their floors. Read from the syntax trees.

What the project's own packages may import of each other stands in the contracts of pyproject.toml,
which `make check` reads.
"""

import ast
from collections.abc import Callable
from functools import cache

from simulator.adapters.simulators import Simulators, load_simulators
from simulator.tests.kit.trees import Source, imports_of, sources

FOREIGN = {
    #  what must stay out    of these, whatever floor they are on
    "falcon": ("simulator.grammar", "simulator.catalogue", "simulator.derive", "simulator.domain",
               "scenarios", "simulator.service"),
    "tinydb": ("simulator.grammar", "simulator.catalogue", "simulator.derive", "simulator.domain",
               "scenarios", "simulator.service", "simulator.web"),
}  # fmt: skip
# It forks gateways, and takes what gevent replaced in them for itself.
FORKS = "features.mutants.sampled.fork_server"
GEVENT_ALLOWED = ("simulator.adapters", "simulator.serving", "simulator.__main__", "load", FORKS)
PATCHED = ("simulator.__main__", FORKS)
PURE = ("simulator.grammar", "simulator.catalogue", "simulator.derive", "simulator.domain")
EFFECTS = frozenset({
    "gevent", "os", "pathlib", "random", "requests", "secrets", "socket", "subprocess", "threading",
    "time", "urllib.request", "uuid",
})  # fmt: skip


@cache
def modules() -> list[Source]:
    """The modules that are no tests; read by the first test that needs them."""
    return [source for source in sources() if not source.is_test]


def is_in(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)


def imports_where(is_wrong: Callable[[Source, str], bool], modules: list[Source]) -> list[str]:
    return sorted(
        {
            f"{source.path}:{line} imports {name}"
            for source in modules
            for name, line in imports_of(source)
            if is_wrong(source, name)
        }
    )


def test_the_package_itself_imports_nothing():
    found = imports_where(lambda source, name: source.module == "simulator", modules())

    assert not found, f"{found}: simulator/__init__.py holds nothing"


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
        lambda source, name: is_in(name, "gevent.monkey") and source.module not in PATCHED,
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


def imported_packages(modules: list[Source]) -> set[tuple[str, str]]:
    """The pairs of packages of which the first imports the second."""
    packages = {source.package for source in modules}
    return {
        (source.package, named)
        for source in modules
        for name, _ in imports_of(source)
        if (named := name.partition(".")[0]) in packages - {source.package}
    }


def test_no_two_packages_import_each_other():
    pairs = imported_packages(modules())

    assert ("acquirer_mocks", "simulator") in pairs
    assert not {pair for pair in pairs if pair[::-1] in pairs}


def test_the_gateway_finds_its_simulators_by_name():
    assert isinstance(load_simulators(), Simulators)


def test_a_planted_import_is_found():
    planted = Source(
        "simulator.domain.planted", "planted.py", "", ast.parse("from simulator.web import routes")
    )

    assert imports_where(lambda source, name: is_in(name, "simulator.web"), [planted]) == [
        "planted.py:1 imports simulator.web",
        "planted.py:1 imports simulator.web.routes",
    ]
