"""The merchant's receiver during a run: listens on loopback, opens what comes, notes when."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import time

from cryptography.exceptions import InvalidTag

from features.spec.envelopes import opened
from load.ledger import Heard
from simulator.client.listener import ListenerResponse, ReceivedRequest, listening

TAKEN, NOT_OURS = 200, 400


class Ear:
    """What came so far. `secret` opens it; what it does not open is counted and not taken."""

    def __init__(self) -> None:
        self.url = ""
        self.secret = ""
        self.heard: list[Heard] = []
        self.unreadable = 0

    def receive(self, request: ReceivedRequest) -> ListenerResponse:
        """Note one notification, and answer it."""
        at = time()
        try:
            told = opened(request.headers, request.body, self.secret)
        except (InvalidTag, ValueError, KeyError):
            self.unreadable += 1
            return ListenerResponse(NOT_OURS)
        payment = str(told.get("payload", {}).get("id", ""))
        identity = request.headers.get("x-event-id", "")
        self.heard.append(
            Heard(identity, str(told.get("type")), str(told.get("action")), payment, at)
        )
        return ListenerResponse(TAKEN)


@contextmanager
def receiving() -> Iterator[Ear]:
    """An ear that listens until the end of the block."""
    ear = Ear()
    with listening(ear.receive) as ear.url:
        yield ear
