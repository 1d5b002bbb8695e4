"""Collects the `.feature` files of a folder, each as a module of its scenarios.

A `conftest.py` beside them, with steps and fixtures of its own, counts as it does for any test.
"""

from pathlib import Path
from types import ModuleType

import pytest
from pytest_bdd import scenario
from pytest_bdd.feature import get_features
from pytest_bdd.scenario import get_python_name_generator


class FeatureModule(pytest.Module):
    """A feature as a module, which is read when it is collected: its folder asks for all of them
    also where few are wanted.
    """

    def _getobj(self) -> ModuleType:
        return module_of(self.path)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """The module of a feature; nothing for any other file, or a hidden one."""
    if file_path.suffix != ".feature" or file_path.name.startswith("."):
        return None
    return FeatureModule.from_parent(parent, path=file_path)


def module_of(path: Path) -> ModuleType:
    """A module with a test for each scenario of a feature."""
    module = ModuleType(path.stem)
    (feature,) = get_features([str(path)])
    for title in feature.scenarios:
        test = scenario(feature.filename, title)(after_last_step)
        names = get_python_name_generator(title)
        setattr(module, next(name for name in names if not hasattr(module, name)), test)
    return module


def after_last_step() -> None:
    """The body of each test: the steps do everything."""
