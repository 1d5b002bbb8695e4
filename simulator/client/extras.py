"""Extras of the package: the command that installs one where this runs.

No package index has Sandgate, or has another program of this name. So a command names the checkout
or the wheel it was installed from, or the environment in which it is installed already.
"""

import json
import re
import sys
from collections import defaultdict
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

NAME = "sandgate"
TOOLS = {
    #  in the environment   what made it
    "uv-receipt.toml":     "uv tool install",
    "pipx_metadata.json":  "pipx install",
}  # fmt: skip
SOURCE_FOLDER = Path(__file__).parents[2]


class Installation(NamedTuple):
    """Where Sandgate runs, and the checkout or wheel of this machine that it came from."""

    prefix: Path
    python: str
    source: Path | None
    is_editable: bool
    extras: frozenset[str]
    has_pip: bool
    is_installed: bool


def missing_message(libraries: str, extra: str) -> str:
    """What is said where libraries of an extra are missing, with the command that adds them."""
    return f"expected {libraries} to be installed\nNext: {install_command(extra)}"


@cache
def install_command(extra: str = "") -> str:
    """The command that adds an extra to this environment; without one, what is missing in it."""
    try:
        return command_for(installation_of(distribution(NAME)), extra)
    except PackageNotFoundError:
        return command_for(installation_of(None), extra)


def command_for(place: Installation, extra: str) -> str:
    """The command for an installation.

    pipx and uv make the environment of a tool anew, so they are given all extras. Everywhere else
    Sandgate stays as it is installed, and libraries are added.
    """
    tool = _tool_of(place.prefix)
    added = {extra} - {""}
    if tool and place.source is not None and place.source.exists():
        editable = "--editable " if place.is_editable else ""
        return f"{tool} --force {editable}{_requirement(place.source, added | place.extras)}"
    requirement = _requirement(NAME if place.is_installed else place.source, added)
    if place.has_pip:
        return f"{quote(place.python)} -m pip install {requirement}"
    return f"uv pip install --python {quote(place.python)} {requirement}"


def installation_of(found: Distribution | None) -> Installation:
    """The installation of a distribution; without one, Sandgate runs from its source folder."""
    written = (found and found.read_text("direct_url.json")) or "{}"
    origin = json.loads(written)
    url = urlsplit(origin.get("url", ""))
    source = Path(url2pathname(url.path)) if url.scheme == "file" else None
    return Installation(
        prefix=Path(sys.prefix),
        python=sys.executable,
        source=source if found else SOURCE_FOLDER,
        is_editable=origin.get("dir_info", {}).get("editable", False),
        extras=_extras_of(found) if found else frozenset(),
        has_pip=find_spec("pip") is not None,
        is_installed=found is not None,
    )


def _tool_of(prefix: Path) -> str:
    """The command that made an environment for Sandgate; empty where it is for another purpose."""
    made = (command for name, command in TOOLS.items() if (prefix / name).exists())
    return next(made, "") if prefix.name == NAME else ""


def _requirement(name: Path | str | None, extras: set[str] | frozenset[str]) -> str:
    return quote(f"{name}[{','.join(sorted(extras))}]" if extras else str(name))


def _extras_of(found: Distribution) -> frozenset[str]:
    """The extras of a distribution whose libraries are all installed."""
    libraries = defaultdict(set)
    for line in found.requires or ():
        if wanted := re.match(r"([\w.-]+).*\bextra == ['\"]([\w-]+)['\"]", line):
            libraries[wanted[2]].add(wanted[1])
    return frozenset(extra for extra, names in libraries.items() if all(map(_is_there, names)))


def _is_there(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True
