"""Libraries that only some commands need: an extra of the wheel installs them."""

from collections.abc import Iterable
from importlib.util import find_spec

from reports.commands.ending import fail_usage
from simulator.client.extras import missing_message

EXTRAS = {
    #  extra  libraries
    "check": ("jsonschema_rs", "pytest", "pytest_bdd", "pytest_timeout", "xdist"),
    "load":  ("locust",),
}  # fmt: skip


def demand_extra(name: str) -> None:
    """End the command with status 2 where the libraries of an extra are not installed."""
    missing = [each for each in EXTRAS[name] if find_spec(each) is None]
    if missing:
        fail_usage(missing_message(_listed(missing), name))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(name.replace("_", "-") for name in names)
