"""A key that cannot be stored is named with its folder, and with what the system said."""

from pathlib import Path

import pytest

from pos_emulator.keys.errors import StorageError
from pos_emulator.keys.storage import storage_key


def test_a_folder_that_takes_no_key_is_named_with_the_reason(tmp_path: Path) -> None:
    folder = tmp_path / "file" / "001"
    folder.parent.write_text("a file in its place")

    with pytest.raises(StorageError) as refused:
        storage_key(folder)

    assert (
        str(refused.value) == f"{folder / 'storage.key'} cannot be read or written: Not a directory"
    )
