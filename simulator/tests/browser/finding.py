"""Finding a browser for the tests that need one, and installing one where that may be done."""

import fcntl
import os
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

# The shell does without the windows of a desktop: half the processor time for the same pages.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
LOCK = "browser-for-tests.lock"
UPDATE = ("apt-get", "-qq", "update")
INSTALL = ("apt-get", "-qq", "-y", "--no-install-recommends", "install")
# A browser alone brings no font, and shows nothing then.
FONT = "fonts-dejavu-core"
ADVICE = (
    "These tests need a browser and found none. Install Chromium so that one of "
    f"{', '.join(NAMES)} is on the PATH (Debian: apt install chromium), or playwright's own: "
    "python -m playwright install --with-deps chromium"
)


class NoBrowser(Exception):
    """There is no browser; the message says how to come by one."""


class Machine(NamedTuple):
    """What is asked of the machine: a program's path, whether we are root, running a command."""

    which: Callable[[str], str | None] = shutil.which
    is_root: bool = os.geteuid() == 0
    run: Callable[..., subprocess.CompletedProcess] = subprocess.run


def browser_of(own: str, machine: Machine | None = None) -> str:
    """The path of a browser; `own` is where playwright would have put its own.

    One on the PATH, else one that apt-get installs where we are root, else playwright's.
    Raises NoBrowser.
    """
    machine = machine or Machine()
    found = _named(machine) or _installed(machine)
    if found is None and Path(own).is_file():
        found = own
    if found is None:
        raise NoBrowser(ADVICE)
    return found


def _named(machine: Machine) -> str | None:
    return next(filter(None, map(machine.which, NAMES)), None)


def _installed(machine: Machine) -> str | None:
    """What apt-get installed, once however many processes ask; None where it could not."""
    if not (machine.is_root and machine.which("apt-get")):
        return None
    with Path(tempfile.gettempdir(), LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _named(machine) or _install(machine)


def _install(machine: Machine) -> str | None:
    quietly = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (UPDATE, *((*INSTALL, name, FONT) for name in NAMES[:2])):
        machine.run(command, env=quietly, capture_output=True, check=False)
        if found := _named(machine):
            warnings.warn(f"installed a browser for the tests: {found}", stacklevel=2)
            return found
    return None
