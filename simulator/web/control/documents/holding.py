"""The documents of the control API about breakpoints and held messages."""

from datetime import datetime
from typing import Annotated

from msgspec import Struct

from simulator.domain.core.shapes import Id, shape
from simulator.domain.holding import Stop

Parties = Annotated[
    tuple[str, ...], shape("Messages to these wait.", items={"enum": [stop.value for stop in Stop]})
]


class Breakpoints(Struct, frozen=True, forbid_unknown_fields=True):
    """At which parties of a sandbox messages are held."""

    parties: Parties


class HeldDocument(Struct, frozen=True, kw_only=True):
    """A message that is held: `dropped` says what follows where it is dropped, `answers` what it
    can be answered with instead.
    """

    id: Id
    party: str
    sender: str
    receiver: str
    label: str
    payment: str
    ndc: str
    held_at: datetime
    dropped: str
    answers: tuple[str, ...]


class HeldList(Struct, frozen=True):
    """The messages that are held, the oldest first."""

    held: tuple[HeldDocument, ...]
