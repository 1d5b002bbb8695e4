"""The wheel, installed where nothing of the repository can be seen.

Its environment sees the distributions that the wheel asks for and no other, so that a missing
requirement is noticed, and needs no network.
"""

import os
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement

from simulator.tests.kit.trees import ROOT

EXTRAS = ("check", "load")


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

    def call(self, *arguments: str) -> subprocess.CompletedProcess:
        """How a command of the wheel ends."""
        return subprocess.run(
            self.command(*arguments), cwd=self.folder, env=self.variables,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100,
        )  # fmt: skip

    def run(self, *arguments: str) -> str:
        """What a command of the wheel prints; fails where its exit status is not 0."""
        done = self.call(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def build_wheel(folder: Path) -> Path:
    """A wheel built from this tree."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    return next(folder.glob("*.whl"))


def build_empty_wheel(folder: Path, name: str, version: str) -> None:
    """A wheel of one empty module, which stands in for a library."""
    about = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}.py", "")
        head = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        archive.writestr(f"{about}/METADATA", head)
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")


def bare_environment(wheel: Path, folder: Path, extras: Iterable[str] = EXTRAS) -> Installed:
    """An environment with what the wheel asks for, before the wheel is installed."""
    environment = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    installed = Installed(environment, folder)
    libraries = folder / "libraries"
    libraries.mkdir()
    for each in required_by(description_of(wheel), extras):
        link_into(libraries, each)
    (installed.site_packages / "libraries.pth").write_text(f"{libraries}\n", encoding="utf-8")
    return installed


def pip(installed: Installed, *arguments: str) -> None:
    python = installed.environment / "bin" / "python"
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), *arguments],
        cwd=installed.folder, check=True, capture_output=True,
    )  # fmt: skip


def files_in(environment: Path) -> set[Path]:
    """Every file that is not made by running Python."""
    found = (path for path in environment.rglob("*") if "__pycache__" not in path.parts)
    return {path for path in found if not path.is_dir()}


def description_of(wheel: Path) -> Distribution:
    """The distribution in a wheel that is not installed."""
    archive = zipfile.Path(wheel)
    return PathDistribution(next(each for each in archive.iterdir() if "dist-info" in each.name))


def required_by(root: Distribution, extras: Iterable[str]) -> list[Distribution]:
    """Each distribution that `root` asks for with its extras, and what those ask for in turn."""
    found: dict[tuple[str, str], Distribution] = {}
    open_ = [(root, extra) for extra in ("", *extras)]
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
