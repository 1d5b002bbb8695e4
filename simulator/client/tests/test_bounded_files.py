"""Files are read up to a bound."""

import io
from pathlib import Path

import pytest

from simulator.client.files.bounded import read_stream_within, read_text_within, read_within

ENDLESS = Path("/dev/zero")


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"12\r\n")

    assert read_within(file, 4) == b"12\r\n"
    assert read_text_within(file, 4) == "12\n"
    with pytest.raises(OSError, match="more than 3 bytes"):
        read_within(file, 3)


def test_a_device_without_an_end_is_refused() -> None:
    with pytest.raises(OSError, match="more than 1048576 bytes"):
        read_within(ENDLESS)


def test_a_stream_is_read_up_to_its_bound() -> None:
    assert read_stream_within(io.StringIO("123"), 3) == "123"
    with pytest.raises(OSError, match="more than 2 bytes"):
        read_stream_within(io.BytesIO(b"123"), 2)
