"""What by itself opens or moves a payment is cut for those who may only read. Choice: D-493.

The id of a checkout opens its form and lists what its customer has stored, the ids of a challenge
answer it at the ACS or end it, and a packed message of a browser holds them. The first signs stay.
"""

import re
from collections.abc import Iterator

SHOWN = 8
# So much of a text is looked through at once; what begins in it may go on for so much more.
SLICE_LENGTH, REACH = 32 * 1024, 256
CUT = "…"
UUID = "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"
# The id of a challenge stands behind its name or the path of its page; the markup of a page, or
# quotes that are escaped, stand between.
OPENING = re.compile(
    r"(?P<checkout>[0-9A-Fa-f]{8})[0-9A-Fa-f]{24}(?:\.|%2[Ee])[0-9a-z]{15}"
    r"|(?P<name>(?:(?:acs|threeDSServer)Trans(?:action)?I[Dd]|acs/challenge)[\s\S]{1,80}?)"
    rf"(?={UUID})(?P<challenge>[0-9A-Fa-f]{{8}})[0-9A-Fa-f-]{{28}}"
    r"|(?P<packed>eyJ[\w-]{5})[\w+/=-]{16,}"
)
# More of the id of a checkout than is shown of it, and all behind.
BEGUN = re.compile(rf"(?<![0-9A-F])([0-9A-F]{{{SHOWN}}})[0-9A-F{CUT}].*", re.DOTALL)


def cut_openings(text: str) -> str:
    """A text in which every value that opens something is cut to its first signs."""
    return OPENING.sub(_cut, text)


def cut_in_slices(text: str) -> Iterator[str]:
    """The same in pieces: to look through a megabyte takes a tenth of a second."""
    done = 0
    while done < len(text):
        end = done + SLICE_LENGTH
        for found in OPENING.finditer(text, done, end + REACH):
            if found.start() >= end:
                break
            # A packed message may be longer than what was looked at.
            whole = OPENING.match(text, found.start()) or found
            yield text[done : found.start()] + _cut(whole)
            done = whole.end()
        yield text[done:end]
        done = max(done, end)


def cut_beginning(path: str) -> str:
    """The beginning of a path that is looked for, with no more of a checkout's id than is shown:
    else the rest could be tried sign by sign.
    """
    return BEGUN.sub(r"\1", path)


def _cut(found: re.Match[str]) -> str:
    value = found["checkout"] or found["challenge"] or found["packed"]
    return f"{found['name'] or ''}{value}{CUT}"
