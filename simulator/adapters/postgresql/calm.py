"""The database as a member reaches it that serves a calm sandbox beside its home.

The home gives each calm a number. What is read or stored elsewhere is of the calm with that
number, or not at all: a home that ends it waits for what is just being stored, and nothing follows.
What must be done at home is refused before it is stored.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gevent import getcurrent

from simulator.adapters.postgresql.database import Database
from simulator.adapters.postgresql.tables import RecordTable, RowChange
from simulator.adapters.postgresql.values import int4, int8, number_in
from simulator.adapters.postgresql.wire import Rows, SqlStatement
from simulator.adapters.postgresql.writer import Work
from simulator.domain.core.errors import HomeNeededError, UnknownOutcomeError
from simulator.domain.core.records import LedgerEntry, Payment
from simulator.domain.payments.repeats import TransactionKey
from simulator.domain.webhooks.records import Delivery, WebhookEvent

OVER = "the calm of the sandbox is over"
OF_CALM = "from homes where sandbox = $1::text and member = $2::int4 and calm = $3::int8"
CHECK = f"select count(*) {OF_CALM}"
# The logarithm of nothing ends the transaction; the lock lets the end of the calm wait for it.
HOLD = f"select ln(count(*)) from (select {OF_CALM} for share) held"
# What one commit of a payment stores, where it is over at once.
INSERTED = (Payment, LedgerEntry, WebhookEvent, Delivery, TransactionKey)
UPDATED = (Payment,)
# An attempt waits for the acquirer, which the home has to remember.
REFUSED_KEYS, NEEDED_KEYS = {(Payment, "open")}, {(Delivery, "under_way")}


class Calm(NamedTuple):
    """A time in which a sandbox may be served beside its home, the member with the number `home`;
    no two have the same number.
    """

    sandbox: str
    home: int
    number: int


class CalmDatabase:
    """Implements Database for a calm: one commit for each request; all raise HomeNeededError."""

    def __init__(self, database: Database, tables: Mapping[type, RecordTable], calm: Calm):
        self._database = database
        given = [calm.sandbox.encode(), int4(calm.home), int8(calm.number)]
        self._check, self._hold = SqlStatement(CHECK, given), SqlStatement(HOLD, given)
        self._rules = _rules_of(tables)
        # Whether the calm is over, and whether something may be stored in it (D-687).
        self.is_over = self.is_unknown = False
        # The requests, each a greenlet, that were found to be of this calm, and those that stored.
        self._checked: set[object] = set()
        self._stored: set[object] = set()

    @property
    def failure(self) -> str | None:
        """Why nothing is stored now, or None."""
        return self._database.failure

    @property
    def level(self) -> int:
        """The write level."""
        return self._database.level

    @property
    def has_stored(self) -> bool:
        """Whether this request has stored something, or may have (D-687)."""
        return getcurrent() in self._stored

    def ask(self, *statements: SqlStatement) -> list[Rows]:
        """What statements answer. Raises HomeNeededError, UnreachableStoreError."""
        return self._checked_answers(self._database.ask(*statements, self._check))

    def ask_long(self, *statements: SqlStatement) -> list[Rows]:
        """The same, where it may be long."""
        return self._checked_answers(self._database.ask_long(*statements, self._check))

    def store(self, work: Work) -> None:
        """Store the work of a request. Raises HomeNeededError, ConflictError and others."""
        request = getcurrent()
        if request in self._stored:
            raise RuntimeError("expected one commit of a request beside the home, got another")
        for change in work.changes:
            self._refuse_serial(change)
        held = Work(work.changes, work.keys, [self._hold, *work.statements])
        try:
            self._database.store(held)
        except UnknownOutcomeError:
            # It was of this calm if it is stored, and must not be made again elsewhere.
            self.is_unknown = True
            self._note_stored(request)
            raise
        except HomeNeededError:
            self.is_over = True
            raise
        self._note_stored(request)

    def begin(self) -> None:
        """A request begins, in a greenlet that may have served others."""
        self._checked.discard(getcurrent())
        self._stored.discard(getcurrent())

    def end(self) -> None:
        """The request has its answer; it was within the calm. Raises HomeNeededError,
        UnreachableStoreError.
        """
        try:
            if getcurrent() not in self._checked:
                self.ask()
        finally:
            self.begin()

    def _note_stored(self, request: object) -> None:
        self._checked.add(request)
        self._stored.add(request)

    def _checked_answers(self, answered: list[Rows]) -> list[Rows]:
        """The answers behind which the calm was found to last."""
        request = getcurrent()
        *answers, counted = answered
        # What is stored cannot be taken back, and its answer is made of what is here.
        if not number_in(bytes(counted[0][0] or b"")) and request not in self._stored:
            self.is_over = True
            raise HomeNeededError(OVER)
        self._checked.add(request)
        return answers

    def _refuse_serial(self, change: RowChange) -> None:
        rules = self._rules.get((change.operation, change.table.name))
        if rules is None:
            raise HomeNeededError(f"{change.operation} in {change.table.name} is left to the home")
        for position, is_needed in rules:
            if (change.forms[0].keys[position] is not None) is not is_needed:
                raise HomeNeededError(f"a record in {change.table.name} is left to the home")


Rules = dict[tuple[str, str], Sequence[tuple[int, bool]]]


def _rules_of(tables: Mapping[type, RecordTable]) -> Rules:
    """What may be done in which table; with it the positions of keys that are needed, or must not
    be.
    """
    rules: Rules = {}
    for operation, kinds in (("insert", INSERTED), ("update", UPDATED)):
        for kind in kinds:
            if kind in tables:
                rules[operation, tables[kind].name] = [
                    (position, (kind, column.shape.name) in NEEDED_KEYS)
                    for position, column in enumerate(tables[kind].columns)
                    if (kind, column.shape.name) in NEEDED_KEYS | REFUSED_KEYS
                ]
    return rules
