"""The wheel: what it holds, and that its commands run where nothing but the wheel is installed."""

import json
import re
import subprocess
import urllib.parse
import urllib.request
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

from simulator.cli import SECTIONS
from simulator.client.processes import running_server
from simulator.tests.kit.trees import PACKAGES, ROOT
from simulator.tests.kit.wheel import (
    Installed,
    bare_environment,
    build_empty_wheel,
    description_of,
    link_into,
    pip,
)

# Begun with those that take longest: all of them are done by one worker, alone at the end.
pytestmark = pytest.mark.timeout(180)

DATA = {".csv", ".feature", ".html", ".json", ".typed", ".yaml"}
PAYMENT = {
    "amount": "92.00", "currency": "EUR", "paymentBrand": "VISA", "paymentType": "DB",
    "card.number": "4200000000000000", "card.expiryMonth": "12", "card.expiryYear": "2034",
    "card.holder": "Jane Jones", "card.cvv": "123",
}  # fmt: skip


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    """The names of the files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


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
    assert {entry.value for entry in description_of(wheel).entry_points} == {
        "simulator.__main__:main",
        "simulator.client.pytest_plugin",
        "pos_emulator.scripts.fixtures",
    }


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
    printed = installed.run("check", "--only", "PAY-13", "-n", "2")

    assert re.search(r"\b[1-9]\d* passed .* 0 failed .* 0 not checkable", printed), printed


def test_the_installed_coverage_names_no_missing_requirement(installed: Installed) -> None:
    printed = installed.run("coverage", "--format", "json")

    assert json.loads(printed)


def test_the_installed_load_test_has_a_throughput(installed: Installed) -> None:
    printed = installed.run("load", "-u", "1", "-t", "1s")

    assert re.search(r"throughput: [0-9.]+ ", printed), printed


def test_the_installed_plugin_gives_a_test_its_sandbox(installed: Installed) -> None:
    test = "def test_payment(sandgate_sandbox): assert sandgate_sandbox.pay('92.00').status == 200"
    (installed.folder / "test_payment.py").write_text(test, encoding="utf-8")
    done = subprocess.run(
        [str(installed.environment / "bin" / "python"), "-m", "pytest", "-q", "test_payment.py"],
        cwd=installed.folder, env=installed.variables, capture_output=True, text=True, timeout=100,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["D-14", "D-100", "PAY-08", "E70", "insufficient-funds", "check"])
def test_the_wheel_holds_what_explain_shows(installed: Installed, name: str) -> None:
    assert installed.run("explain", name).startswith(f"{name}  ")


def test_the_installed_demo_shows_its_stories(installed: Installed) -> None:
    listed = installed.run("demo")

    assert "first-payment" in listed
    assert "000.100.110" in installed.run("demo", "first-payment", "--fast")


NEED_EXTRA = {
    #  command                                          extra
    "check":                                            "check",
    "steps":                                            "check",
    "coverage":                                         "check",
    "load":                                             "load",
    "terminal run --tui":                               "pos",
    "serve --store postgresql://db.example/sandgate":   "postgresql",
}  # fmt: skip


def test_every_command_is_imported_without_any_extra(plain: Installed) -> None:
    program = (
        "from simulator.cli import SECTIONS\n"
        "from simulator.commands.surface.application import load_command\n"
        "rows = [row for section in SECTIONS.values() for row in section]\n"
        "print(*(load_command(row).name for row in rows))"
    )

    done = subprocess.run(
        [str(plain.environment / "bin" / "python"), "-P", "-c", program],
        cwd=plain.folder, env=plain.variables, capture_output=True, text=True, timeout=100,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [row.name for rows in SECTIONS.values() for row in rows]


@pytest.mark.parametrize("command", NEED_EXTRA)
def test_a_command_that_needs_an_extra_says_so_in_the_one_wording(
    plain: Installed, command: str
) -> None:
    ended = plain.call(*command.split())

    python = plain.environment / "bin" / "python"
    wording = re.compile(
        r"sandgate: (?:--tui: |the database of --store: )?expected [\w, -]+ to be installed\n"
        r"Next: (.+)\n"
    )
    assert ended.returncode == (1 if "serve" in command else 2) and ended.stdout == ""
    assert (shown := wording.fullmatch(ended.stderr)), ended.stderr
    extra = NEED_EXTRA[command]
    assert shown[1] == f"uv pip install --python {python} 'sandgate[{extra}]'"


def test_the_command_that_is_shown_installs_the_extra(wheel: Path, tmp_path: Path) -> None:
    """`pip install 'sandgate[load]'` was shown: the pip of another environment finds no such
    package, or one that is another program. No index is asked here, and locust stands in.
    """
    own = bare_environment(wheel, tmp_path, extras=())
    link_into(tmp_path / "libraries", distribution("pip"))
    pip(own, "install", "--no-deps", "--no-index", str(wheel))
    build_empty_wheel(tmp_path, "locust", "2.99")
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path), "PATH": "/usr/bin:/bin"}

    shown = own.call("load").stderr.partition("\nNext: ")[2]
    done = subprocess.run(
        shown, shell=True, cwd=tmp_path, env={**own.variables, **offline},
        capture_output=True, text=True, timeout=100,
    )  # fmt: skip

    assert done.returncode == 0, (shown, done.stderr)
    assert (own.site_packages / "locust.py").exists()


@pytest.mark.parametrize("command", ["check-merchant", "report", "target", "demo"])
def test_no_command_needs_an_extra_that_it_does_not_name(plain: Installed, command: str) -> None:
    ended = plain.call(command)

    assert "Traceback" not in ended.stderr
    assert "ModuleNotFoundError" not in ended.stderr


def test_the_program_at_the_end_of_path_is_found_beside_a_gateway(plain: Installed) -> None:
    """Nothing is activated: only the whole name of the program is known."""
    environment = {**plain.variables, "PATH": "/usr/bin:/bin"}
    command = plain.command("run", "--", "sh", "-c", "sandgate clock show && command -v python3")

    done = subprocess.run(
        command, cwd=plain.folder, env=environment, capture_output=True, text=True, timeout=100
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("real  ")
