"""The command that repeats a run, as reports may show it: without secrets."""

import re
import shlex
from collections.abc import Iterator
from urllib.parse import urlsplit

import typer

# A check is named anew, a report is not written again, and a key stands in no report.
LEFT_OUT = frozenset(
    {"key", "only", "list_checks", "json", "junit", "html", "events", "output_format"}
)
KEY = 'SANDGATE_WEBHOOK_SECRET="$SANDGATE_WEBHOOK_SECRET"'
KEY_DIGITS = re.compile(r"[0-9A-Fa-f]{64}")
HIDDEN = "YOUR-VALUE"
FILLED_IN = ("{id}", "{merchantTransactionId}")


def repeat_command_of(context: typer.Context) -> str:
    """The command line of this call with every option that was given, but for --only and reports.

    The key is named by its variable. What stands in the query of an address may be a secret, so
    YOUR-VALUE stands for each, and for 64 hex digits anywhere: a command may hold the key.
    """
    given = (KEY_DIGITS.sub(HIDDEN, word) for word in _given(context))
    words = shlex.join(["sandgate", "check-merchant", *given])
    return words if context.params.get("key_file") else f"{KEY} {words}"


def _given(context: typer.Context) -> Iterator[str]:
    for option in context.command.params:
        name = option.name or ""
        source = context.get_parameter_source(name)
        if name in LEFT_OUT or source is None or source.name != "COMMANDLINE":
            continue
        value = context.params[name]
        for each in value if isinstance(value, (list, tuple)) else [value]:
            yield from (option.opts[0], hidden(each) if name.endswith("_url") else str(each))


def hidden(url: str) -> str:
    """An address with YOUR-VALUE for every value of its query but the ones filled in here."""
    parts = urlsplit(url)
    query = "&".join(_hidden(each) for each in parts.query.split("&")) if parts.query else ""
    return parts._replace(query=query, fragment="").geturl()


def _hidden(parameter: str) -> str:
    name, equals, value = parameter.partition("=")
    if parameter in FILLED_IN or value in FILLED_IN:
        return parameter
    return f"{name}={HIDDEN}" if equals else HIDDEN
