"""A real browser for scenarios about the hosted form, where this machine has one.

The extra `browser` of the package brings what drives it, which is imported only when it is needed.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from simulator.client.extras import install_command

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# A small shared memory, as containers have it, would end the browser.
ARGUMENTS = ("--disable-dev-shm-usage", "--disable-gpu", "--no-first-run")


@cache
def browser_problem() -> str:
    """Why no browser can be started here, and what to install; empty where one can."""
    return problem_of(
        has_driver=find_spec("playwright") is not None, find_named=_named, find_own=_own_exists
    )


def problem_of(
    *, has_driver: bool, find_named: Callable[[], str | None], find_own: Callable[[], bool]
) -> str:
    """The problem of a machine; whether it has a browser is asked only where it has the driver."""
    if not has_driver:
        return f"this needs a browser: install Chromium, then run: {install_command('browser')}"
    return "" if find_named() or find_own() else no_browser()


def no_browser() -> str:
    """How a browser comes to be found; playwright is in the environment that this runs in."""
    return (
        f"this needs a browser: put one of {', '.join(NAMES)} on the PATH, or "
        f"{quote(sys.executable)} -m playwright install chromium"
    )


@contextmanager
def running_browser() -> "Iterator[Browser]":
    """A browser without a window, until the end of the block."""
    from playwright.sync_api import sync_playwright

    # Only root must do without its sandbox.
    arguments = [*ARGUMENTS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_named(), args=arguments)
        try:
            yield browser
        finally:
            browser.close()


def _named() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def _own_exists() -> bool:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path).is_file()
