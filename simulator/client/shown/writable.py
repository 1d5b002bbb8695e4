"""Texts as a file, a pipe or an address takes them.

JSON, and names whose bytes are no UTF-8, bring halves of surrogate pairs, which no encoding has.
"""

from collections.abc import Mapping
from typing import Any


def writable(text: str) -> str:
    """The text with each half of a surrogate pair as an escape, such as \\udcff."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()


def writable_document(document: Any) -> Any:
    """A document of JSON, every text of it writable."""
    if isinstance(document, str):
        return writable(document)
    if isinstance(document, Mapping):
        return {writable_document(key): writable_document(each) for key, each in document.items()}
    if isinstance(document, tuple):
        return tuple(map(writable_document, document))
    return [*map(writable_document, document)] if isinstance(document, list) else document
