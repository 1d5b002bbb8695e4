"""What is kept of each kind of record: its table and what it is found by, one row a kind."""

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

from simulator.adapters.store.documents import (
    Index,
    TableShape,
    hashed,
    instants,
    keys_reader,
    ordered,
    present,
)
from simulator.domain.acquiring.chip_cards import ChipCard, ChipFinding
from simulator.domain.acquiring.host_entries import CardEntry, LostRequest
from simulator.domain.acquiring.issuing import CardAccount, Movement
from simulator.domain.acquiring.sequence_numbers import UsedSequenceNumber
from simulator.domain.chargebacks import Return
from simulator.domain.checkouts.checkouts import Checkout, CheckoutCall
from simulator.domain.checkouts.summaries import KeptForm
from simulator.domain.core.clock import ClockSetting
from simulator.domain.core.draws import Drawn
from simulator.domain.core.entities import DefaultSandbox, Sandbox
from simulator.domain.core.records import LedgerEntry, Payment, Registration, Script
from simulator.domain.holding import StoodClock
from simulator.domain.payments.pending import Awaited
from simulator.domain.payments.repeats import TransactionKey
from simulator.domain.recurring import Agreement
from simulator.domain.risk import Sighting
from simulator.domain.schedules.schedules import Execution, Schedule
from simulator.domain.settlement.blocks import (
    ReservedSale,
    SettledBlock,
    SettledChargeback,
    SettledFile,
    SettledReference,
)
from simulator.domain.settlement.pushing import FilePush, PushTarget
from simulator.domain.settlement.runs import (
    Aggregation,
    ArmedFaults,
    LeftPart,
    SettlementDue,
    SettlementRun,
)
from simulator.domain.terminals.loading import TerminalAuthority
from simulator.domain.terminals.terminals import InitialKey, Terminal, TerminalKeys
from simulator.domain.three_d_secure.authentications import Authentication
from simulator.domain.throttling.windows import ThrottleSetting
from simulator.domain.wallets import UsedToken, WalletKeys
from simulator.domain.webhooks.records import (
    Delivery,
    Endpoint,
    InboxAddress,
    InboxMessage,
    WebhookEvent,
)


class Kind(msgspec.Struct, frozen=True):
    """A row: the record, its table, its indexes, and whether what was found and read of it is
    remembered: of a kind that every payment reads several times. From the member to the object
    named in `shared` most records say the same. `since` names the fields that are stored from a
    write level on; each has a default, which says what its absence below that level means. Of a
    whole kind `level` says so: below it `Store.keeps` says no, and its records are done without.
    """

    record: type
    table: str
    indexes: tuple[Index, ...] = ()
    is_remembered: bool = False
    shared: tuple[str, str] | None = None
    since: tuple[tuple[str, int], ...] = ()
    level: int = 0


