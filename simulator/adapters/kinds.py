"""What is kept of each kind of record: its table and what it is found by, one row a kind."""

from functools import cache
from typing import Any

import msgspec

from simulator.adapters.documents import Index, Shape, hashed, instants, present
from simulator.domain.clock import ClockSetting
from simulator.domain.pending import Awaited
from simulator.domain.records import Payment, Posting, Registration, Sandbox, Script


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
    Kind(Awaited,      "awaited",       (instants("due",                 "due"),)),
    Kind(ClockSetting, "clock"),
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
