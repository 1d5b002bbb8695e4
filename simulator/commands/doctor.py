"""`sandgate doctor`: whether a gateway can start here with these settings, and what if not."""

import os
from collections.abc import Callable

import typer

from simulator.commands.checks import CheckedSettings, Finding, findings_of
from simulator.commands.options import with_settings
from simulator.settings import Settings, SettingsError, read_settings


def doctor(**given: object) -> None:
    """Check Python, settings, ports, folder, keys, certificate and clock; status 1 if any is wrong.

    Takes the options of `serve`, so that it judges what `serve` would meet. Changes nothing.
    """
    findings = list(findings_of(_case(given)))
    for line in _lines_of(findings):
        typer.echo(line)
    wrong = sum(not finding.is_good for finding in findings)
    typer.echo(f"\n{wrong} of {len(findings)} are wrong" if wrong else "\nEverything is good")
    raise typer.Exit(1 if wrong else 0)


def _case(given: dict[str, object]) -> CheckedSettings:
    try:
        settings, sources = read_settings(given, os.environ)
    except SettingsError as error:
        return CheckedSettings(Settings(), (), os.environ, refused=str(error))
    return CheckedSettings(settings, tuple(sources), os.environ)


def _lines_of(findings: list[Finding]) -> list[str]:
    width = max(len(finding.what) for finding in findings)
    return [
        f"{'good ' if finding.is_good else 'WRONG'}  {finding.what:<{width}}  {finding.found}"
        + (f"\n{'':<{width + 9}}-> {finding.advice}" if finding.advice else "")
        for finding in findings
    ]


main: Callable[..., None] = with_settings(doctor)
