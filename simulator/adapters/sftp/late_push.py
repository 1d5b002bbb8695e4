"""What pushes files to SFTP servers of merchants, its library loaded with the first push."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.adapters.late import LatePart
from simulator.domain.settlement.pushing import PushAccess

if TYPE_CHECKING:
    from simulator.adapters.sftp.push import FilePusher


class LateFilePusher:
    """A FilePusher over `dial` that is made for the first push."""

    def __init__(self, dial: Callable[[str, int], Any]):
        self._pusher: LatePart[FilePusher] = LatePart(_pusher_class, dial)

    def push(self, access: PushAccess, files: tuple[Path, ...]) -> None:
        """Put files into the folder of the target. Raises PushFailedError."""
        self._pusher.get().push(access, files)


def _pusher_class() -> "type[FilePusher]":
    from simulator.adapters.sftp.push import FilePusher

    return FilePusher
