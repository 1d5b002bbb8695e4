"""Inboxes: where the notifications of a scenario's merchant arrive, in whatever way.

A sandbox has one. A gateway without a control API notifies the suite's own receiver, which is then
the inbox of one scenario after the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from features.support.notifications import NotificationInbox
from simulator.client import Control
from simulator.client.receiver import ReceivedCall

Arrival = Mapping[str, Any]
EVENT_ID = "x-event-id"
WAITS_MAX = 30
UNREADABLE = "the key of the target file does not decrypt it"


class ScenarioInbox(Protocol):
    """An inbox for the webhook endpoint of a merchant."""

    def open(self, types: Sequence[str] = ()) -> Mapping[str, Any]:
        """Begin to receive notifications, all or those of some types; the endpoint."""

    def arrivals(self, count: int = 0) -> list[Arrival]:
        """The notifications that arrived, oldest first, after all deliveries in progress: `type`,
        `action`, `payload`, `event_id`, `headers`, `body`, and `error` where it cannot be read.
        """


@dataclass(frozen=True)
class SandboxInbox:
    """The inbox of a sandbox."""

    control: Control
    sandbox: str

    def open(self, types: Sequence[str] = ()) -> Mapping[str, Any]:
        """Create a webhook endpoint that leads to it; the endpoint."""
        chosen = {"types": list(types)} if types else {}
        return self.control.create_webhook(self.sandbox, "inbox", **chosen)

    def arrivals(self, count: int = 0) -> list[Arrival]:
        """What arrived; the sandbox knows when no delivery is in progress."""
        self.control.drain(self.sandbox)
        return self.control.inbox(self.sandbox)


@dataclass
class ReceiverInbox:
    """The receiver that a target notifies by its own configuration."""

    notified: NotificationInbox
    _types: Sequence[str] = field(default=(), init=False)
    _waited_with: int = field(default=-1, init=False)

    def open(self, types: Sequence[str] = ()) -> Mapping[str, Any]:
        """Forget what arrived so far. The endpoint cannot be shown."""
        self.notified.wait()
        self.notified.receiver.reset()
        self._types = types
        return {}

    def arrivals(self, count: int = 0) -> list[Arrival]:
        """What arrived; `count` is waited for, and then whether more comes. Of a target that goes
        on and on it is what arrived so far.
        """
        found = self.notified.receiver.calls(count, wanted=self._is_wanted)
        for _ in range(WAITS_MAX):
            if len(found) == self._waited_with:
                break
            self._waited_with = len(found)
            self.notified.wait()
            found = self.notified.receiver.calls(wanted=self._is_wanted)
        return [self._arrival_of(call) for call in found]

    def _is_wanted(self, call: ReceivedCall) -> bool:
        kind = self._arrival_of(call)["type"]
        return call.method == "POST" and (not self._types or kind in (*self._types, None))

    def _arrival_of(self, call: ReceivedCall) -> Arrival:
        wrapper = self.notified.opened(call)
        members = {name: wrapper.get(name) for name in ("type", "action", "payload")}
        return {
            **members,
            "event_id": call.headers.get(EVENT_ID),
            "headers": call.headers,
            "body": call.body.decode("utf-8", "replace"),
            "error": None if wrapper else UNREADABLE,
        }
