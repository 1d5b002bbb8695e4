"""The command that installs an extra is right for the environment it is shown in."""

import json
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

from simulator.client.extras import Installation, command_for, installation_of

PYTHON = "/env/bin/python"
METADATA = """\
Metadata-Version: 2.4
Name: sandgate
Version: 1
Requires-Dist: falcon<5
Requires-Dist: pytest-bdd<10,>=9; extra == 'check'
Requires-Dist: pytest<10,>=9; extra == "check"
Requires-Dist: no-such-library>=1; extra == 'load'
Requires-Dist: pytest; extra == 'load'
"""


def environment(folder: Path, marker: str = "", name: str = "sandgate") -> Path:
    prefix = folder / name
    prefix.mkdir()
    if marker:
        (prefix / marker).touch()
    return prefix


def place_of(prefix: Path, source: Path | None = None, **more: object) -> Installation:
    facts = {"is_editable": False, "extras": frozenset(), "has_pip": True, "is_installed": True}
    return Installation(prefix, PYTHON, source, **{**facts, **more})


def distribution_in(folder: Path, direct_url: object = None) -> PathDistribution:
    (folder / "METADATA").write_text(METADATA, encoding="utf-8")
    if direct_url is not None:
        (folder / "direct_url.json").write_text(json.dumps(direct_url), encoding="utf-8")
    return PathDistribution(folder)


def test_in_a_virtual_environment_its_own_pip_adds_to_what_is_installed(tmp_path: Path) -> None:
    """A bare `pip` may be that of another environment, for which the index has no sandgate."""
    place = place_of(environment(tmp_path), tmp_path)

    assert command_for(place, "check") == "/env/bin/python -m pip install 'sandgate[check]'"


def test_an_environment_without_pip_was_made_by_uv(tmp_path: Path) -> None:
    place = place_of(environment(tmp_path), tmp_path, has_pip=False)

    assert command_for(place, "load") == f"uv pip install --python {PYTHON} 'sandgate[load]'"


TOOLS = [("uv-receipt.toml", "uv tool install"), ("pipx_metadata.json", "pipx install")]


@pytest.mark.parametrize(("marker", "install"), TOOLS)
def test_a_tool_installs_again_from_where_it_did(tmp_path: Path, marker: str, install: str) -> None:
    """The reported case: `pip install 'sandgate[check]'` found no such package."""
    place = place_of(environment(tmp_path, marker), tmp_path)

    assert command_for(place, "check") == f"{install} --force '{tmp_path}[check]'"


def test_a_tool_keeps_the_extras_that_were_there(tmp_path: Path) -> None:
    """It makes the environment anew: what it is not asked for is gone."""
    prefix = environment(tmp_path, "uv-receipt.toml")
    place = place_of(prefix, tmp_path, extras=frozenset({"load"}))

    assert command_for(place, "check") == f"uv tool install --force '{tmp_path}[check,load]'"
    assert command_for(place, "") == f"uv tool install --force '{tmp_path}[load]'"


def test_a_tool_goes_on_with_an_editable_checkout(tmp_path: Path) -> None:
    place = place_of(environment(tmp_path, "pipx_metadata.json"), tmp_path, is_editable=True)

    assert command_for(place, "pos") == f"pipx install --force --editable '{tmp_path}[pos]'"


@pytest.mark.parametrize(("marker", "install"), TOOLS)
def test_the_environment_of_another_tool_is_not_installed_as_sandgate(
    tmp_path: Path, marker: str, install: str
) -> None:
    """As after `uv tool install pytest --with .`, or `pipx inject`."""
    place = place_of(environment(tmp_path, marker, "pytest"), tmp_path)

    assert command_for(place, "check") == f"{PYTHON} -m pip install 'sandgate[check]'"


@pytest.mark.parametrize("source", [None, Path("gone")])
def test_a_tool_whose_source_is_gone_adds_to_what_is_installed(
    tmp_path: Path, source: Path | None
) -> None:
    prefix = environment(tmp_path, "uv-receipt.toml")
    place = place_of(prefix, source and tmp_path / source, has_pip=False)

    assert command_for(place, "check") == f"uv pip install --python {PYTHON} 'sandgate[check]'"


def test_what_runs_from_its_source_folder_is_installed_from_there(tmp_path: Path) -> None:
    place = place_of(environment(tmp_path), tmp_path, is_installed=False)

    assert command_for(place, "check") == f"{PYTHON} -m pip install '{tmp_path}[check]'"
    assert command_for(place, "") == f"{PYTHON} -m pip install {tmp_path}"


def test_the_command_is_one_word_a_path_in_every_shell(tmp_path: Path) -> None:
    source = environment(tmp_path, name="a folder; rm")
    place = place_of(environment(tmp_path, "uv-receipt.toml"), source)

    assert command_for(place, "pos") == f"uv tool install --force '{source}[pos]'"
    spaced = place_of(environment(tmp_path, name="plain"))._replace(python="/a b/python")
    assert command_for(spaced, "") == "'/a b/python' -m pip install sandgate"


def test_where_it_was_installed_from_is_read_with_the_extras_that_are_there(
    tmp_path: Path,
) -> None:
    written = {"url": "file:///a%20b/sandgate", "dir_info": {"editable": True}}
    place = installation_of(distribution_in(tmp_path, written))

    assert (place.source, place.is_editable) == (Path("/a b/sandgate"), True)
    assert (place.extras, place.is_installed) == ({"check"}, True)


@pytest.mark.parametrize(
    "written", [None, {"url": "https://git.example/sandgate.git", "vcs_info": {"vcs": "git"}}]
)
def test_what_is_not_on_this_machine_is_no_source(tmp_path: Path, written: object) -> None:
    place = installation_of(distribution_in(tmp_path, written))

    assert (place.source, place.is_editable, place.is_installed) == (None, False, True)


def test_without_a_distribution_the_source_folder_is_the_one_it_runs_from() -> None:
    place = installation_of(None)

    assert place.source is not None and (place.source / "simulator" / "client").is_dir()
    assert not place.is_installed
