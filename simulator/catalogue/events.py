"""Which operation emits which notification: one table, printed in docs/reference/webhook-events.md.

Source: Events; the mapping is not shown. Choices: D-80 (the rows), D-81 (payments referred to).
"""

from typing import NamedTuple

PAYMENT, REGISTRATION, SCHEDULE, RISK = "PAYMENT", "REGISTRATION", "SCHEDULE", "RISK"
CREATED, UPDATED, DELETED = "CREATED", "UPDATED", "DELETED"

# What can happen to a record, as far as webhook events report it: to a payment,
ANSWERED, ENDED, TAKEN, REGISTERED = "answered", "ended", "taken from", "registered"
SCREENED, EXECUTED = "screened", "executed"
# to a registration, to a schedule.
CHANGED, REMOVED = "changed", "removed"
SCHEDULED, RESCHEDULED, DESCHEDULED = "scheduled", "rescheduled", "descheduled"


class Emission(NamedTuple):
    """One row: what happens by requests of which types, and the webhook event it emits."""

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
REFERRING = ("CP", "RF", "RV", "RB", "RC", "CB", "CR")

# fmt: off
EVENTS = (
    #        change       of type                 type          action   when
    Emission(ANSWERED,    INITIAL + REFERRING,    PAYMENT,      CREATED,
             "it got its first answer: approved, declined or pending"),
    Emission(ENDED,       INITIAL + REFERRING,    PAYMENT,      UPDATED,
             "it was pending and became final"),
    Emission(TAKEN,       INITIAL + REFERRING,    PAYMENT,      UPDATED,
             "a later payment took from it; nothing is sent unless D-81=send", choice="D-81"),
    Emission(REGISTERED,  INITIAL + ("RG",),      REGISTRATION, CREATED,
             "it left a registration: an RG, or one with createRegistration=true"),
    Emission(CHANGED,     ("RG", "TE"),           REGISTRATION, UPDATED,
             "a registration got other data, or a longer life"),
    Emission(REMOVED,     ("DR",),                REGISTRATION, DELETED,
             "a registration was removed"),
    Emission(SCHEDULED,   ("SD",),                SCHEDULE,     CREATED,
             "a schedule was made"),
    Emission(RESCHEDULED, ("RS",),                SCHEDULE,     UPDATED,
             "a schedule was replaced by another"),
    Emission(EXECUTED,    INITIAL,                SCHEDULE,     UPDATED,
             "a schedule made this payment, which emits an event of its own too"),
    Emission(DESCHEDULED, ("DS",),                SCHEDULE,     DELETED,
             "a schedule was ended"),
    Emission(ANSWERED,    ("RI",),                RISK,         CREATED,
             "a risk check alone was answered"),
    Emission(ENDED,       ("RI",),                RISK,         UPDATED,
             "a risk check alone was pending and became final"),
    Emission(SCREENED,    INITIAL,                RISK,         CREATED,
             "a risk check of its channel decided about it"),
)
# fmt: on

EVENT_NAMES = tuple(dict.fromkeys(row.name for row in EVENTS))
EVENT_TYPES = (PAYMENT, REGISTRATION, SCHEDULE, RISK)
# The types the specification names; the others are those of the field. Choice: D-80.
SPECIFIED_TYPES = (PAYMENT, REGISTRATION)

# The call by which a new endpoint shows that it listens. Source: recorded by clients of the field.
ACTIVATION = ("test", "webhook activation")

# What calls a notificationUrl is no event but has the same way to travel. Source: Events, 1.
NOTIFICATION_URL = "notificationUrl"


def types_told(*, field_events: bool) -> tuple[str, ...]:
    """The types of webhook events sent; without `field_events` those of the specification."""
    return EVENT_TYPES if field_events else SPECIFIED_TYPES


def emission_of(change: str, of_type: str) -> Emission | None:
    """The row for this change by a request of this type, or None where no event is sent."""
    return BY_CHANGE.get((change, of_type))


def emission_by(change: str) -> Emission:
    """The row for a change of a registration or a schedule, which has one alone."""
    (row,) = (each for each in EVENTS if each.change == change)
    return row


BY_CHANGE = {(row.change, kind): row for row in EVENTS for kind in row.payment_types}
