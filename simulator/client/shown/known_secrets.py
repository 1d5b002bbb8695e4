"""The secrets that a command was given: in its environment, on its command line, in its file.

Each may have any form, so that nothing but the command knows what to hide. Choice: D-359.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import pairwise
from pathlib import PurePath
from typing import Any, Protocol, runtime_checkable
from urllib.parse import unquote

from simulator.client.shown.spelled_secrets import spellings_of

MASK = "***"
# Shorter ones may be words, which stand in texts.
LENGTH_MIN = 12
# How the names of secrets end, as variables and as options: SANDGATE_TOKEN, --control-key.
NAME = re.compile(r"(?:.*[_-]|PG)(?:KEY|TOKEN|SECRET|PASSPHRASE|PASSWORD)", re.IGNORECASE)
VARIABLE = re.compile(r"(?:SANDGATE_|PG).*")
# The password of an address, in its user part or as a parameter: postgresql://user:password@host.
IN_ADDRESS = re.compile(r"://[^/?#\s:]*:(\S+)@|[?&](?:ssl)?password=([^&\s]+)", re.IGNORECASE)


class KnownSecrets:
    """Hides texts wherever they stand, however they are written, in capitals or not."""

    __slots__ = ("_forms", "_pattern", "_secrets")

    def __init__(self, *secrets: str):
        self._secrets = secrets
        found = {form for each in secrets for form in _forms_of(each)}
        self._forms = tuple(sorted(found, key=len, reverse=True))
        self._pattern = re.compile("|".join(map(re.escape, self._forms)), re.IGNORECASE)

    def with_more(self, secrets: Iterable[str]) -> "KnownSecrets":
        """These, and more of them."""
        return KnownSecrets(*self._secrets, *secrets)

    def hidden_in(self, text: str) -> str:
        """The text without them."""
        lowered = text.lower()
        if not any(form in lowered for form in self._forms):
            return text
        return self._pattern.sub(MASK, text)

    def hidden_in_document(self, value: Any) -> Any:
        """A text, or a document with all its texts, names and numbers, without them."""
        if isinstance(value, str):
            return self.hidden_in(value)
        if isinstance(value, dict):
            return {
                self.hidden_in(name): self.hidden_in_document(each) for name, each in value.items()
            }
        if isinstance(value, list):
            return [*map(self.hidden_in_document, value)]
        if isinstance(value, bool) or not isinstance(value, int | float):
            return value
        number = self.hidden_in(str(value))
        return value if number == str(value) else number


def secrets_of(variables: Mapping[str, str], arguments: Sequence[str]) -> Iterator[str]:
    """What the variables and arguments of a command name as secrets, and passwords of addresses."""
    for name, text in variables.items():
        if VARIABLE.fullmatch(name):
            yield from [text] if NAME.fullmatch(name) else _passwords_in(text)
    for name, following in pairwise([*arguments, ""]):
        option, sign, text = name.partition("=")
        if option.startswith("--") and NAME.fullmatch(option):
            yield text if sign else following
        yield from _passwords_in(name)


def secrets_in_file(content: Mapping[str, object]) -> Iterator[str]:
    """The same of a configuration file, whose keys are the names of options."""
    for key, value in content.items():
        yield from [str(value)] if NAME.fullmatch(f"--{key}") else _passwords_in(str(value))


@runtime_checkable
class HidingStream(Protocol):
    """A standard stream that hides the secrets of a command."""

    def showing_secrets(self) -> AbstractContextManager[None]:
        """Hide none of them meanwhile."""
        ...

    def hide(self, secrets: Iterable[str]) -> None:
        """Hide these too from now on."""
        ...


def hide_from_now_on(secrets: Iterable[str]) -> None:
    """What a command was given otherwise than in its environment and on its command line, as in a
    file, stands in neither of its standard streams either.
    """
    given = tuple(secrets)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, HidingStream):
            stream.hide(given)


def showing_credentials() -> AbstractContextManager[None]:
    """What standard output shows meanwhile are credentials, to be used as they are printed."""
    stream = sys.stdout
    return stream.showing_secrets() if isinstance(stream, HidingStream) else nullcontext()


def _passwords_in(text: str) -> Iterator[str]:
    for found in IN_ADDRESS.finditer(text):
        written = found[1] or found[2]
        yield from (written, unquote(written))


def _forms_of(secret: str) -> set[str]:
    # One that is taken for a file is shown as its path is: without a slash at the end.
    written = {*spellings_of(secret), str(PurePath(secret))}
    return {each.lower() for each in written if len(each) >= LENGTH_MIN}
