"""The content of an answer: as much as any answer has, decoded."""

import zlib
from collections.abc import Iterable

# Far above any answer of a merchant API; a hostile gateway must not fill the memory.
CONTENT_BYTES_MAX = 32 * 1024 * 1024
# What a user says it takes, and how it is read: zlib finds out which of the two it is.
CODINGS = "gzip, deflate"
EITHER = 32 + zlib.MAX_WBITS


class RefusedContentError(ValueError):
    """The content is too long, also once it is decoded, or cannot be decoded whole."""


def joined(pieces: Iterable[bytes], coding: str) -> bytes:
    """The pieces as one, decoded. Raises RefusedContentError."""
    if coding not in ("identity", "gzip", "deflate"):
        raise RefusedContentError(f"expected an answer coded as {CODINGS}, or not at all")
    decoder = zlib.decompressobj(EITHER)
    content = bytearray()
    for piece in pieces:
        left = CONTENT_BYTES_MAX + 1 - len(content)
        content += piece if coding == "identity" else _decoded(decoder, piece, left)
        if len(content) > CONTENT_BYTES_MAX:
            raise RefusedContentError(f"expected at most {CONTENT_BYTES_MAX} bytes, got more")
    if coding != "identity" and content and not decoder.eof:
        raise RefusedContentError("expected all of an answer, got a part")
    return bytes(content)


def _decoded(decoder: "zlib._Decompress", piece: bytes, left: int) -> bytes:
    try:
        return decoder.decompress(piece, left)
    except zlib.error as error:
        raise RefusedContentError(f"expected an answer that can be decoded, got {error}") from None
