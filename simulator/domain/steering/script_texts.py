"""Texts of a script: they are shown as they are, so none may hold a card number, token or key."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from scenarios.errors import Problem, ScriptError
from simulator.domain.masking.refusals import EXPECTED, GOT, holds_secret, holds_sure_secret

# What is compared with texts that merchants send: digits of those may pass a check by chance.
COMPARED = (
    "match",
    "behaviour.match",
    "behaviour.steps.risk.deny",
    "behaviour.steps.risk.fingerprint.deny",
)


def refuse_secrets_in(document: Mapping[str, Any]) -> None:
    """Raise ScriptError for a text or a name in the document that arms a script. Choice: D-661."""
    members = (_texts_in(document.get(name), name) for name in ("behaviour", "match"))
    for where, text in chain.from_iterable(members):
        holds = holds_sure_secret if where.startswith(COMPARED) else holds_secret
        if holds(text):
            raise ScriptError(Problem(where, EXPECTED, GOT))


def _texts_in(value: Any, where: str) -> Iterator[tuple[str, str]]:
    """Each text with its place. A name comes before a place is made of it."""
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield where, name
            yield from _texts_in(each, f"{where}.{name}")
    elif isinstance(value, list | tuple):
        for number, each in enumerate(value):
            yield from _texts_in(each, f"{where}[{number}]")
