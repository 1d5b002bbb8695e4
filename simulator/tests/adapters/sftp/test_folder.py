"""Whatever path a client sends, it gets a file of its own folder or none."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paramiko.sftp import SFTP_NO_SUCH_FILE

from simulator.adapters.sftp.folder import DeliveredFile, ListedFolder, OutgoingFolder
from simulator.tests.kit.event_loop import looks_during

PARTS = ("..", ".", "", "in", "a.csv", "link", "out", ".hidden", "secret", "a.csv/", "~", "\\",
         "\0", "%2e%2e", "in/../..", "x" * 300)  # fmt: skip


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A merchant's folder with links out of it, and a secret beside it."""
    base = tmp_path_factory.mktemp("tree")
    root = base / "own"
    (root / "in").mkdir(parents=True)
    (base / "secret").write_bytes(b"secret")
    for folder in (root, root / "in"):
        (folder / "a.csv").write_bytes(b"own")
        (folder / ".hidden").write_bytes(b"secret")
        (folder / "link").symlink_to(base / "secret")
        (folder / "out").symlink_to(base)
    return root


@given(parts=st.lists(st.sampled_from(PARTS) | st.text(max_size=5), max_size=8))
def test_no_path_leads_to_what_is_not_the_merchants(tree: Path, parts: list[str]) -> None:
    folder, path = OutgoingFolder(tree), "/".join(parts)

    opened = folder.open(path, 0)
    listed = folder.open_folder(path)

    if isinstance(opened, DeliveredFile):
        assert opened.read(0, 100) == b"own"
        opened.close()
    else:
        assert opened == SFTP_NO_SUCH_FILE
    if isinstance(listed, ListedFolder):
        assert {str(entry.filename) for entry in listed._get_next_files()} <= {"in", "a.csv"}


@given(offset=st.integers(0, 2**64 - 1), length=st.integers(0, 2**32 - 1))
def test_any_part_of_a_file_may_be_asked_for(tree: Path, offset: int, length: int) -> None:
    opened = OutgoingFolder(tree).open("/a.csv", 0)
    assert isinstance(opened, DeliveredFile)

    came = opened.read(offset, length)
    opened.close()

    assert isinstance(came, int) or came == b"own"[offset : offset + length]


def test_others_have_their_turn_while_a_long_folder_is_listed(tmp_path: Path) -> None:
    for number in range(20_000):
        (tmp_path / f"{number}.csv").touch()
    folder = OutgoingFolder(tmp_path)

    assert looks_during(lambda: folder.open_folder("/")) > 2
