"""Where cards keep their counters while they have no power."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec

from pos_emulator.card.records import Chip, Memory, fresh_memory


class MemoryPort(Protocol):
    """Keeps the memory of cards by name."""

    def load(self, chip: Chip) -> Memory:
        """The memory of a card; that of a new card if none was kept."""
        ...

    def save(self, chip: Chip, memory: Memory) -> None:
        """Keep the memory. When this returns, a power cut does not undo it."""
        ...


class CardMemoryError(RuntimeError):
    """A kept memory cannot be read."""


class RamMemory:
    """Keeps memories as long as the program runs."""

    def __init__(self) -> None:
        self._kept: dict[str, Memory] = {}
        self.saves = 0

    def load(self, chip: Chip) -> Memory:
        return self._kept.get(chip.name) or fresh_memory(chip)

    def save(self, chip: Chip, memory: Memory) -> None:
        self._kept[chip.name] = memory
        self.saves += 1


class FileMemory:
    """Keeps one file for each card in a folder.

    A file is written beside, made durable and renamed, so that a power cut leaves the old or the
    new memory and nothing between.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, chip: Chip) -> Memory:
        """The memory of a card. Raises CardMemoryError if its file is damaged."""
        file = self._file(chip)
        if not file.exists():
            return fresh_memory(chip)
        try:
            return msgspec.convert(_plain(msgspec.json.decode(file.read_bytes())), Memory)
        except (msgspec.DecodeError, ValueError, TypeError) as error:
            raise CardMemoryError(f"{file.name} is no memory of a card") from error

    def save(self, chip: Chip, memory: Memory) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        file = self._file(chip)
        beside = file.with_suffix(".new")
        with beside.open("wb") as written:
            written.write(msgspec.json.encode(memory))
            written.flush()
            os.fsync(written.fileno())
        beside.replace(file)
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _file(self, chip: Chip) -> Path:
        return self._folder / f"{chip.name}.json"


def _plain(decoded: Any) -> Mapping[str, Any]:
    if not isinstance(decoded, dict):
        raise ValueError("no object")
    return decoded
