"""A kind of record that only tests know: it has every form of index."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import msgspec

from simulator.adapters.store.documents import hashed, instants, ordered, present
from simulator.adapters.store.kinds import Kind

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


class Parcel(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A parcel with a sender, a due date, and perhaps on hold."""

    id: str
    version: int = 0
    sender: str | None = None
    due: str | None = None
    hold: Mapping[str, str] | None = None
    labels: Mapping[str, str] = {}
    made_at: datetime


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """Belongs to a parcel."""

    id: str
    version: int = 0
    parcel: str


KINDS = (
    Kind(
        Parcel,
        "parcels",
        (
            hashed("sender", "sender"),
            hashed("reference", "labels.reference"),
            present("held", "hold"),
            ordered("due", "due"),
            instants("made", "made_at"),
            instants("of sender", "made_at", within=("sender",)),
        ),
    ),
    Kind(Receipt, "receipts", (hashed("parcel", "parcel"),)),
)


def a_parcel(identity: str, version: int = 1, **fields: object) -> Parcel:
    """A parcel as it would be saved first, or next."""
    return Parcel(id=identity, version=version, **{"made_at": NOON, **fields})


def seconds(count: float) -> datetime:
    """So many seconds after noon."""
    return NOON + timedelta(seconds=count)
