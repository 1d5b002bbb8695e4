"""Large files reach the disk a piece at a time, so that no commit waits for all of them."""

import fcntl
import os
from pathlib import Path

from simulator.adapters.durable_files import PIECE_BYTES, durable_file

BLOCK, BLOCKS = b"x" * 1024, 3 * 1024


def test_each_write_is_on_the_disk_before_the_next(tmp_path: Path) -> None:
    with durable_file(tmp_path / "large") as file:
        assert fcntl.fcntl(file.fileno(), fcntl.F_GETFL) & os.O_DSYNC


def test_blocks_are_gathered_to_pieces_of_a_megabyte(tmp_path: Path) -> None:
    path, sizes = tmp_path / "large", set[int]()
    with durable_file(path) as file:
        for _ in range(BLOCKS):
            file.write(BLOCK)
            sizes.add(path.stat().st_size)
    assert len(sizes) == BLOCKS * len(BLOCK) // PIECE_BYTES
    assert path.read_bytes() == BLOCKS * BLOCK
