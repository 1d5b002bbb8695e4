"""The machine, date, versions and command that figures were measured with."""

import os
import platform
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = ("sandgate", "falcon", "gevent", "greenlet", "msgspec", "tinydb", "cryptography")
GIGABYTE = 1024**3


def describe_run(command: str) -> dict[str, Any]:
    """Describe where figures come from: the parts of the machine, never its name."""
    return {
        "command": command,
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "machine": {
            "processor": _processor(),
            "cores": os.cpu_count() or 1,
            "memory (GiB)": round(_memory_bytes() / GIGABYTE),
            "system": f"{platform.system()} {platform.release().partition('-')[0]}",
            "load before": f"{os.getloadavg()[0]:.2f}",
        },
        "versions": {"Python": platform.python_version(), **_versions(PACKAGES)},
    }


def command_line_of(module: str) -> str:
    """Return the command of this process, as it can be repeated anywhere."""
    return " ".join(["python -m", module, *sys.argv[1:]])


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.machine())


def _memory_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _versions(names: Iterable[str]) -> dict[str, str]:
    found = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found
