"""`sandgate target`: what it prints, and what it says of the file that it goes to."""

import subprocess
from pathlib import Path

import pytest

from features.tests.shop_folder import SANDGATE
from simulator.client.processes import without_settings

COMMAND = [*SANDGATE, "target"]
NAMED = {"SANDGATE_URL": "http://h/", "SANDGATE_TOKEN": "t", "SANDGATE_ENTITY_ID": "e"}


def test_a_target_file_is_printed_from_the_variables_of_a_gateway(folder: Path) -> None:
    for variables, status in ((NAMED, 0), ({"SANDGATE_URL": "http://h/"}, 2)):
        ran = subprocess.run(
            COMMAND, env={**without_settings(), **variables}, capture_output=True, text=True,
            cwd=folder,
        )  # fmt: skip
        assert ran.returncode == status
    assert "expected SANDGATE_TOKEN, SANDGATE_ENTITY_ID" in ran.stderr


@pytest.mark.parametrize(("mode", "is_said"), [(0o600, False), (0o640, True), (0o604, True)])
def test_a_target_file_that_others_may_read_is_named(
    folder: Path, mode: int, is_said: bool
) -> None:
    written = folder / "written.toml"
    written.touch()
    written.chmod(mode)
    with written.open("w") as file:
        ran = subprocess.run(
            COMMAND, env={**without_settings(), **NAMED}, cwd=folder, text=True,
            stdout=file, stderr=subprocess.PIPE, check=True,
        )  # fmt: skip
    assert ("others may read the target file, which holds tokens" in ran.stderr) is is_said
    assert is_said or ran.stderr == ""
