"""The examples run as docs/how-to/run.md says, outside the repository, where their language is."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.tests.kit.running import clean_environment
from simulator.tests.kit.trees import ROOT

EXAMPLES = ROOT / "examples"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project outside the repository that holds the examples."""
    shutil.copytree(EXAMPLES, tmp_path / "project")
    return tmp_path / "project"


def ran_beside_a_gateway(project: Path, *command: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-P", "-m", "simulator", "run", "--", *command],
        cwd=project, env={**clean_environment(), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True, text=True, timeout=100,
    )  # fmt: skip


def test_the_pytest_example_passes(project: Path) -> None:
    done = ran_beside_a_gateway(project, sys.executable, "-m", "pytest", "-q", "pytest")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout


def test_an_example_that_fails_makes_the_run_fail(project: Path) -> None:
    with (project / "pytest" / "test_shop.py").open("a") as file:
        file.write("\n\ndef test_wrong(shop):\n    assert shop.pay('1.00', CARD).status == 400\n")

    done = ran_beside_a_gateway(project, sys.executable, "-m", "pytest", "-q", "pytest")

    assert done.returncode == 1


def test_the_shop_says_which_variables_it_misses(project: Path) -> None:
    given = {**clean_environment(), "SANDGATE_URL": "http://127.0.0.1:9/", "SANDGATE_TOKEN": ""}
    done = subprocess.run(
        [sys.executable, "shop/shop.py"],
        cwd=project, env=given, capture_output=True, text=True, timeout=30,
    )  # fmt: skip

    said = "shop.py: expected SANDGATE_TOKEN, SANDGATE_ENTITY_ID; paste the export line of"
    assert done.returncode == 1
    assert done.stderr == f"{said} `sandgate serve`\n"


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not a part of every machine")
def test_the_jest_example_passes_under_the_runner_of_node(project: Path) -> None:
    done = ran_beside_a_gateway(project, "node", "--test", "jest/")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "# pass 6" in done.stdout


@pytest.mark.skipif(shutil.which("php") is None, reason="PHP is not a part of every machine")
@pytest.mark.parametrize("name", ["Shop.php", "ShopTest.php"])
def test_the_phpunit_example_is_php(name: str) -> None:
    checked = subprocess.run(
        ["php", "-l", str(EXAMPLES / "phpunit" / name)], capture_output=True, text=True
    )

    assert checked.returncode == 0, checked.stdout
