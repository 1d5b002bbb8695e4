"""Shows broken gateways to the judge: one sound gateway, one listener, one session for all."""

import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from features.mutants.mutant import Fault
from features.mutants.plugin import Found, Order, read_found
from features.mutants.proxy import Broken, served
from simulator.client.processes import authority_in, running_server, without_settings

ROOT = Path(__file__).parents[2]
SUITE = ("features/test_scenarios.py",)
FIELDS = "features/boundaries/test_fields.py"
# A judge loads plugins: those that are not needed take it longer than the scenarios do.
ALONE = {"PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
NEEDED = (
    "pytest_bdd.plugin", "pytest_timeout", "no:cacheprovider", "features.conformance.stream",
    "features.mutants.plugin",
)  # fmt: skip
PLUGINS = tuple(word for plugin in NEEDED for word in ("-p", plugin))


class NotJudged(RuntimeError):
    """The judge came to no end; the message repeats what it wrote."""


@contextmanager
def broken_targets(folder: Path, gateways: Mapping[str, Broken]) -> Iterator[dict[str, Path]]:
    """The description of every gateway as a target, by its name, as long as the block lasts."""
    sound = folder / "sound"
    with running_server(sound, "--durability", "os") as ready, served(ready, gateways) as address:
        facts = {**ready, "ca_file": authority_in(sound)}
        yield {
            name: described(folder / f"{name}.toml", as_told(each, facts, f"{address}{name}/"))
            for name, each in gateways.items()
        }


def as_told(gateway: Broken, ready: Mapping[str, Any], home: str) -> dict[str, str]:
    """How a gateway is described, with what is wrong about that."""
    target = through(ready, home)
    return gateway.describe(target) if isinstance(gateway, Fault) else target


def through(ready: Mapping[str, Any], home: str) -> dict[str, str]:
    """The sound gateway as a target, with the addresses of one of those in front of it.

    TLS nothing stands in front of.
    """
    names = ("token", "entity_id", "control_key", "profile", "live_token", "tls_url", "ca_file")
    doors = {"base_url": "merchant", "live_url": "live", "control_url": "control"}
    return {name: str(ready[name]) for name in names} | {
        name: f"{home}{door}/" for name, door in doors.items()
    }


def described(file: Path, target: Mapping[str, str]) -> Path:
    """A target written as a file that describes it."""
    lines = [f'{name} = "{text}"' for name, text in target.items()]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def judged(folder: Path, orders: Iterable[Order]) -> list[Found]:
    """What a judge found of several targets in one session. Raises NotJudged."""
    orders = list(orders)
    (folder / "orders.json").write_bytes(msgspec.json.encode(orders))
    found = folder / "found.jsonl"
    found.write_bytes(b"")
    options = ["--several", str(folder / "orders.json"), "--found", str(found)]
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", *PLUGINS, *options]
    ran = subprocess.run(
        [*command, *modules_for(orders)],
        cwd=ROOT, env={**without_settings(), **ALONE}, capture_output=True, text=True,
    )  # fmt: skip
    if ran.returncode not in (0, 1):
        raise NotJudged(f"{' '.join(command)}\n{ran.stdout[-5_000:]}{ran.stderr[-5_000:]}")
    return read_found(found)


def modules_for(orders: Iterable[Order]) -> tuple[str, ...]:
    """The test modules in which the cases of these orders are found."""
    titles = [title for order in orders for title in order.titles]
    return (*SUITE, FIELDS) if any(title.startswith("FIELD:") for title in titles) else SUITE
