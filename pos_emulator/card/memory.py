"""Where cards keep their counters while they have no power."""

import os
from collections.abc import Callable, Iterable, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any, Protocol

import msgspec

from pos_emulator.card.records import Chip, Memory, fresh_memory

CARDS = "cards"
NUMBERS = 99


class MemoryPort(Protocol):
    """Keeps the memory of cards by name.

    `sequence` is the sequence number of these cards, two digits; empty where they have the one of
    their profile. Cards with another one are other cards, and count anew.
    """

    @property
    def sequence(self) -> str: ...

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

    sequence = ""

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

    def __init__(self, folder: Path, sequence: str = "") -> None:
        self._folder = folder
        self.sequence = sequence

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


def memory_in(
    folder: Path, terminal: str, known: Callable[[], Iterable[Mapping[str, Any]]]
) -> FileMemory:
    """The memory of the cards of a terminal, which is kept in its folder.

    The issuer refuses a counter that it has seen, and each folder begins them anew: so its cards
    have a sequence number of their own. It is the place of the terminal, by its id, among those
    that its sandbox has `known` at the first call, and stands in the name of the folder of the
    cards. Folders of earlier builds go on with the cards of the profiles.
    """
    if (folder / CARDS).exists():
        return FileMemory(folder / CARDS)
    kept = next(folder.glob(f"{CARDS}-[0-9][0-9]"), None)
    if kept is None:
        before = sum(1 for _ in takewhile(lambda each: each.get("id") != terminal, known()))
        kept = folder / f"{CARDS}-{before % NUMBERS + 1:02d}"
        kept.mkdir(parents=True, exist_ok=True)
    return FileMemory(kept, kept.name[-2:])


def _plain(decoded: Any) -> Mapping[str, Any]:
    if not isinstance(decoded, dict):
        raise ValueError("no object")
    return decoded
