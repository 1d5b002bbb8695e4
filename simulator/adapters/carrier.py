"""The carrier of one lane: makes the attempts to deliver, over its one connection.

An attempt reads its delivery, its notice and its endpoint from the store, so a lane holds nothing
but ids. Source: Events. Choices: D-84 (success, retries), D-85 (formats).
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import NamedTuple
from urllib.parse import urlencode

import gevent

from simulator.adapters.links import Link, Links
from simulator.domain.envelopes import (
    ATTEMPT_HEADER,
    ID_HEADER,
    IV_DIGITS,
    Envelope,
    hits,
    marred,
    other_secret,
    sealed,
    text_of,
)
from simulator.domain.errors import BadInput, Conflict, DiskFailed
from simulator.domain.journal import WebhookAttempt
from simulator.domain.notices import lonely_notices
from simulator.domain.ports import Clock, Ids, Inbox, Store, Vault, unit_of
from simulator.domain.targets import read_target
from simulator.domain.webhooks import (
    INBOX,
    Delivery,
    Endpoint,
    Notice,
    Reply,
    attempted,
    with_query,
)

LOG = logging.getLogger("sandgate.webhooks")
END_OF_TIME = "9999-12-31"
# Settled deliveries that are kept, to look at them and to send them again.
KEPT_MAX = 1000
PRUNED_AT_ONCE = 100
PAUSE_S = 1.0
LOST = Reply(error="lost by a script")
REMOVED = Reply(error="the endpoint was removed")


class Tools(NamedTuple):
    """What the carriers of one sandbox work with. `wake` says that something is due later."""

    store: Store
    clock: Clock
    vault: Vault
    ids: Ids
    inbox: Inbox
    links: Links
    told: Callable[[WebhookAttempt], None]
    wake: Callable[[], None]


class Load(NamedTuple):
    """An attempt that is ready to be made; `endpoint` is None for a notificationUrl."""

    delivery: Delivery
    notice: Notice
    endpoint: Endpoint | None
    envelope: Envelope | None


class End(NamedTuple):
    """How an attempt to make a delivery ended, and the instant it was begun."""

    delivery: Delivery
    reply: Reply
    at: datetime


class Carrier:
    """Makes attempts, one after the other."""

    __slots__ = ("_link", "_opened", "_tools", "_url")

    def __init__(self, tools: Tools):
        self._tools = tools
        self._link: Link | None = None
        self._opened = ("", "")
        self._url = ""

    def load(self, identity: str) -> Load | None:
        """What the next attempt to make this delivery needs, or None where it is no more."""
        store = self._tools.store
        delivery = store.get(Delivery, identity)
        if delivery is None or not delivery.under_way:
            return None
        notice = store.get(Notice, delivery.notice)
        assert notice is not None, "a notice is kept as long as any of its deliveries"
        endpoint = store.get(Endpoint, delivery.endpoint) if delivery.endpoint else None
        envelope = None
        if endpoint is not None and not hits(delivery.mishap, "lose", delivery.attempts + 1):
            envelope = self._envelope(endpoint, notice, delivery)
        return Load(delivery, notice, endpoint, envelope)

    def attempt(self, load: Load) -> End:
        """The end of the attempt. Raises Gone."""
        at = self._tools.clock.now()
        replies = list(self._replies(load))
        for reply in replies:
            self._tools.told(_told(load, reply))
        return End(load.delivery, replies[0], at)

    def try_now(self, endpoint: Endpoint, notice: Notice) -> Reply:
        """One attempt at a delivery that is stored nowhere."""
        delivery = Delivery(id=notice.id, notice=notice.id, began_at=notice.created_at)
        return self._send(endpoint, delivery, self._envelope(endpoint, notice, delivery))

    def close(self) -> None:
        """Close the connection."""
        if self._link is not None:
            self._link.close()

    def _replies(self, load: Load) -> Iterator[Reply]:
        """The answer that counts, and those to the copies that a script has made of a success."""
        delivery, notice, endpoint, envelope = load
        if delivery.url:
            yield self._ask("GET", with_query(delivery.url, urlencode(notice.payload)), {}, b"")
        elif endpoint is None:
            yield REMOVED
        elif envelope is None:
            yield LOST
        else:
            reply = self._send(endpoint, delivery, envelope)
            yield reply
            copies = delivery.mishap.duplicate if delivery.mishap is not None else 0
            for _ in range(copies if reply.is_success else 0):
                yield self._send(endpoint, delivery, self._envelope(endpoint, notice, delivery))

    def _send(self, endpoint: Endpoint, delivery: Delivery, envelope: Envelope) -> Reply:
        headers = {
            **envelope.headers,
            ID_HEADER: delivery.notice,
            ATTEMPT_HEADER: str(delivery.attempts + 1),
        }
        if endpoint.url == INBOX:
            return self._taken_by_inbox(headers, envelope.body)
        return self._ask("POST", endpoint.url, headers, envelope.body)

    def _taken_by_inbox(self, headers: Mapping[str, str], body: bytes) -> Reply:
        """An inbox whose disk is full took nothing: it is tried again, as any endpoint."""
        try:
            return self._tools.inbox.take(headers, body)
        except DiskFailed:
            return Reply(error="the inbox could not be stored")

    def _envelope(self, endpoint: Endpoint, notice: Notice, delivery: Delivery) -> Envelope:
        number = delivery.attempts + 1
        text = text_of(notice, with_customer=endpoint.fields == "ALL")
        secret = "" if endpoint.format == "json" else self._secret(endpoint)
        if secret and hits(delivery.mishap, "wrong_key", number):
            secret = other_secret(secret)
        iv = self._tools.ids.hex(IV_DIGITS)
        envelope = sealed(text, endpoint.format, secret=secret, iv=iv)
        if hits(delivery.mishap, "corrupt", number):
            return marred(envelope, endpoint.format)
        return envelope

    def _secret(self, endpoint: Endpoint) -> str:
        if self._opened[0] != endpoint.secret:
            opened = self._tools.vault.open(endpoint.id, endpoint.secret)
            self._opened = (endpoint.secret, opened)
        return self._opened[1]

    def _ask(self, method: str, url: str, headers: Mapping[str, str], body: bytes) -> Reply:
        try:
            link = self._link_to(url)
        except BadInput as error:
            return Reply(error=str(error))
        return link.send(method, link.target.path, headers=headers, body=body)

    def _link_to(self, url: str) -> Link:
        """The connection to an address: that of the one before where it is the same place."""
        if self._link is not None and url == self._url:
            return self._link
        target = read_target(url)
        if self._link is None or self._link.target.origin != target.origin:
            self.close()
            self._link = self._tools.links.open(target)
        self._link.target, self._url = target, url
        return self._link


class Ledger:
    """Stores how attempts ended, and removes the oldest settled deliveries beyond what is kept."""

    __slots__ = ("_kept", "_tools")

    def __init__(self, tools: Tools):
        self._tools = tools
        self._kept: int | None = None

    def keep(self, ends: Iterable[End]) -> None:
        """Store these ends. A disk that refuses them is asked until it takes them. Raises Gone."""
        last = {end.delivery.id: end for end in ends}
        while last:
            try:
                self._save(last.values())
                return
            except Conflict:
                last = {name: end for name, each in last.items() if (end := self._anew(each))}
            except DiskFailed:
                LOG.error("how deliveries ended is not stored yet: the disk refuses; trying again")
                gevent.sleep(PAUSE_S)

    def _save(self, ends: Iterable[End]) -> None:
        after = [attempted(end.delivery, end.reply, at=end.at) for end in ends]
        kept = self._count() + sum(each.settled_at is not None for each in after)
        surplus = self._oldest(kept - KEPT_MAX) if kept >= KEPT_MAX + PRUNED_AT_ONCE else []
        removes = (*surplus, *lonely_notices(self._tools.store, surplus))
        self._tools.store.save(unit_of(*after, removes=removes))
        self._kept = kept - len(surplus)
        if any(each.due is not None for each in after):
            self._tools.wake()

    def _anew(self, end: End) -> End | None:
        """The end of a delivery as it is stored now, or None where it is no more."""
        self._kept = None
        delivery = self._tools.store.get(Delivery, end.delivery.id)
        return None if delivery is None else end._replace(delivery=delivery)

    def _count(self) -> int:
        if self._kept is None:
            self._kept = sum(1 for _ in self._settled())
        return self._kept

    def _settled(self) -> Iterable[Delivery]:
        return self._tools.store.between(Delivery, "settled", "", END_OF_TIME)

    def _oldest(self, count: int) -> list[Delivery]:
        return list(islice(self._settled(), count))


def _told(load: Load, reply: Reply) -> WebhookAttempt:
    delivery, notice, endpoint, _ = load
    return WebhookAttempt(
        ndc=notice.ndc,
        payment=notice.payment or "",
        event=f"{notice.type} {notice.action}" if notice.action else notice.type,
        event_id=notice.id,
        number=delivery.attempts + 1,
        url=delivery.url if endpoint is None else endpoint.url,
        status=reply.status,
        error=reply.error,
        took=reply.took,
    )
