"""What is kept of each kind of record: its table and what it is found by, one row a kind."""

from functools import cache
from typing import Any

import msgspec

from simulator.adapters.documents import Index, Shape, hashed, instants, present
from simulator.domain.clock import ClockSetting
from simulator.domain.draws import Drawn
from simulator.domain.pending import Awaited
from simulator.domain.records import Payment, Posting, Registration, Sandbox, Script
from simulator.domain.throttling import ThrottleSetting
from simulator.domain.webhooks import Arrival, Delivery, Endpoint, Mailbox, Notice


class Kind(msgspec.Struct, frozen=True):
    """A row: the record, its table, its indexes."""

    record: type
    table: str
    indexes: tuple[Index, ...] = ()


# fmt: off
KINDS = (
    #    record        table            found by
    Kind(Payment,      "payments", (
        hashed("merchantTransactionId", "sent.merchantTransactionId"),
        hashed("referenced",            "referenced"),
        hashed("registration",          "registration"),
        present("open",                 "attempt"),
        instants("date",                "created_at"),
    )),
    Kind(Registration, "registrations"),
    Kind(Posting,      "postings",      (hashed("payment", "payment"),)),
    Kind(Script,       "scripts",       (present("armed", "id"),)),
    Kind(Endpoint,     "endpoints",     (present("all", "id"),)),
    Kind(Notice,       "notices", (
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
    Kind(Arrival,      "inbox",         (instants("date", "at"),)),
    Kind(Mailbox,      "mailbox"),
    Kind(Awaited,      "awaited",       (instants("due",                 "due"),)),
    Kind(ClockSetting, "clock"),
    Kind(Drawn,        "drawn"),
    Kind(ThrottleSetting, "throttles"),
    Kind(Sandbox,      "sandboxes",     (instants("date", "created_at"),)),
)
# fmt: on


class Codec(msgspec.Struct, frozen=True):
    """A kind with its decoder, made once for all stores."""

    shape: Shape
    decoder: Any

    def read(self, body: bytes) -> tuple[int, Any]:
        """Serial and record of a stored body."""
        return self.decoder.decode(body)


@cache
def codecs(kinds: tuple[Kind, ...] = KINDS) -> dict[type, Codec]:
    """How to keep the records of each kind, by the record's class."""
    return {
        kind.record: Codec(
            Shape(kind.table, kind.indexes, versioned=True),
            _decoder(kind.record),
        )
        for kind in kinds
    }


def _decoder(record: Any) -> Any:
    return msgspec.json.Decoder(tuple[int, record])
