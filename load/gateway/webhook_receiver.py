"""The merchant's webhook receiver during a run: listens on loopback, decrypts, records when."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import time

from cryptography.exceptions import InvalidTag

from features.spec.envelopes import opened
from load.ledger.records import ReceivedEvent
from simulator.client.listener import ListenerResponse, ReceivedRequest, listening

ACCEPTED, REJECTED = 200, 400


class WebhookRecorder:
    """The events received so far. What `secret` does not decrypt is counted and rejected."""

    def __init__(self) -> None:
        self.url = ""
        self.secret = ""
        self.events: list[ReceivedEvent] = []
        self.unreadable = 0

    def receive(self, request: ReceivedRequest) -> ListenerResponse:
        """Record one notification, and answer it."""
        at = time()
        try:
            event = opened(request.headers, request.body, self.secret)
        except (InvalidTag, ValueError, KeyError):
            self.unreadable += 1
            return ListenerResponse(REJECTED)
        payment_id = str(event.get("payload", {}).get("id", ""))
        event_id = request.headers.get("x-event-id", "")
        kind, action = str(event.get("type")), str(event.get("action"))
        self.events.append(ReceivedEvent(event_id, kind, action, payment_id, at))
        return ListenerResponse(ACCEPTED)


@contextmanager
def start_webhook_receiver() -> Iterator[WebhookRecorder]:
    """Start a receiver that listens until the end of the block."""
    recorder = WebhookRecorder()
    with listening(recorder.receive) as recorder.url:
        yield recorder
