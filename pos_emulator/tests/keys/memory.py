"""A store of states in memory that can fail, before or after it has stored."""

from pos_emulator.keys.errors import StorageError


class MemoryStore:
    """A StateStore. `fail_before` and `fail_after` say what the next write does."""

    def __init__(self, state: bytes | None = None):
        self.state = state
        self.fail_before = self.fail_after = False

    def read(self) -> bytes | None:
        return self.state

    def write(self, state: bytes) -> None:
        if self.fail_before:
            raise StorageError("full")
        self.state = state
        if self.fail_after:
            raise StorageError("full")
