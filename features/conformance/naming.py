"""Names of the target: what the specification leaves open is called there as its file says.

The suite uses the brands and paths of Sandgate. Where the target file names others, requests are
sent with those, and the brands in answers are read as the suite calls them. No step knows of it.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from features.target.records import Target
from simulator.client import Answer

BRAND = "paymentBrand"


def path_at_target(path: str, paths: Mapping[str, str]) -> str:
    """A path as a target calls it that has these names for some; a query stays behind it."""
    bare, mark, query = path.partition("?")
    for ours, theirs in paths.items():
        if bare == ours or bare.startswith(f"{ours}/"):
            return f"{theirs}{bare.removeprefix(ours)}{mark}{query}"
    return path


class NameTranslator:
    """The names of a target, for the client of its merchant API."""

    def __init__(self, target: Target):
        self._brands, self._paths = target.brands, target.paths
        self._ours = {theirs: ours for ours, theirs in target.brands.items()}

    def path(self, path: str) -> str:
        """A path as the target calls it; a query stays behind it."""
        return path_at_target(path, self._paths)

    def form(self, body: bytes) -> bytes:
        """A form with the brands of the target; one without a brand to translate as it is."""
        pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)
        sent = [(name, self._brands.get(value, value) if name == BRAND else value)
                for name, value in pairs]  # fmt: skip
        return body if sent == pairs else urlencode(sent).encode()

    def answer(self, answer: Answer) -> Answer:
        """An answer with the brands of the suite."""
        return replace(answer, body=self._read(answer.body)) if self._ours else answer

    def _read(self, body: Any) -> Any:
        if isinstance(body, Mapping):
            return {name: self._ours.get(str(each), each) if name == BRAND else self._read(each)
                    for name, each in body.items()}  # fmt: skip
        return [self._read(each) for each in body] if isinstance(body, list) else body


def names_of(target: Target) -> NameTranslator | None:
    """The names of a target for a client of its merchant API; None where they are the suite's."""
    return NameTranslator(target) if target.brands or target.paths else None
