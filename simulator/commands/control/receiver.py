"""A small receiver of notifications: reads them, shows them, and may pass them on."""

import http.client
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any

from simulator.client.listener import (
    POLL_S,
    ListenerResponse,
    ReceivedRequest,
    admit_length,
    listening,
)
from simulator.client.transport.links import plain_link, tls_link
from simulator.domain.webhooks.envelopes import (
    ATTEMPT_HEADER,
    ID_HEADER,
    UnreadableEnvelopeError,
    open_envelope,
)
from simulator.domain.webhooks.targets import WebhookUrl

FORWARD_S = 20.0
UNREACHABLE, UNAVAILABLE, NOT_ALLOWED = 502, 503, 405
NOT_PASSED_ON = frozenset({"host", "connection", "content-length", "transfer-encoding"})
Headers = Mapping[str, str]


class Receiver:
    """Listens on loopback, and answers while it runs. `secrets` are tried in turn; `show` gets one
    document a notification. Raises OSError where the port is not free.
    """

    def __init__(
        self,
        port: int,
        *,
        forward_to: WebhookUrl | None = None,
        count: int = 0,
        show: Callable[[Mapping[str, Any]], None],
    ):
        self.secrets: list[str] = []
        self._forward_to = forward_to
        self._count = count
        self._show = show
        self._begun = self._seen = 0
        self._lock = threading.Lock()
        self._running, self._ended = threading.Event(), threading.Event()
        self._open = ExitStack()
        opened = listening(self._respond, f"127.0.0.1:{port}", admit=admit_length)
        self.url = self._open.enter_context(opened)

    def run(self) -> None:
        """Receive until enough has come, or for ever."""
        self._running.set()
        with self._open:
            # A signal that another thread sends to this one is seen between two waits.
            while not self._ended.wait(POLL_S):
                pass

    def _respond(self, request: ReceivedRequest) -> ListenerResponse:
        if request.method != "POST":
            return ListenerResponse(NOT_ALLOWED, {"Allow": "POST"})
        # Before that it has no secrets yet.
        self._running.wait()
        if not self._begin():
            return ListenerResponse(UNAVAILABLE)
        is_taken = False
        try:
            status = self.take(request.headers, request.body)
            is_taken = True
        finally:
            if not is_taken:
                self._give_back()
        return ListenerResponse(status, after=self._end_if_enough)

    def _begin(self) -> bool:
        """Whether one more is wanted: what comes beyond is delivered again, to who listens next."""
        with self._lock:
            self._begun += 1
            return not self._count or self._begun <= self._count

    def _give_back(self) -> None:
        with self._lock:
            self._begun -= 1

    def take(self, headers: Headers, body: bytes) -> int:
        """Print a notification; the status to respond with, which --forward-to decides if given."""
        named = {name.lower(): value for name, value in headers.items()}
        shown: dict[str, Any] = {
            "id": named.get(ID_HEADER.lower()),
            "attempt": named.get(ATTEMPT_HEADER.lower()),
        }
        status = 200
        try:
            shown.update(open_envelope(headers, body, self.secrets))
        except UnreadableEnvelopeError as error:
            shown["error"], status = str(error), 400
        if self._forward_to is not None:
            shown["forwarded"] = status = forwarded(self._forward_to, headers, body)
        self._print(shown)
        return status

    def _print(self, shown: Mapping[str, Any]) -> None:
        with self._lock:
            self._show(shown)
            self._seen += 1

    def _end_if_enough(self) -> None:
        if self._count and self._seen >= self._count:
            self._ended.set()


def forwarded(target: WebhookUrl, headers: Headers, body: bytes) -> int:
    """The status with which `target` takes it as it came; 502 where it cannot be reached."""
    kind = tls_link if target.scheme == "https" else plain_link
    link = kind(target.host, target.port, timeout=FORWARD_S)
    passed = {name: value for name, value in headers.items() if name.lower() not in NOT_PASSED_ON}
    try:
        link.request("POST", target.path, body=body, headers=passed)
        return link.getresponse().status
    except (OSError, http.client.HTTPException):
        return UNREACHABLE
    finally:
        link.close()
