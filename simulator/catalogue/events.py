"""Which operation emits which notification: one table, printed in docs/webhooks.md.

Source: Events; the mapping is not shown. Choices: D-80 (the rows), D-81 (payments referred to).
"""

from typing import NamedTuple

PAYMENT, REGISTRATION = "PAYMENT", "REGISTRATION"
CREATED, UPDATED = "CREATED", "UPDATED"

# What can happen to a record, as far as somebody may want to hear of it.
ANSWERED, ENDED, TAKEN, REGISTERED = "answered", "ended", "taken from", "registered"


class Emission(NamedTuple):
    """One row: what happens to payments of which types, and the event that tells of it."""

    change: str
    payment_types: tuple[str, ...]
    type: str
    action: str
    means: str
    choice: str = "D-80"

    @property
    def name(self) -> str:
        """The event as commands write it: payment.created."""
        return f"{self.type}.{self.action}".lower()


INITIAL = ("PA", "DB", "CD", "PA.CP")
REFERRING = ("CP", "RF", "RV", "RB", "RC")

# fmt: off
EVENTS = (
    #        change      of a payment of type    type          action   when
    Emission(ANSWERED,   INITIAL + REFERRING,    PAYMENT,      CREATED,
             "it got its first answer: approved, declined or pending"),
    Emission(ENDED,      INITIAL + REFERRING,    PAYMENT,      UPDATED,
             "it was pending and became final"),
    Emission(TAKEN,      INITIAL + REFERRING,    PAYMENT,      UPDATED,
             "a later payment took from it; nothing is sent unless D-81=send", choice="D-81"),
    Emission(REGISTERED, INITIAL + ("RG",),      REGISTRATION, CREATED,
             "it left a registration: an RG, or one with createRegistration=true"),
)
# fmt: on

EVENT_NAMES = tuple(dict.fromkeys(row.name for row in EVENTS))
EVENT_TYPES = (PAYMENT, REGISTRATION)

# The call by which a new endpoint shows that it listens. Source: recorded by clients of the field.
ACTIVATION = ("test", "webhook activation")

# What calls a notificationUrl is no event but has the same way to travel. Source: Events, 1.
NOTIFICATION_URL = "notificationUrl"


def emission_of(change: str, payment_type: str) -> Emission | None:
    """The row for this change of a payment of this type, or None where nobody is told."""
    return BY_CHANGE.get((change, payment_type))


BY_CHANGE = {(row.change, kind): row for row in EVENTS for kind in row.payment_types}
