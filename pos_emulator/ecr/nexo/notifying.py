"""Notifications to a till that takes them: what the display shows, the network, the state.

They are sent in their order by a thread, each once: what a till does not take in time is lost, as
it is on a real terminal. Choice: D-466.
"""

import logging
import queue
import threading
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException

from pos_emulator.ecr.nexo.messages import Body, display_message, notification, write_object
from pos_emulator.ecr.nexo.settings import NexoSettings
from pos_emulator.ecr.ports import TillTerminal
from pos_emulator.terminal.records import Notice
from pos_emulator.terminal.stand import INSERTED, REMOVED

LOG = logging.getLogger("sandgate.till")
WAITING_MAX = 100
TIMEOUT_S = 5.0
# fmt: off
EVENTS: Mapping[tuple[str, str], str] = {
    ("slot", INSERTED):          "CardInserted",
    ("slot", REMOVED):           "CardRemoved",
    ("network", "unplugged"):  "NetworkDisconnected",
    ("network", "plugged in"): "NetworkConnected",
    ("state", "out of order"): "OutOfOrder",
}
# fmt: on
END = None


@contextmanager
def notifying(terminal: TillTerminal, settings: NexoSettings) -> Iterator[None]:
    """Notices of a terminal are sent to the till's address until the end of the block, if it has
    one.
    """
    if not settings.events_url:
        yield
        return
    waiting: queue.Queue[bytes | None] = queue.Queue(WAITING_MAX)
    poi_id = settings.poi_id or terminal.identity.id

    def notice(notice: Notice) -> None:
        if message := message_of(notice, poi_id):
            _put(waiting, write_object(message))

    stop = terminal.watch(notice)
    sender = threading.Thread(target=_send_all, args=(waiting, settings.events_url), daemon=True)
    sender.start()
    try:
        yield
    finally:
        stop()
        _put(waiting, END)
        sender.join(TIMEOUT_S)


def message_of(notice: Notice, poi_id: str) -> Body | None:
    """The message to a till about a notice: a text for the cashier, an event, or nothing."""
    if notice.kind == "display":
        return display_message(poi_id, notice.text)
    for (kind, words), event in EVENTS.items():
        if notice.kind == kind and notice.text.startswith(words):
            return notification(poi_id, event, at=notice.at, details=notice.text)
    return None


def _put(waiting: queue.Queue[bytes | None], message: bytes | None) -> None:
    """Put a message into a queue; a full one loses its oldest."""
    while True:
        try:
            waiting.put_nowait(message)
            return
        except queue.Full:
            waiting.get_nowait()


def _send_all(waiting: queue.Queue[bytes | None], url: str) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while (message := waiting.get()) is not None:
        request = urllib.request.Request(
            url, data=message, headers={"Content-Type": "application/json"}
        )
        try:
            opener.open(request, timeout=TIMEOUT_S).close()
        except (OSError, HTTPException) as error:
            LOG.info("a notification was not taken: %s", type(error).__name__)