# fmt: off
KINDS = (
    #    record        table            found by
    Kind(Payment,      "payments", (
        instants("reference",           "created_at",
                 within=("stamp.merchant", "sent.merchantTransactionId", "host")),
        hashed("referenced",            "referenced"),
        hashed("registration",          "registration"),
        present("open",                 "attempt"),
        instants("host_history",        "created_at", within=("stamp.merchant", "host")),
        instants("posted",              "posted_at"),
    ), shared=("type", "stamp")),
    Kind(Registration, "registrations", (
        instants("due",                 "due"),
        instants("host_history",        "created_at", within=("stamp.merchant", "host")),
    ), shared=("stamp", "stamp")),
    Kind(Agreement,    "agreements"),
    Kind(Checkout,     "checkouts",     (
        instants("host_history",        "created_at", within=("stamp.merchant", "host")),
    )),
    Kind(CheckoutCall, "checkout_calls", (instants("due",         "due"),)),
    Kind(KeptForm,     "kept_forms",     (instants("due",         "due"),)),
    Kind(Schedule,     "schedules", (
        hashed("registration",          "registration"),
        instants("due",                 "due"),
    )),
    Kind(WalletKeys,   "wallet_keys"),
    Kind(TerminalKeys, "terminal_keys"),
    Kind(Terminal,     "terminals",     (present("all", "id"),)),
    Kind(InitialKey,   "initial_keys"),
    Kind(TerminalAuthority, "terminal_authorities"),
    Kind(Sighting,     "sightings", (
        instants("host_account", "at", within=("merchant", "host", "account")),
        instants("host_email",   "at", within=("merchant", "host", "email")),
        instants("host_ip",      "at", within=("merchant", "host", "ip")),
    )),
    Kind(UsedToken,    "used_tokens"),
    Kind(TransactionKey, "transaction_keys"),
    Kind(Execution,    "executions",    (
        instants("due",                 "due"),
        hashed("schedule",              "schedule"),
        hashed("payment",               "payment"),
    )),
    Kind(LedgerEntry,      "postings",      (instants("date",     "at"),)),
    Kind(SettlementRun, "settlement_runs", (
        ordered("history",              "id"),
        ordered("days",                 "id", within=("institute",)),
        ordered("states",               "id", within=("institute", "state")),
    )),
    Kind(SettledBlock, "settled_blocks", (ordered("order",               "order"),)),
    Kind(SettledChargeback, "settled_chargebacks"),
    Kind(ReservedSale, "reserved_sales", (hashed("institute",            "institute"),)),
    Kind(LeftPart,     "left_parts",     (hashed("run",                  "run"),), level=2),
    Kind(SettledFile,  "settled_files"),
    Kind(SettledReference, "settled_references"),
    Kind(Aggregation,  "aggregations",  (ordered("history",              "history"),)),
    Kind(SettlementDue, "settlements_due", (instants("due",              "due"),)),
    Kind(ArmedFaults,  "settlement_faults"),
    Kind(PushTarget,   "push_targets"),
    Kind(FilePush,     "file_pushes",    (instants("due",               "due"),)),
    Kind(Script,       "scripts",       (present("armed", "id"),), is_remembered=True),
    Kind(Endpoint,     "endpoints",     (present("all", "id"),)),
    Kind(WebhookEvent,       "notices", (
        hashed("payment",               "payment"),
        instants("date",                "created_at"),
    )),
    Kind(Delivery,     "deliveries", (
        hashed("notice",                "notice"),
        hashed("endpoint",              "endpoint"),
        hashed("held",                  "held"),
        present("under_way",            "under_way"),
        instants("due",                 "due"),
        instants("settled",             "settled_at"),
    )),
    Kind(InboxMessage,      "inbox",         (instants("date", "at"),)),
    Kind(InboxAddress,      "mailbox"),
    Kind(Authentication, "authentications", (instants("due",             "due"),)),
    Kind(Awaited,      "awaited",       (instants("due",                 "due"),)),
    Kind(Return,       "returns",       (instants("due",                 "due"),)),
    Kind(CardEntry,    "card_entries",  (instants("date",                "at"),)),
    Kind(UsedSequenceNumber, "used_sequence_numbers"),
    Kind(CardAccount,  "card_accounts"),
    Kind(ChipCard,     "chip_cards",    (present("all", "id"),)),
    Kind(ChipFinding,  "chip_findings", (instants("date",                "at"),)),
    Kind(Movement,     "card_movements", (instants("due",                "due"),)),
    Kind(LostRequest,  "lost_requests", (instants("due",                 "due"),)),
    Kind(ClockSetting, "clock"),
    Kind(StoodClock,   "stood_clock"),
    Kind(Drawn,        "drawn"),
    Kind(ThrottleSetting, "throttles"),
    Kind(Sandbox,      "sandboxes",     (instants("date", "created_at"),)),
    Kind(DefaultSandbox, "defaults"),
)
# fmt: on
# What is kept of the server, in the registry; the others are of one sandbox, in its log.
SERVER_RECORDS = (Sandbox, DefaultSandbox)


class Codec(msgspec.Struct, frozen=True):
    """A kind with the readers of its bodies and of its index keys, made once for all stores; `read`
    gives serial and record.
    """

    shape: TableShape
    read: Callable[[bytes], tuple[int, Any]]
    keys_of: Callable[[Any], tuple[str | None, ...]]
    is_remembered: bool = False


@cache
def codecs(kinds: tuple[Kind, ...] = KINDS) -> dict[type, Codec]:
    """How to keep the records of each kind, by the record's class."""
    return {kind.record: _codec(kind) for kind in kinds}


def _codec(kind: Kind) -> Codec:
    record: Any = kind.record
    shape = TableShape(
        kind.table,
        kind.indexes,
        versioned=True,
        shared=kind.shared,
        defaults=_defaults_within(kind),
    )
    read: Callable[[bytes], tuple[int, Any]] = msgspec.json.Decoder(tuple[int, record]).decode
    return Codec(shape, read, keys_reader(record, shape), kind.is_remembered)


def _defaults_within(kind: Kind) -> tuple[tuple[str, str], ...]:
    """The texts before keys that a record leaves out where they are its default."""
    within = {path for index in kind.indexes for path in index.within}
    fields = msgspec.structs.fields(kind.record)
    return tuple(
        (each.encode_name, each.default)
        for each in fields
        if each.encode_name in within and isinstance(each.default, str)
    )
