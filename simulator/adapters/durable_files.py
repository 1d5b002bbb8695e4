"""Large files beside the store, written so that its commits do not wait for them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

PIECE_BYTES = 128 * 1024


@contextmanager
def durable_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write, durable when this ends. Raises OSError.

    It is written in pieces, each on the disk before the next: what waits in memory for the disk is
    written before the next commit of the store, which may be that of a payment.
    """
    with open(path, "wb", buffering=PIECE_BYTES, opener=_open_durable) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def _open_durable(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_DSYNC, 0o666)
