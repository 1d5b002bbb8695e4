"""Posts notifications as a gateway does, and as the line between them may do it."""

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

# Source: D-84; what clients of the field are told.
TIME_LIMIT_S = 30.0
AT_ONCE_MAX = 50
Pieces = Sequence[bytes]


@dataclass(frozen=True, slots=True)
class WebhookReply:
    """How a receiver answered, and after how many seconds: a status, or 0 and why none came."""

    status: int
    seconds: float
    error: str = ""

    @property
    def is_taken(self) -> bool:
        """Whether a gateway counts this as delivered."""
        return 200 <= self.status < 300

    @property
    def is_refused(self) -> bool:
        """Whether the receiver answered that it does not take this."""
        return self.status >= 300

    def __str__(self) -> str:
        after = f"{self.seconds * 1000:.0f} ms" if self.seconds < 1 else f"{self.seconds:.1f} s"
        return f"{self.status or self.error} after {after}"


class WebhookSender:
    """Posts to one address. `exchanges` are those since it was last asked for them."""

    def __init__(self, url: str, *, time_limit_s: float, tls: ssl.SSLContext | None):
        self.time_limit_s = time_limit_s
        self._place = urlsplit(url)
        self._tls = tls
        self._kept: list[RecordedExchange] = []

    def post(
        self, letter: EncryptedNotification, *, pieces: int = 1, pause_s: float = 0.0
    ) -> WebhookReply:
        """The answer to one notification; its body in so many pieces, with a pause before each."""
        began = time.monotonic()
        try:
            status, error = self._post(letter, pieces=pieces, pause_s=pause_s), ""
        except (OSError, http.client.HTTPException) as gone:
            status, error = 0, _why(gone)
        reply = WebhookReply(status, time.monotonic() - began, error)
        if reply.seconds >= self.time_limit_s:
            reply = WebhookReply(0, reply.seconds, "no answer in time")
        self._keep(letter, reply)
        return reply

    def post_at_once(self, letters: Sequence[EncryptedNotification]) -> list[WebhookReply]:
        """The answers to notifications that are all posted together, in their order."""
        with ThreadPoolExecutor(min(len(letters), AT_ONCE_MAX)) as pool:
            return list(pool.map(self.post, letters))

    def break_off(self, letter: EncryptedNotification) -> None:
        """Post half a notification and hang up. Raises OSError where nobody is there."""
        content = letter.content()
        with self._connected() as link:
            self._head(link, letter, len(content))
            link.send(content[: len(content) // 2])

    def exchanges(self) -> list[RecordedExchange]:
        """What was posted since the last call, and forget it."""
        kept, self._kept = self._kept, []
        return kept

    def _post(self, letter: EncryptedNotification, *, pieces: int, pause_s: float) -> int:
        content = letter.content()
        with self._connected() as link, _ended_after(self.time_limit_s, link):
            self._head(link, letter, len(content))
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
        self, link: http.client.HTTPConnection, letter: EncryptedNotification, length: int
    ) -> None:
        query = f"?{self._place.query}" if self._place.query else ""
        link.putrequest("POST", (self._place.path or "/") + query)
        for name, value in {**letter.headers(), "Content-Length": str(length)}.items():
            link.putheader(name, value)
        link.endheaders()

    def _keep(self, letter: EncryptedNotification, reply: WebhookReply) -> None:
        length = {"bytes": str(len(letter.content()))}
        self._kept.append(
            RecordedExchange(
                "other", "POST", self._place.path or "/", sent=length,
                sent_headers=letter.headers(), status=reply.status, ms=reply.seconds * 1000,
                error=reply.error,
            )
        )  # fmt: skip


def _link_to(
    place: SplitResult, tls: ssl.SSLContext | None, timeout_s: float
) -> http.client.HTTPConnection:
    host = place.hostname or ""
    if place.scheme == "https":
        return http.client.HTTPSConnection(host, place.port, timeout=timeout_s, context=tls)
    return http.client.HTTPConnection(host, place.port, timeout=timeout_s)


@contextlib.contextmanager
def _ended_after(seconds: float, link: http.client.HTTPConnection) -> Iterator[None]:
    """Hang up after so many seconds: who answers a byte now and then would keep us for ever."""
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


def _why(gone: Exception) -> str:
    """Why no answer came, in a few words."""
    if isinstance(gone, TimeoutError):
        return "no answer in time"
    text = getattr(gone, "strerror", None) or str(gone) or type(gone).__name__
    return f"no answer: {text.lower()}"
