"""A merchant's webhook receiver: it keeps every request and answers with the statuses set for
it.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from simulator.client.listener import ANY_PORT, ListenerResponse, ReceivedRequest, listening

WAIT_S_MAX = 10.0
ACCEPTED = 200


@dataclass(frozen=True, slots=True)
class ReceivedCall:
    """A request as it was received, and the status it was answered with."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    status: int


class WebhookReceiver:
    """The requests so far, and how the next are answered: with 200 unless set otherwise."""

    def __init__(self) -> None:
        self.url = ""
        self.delay_s = 0.0
        self._calls: list[ReceivedCall] = []
        self._statuses: deque[int] = deque()
        self._arrived = threading.Condition()

    def reset(self) -> None:
        """Forget every request and setting, for another scenario."""
        with self._arrived:
            self.delay_s = 0.0
            self._calls.clear()
            self._statuses.clear()

    def answer_next(self, status: int, *, times: int) -> None:
        """Answer so many of the next requests with `status`."""
        self._statuses.extend([status] * times)

    def receive(self, request: ReceivedRequest) -> ListenerResponse:
        """Keep one request, and answer it."""
        with self._arrived:
            status = self._statuses.popleft() if self._statuses else ACCEPTED
            self._calls.append(
                ReceivedCall(request.method, request.path, request.headers, request.body, status)
            )
            self._arrived.notify_all()
        time.sleep(self.delay_s)
        # The next request may be for the receiver of another scenario, at the same port.
        return ListenerResponse(status, {"Location": self.url, "Connection": "close"})

    def calls(
        self, count: int = 0, *, wanted: Callable[[ReceivedCall], bool] = lambda _: True
    ) -> list[ReceivedCall]:
        """The requests that are wanted, oldest first: as soon as there are `count`, or after
        10 s.
        """

        def found() -> list[ReceivedCall]:
            return [call for call in self._calls if wanted(call)]

        with self._arrived:
            self._arrived.wait_for(lambda: len(found()) >= count, WAIT_S_MAX)
            return found()


@contextmanager
def receiving(listen: str = ANY_PORT, url: str = "") -> Iterator[WebhookReceiver]:
    """A receiver that listens at a host and port until the end of the block. Raises OSError.

    `url` is the address under which it is reached from outside, where that is another.
    """
    receiver = WebhookReceiver()
    with listening(receiver.receive, listen) as own_url:
        receiver.url = url or own_url
        yield receiver
