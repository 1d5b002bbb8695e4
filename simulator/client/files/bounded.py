"""What is read within a bound: files that a command line names, for a device may have no end, and
JSON.
"""

import errno
from pathlib import Path
from typing import IO, Any, AnyStr

# Of a document or a file of settings, as people write them.
DOCUMENT_BYTES_MAX = 1024 * 1024
# Of a file with the data of a sandbox.
SNAPSHOT_BYTES_MAX = 1024 * 1024 * 1024
PIECE_BYTES = 1024 * 1024


def read_within(path: Path, bytes_max: int = DOCUMENT_BYTES_MAX) -> bytes:
    """All of a file. Raises OSError, also where there is more."""
    content = bytearray()
    with path.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            content += piece
            if len(content) > bytes_max:
                raise _too_long(str(path), bytes_max)
    return bytes(content)


def read_text_within(path: Path, bytes_max: int = DOCUMENT_BYTES_MAX) -> str:
    """The text of a file. Raises OSError, UnicodeDecodeError."""
    return read_within(path, bytes_max).decode().replace("\r\n", "\n")


def read_stream_within(stream: IO[AnyStr], length_max: int = DOCUMENT_BYTES_MAX) -> AnyStr:
    """All of an open stream, such as standard input. Raises OSError where there is more."""
    content = stream.read(length_max + 1)
    if len(content) > length_max:
        raise _too_long("-", length_max)
    return content


def values_at_most(content: bytes) -> int:
    """As many as the JSON in `content` has values, or more: each is the first of a list or an
    object, or follows a comma, and texts may have these signs too.
    """
    return sum(map(content.count, (b"[", b"{", b",")))


def is_deeper_than(levels: int, value: Any) -> bool:
    """Whether lists and objects are nested in each other more than so many times."""
    level = [value]
    for _ in range(levels + 1):
        level = [within for each in level if isinstance(each, dict | list)
                 for within in (each.values() if isinstance(each, dict) else each)]  # fmt: skip
    return bool(level)


def _too_long(name: str, length_max: int) -> OSError:
    return OSError(errno.EFBIG, f"a file of more than {length_max} bytes", name)
