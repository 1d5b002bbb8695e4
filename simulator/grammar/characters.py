"""Control characters: one rule for formats, logs and terminals (Choice: D-266); and the characters
of a key.

They move a cursor, end a line, or turn the direction of what follows: the characters of C0, DEL
and C1, the separators of lines and paragraphs, and the embeddings, overrides and isolates of
directions. Line breaks and tabs are among them, and are part of ordinary texts.
"""

import re
from collections.abc import Mapping
from typing import Any

# Ranges of a class in a pattern; engines of other languages read them alike.
CONTROLS_BUT_LINE_SIGNS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
# A half of a surrogate pair alone can be written to no stream, and two that are no signs to no XML.
SHOWN_ESCAPED = re.compile(rf"[{CONTROLS}\ud800-\udfff\ufffe\uffff]")
SHOWN_ESCAPED_IN_LINES = re.compile(rf"[{CONTROLS_BUT_LINE_SIGNS}\r\ud800-\udfff\ufffe\uffff]")
ON_TERMINAL = re.compile(
    rf"(\x1b\[[0-9;]*[mAK]|\x1b\[\?25[lh]|\r)|{SHOWN_ESCAPED_IN_LINES.pattern}"
)
# What the header Authorization can carry as a Bearer credential: token68 of RFC 7235, RFC 6750.
CREDENTIAL = re.compile(r"[A-Za-z0-9._~+/-]+=*")
CREDENTIAL_SIGNS = "letters, digits and -._~+/ (at the end also =)"
# A scheme is the same in capitals and small letters. Source: RFC 7235, 2.1.
BEARER = re.compile(rf"(?i:bearer) +({CREDENTIAL.pattern}) *")
NAMED = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def escape_controls(text: str, *, keep_lines: bool = False) -> str:
    """The text with each control character as an escape, such as \\x1b; one line.

    With `keep_lines` line feeds and tabs stay.
    """
    pattern = SHOWN_ESCAPED_IN_LINES if keep_lines else SHOWN_ESCAPED
    return pattern.sub(_escaped, text)


def escape_output(text: str, *, is_terminal: bool) -> str:
    """What a program prints, with each control character as an escape of JSON, so that JSON keeps
    its meaning. Line feeds and tabs stay; on a terminal also colors and the moves of a progress
    bar.
    """
    if not is_terminal:
        return SHOWN_ESCAPED_IN_LINES.sub(_escaped_as_json, text)
    return ON_TERMINAL.sub(lambda found: found[1] or _escaped_as_json(found), text)


def escaped_document(document: Any) -> Any:
    """A document for people: every text of it escaped, and one line."""
    if isinstance(document, str):
        return escape_controls(document)
    if isinstance(document, Mapping):
        return {escaped_document(key): escaped_document(each) for key, each in document.items()}
    return [*map(escaped_document, document)] if isinstance(document, list | tuple) else document


def _escaped_as_json(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _escaped(found: re.Match[str]) -> str:
    sign = found[0]
    code = ord(sign)
    return NAMED.get(sign) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
