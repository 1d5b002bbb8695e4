"""Bodies of large events: made in pieces while they are sent, and never kept whole.

The tag of the encryption stands in a header before the body, so an event is encrypted twice: once
for its tag, and once more piece by piece. Choice: D-714.
"""

from binascii import hexlify
from collections.abc import Callable, Iterator, Sequence

from cryptography.hazmat.primitives.ciphers import AEADEncryptionContext, Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import GCM

from simulator.domain.webhooks.records import WebhookEvent

# An event with a payload of more is large.
LARGE_BYTES = 64 * 1024
PIECE_BYTES = 64 * 1024
Buffer = bytes | memoryview
Pieces = Callable[[], Iterator[Buffer]]


class LargeBody:
    """A body of `length` bytes, which `pieces` makes anew each time."""

    __slots__ = ("_length", "pieces")

    def __init__(self, length: int, pieces: Pieces):
        self._length = length
        self.pieces = pieces

    def __len__(self) -> int:
        return self._length

    def wrapped(self, before: bytes, after: bytes) -> "LargeBody":
        """The body between two texts."""

        def pieces() -> Iterator[Buffer]:
            yield before
            yield from self.pieces()
            yield after

        return LargeBody(len(before) + len(self) + len(after), pieces)

    def halved(self) -> "LargeBody":
        """The first half of it."""
        length = len(self) // 2

        def pieces() -> Iterator[Buffer]:
            left = length
            for piece in self.pieces():
                yield piece[:left]
                left = max(0, left - len(piece))

        return LargeBody(length, pieces)

    def with_other_digit(self, at: int) -> "LargeBody":
        """The body with another digit at this place."""

        def pieces() -> Iterator[Buffer]:
            place = at
            for piece in self.pieces():
                if 0 <= place < len(piece):
                    changed = bytearray(piece)
                    changed[place] = ord("1") if changed[place] == ord("0") else ord("0")
                    yield bytes(changed)
                else:
                    yield piece
                place -= len(piece)

        return LargeBody(len(self), pieces)


def is_large(event: WebhookEvent) -> bool:
    """Whether its bodies are made in pieces."""
    return len(memoryview(event.payload)) > LARGE_BYTES


def plain_body(parts: Sequence[Buffer]) -> LargeBody:
    """A text as it is; nothing of it is copied."""
    return LargeBody(sum(map(len, parts)), lambda: _in_pieces(parts))


def seal_large(text: LargeBody, secret: bytes, iv: bytes) -> tuple[LargeBody, bytes]:
    """A text encrypted, as hex digits in upper case, and its tag."""
    encryptor = _encryptor(secret, iv)
    for piece in text.pieces():
        encryptor.update(piece)
    encryptor.finalize()

    def pieces() -> Iterator[Buffer]:
        again = _encryptor(secret, iv)
        for piece in text.pieces():
            yield hexlify(again.update(piece)).upper()

    return LargeBody(2 * len(text), pieces), encryptor.tag


def _encryptor(secret: bytes, iv: bytes) -> AEADEncryptionContext:
    return Cipher(AES(secret), GCM(iv)).encryptor()


def _in_pieces(parts: Sequence[Buffer]) -> Iterator[Buffer]:
    for part in parts:
        for start in range(0, len(part), PIECE_BYTES):
            yield part[start : start + PIECE_BYTES]
