"""`sandgate serve` and `sandgate config`: the gateway, and the settings it would have."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import typer

from simulator.client.shown.known_secrets import showing_credentials
from simulator.commands.options import with_settings
from simulator.commands.surface.output import FormatOption, aligned, print_result
from simulator.setting_sources import ORDER, Source, read_settings
from simulator.settings import Settings

OTHER_PORTS = ("tls_port", "live_port", "card_port", "acs_port", "sftp_port")


def serve(**given: object) -> None:
    """Start the gateway and serve until it is stopped."""
    settings, sources = read_settings(given, os.environ)
    for note in unused_ports(settings, sources):
        typer.echo(f"sandgate: note: {note}", err=True)
    from simulator.serving import CannotStartError, serve
    from simulator.supervisor import supervise

    try:
        with showing_credentials():
            (serve if settings.processes == 1 else supervise)(settings)
    except (CannotStartError, ChildProcessError) as error:
        typer.echo(f"sandgate: {error}", err=True)
        raise typer.Exit(1) from error


def unused_ports(settings: Settings, sources: Iterable[Source]) -> Iterator[str]:
    """A note for each port that was set beside --port 0, which takes free ones for all."""
    if settings.port != 0:
        return
    for source in sources:
        value = getattr(settings, source.row.name)
        if source.row.name in OTHER_PORTS and source.origin != "default" and value:
            yield (
                f"{source.row.key} {value} is not used: --port 0 takes free ports for every "
                f"listener; choose a --port too ({source.origin})"
            )


def config(output_format: FormatOption = "text", **given: object) -> None:
    """Print every setting, its value, and where the value came from."""
    from simulator.named_files import check_webhook_ca, read_throttle_tables

    settings, sources = read_settings(given, os.environ)
    read_throttle_tables(settings)
    check_webhook_ca(settings)
    rows = [
        {"name": source.row.key, "value": source.shown, "origin": source.origin}
        for source in sources
    ]
    print_result({"order": ORDER, "settings": rows}, _lines_of(sources), output_format)


def _lines_of(sources: Iterable[Source]) -> list[str]:
    read = f"Read in this order, the first that names a setting wins: {ORDER}."
    return [read, "", *aligned((each.row.key, each.shown, each.origin) for each in sources)]


serve_command: Callable[..., Any] = with_settings(serve)
config_command: Callable[..., Any] = with_settings(config)
