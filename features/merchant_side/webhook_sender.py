"""Sends notifications as a gateway does, also in pieces, at once, or broken off."""

import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from features.merchant_side.webhook_encryption import EncryptedNotification
from reports.events import RecordedExchange
from simulator.client.transport.links import plain_link, tls_link

# Source: D-84; what gateways document for their clients.
TIME_LIMIT_S = 30.0
AT_ONCE_MAX = 50
Pieces = Sequence[bytes]


@dataclass(frozen=True, slots=True)
class WebhookReply:
    """The reply of a receiver after `seconds`: a status, or 0 and an error."""

    status: int
    seconds: float
    error: str = ""

    @property
    def is_accepted(self) -> bool:
        """Whether a gateway counts this as delivered."""
        return 200 <= self.status < 300

    @property
    def is_refused(self) -> bool:
        """Whether the receiver refused the notification."""
        return self.status >= 300

    def __str__(self) -> str:
        after = f"{self.seconds * 1000:.0f} ms" if self.seconds < 1 else f"{self.seconds:.1f} s"
        return f"{self.status or self.error} after {after}"


class WebhookSender:
    """Sends to one address, and records its exchanges."""

    def __init__(self, url: str, *, time_limit_s: float, tls: ssl.SSLContext | None):
        self.time_limit_s = time_limit_s
        self._place = urlsplit(url)
        self._tls = tls
        self._kept: list[RecordedExchange] = []

    def post(
        self, notification: EncryptedNotification, *, pieces: int = 1, pause_s: float = 0.0
    ) -> WebhookReply:
        """The answer to one notification; its body in so many pieces, with a pause before each."""
        began = time.monotonic()
        try:
            status, reason = self._post(notification, pieces=pieces, pause_s=pause_s), ""
        except (OSError, http.client.HTTPException) as error:
            status, reason = 0, _why(error)
        reply = WebhookReply(status, time.monotonic() - began, reason)
        if reply.seconds >= self.time_limit_s:
            reply = WebhookReply(0, reply.seconds, "no answer in time")
        self._keep(notification, reply)
        return reply

    def post_at_once(self, notifications: Sequence[EncryptedNotification]) -> list[WebhookReply]:
        """The answers to notifications that are all posted together, in their order."""
        with ThreadPoolExecutor(min(len(notifications), AT_ONCE_MAX)) as pool:
            return list(pool.map(self.post, notifications))

    def break_off(self, notification: EncryptedNotification) -> None:
        """Send half a notification and close the connection. Raises OSError without a receiver."""
        content = notification.content()
        with self._connected() as link:
            self._head(link, notification, len(content))
            link.send(content[: len(content) // 2])

    def exchanges(self) -> list[RecordedExchange]:
        """The exchanges since the last call, which are then dropped."""
        kept, self._kept = self._kept, []
        return kept

    def _post(self, notification: EncryptedNotification, *, pieces: int, pause_s: float) -> int:
        content = notification.content()
        with self._connected() as link, _ended_after(self.time_limit_s, link):
            self._head(link, notification, len(content))
            # A receiver may refuse before it has read all: its answer still counts.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                for piece in _pieces_of(content, pieces):
                    time.sleep(pause_s)
                    link.send(piece)
            return link.getresponse().status

    @contextlib.contextmanager
    def _connected(self) -> Iterator[http.client.HTTPConnection]:
        link = _link_to(self._place, self._tls, self.time_limit_s)
        try:
            link.connect()
            yield link
        finally:
            link.close()

    def _head(
        self, link: http.client.HTTPConnection, notification: EncryptedNotification, length: int
    ) -> None:
        query = f"?{self._place.query}" if self._place.query else ""
        link.putrequest("POST", (self._place.path or "/") + query)
        for name, value in {**notification.headers(), "Content-Length": str(length)}.items():
            link.putheader(name, value)
        link.endheaders()

    def _keep(self, notification: EncryptedNotification, reply: WebhookReply) -> None:
        length = {"bytes": str(len(notification.content()))}
        self._kept.append(
            RecordedExchange(
                "other", "POST", self._place.path or "/", sent=length,
                sent_headers=notification.headers(), status=reply.status, ms=reply.seconds * 1000,
                error=reply.error,
            )
        )  # fmt: skip


def _link_to(
    place: SplitResult, tls: ssl.SSLContext | None, timeout_s: float
) -> http.client.HTTPConnection:
    host = place.hostname or ""
    if place.scheme == "https":
        return tls_link(host, place.port, timeout=timeout_s, context=tls)
    return plain_link(host, place.port, timeout=timeout_s)


@contextlib.contextmanager
def _ended_after(seconds: float, link: http.client.HTTPConnection) -> Iterator[None]:
    """Close the connection after so many seconds, so that a slow receiver cannot delay for ever."""
    line = link.sock

    def hang_up() -> None:
        with contextlib.suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, hang_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _pieces_of(content: bytes, count: int) -> Pieces:
    """The bytes in so many pieces, the first of them one byte where there are several."""
    if count < 2:
        return [content]
    size = max(1, len(content) // (count - 1))
    return [content[:1], *(content[at : at + size] for at in range(1, len(content), size))]


def _why(error: Exception) -> str:
    """Why no answer came, in a few words."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return f"no answer: {text.lower()}"
