"""The content of an answer: as much as any answer has, decoded."""

import zlib
from collections.abc import Iterable, Iterator

# Far above any answer of a merchant API; a hostile gateway must not fill the memory.
CONTENT_BYTES_MAX = 32 * 1024 * 1024
# What a user says it takes.
CODINGS = "gzip, deflate"
GZIP, ZLIB, RAW = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS, -zlib.MAX_WBITS
START_BYTES = 2


class RefusedContentError(ValueError):
    """The content is too long, also once it is decoded, or cannot be decoded whole."""


def joined(pieces: Iterable[bytes], coding: str) -> bytes:
    """The pieces as one, decoded. Raises RefusedContentError."""
    if coding not in ("identity", "gzip", "deflate"):
        raise RefusedContentError(f"expected an answer coded as {CODINGS}, or not at all")
    decoder = zlib.decompressobj(GZIP)
    content = bytearray()
    for number, piece in enumerate(_with_a_start(pieces)):
        if coding == "deflate" and not number:
            decoder = zlib.decompressobj(ZLIB if _is_zlib(piece) else RAW)
        left = CONTENT_BYTES_MAX + 1 - len(content)
        content += piece if coding == "identity" else _decoded(decoder, piece, left)
        if len(content) > CONTENT_BYTES_MAX:
            raise RefusedContentError(f"expected at most {CONTENT_BYTES_MAX} bytes, got more")
    if coding != "identity" and content and not decoder.eof:
        raise RefusedContentError("expected all of an answer, got a part")
    return bytes(content)


def _with_a_start(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces, the first of them long enough to say how it is coded."""
    start = b""
    for piece in pieces:
        if len(start) >= START_BYTES:
            yield piece
        elif len(start := start + piece) >= START_BYTES:
            yield start
    if start and len(start) < START_BYTES:
        yield start


def _is_zlib(start: bytes) -> bool:
    """Whether `deflate` is meant as RFC 9110 has it; some servers leave out the head of zlib."""
    head = start[:START_BYTES]
    return len(head) == START_BYTES and head[0] & 15 == 8 and int.from_bytes(head, "big") % 31 == 0


def _decoded(decoder: "zlib._Decompress", piece: bytes, left: int) -> bytes:
    try:
        return decoder.decompress(piece, left)
    except zlib.error as error:
        raise RefusedContentError(f"expected an answer that can be decoded, got {error}") from None
