"""`sandgate run -- COMMAND`: a gateway and a sandbox for as long as one command runs."""

import os
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from simulator.client import Control
from simulator.client.processes import ServerStartError
from simulator.commands.gateway import gateway, without_records
from simulator.commands.options import as_arguments, with_settings
from simulator.commands.signals import InterruptedByUserError, Relay
from simulator.setting_sources import read_settings
from simulator.variables import path_with_program, variables_of_run

GATEWAY_FAILED, NOT_EXECUTABLE, NOT_FOUND = 125, 126, 127
# What holds unless it is set anywhere: only problems are logged, and nothing that is removed
# afterwards is waited for.
QUIET = {"log_level": "warning"}
TEMPORARY = {"durability": "os"}
ALWAYS = {"port": "0"}
SHOWN = {**QUIET, **TEMPORARY, **ALWAYS, "data": "a temporary folder"}


def run(
    command: Annotated[
        list[str], typer.Argument(metavar="COMMAND...", help="The command and its arguments.")
    ],
    **given: object,
) -> None:
    """Run a command with a gateway and a sandbox of its own.

    The command finds addresses and credentials in its environment. The exit status is that of the
    command; 125 where the gateway could not start.
    """
    _, sources = read_settings(given, os.environ)
    unset = {source.row.name for source in sources if source.origin == "default"}
    relay = Relay()
    relay.listen()
    raise typer.Exit(_run(relay, command, _chosen(given), unset))


def _run(
    relay: Relay, command: list[str], chosen: dict[str, object], unset: Collection[str]
) -> int:
    try:
        environment = os.environ if "data" in chosen else without_records(chosen)
        with (
            _options(chosen, unset) as options,
            gateway(as_arguments(options), environment) as facts,
        ):
            found = facts | {"ca_file": str(_ca_file(options))}
            return _run_beside(relay, command, found | _sandbox(found))
    except InterruptedByUserError as interrupted:
        return 128 + interrupted.number
    except ServerStartError as error:
        return _complain(str(error), GATEWAY_FAILED)


def _run_beside(relay: Relay, command: list[str], facts: Mapping[str, str]) -> int:
    try:
        return relay.run(command, _environment(facts))
    except FileNotFoundError:
        return _complain(f"{command[0]}: command not found", NOT_FOUND)
    except OSError as error:
        return _complain(f"{command[0]}: {error.strerror}", NOT_EXECUTABLE)


def _environment(facts: Mapping[str, str]) -> dict[str, str]:
    """That of this process, and what the command finds the gateway and `sandgate` by."""
    return {**os.environ, "PATH": path_with_program(), **variables_of_run(facts)}


@contextmanager
def _options(chosen: dict[str, object], unset: Collection[str]) -> Iterator[dict[str, object]]:
    """The options of the gateway: free ports and a folder that is removed, unless chosen."""
    options = ALWAYS | chosen | _where(QUIET, unset)
    if "data" in options:
        yield options
        return
    folder = tempfile.mkdtemp(prefix="sandgate-")
    try:
        yield options | _where(TEMPORARY, unset) | {"data": folder}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _where(defaults: Mapping[str, str], unset: Collection[str]) -> dict[str, object]:
    return {name: value for name, value in defaults.items() if name in unset}


def _chosen(given: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in given.items() if value not in (None, [], "")}


def _ca_file(options: Mapping[str, object]) -> Path:
    return Path(str(options["data"])).expanduser().absolute() / "tls" / "ca.pem"


def _sandbox(facts: Mapping[str, str]) -> dict[str, str]:
    """A sandbox of the command's own. Its entity and tokens stand in place of the default one's."""
    control = Control(facts["control_url"], facts["control_key"], ca_file=facts["ca_file"])
    try:
        made = control.create_sandbox()
    finally:
        control.close()
    return {"sandbox_id": made["id"]} | {
        name: made[name] for name in ("token", "live_token", "entity_id") if name in made
    }


def _complain(message: str, status: int) -> int:
    typer.echo(f"sandgate: {message}", err=True)
    return status


main: Callable[..., None] = with_settings(run, SHOWN)
