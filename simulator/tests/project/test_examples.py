"""The examples run as docs/how-to/run.md says, outside the repository, where their language is."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.tests.kit.running import clean_environment
from simulator.tests.kit.trees import ROOT

EXAMPLES = ROOT / "examples"
LIKE_JEST = ROOT / "simulator" / "tests" / "kit" / "like_jest.js"
needs_node = pytest.mark.skipif(
    shutil.which("node") is None, reason="Node is not a part of every machine"
)


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


@needs_node
def test_the_jest_example_passes_under_the_runner_of_node(project: Path) -> None:
    done = ran_beside_a_gateway(project, "node", "--test", "jest/")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "# pass 6" in done.stdout


@needs_node
@pytest.mark.parametrize(("name", "count"), [("shop.test.js", 4), ("sandbox.test.js", 2)])
def test_the_jest_example_passes_as_jest_runs_it(project: Path, name: str, count: int) -> None:
    done = ran_beside_a_gateway(project, "node", str(LIKE_JEST), f"jest/{name}")

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("passed: ") == count


@needs_node
def test_jest_finds_a_configuration_and_the_example_in_a_clone() -> None:
    read = subprocess.run(
        ["node", "-p", "JSON.stringify(require('./jest.config.js'))"],
        cwd=ROOT, capture_output=True, text=True, timeout=30,
    )  # fmt: skip
    folders = [root.replace("<rootDir>", str(ROOT)) for root in json.loads(read.stdout)["roots"]]

    found = [path.name for folder in folders for path in Path(folder).glob("**/*.test.js")]
    assert sorted(found) == ["sandbox.test.js", "shop.test.js"]


@pytest.mark.skipif(shutil.which("php") is None, reason="PHP is not a part of every machine")
@pytest.mark.parametrize("name", ["Shop.php", "ShopTest.php"])
def test_the_phpunit_example_is_php(name: str) -> None:
    checked = subprocess.run(
        ["php", "-l", str(EXAMPLES / "phpunit" / name)], capture_output=True, text=True
    )

    assert checked.returncode == 0, checked.stdout
