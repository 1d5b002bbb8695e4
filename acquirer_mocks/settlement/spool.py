"""A temporary file that keeps records by key, in the order they came, in little memory."""

import os
from array import array
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import Generic, TypeVar

import msgspec

CHUNK_BYTES = 16_384
LENGTH_BYTES = 4

Record = TypeVar("Record", bound=msgspec.Struct)


class LineSpool(Generic[Record]):
    """Records of one type. Those of a key are read back together, though others came between.

    At most 16 KiB of each key are in memory. A process that was forked reads the same. Close it
    after use: it is a file without a name.
    """

    def __init__(self, kind: type[Record]):
        self._file = TemporaryFile()  # noqa: SIM115 - it lives as long as the spool
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = msgspec.msgpack.Decoder(kind)
        self._open: dict[str, bytearray] = {}
        self._chunks: dict[str, array[int]] = {}
        self._end = 0

    def add(self, key: str, record: Record) -> None:
        """Append a record."""
        encoded = self._encoder.encode(record)
        buffer = self._open.setdefault(key, bytearray())
        buffer += len(encoded).to_bytes(LENGTH_BYTES, "big")
        buffer += encoded
        if len(buffer) >= CHUNK_BYTES:
            self._write(key, buffer)

    def read(self, key: str) -> Iterator[Record]:
        """The records of a key, first come first. Nothing is added while this is read."""
        chunks = self._chunks.get(key, array("Q"))
        for start, size in zip(chunks[::2], chunks[1::2], strict=True):
            # A process that was forked shares the place in the file.
            yield from self._records(os.pread(self._file.fileno(), size, start))
        yield from self._records(bytes(self._open.get(key, b"")))

    def close(self) -> None:
        """Give the file back."""
        self._file.close()

    def _write(self, key: str, buffer: bytearray) -> None:
        self._file.seek(self._end)
        self._file.write(buffer)
        self._file.flush()
        self._chunks.setdefault(key, array("Q")).extend((self._end, len(buffer)))
        self._end += len(buffer)
        buffer.clear()

    def _records(self, chunk: bytes) -> Iterator[Record]:
        at = 0
        while at < len(chunk):
            start = at + LENGTH_BYTES
            at = start + int.from_bytes(chunk[at:start], "big")
            yield self._decoder.decode(memoryview(chunk)[start:at])
