"""The secrets that a command was given: those in its environment and on its command line.

Each may have any form, so that nothing but the command knows what to hide. Choice: D-359.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import pairwise
from pathlib import PurePath
from typing import Protocol, runtime_checkable
from urllib.parse import quote, quote_plus, unquote

from simulator.client.shown.writable import writable

MASK = "***"
# Shorter ones may be words, which stand in texts.
LENGTH_MIN = 12
# How the names of secrets end, as variables and as options: SANDGATE_TOKEN, --control-key.
NAME = re.compile(r"(?:.*[_-]|PG)(?:KEY|TOKEN|SECRET|PASSPHRASE|PASSWORD)", re.IGNORECASE)
VARIABLE = re.compile(r"(?:SANDGATE_|PG).*")
# The password of an address, in its user part or as a parameter: postgresql://user:password@host.
IN_ADDRESS = re.compile(r"://[^/?#\s:]*:(\S+)@|[?&](?:ssl)?password=([^&\s]+)", re.IGNORECASE)


class KnownSecrets:
    """Hides texts wherever they stand: as they are, in an address or a form, and in JSON, in
    capitals or not.
    """

    __slots__ = ("_forms", "_pattern")

    def __init__(self, *secrets: str):
        found = {form for each in secrets for form in _forms_of(each)}
        self._forms = tuple(sorted(found, key=len, reverse=True))
        self._pattern = re.compile("|".join(map(re.escape, self._forms)), re.IGNORECASE)

    def with_more(self, secrets: Iterable[str]) -> "KnownSecrets":
        """These, and more of them."""
        return KnownSecrets(*self._forms, *secrets)

    def hidden_in(self, text: str) -> str:
        """The text without them."""
        lowered = text.lower()
        if not any(form in lowered for form in self._forms):
            return text
        return self._pattern.sub(MASK, text)


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
    sent = writable(secret)
    written = {secret, sent, quote(sent, safe=""), quote(sent), quote_plus(sent)}
    # One that is taken for a file is shown as its path is: without a slash at the end.
    written |= {json.dumps(secret)[1:-1], repr(secret)[1:-1], str(PurePath(secret))}
    return {each.lower() for each in written if len(each) >= LENGTH_MIN}
