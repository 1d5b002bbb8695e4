"""The wheel: what it holds, and that its commands run where nothing but the wheel is installed.

The environment it is installed in has no access to the repository. It sees the distributions that
the wheel asks for and no other, so that a missing requirement is noticed, and needs no network.
"""

import json
import os
import re
import subprocess
import sys
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement

from simulator.client.processes import running_server
from simulator.tests.kit.trees import PACKAGES, ROOT

EXTRAS = ("check", "load")
DATA = {".csv", ".feature", ".html", ".json", ".typed", ".yaml"}
PAYMENT = {
    "amount": "92.00", "currency": "EUR", "paymentBrand": "VISA", "paymentType": "DB",
    "card.number": "4200000000000000", "card.expiryMonth": "12", "card.expiryYear": "2034",
    "card.holder": "Jane Jones", "card.cvv": "123",
}  # fmt: skip


class Installed(NamedTuple):
    """An environment with the wheel in it, and a folder to work in; both outside the repository."""

    environment: Path
    folder: Path

    @property
    def site_packages(self) -> Path:
        return next((self.environment / "lib").glob("python*/site-packages"))

    @property
    def variables(self) -> dict[str, str]:
        """The variables of this process, without those that name settings or modules."""
        hidden = ("SANDGATE_", "PYTHON", "PYTEST_", "COV")
        kept = {name: text for name, text in os.environ.items() if not name.startswith(hidden)}
        return {**kept, "PATH": f"{self.environment / 'bin'}:{kept['PATH']}"}

    def command(self, *arguments: str) -> list[str]:
        return [str(self.environment / "bin" / "sandgate"), *arguments]

    def run(self, *arguments: str) -> str:
        """What a command of the wheel prints; fails where its exit status is not 0."""
        done = subprocess.run(
            self.command(*arguments), cwd=self.folder, env=self.variables,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    """The names of the files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """An environment with what the wheel asks for, before the wheel is installed."""
    folder = tmp_path_factory.mktemp("outside")
    environment = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    installed = Installed(environment, folder)
    libraries = folder / "libraries"
    libraries.mkdir()
    for each in required_by(description_of(wheel)):
        link_into(libraries, each)
    (installed.site_packages / "libraries.pth").write_text(f"{libraries}\n", encoding="utf-8")
    return installed


@pytest.fixture(scope="module")
def installed(wheel: Path, bare: Installed) -> Iterator[Installed]:
    """The environment with the wheel installed; uninstalled at the end."""
    before = files_in(bare.environment)
    pip(bare, "install", "--no-deps", "--no-index", str(wheel))
    assert files_in(bare.environment) - before
    yield bare
    pip(bare, "uninstall", "--yes", "sandgate")
    assert files_in(bare.environment) == before, "pip uninstall left files"


def pip(installed: Installed, *arguments: str) -> None:
    python = installed.environment / "bin" / "python"
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), *arguments],
        cwd=installed.folder, check=True, capture_output=True,
    )  # fmt: skip


def files_in(environment: Path) -> set[Path]:
    """Every file, and every folder that is not made by running Python."""
    return {path for path in environment.rglob("*") if "__pycache__" not in path.parts}


def description_of(wheel: Path) -> Distribution:
    """The distribution in a wheel that is not installed."""
    archive = zipfile.Path(wheel)
    return PathDistribution(next(each for each in archive.iterdir() if "dist-info" in each.name))


def required_by(root: Distribution) -> list[Distribution]:
    """Each distribution that `root` asks for with its extras, and what those ask for in turn."""
    found: dict[tuple[str, str], Distribution] = {}
    open_ = [(root, extra) for extra in ("", *EXTRAS)]
    while open_:
        new = {
            (wanted.name, extra): distribution(wanted.name)
            for wanted in requirements_of(*open_.pop())
            for extra in ("", *wanted.extras)
            if (wanted.name, extra) not in found
        }
        found |= new
        open_ += [(library, extra) for (_, extra), library in new.items()]
    return list({each.name: each for each in found.values()}.values())


def requirements_of(library: Distribution, extra: str) -> list[Requirement]:
    """What a distribution asks for on this machine, for one of its extras or without any."""
    wanted = map(Requirement, library.requires or ())
    return [
        each for each in wanted if each.marker is None or each.marker.evaluate({"extra": extra})
    ]


def link_into(folder: Path, library: Distribution) -> None:
    """Make the files of an installed distribution importable from `folder`, and no other's."""
    for name in {file.parts[0] for file in library.files or ()}:
        if name not in ("..", "__pycache__") and not name.endswith(".pth"):
            target = folder / name
            if not target.exists():
                target.symlink_to(str(library.locate_file(name)))


def shipped(package: str) -> set[str]:
    files = {file for file in (ROOT / package).rglob("*") if file.is_file()}
    kept = {file for file in files if "tests" not in file.parts and "__pycache__" not in file.parts}
    return {
        file.relative_to(ROOT).as_posix()
        for file in kept
        if file.suffix in DATA | {".py"} or file.name == "py.typed"
    }


@pytest.mark.parametrize("package", PACKAGES)
def test_the_wheel_holds_every_module_and_data_file(names: set[str], package: str) -> None:
    assert f"{package}/py.typed" in names
    assert shipped(package) - names == set()


def test_the_wheel_holds_no_tests_and_brings_the_command(wheel: Path, names: set[str]) -> None:
    assert [name for name in names if "/tests/" in name] == []
    assert [entry.value for entry in description_of(wheel).entry_points] == [
        "simulator.__main__:main"
    ]


def test_the_installed_gateway_serves(installed: Installed) -> None:
    data = installed.folder / "data"
    command = installed.command("serve", "--port", "0", "--data", str(data), "--ready-json")

    with running_server(command, environment=installed.variables) as server:
        facts = server.facts
        sent = {"entityId": facts["entity_id"], **PAYMENT}
        request = urllib.request.Request(
            f"{facts['base_url']}v1/payments",
            data=urllib.parse.urlencode(sent).encode(),
            headers={"Authorization": f"Bearer {facts['token']}"},
        )
        with urllib.request.urlopen(request) as response:
            payment = json.load(response)

    assert payment["result"]["code"] == "000.100.110"


def test_a_command_runs_beside_an_installed_gateway(installed: Installed) -> None:
    program = "import os, simulator; print(simulator.__file__, os.environ['SANDGATE_URL'])"

    printed = installed.run("run", "--port", "0", "--", "python", "-P", "-c", program)

    assert str(installed.site_packages / "simulator" / "__init__.py") in printed
    assert "http://127.0.0.1:" in printed


def test_the_installed_conformance_suite_runs(installed: Installed) -> None:
    printed = installed.run("check", "--only", "PAY-01")

    assert re.search(r"\b[1-9]\d* passed .* 0 failed .* 0 not checkable", printed), printed


def test_the_installed_coverage_names_no_missing_requirement(installed: Installed) -> None:
    printed = installed.run("coverage", "--json")

    assert json.loads(printed)


def test_the_installed_load_test_has_a_throughput(installed: Installed) -> None:
    printed = installed.run("load", "-u", "1", "-t", "1s")

    assert re.search(r"throughput: [0-9.]+ ", printed), printed


@pytest.mark.parametrize("name", ["D-14", "D-100", "PAY-08", "E70", "insufficient-funds", "check"])
def test_the_wheel_holds_what_explain_shows(installed: Installed, name: str) -> None:
    assert installed.run("explain", name).startswith(f"{name}  ")


def test_the_installed_demo_shows_its_stories(installed: Installed) -> None:
    listed = installed.run("demo")

    assert "first-payment" in listed
    assert "000.100.110" in installed.run("demo", "first-payment", "--fast")
