"""The command that repeats a run, as reports may show it: without secrets."""

import re
import shlex
from collections.abc import Iterator
from urllib.parse import urlsplit

import typer

from simulator.client.shown.masking import masked_text

# A check is named anew, a report is not written again, and a key stands in no report.
LEFT_OUT = frozenset(
    {"key", "only", "list_checks", "json", "junit", "html", "events", "output_format"}
)
KEY = 'SANDGATE_WEBHOOK_SECRET="$SANDGATE_WEBHOOK_SECRET"'
HIDDEN = "YOUR-VALUE"
FILLED_IN = ("{id}", "{merchantTransactionId}")
# Of an option, an assignment, an address and digits a part may be a password or a token.
PLAIN_WORDS = re.compile("[A-Za-z_./]+(?:[ -][A-Za-z_./]+)*")


def repeat_command_of(context: typer.Context) -> str:
    """The command line of this call with every option that was given, but for --only and reports.

    The key is named by its variable. YOUR-VALUE stands for each value in the query of an address,
    and for a command unless it is made of plain words. Choice: D-725.
    """
    words = shlex.join(["sandgate", "check-merchant", *_given(context)])
    return words if context.params.get("key_file") else f"{KEY} {words}"


def _given(context: typer.Context) -> Iterator[str]:
    for option in context.command.params:
        name = option.name or ""
        source = context.get_parameter_source(name)
        if name in LEFT_OUT or source is None or source.name != "COMMANDLINE":
            continue
        value = context.params[name]
        for each in value if isinstance(value, (list, tuple)) else [value]:
            yield from (option.opts[0], _shown(name, str(each)))


def _shown(option: str, value: str) -> str:
    if option.endswith("_url"):
        return _shown_address(value)
    if option.endswith("_command") and not all(map(PLAIN_WORDS.fullmatch, shlex.split(value))):
        return HIDDEN
    return masked_text(value)


def _shown_address(url: str) -> str:
    """An address with YOUR-VALUE for every value of its query but the ones filled in here."""
    parts = urlsplit(url)
    query = "&".join(_hidden(each) for each in parts.query.split("&")) if parts.query else ""
    return parts._replace(path=masked_text(parts.path), query=query, fragment="").geturl()


def _hidden(parameter: str) -> str:
    name, equals, value = parameter.partition("=")
    if parameter in FILLED_IN or value in FILLED_IN:
        return parameter
    return f"{name}={HIDDEN}" if equals else HIDDEN
