"""The exchanges of tills, on disk: which ServiceIDs were used, and what was answered.

A till that lost an answer asks for it, perhaps after the terminal was restarted. No exchange holds
more of a card than its last four digits. A payment that is under way or was made is displaced by
other payments alone: another client, or the till itself, may send any number of other requests
before the answer is asked for. Choice: D-463.
"""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from pos_emulator.ecr.nexo.messages import Body, Header, read_object, write_object
from pos_emulator.ecr.nexo.outcomes import Condition, NexoError, NexoResult

FILE = "exchanges.sqlite"
KEPT = 1000
PAYING = ("Payment", "Reversal")
REFERENCE_MAX = 64
TABLE = """
    CREATE TABLE IF NOT EXISTS exchanges (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        sale TEXT NOT NULL, service TEXT NOT NULL, category TEXT NOT NULL,
        request BLOB NOT NULL, answer BLOB, UNIQUE (sale, service)
    )
"""
# Whether an exchange moves money, or may: in files of a version before the column all payments do.
HAS_COLUMN = "SELECT COUNT(*) FROM pragma_table_info('exchanges') WHERE name = 'moves'"
COLUMN = "ALTER TABLE exchanges ADD COLUMN moves INTEGER NOT NULL DEFAULT 1"
INDEX = "CREATE INDEX IF NOT EXISTS exchanges_moves ON exchanges (moves, number)"
MAKE_ROOM = """
    DELETE FROM exchanges WHERE number IN (
        SELECT number FROM exchanges WHERE moves = ? ORDER BY number DESC LIMIT -1 OFFSET ?
    )
"""


class TillExchange(NamedTuple):
    """An exchange: its reference, what an answer repeats of the request, and the answer if any."""

    sale: str
    service: str
    category: str
    request: Body
    answer: Body | None

    @property
    def reference(self) -> str:
        """The name of its order at the terminal."""
        return reference_of(self.sale, self.service)


class Exchanges:
    """The last thousand payments, and the last thousand others. A reused ServiceID is found as long
    as its exchange is kept.
    """

    def __init__(self, folder: Path, *, kept: int = KEPT) -> None:
        """Open the file in `folder`. Raises OSError, also where it is damaged."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock, self._kept = threading.Lock(), kept
        self._database = sqlite3.connect(folder / FILE, check_same_thread=False)
        try:
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            with self._changing() as database:
                database.execute(TABLE)
                if not database.execute(HAS_COLUMN).fetchone()[0]:
                    database.execute(COLUMN)
                database.execute(INDEX)
        except (sqlite3.Error, NexoError) as error:
            self._database.close()
            raise OSError(f"{FILE}: expected the exchanges of tills, received: {error}") from error

    def begin(self, header: Header, request: Body) -> bool:
        """Note that a request came in; False where its ServiceID was used before. Raises
        NexoError.
        """
        moves = header.category in PAYING
        row = (header.sale_id, header.service_id, header.category, write_object(request), moves)
        with self._changing() as database:
            added = database.execute(
                "INSERT OR IGNORE INTO exchanges (sale, service, category, request, moves)"
                " VALUES (?, ?, ?, ?, ?)", row,
            )  # fmt: skip
            # Room is made after it: the oldest exchange displaces nothing when it is repeated.
            database.execute(MAKE_ROOM, (moves, self._kept))
        return added.rowcount == 1

    def finish(self, sale: str, service: str, answer: Body, *, is_open: bool = False) -> None:
        """Keep the answer, before it is sent. Any exchange may displace a payment that failed,
        unless it `is_open` at the terminal. Raises NexoError.
        """
        moves = is_open or not _is_without_money(answer)
        with self._changing() as database:
            database.execute(
                "UPDATE exchanges SET answer = ?, moves = moves AND ?"
                " WHERE sale = ? AND service = ?",
                (write_object(answer), moves, sale, service),
            )  # fmt: skip
            database.execute(MAKE_ROOM, (False, self._kept))

    def find(self, sale: str, service: str) -> TillExchange | None:
        """One exchange."""
        return self._one("sale = ? AND service = ?", sale, service)

    def last(self, sale: str, category: str) -> TillExchange | None:
        """The last exchange of a till in a category."""
        return self._one("sale = ? AND category = ?", sale, category)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    def _one(self, where: str, *values: str) -> TillExchange | None:
        columns = "sale, service, category, request, answer"
        query = f"SELECT {columns} FROM exchanges WHERE {where} ORDER BY number DESC LIMIT 1"
        with self._lock:
            row = self._database.execute(query, values).fetchone()
        if row is None:
            return None
        answer = None if row[4] is None else read_object(row[4])
        return TillExchange(row[0], row[1], row[2], read_object(row[3]), answer)

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """A change that is durable at the end of the block. Raises NexoError where the disk does
        not take it.
        """
        try:
            with self._lock, self._database:
                yield self._database
        except sqlite3.Error as error:
            text = f"the terminal is out of order: {FILE} cannot be written: {error}"
            raise NexoError(Condition.DEVICE_OUT, text) from error


def _is_without_money(answer: Body) -> bool:
    """Whether an answer says that nothing was paid, for good."""
    said = answer.get("Response", {})
    has_failed: bool = said.get("Result") == NexoResult.FAILURE.value
    is_open: bool = said.get("ErrorCondition") == Condition.IN_PROGRESS.value
    return has_failed and not is_open


def reference_of(sale: str, service: str) -> str:
    """The name of an order at the terminal, by the till and its ServiceID; a long one is hashed."""
    name = f"{sale}/{service}"
    return name if len(name) <= REFERENCE_MAX else sha256(name.encode()).hexdigest()
