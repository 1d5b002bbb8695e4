"""Webhooks: who listens, what they are told, and how often it is tried.

Source: Events; how a URL is registered and how deliveries are retried is not shown.
Choices: D-84 (retries), D-85 (endpoints).
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Literal

import msgspec
from msgspec.structs import replace

from simulator.catalogue.events import SPECIFIED_TYPES
from simulator.domain.core.records import AccountHierarchy

Fields = Literal["ALL", "NON_CUSTOMER_DATA"]
Format = Literal["json", "hex", "wrapped"]
INBOX = "inbox"

# fmt: off
LADDER = (
    #  after this many failures, wait so long
    timedelta(minutes=1),
    timedelta(minutes=2),
    timedelta(minutes=4),
    timedelta(minutes=8),
    timedelta(minutes=15),
    timedelta(minutes=30),
    timedelta(hours=1),
)
# fmt: on
THEN_EVERY = timedelta(days=1)
GIVEN_UP_AFTER = timedelta(days=30)
HELD_AT_MOST = timedelta(minutes=1)


class Endpoint(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who listens: to whose events (`entity` is a PSP, division, merchant or channel), and how.

    Secrets are sealed under its id. `next_secret` waits until the receiver is told to know it.
    """

    id: str
    version: int = 0
    entity: str
    url: str
    types: tuple[str, ...] = SPECIFIED_TYPES
    fields: Fields = "ALL"
    format: Format = "hex"
    secret: str
    next_secret: str | None = None
    active: bool = False
    created_at: datetime


class Notice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event. Its id is the identity that every attempt to deliver it carries. `payload` is
    JSON, written once (`envelopes.noted`) and sent as it is; `envelopes.payload_of` reads it.
    """

    id: str
    version: int = 0
    type: str
    action: str | None = None
    payment: str | None = None
    payload: msgspec.Raw
    created_at: datetime
    ndc: str = ""


class Mishap(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a script does to a delivery. Numbers count attempts from the first; 0 is none."""

    lose: int = 0
    corrupt: int = 0
    wrong_key: int = 0
    duplicate: int = 0
    delay_s: float = 0
    reorder: bool = False


class Delivery(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One notice on its way to one endpoint, or to a notificationUrl (`url`, no endpoint).

    Either it is `under_way` (handed to the courier, which a crash forgets), or `due` at an instant,
    or `settled_at` one: delivered, or given up. `failures` count from `began_at`, `attempts` all.
    """

    id: str
    version: int = 0
    notice: str
    endpoint: str | None = None
    url: str = ""
    began_at: datetime
    attempts: int = 0
    failures: int = 0
    under_way: bool | None = None
    due: datetime | None = None
    held: str | None = None
    settled_at: datetime | None = None
    delivered: bool = False
    status: int | None = None
    error: str = ""
    mishap: Mishap | None = None

    @property
    def state(self) -> str:
        """Where it stands, in one word."""
        if self.settled_at is not None:
            return "delivered" if self.delivered else "given up"
        return "under way" if self.under_way else "waiting"

    @property
    def lane(self) -> str:
        """What shares a line with it: everything for one endpoint, or for one notificationUrl."""
        return self.endpoint or self.url


class Arrival(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came to the inbox: headers and body as they came, and the event if it was readable."""

    id: str
    version: int = 0
    at: datetime
    headers: Mapping[str, str]
    body: str
    event: Mapping[str, object] | None = None
    error: str = ""


class Mailbox(msgspec.Struct, frozen=True, kw_only=True):
    """The part of the inbox's address that nobody can guess."""

    id: str = INBOX
    version: int = 0
    key: str


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """How one attempt ended: the status that came back, or why none did."""

    status: int | None = None
    error: str = ""
    took: timedelta = timedelta(0)

    @property
    def is_success(self) -> bool:
        """Any 2xx."""
        return self.status is not None and 200 <= self.status < 300


def listening(endpoints: Iterable[Endpoint], stamp: AccountHierarchy, kind: str) -> list[Endpoint]:
    """The endpoints that want events of type `kind` about `stamp`: at its levels or above."""
    above = (stamp.channel, stamp.merchant, stamp.division, stamp.psp)
    return [each for each in endpoints if each.entity in above and kind in each.types]


def delivery_to(
    endpoint: Endpoint, notice: Notice, *, identity: str, mishap: Mishap | None = None
) -> Delivery:
    """The delivery of a new notice: under way at once, unless a script delays or holds it."""
    first = Delivery(
        id=identity,
        notice=notice.id,
        endpoint=endpoint.id,
        began_at=notice.created_at,
        mishap=mishap,
    )
    if mishap is not None and mishap.reorder:
        due = notice.created_at + HELD_AT_MOST
        return replace(first, held=endpoint.id, due=due)
    if mishap is not None and mishap.delay_s:
        return replace(first, due=notice.created_at + timedelta(seconds=mishap.delay_s))
    return handed_over(first)


def handed_over(delivery: Delivery) -> Delivery:
    """The delivery, now with the courier."""
    return replace(delivery, under_way=True, due=None, held=None)


def again(delivery: Delivery, *, now: datetime) -> Delivery:
    """A delivery begun anew: the same identity, a new ladder, whatever became of it before."""
    fresh = handed_over(delivery)
    return replace(fresh, began_at=now, failures=0, settled_at=None, delivered=False)


def attempted(delivery: Delivery, reply: Reply, *, at: datetime) -> Delivery:
    """The delivery after an attempt that was begun at `at`: settled, or due again."""
    after = replace(
        delivery,
        attempts=delivery.attempts + 1,
        under_way=None,
        status=reply.status,
        error=reply.error,
    )
    if reply.is_success:
        return replace(after, settled_at=at, delivered=True)
    failures = delivery.failures + 1
    due = due_after(failures, began_at=delivery.began_at, at=at)
    return replace(after, failures=failures, due=due, settled_at=at if due is None else None)


def due_after(failures: int, *, began_at: datetime, at: datetime) -> datetime | None:
    """When it is tried again after so many failures, the last at `at`; None: it is given up."""
    wait = LADDER[failures - 1] if failures <= len(LADDER) else THEN_EVERY
    due = at + wait
    return due if due <= began_at + GIVEN_UP_AFTER else None


def with_query(url: str, query: str) -> str:
    """`url` with more of a query; what it has already stays."""
    return f"{url}{'&' if '?' in url else '?'}{query}"
