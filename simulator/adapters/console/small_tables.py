"""Tables of small records in one TinyDB file, which people may open. Choice: D-309."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from gevent.lock import BoundedSemaphore

from simulator.adapters.store.commit import in_thread
from simulator.adapters.store.files import Disk, UnsyncedNameError
from simulator.adapters.store.integrity import advice_on
from simulator.adapters.store.small_documents import (
    UnreadableDocumentsError,
    damage_in,
    read_records,
    remove_document,
    store_document,
)
from simulator.domain.core.errors import DamagedLogError, DiskError, UnknownOutcomeError

LOG = logging.getLogger("sandgate.store")
Kept = TypeVar("Kept", bound=msgspec.Struct)
# Holds in memory what the file has.
Hold = Callable[[], object]


def hold_nothing() -> None:
    """What is done where the file is read for each use."""


class SmallTables:
    """The tables of one file. A change is durable when its call returns, and may raise DiskError;
    each reads the file and writes it anew, so they come one after the other. In a file that was
    damaged it changes nothing, and raises DamagedLogError. After UnknownOutcomeError the file has
    the change, and a power cut may undo it. A change is held by `hold` once the file has it.
    """

    def __init__(self, path: Path, disk: Disk):
        self._path, self._disk = path, disk
        self._one_at_a_time = BoundedSemaphore()

    def read(self, table: str, kind: type[Kept]) -> dict[str, Kept]:
        """The records of a table, by id, in the order in which they came. Raises
        DamagedLogError.
        """
        found: dict[str, Kept] = in_thread(read_records, self._path, table, kind, self._disk)
        return found

    def read_serving(self, table: str, kind: type[Kept]) -> dict[str, Kept]:
        """The same for what no start has read: the log says which file is damaged, and what to
        do. Raises DamagedLogError.
        """
        try:
            return self.read(table, kind)
        except DamagedLogError as error:
            _name(error)
            raise

    def store(
        self, table: str, identity: str, record: msgspec.Struct, *, hold: Hold = hold_nothing
    ) -> None:
        """Store a record, new or changed."""
        document = msgspec.to_builtins(record)
        work = partial(store_document, disk=self._disk)
        with _holding(hold):
            self.write(work, self._path, table, identity, document)

    def remove(self, table: str, identity: str, *, hold: Hold = hold_nothing) -> None:
        """Remove a record."""
        with _holding(hold):
            self.write(partial(remove_document, disk=self._disk), self._path, table, identity)

    def write(self, work: Callable[..., None], *arguments: Any) -> None:
        """Do a piece of work on the disk, beside no other one."""
        with self._one_at_a_time:
            try:
                in_thread(work, *arguments)
            except UnreadableDocumentsError as error:
                damaged = damage_in(self._path, error)
                _name(damaged)
                raise damaged from None
            except UnsyncedNameError as error:
                raise UnknownOutcomeError(self._path, str(error.strerror)) from error
            except OSError as error:
                raise DiskError(self._path, error.strerror or str(error)) from error


@contextmanager
def _holding(hold: Hold) -> Iterator[None]:
    try:
        yield
    except UnknownOutcomeError:
        hold()
        raise
    hold()


def _name(damaged: DamagedLogError) -> None:
    LOG.error("%s. What to do: %s", damaged, advice_on(damaged))
