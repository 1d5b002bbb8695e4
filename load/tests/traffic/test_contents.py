"""What is read of an answer, and what of one that would fill the memory."""

import gzip
import tracemalloc
import zlib
from collections.abc import Iterator
from itertools import repeat

import pytest

from load.traffic.contents import CONTENT_BYTES_MAX, RefusedContentError, joined

TEXT = b'{"id": "8a"}' * 100
MEBIBYTE = 1024 * 1024
PIECE_BYTES = 64 * 1024
# One stored block.
RAW_OF_ONE = bytes.fromhex("010100feff") + b"9"


def pieces_of(content: bytes, size: int = 7) -> Iterator[bytes]:
    return (content[at : at + size] for at in range(0, len(content), size))


@pytest.mark.parametrize("size", [1, 2, 7, PIECE_BYTES])
@pytest.mark.parametrize(
    ("coding", "content"),
    [("identity", TEXT), ("gzip", gzip.compress(TEXT)), ("deflate", zlib.compress(TEXT)),
     ("deflate", zlib.compress(TEXT, wbits=-zlib.MAX_WBITS)), ("deflate", RAW_OF_ONE)],
    ids=["identity", "gzip", "deflate", "deflate without the head of zlib", "raw, stored"],
)  # fmt: skip
def test_an_answer_is_read_as_it_was_before_it_was_coded(
    coding: str, content: bytes, size: int
) -> None:
    assert joined(pieces_of(content, size), coding) in (TEXT, b"9")


def bomb() -> Iterator[bytes]:
    """Zeros without end, coded."""
    coder = zlib.compressobj(9, wbits=16 + zlib.MAX_WBITS)
    for piece in repeat(bytes(8 * MEBIBYTE)):
        yield coder.compress(piece)


@pytest.mark.parametrize(
    ("coding", "pieces"), [("identity", repeat(b"9" * PIECE_BYTES)), ("gzip", bomb())]
)
def test_an_answer_without_end_takes_no_more_than_it_may(
    coding: str, pieces: Iterator[bytes]
) -> None:
    tracemalloc.start()
    with pytest.raises(RefusedContentError, match="expected at most"):
        joined(pieces, coding)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * CONTENT_BYTES_MAX


@pytest.mark.parametrize("coding", ["br", "compress", "gzip"])
def test_what_cannot_be_decoded_whole_is_refused(coding: str) -> None:
    with pytest.raises(RefusedContentError, match="expected"):
        joined(pieces_of(gzip.compress(TEXT)[:-20]), coding)
