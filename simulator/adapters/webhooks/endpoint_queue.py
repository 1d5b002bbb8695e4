"""The carrier of one lane: makes the attempts to deliver, over its one connection.

An attempt reads its delivery, its notice and its endpoint from the store, so a lane holds nothing
but ids. Source: Events. Choices: D-84 (success, retries), D-85 (formats).
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from simulator.adapters.webhooks.results import End
from simulator.adapters.webhooks.sender import Link, Links
from simulator.domain.core.errors import DiskError, InvalidInputError
from simulator.domain.core.ports import Clock, Ids, Inbox, Store, Vault
from simulator.domain.journal.entries import WebhookAttempt
from simulator.domain.webhooks.envelopes import (
    ATTEMPT_HEADER,
    ID_HEADER,
    IV_DIGITS,
    Envelope,
    hits,
    marred,
    other_secret,
    payload_of,
    sealed,
    text_of,
)
from simulator.domain.webhooks.records import INBOX, Delivery, Endpoint, Notice, Reply, with_query
from simulator.domain.webhooks.targets import read_target

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


class Carrier:
    """Makes attempts, one after the other."""

    __slots__ = ("_endpoint", "_link", "_opened", "_tools", "_url")

    def __init__(self, tools: Tools):
        self._tools = tools
        self._link: Link | None = None
        self._endpoint: Endpoint | None = None
        self._opened = ("", "")
        self._url = ""

    def forget(self) -> None:
        """Endpoints were changed: read them again."""
        self._endpoint = None

    def load(self, identity: str) -> Load | None:
        """What the next attempt to make this delivery needs, or None where it is no more."""
        store = self._tools.store
        delivery = store.get(Delivery, identity)
        if delivery is None or not delivery.under_way:
            return None
        notice = store.get(Notice, delivery.notice)
        assert notice is not None, "a notice is kept as long as any of its deliveries"
        endpoint = self._endpoint_with(delivery.endpoint) if delivery.endpoint else None
        envelope = None
        if endpoint is not None and not hits(delivery.mishap, "lose", delivery.attempts + 1):
            envelope = self._envelope(endpoint, notice, delivery)
        return Load(delivery, notice, endpoint, envelope)

    def attempt(self, load: Load, meanwhile: Callable[[], None] = lambda: None) -> End:
        """The end of the attempt; `meanwhile` is called once it is on its way. Raises
        EpochEndedError.
        """
        at = self._tools.clock.now()
        reply = self._reply(load, meanwhile)
        self._tools.told(_told(load, reply))
        if load.delivery.mishap is not None and load.endpoint is not None and reply.is_success:
            self._repeat(load, load.endpoint, load.delivery.mishap.duplicate)
        return End(load.delivery, reply, at)

    def try_now(self, endpoint: Endpoint, notice: Notice) -> Reply:
        """One attempt at a delivery that is stored nowhere."""
        delivery = Delivery(id=notice.id, notice=notice.id, began_at=notice.created_at)
        return self._send(endpoint, delivery, self._envelope(endpoint, notice, delivery))

    def close(self) -> None:
        """Close the connection."""
        if self._link is not None:
            self._link.close()

    def _reply(self, load: Load, meanwhile: Callable[[], None]) -> Reply:
        delivery, notice, endpoint, envelope = load
        if delivery.url:
            query = urlencode(payload_of(notice))
            return self._ask("GET", with_query(delivery.url, query), meanwhile=meanwhile)
        if endpoint is None:
            return REMOVED
        return LOST if envelope is None else self._send(endpoint, delivery, envelope, meanwhile)

    def _repeat(self, load: Load, endpoint: Endpoint, times: int) -> None:
        """The copies that a script makes of a success; what is answered to them counts nothing."""
        for _ in range(times):
            envelope = self._envelope(endpoint, load.notice, load.delivery)
            reply = self._send(endpoint, load.delivery, envelope)
            self._tools.told(_told(load, reply))

    def _send(
        self,
        endpoint: Endpoint,
        delivery: Delivery,
        envelope: Envelope,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> Reply:
        headers = {
            **envelope.headers,
            ID_HEADER: delivery.notice,
            ATTEMPT_HEADER: str(delivery.attempts + 1),
        }
        if endpoint.url == INBOX:
            return self._taken_by_inbox(headers, envelope.body)
        return self._ask(
            "POST", endpoint.url, headers=headers, body=envelope.body, meanwhile=meanwhile
        )

    def _taken_by_inbox(self, headers: Mapping[str, str], body: bytes) -> Reply:
        """An inbox whose disk is full took nothing: it is tried again, as any endpoint."""
        try:
            return self._tools.inbox.take(headers, body)
        except DiskError:
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

    def _endpoint_with(self, identity: str) -> Endpoint | None:
        """The endpoint of this lane, read again after `forget`."""
        if self._endpoint is None or self._endpoint.id != identity:
            self._endpoint = self._tools.store.get(Endpoint, identity)
        return self._endpoint

    def _ask(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] = {},
        body: bytes = b"",
        meanwhile: Callable[[], None],
    ) -> Reply:
        try:
            link = self._link_to(url)
        except InvalidInputError as error:
            return Reply(error=str(error))
        path = link.target.path
        return link.send(method, path, headers=headers, body=body, meanwhile=meanwhile)

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
