"""`sandgate doctor`: whether a gateway can start here with these settings, and what if not."""

import os
from collections.abc import Callable, Iterator

import typer

from simulator.commands.checks import findings_of
from simulator.commands.findings import CheckedSettings, Finding
from simulator.commands.options import with_settings
from simulator.commands.surface.output import FormatOption, print_result
from simulator.domain.masking.masking import mask_reason
from simulator.setting_sources import read_settings
from simulator.settings import Settings, SettingsError


def doctor(output_format: FormatOption = "text", **given: object) -> None:
    """Check whether `serve` can start with these options, and print what to do if not.

    Checks Python, settings, data folder, keys, logs, certificate, clock and ports, and changes
    nothing. Exit status 1: a check failed.
    """
    findings = [Finding(*map(mask_reason, each)) for each in findings_of(_case(given))]
    wrong = sum(not finding.is_good for finding in findings)
    document = [
        {"check": each.what, "passed": each.is_good, "found": each.found, "advice": each.advice}
        for each in findings
    ]
    total = f"{wrong} of {len(findings)} checks failed" if wrong else "All checks passed"
    print_result(document, [*_lines_of(findings), "", total], output_format)
    raise typer.Exit(1 if wrong else 0)


def _case(given: dict[str, object]) -> CheckedSettings:
    try:
        settings, sources = read_settings(given, os.environ)
    except SettingsError as error:
        return CheckedSettings(Settings(), (), os.environ, refused=mask_reason(str(error)))
    return CheckedSettings(settings, tuple(sources), os.environ)


def _lines_of(findings: list[Finding]) -> Iterator[str]:
    width = max(len(finding.what) for finding in findings)
    for each in findings:
        yield f"{'passed' if each.is_good else 'FAILED'}  {each.what:<{width}}  {each.found}"
        if each.advice:
            yield f"{'':<{width + 10}}-> {each.advice}"


main: Callable[..., None] = with_settings(doctor)
