"""Which operation emits which notification: one table, printed in docs/reference/webhook-events.md.

Source: Events; the mapping is not shown. Choices: D-80 (the rows), D-81 (payments referred to).
"""

from simulator.catalogue.payment_types import INITIAL_TYPES, types_where
from simulator.grammar.events import PAYMENT, REGISTRATION, RISK, SCHEDULE, SETTLEMENT, Emission

CREATED, UPDATED, DELETED = "CREATED", "UPDATED", "DELETED"

# What can happen to a record, as far as webhook events report it: to a payment,
ANSWERED, ENDED, TAKEN, REGISTERED = "answered", "ended", "taken from", "registered"
SCREENED, EXECUTED = "screened", "executed"
# to a registration, to a schedule.
CHANGED, REMOVED = "changed", "removed"
SCHEDULED, RESCHEDULED, DESCHEDULED = "scheduled", "rescheduled", "descheduled"
# and to a bank day.
SETTLED = "settled"

# By the type of the events about them.
PAYMENTS = types_where(lambda row: row.event == PAYMENT)
REGISTRATIONS = types_where(lambda row: row.event == REGISTRATION)
REGISTERING = INITIAL_TYPES + REGISTRATIONS
RISK_CHECKS = types_where(lambda row: row.event == RISK)

# fmt: off
EVENTS = (
    #        change       of type                 type          action   when
    Emission(ANSWERED,    PAYMENTS,               PAYMENT,      CREATED,
             "it got its first answer: approved, declined or pending"),
    Emission(ENDED,       PAYMENTS,               PAYMENT,      UPDATED,
             "it was pending and became final"),
    Emission(TAKEN,       PAYMENTS,               PAYMENT,      UPDATED,
             "a later payment took from it; nothing is sent unless D-81=send", choice="D-81"),
    Emission(REGISTERED,  REGISTERING,            REGISTRATION, CREATED,
             "it left a registration: an RG, or one with createRegistration=true"),
    Emission(CHANGED,     ("RG", "TE"),           REGISTRATION, UPDATED,
             "a registration got other data, or a longer life"),
    Emission(REMOVED,     ("DR",),                REGISTRATION, DELETED,
             "a registration was removed"),
    Emission(SCHEDULED,   ("SD",),                SCHEDULE,     CREATED,
             "a schedule was made"),
    Emission(RESCHEDULED, ("RS",),                SCHEDULE,     UPDATED,
             "a schedule was replaced by another"),
    Emission(EXECUTED,    INITIAL_TYPES,          SCHEDULE,     UPDATED,
             "a schedule made this payment, which emits an event of its own too"),
    Emission(DESCHEDULED, ("DS",),                SCHEDULE,     DELETED,
             "a schedule was ended"),
    Emission(ANSWERED,    RISK_CHECKS,            RISK,         CREATED,
             "a risk check alone was answered"),
    Emission(ENDED,       RISK_CHECKS,            RISK,         UPDATED,
             "a risk check alone was pending and became final"),
    Emission(SCREENED,    INITIAL_TYPES,          RISK,         CREATED,
             "a risk check of its channel decided about it"),
    Emission(SETTLED,     (),                     SETTLEMENT,   CREATED,
             "a bank day of a merchant account was settled, and its file delivered",
             choice="D-523"),
)
# fmt: on

EVENT_NAMES = tuple(dict.fromkeys(row.name for row in EVENTS))
EVENT_TYPES = (PAYMENT, REGISTRATION, SCHEDULE, RISK, SETTLEMENT)
# The types the specification names; the others are those of the field. Choice: D-80.
SPECIFIED_TYPES = (PAYMENT, REGISTRATION)

# The call by which a new endpoint shows that it listens. Source: recorded by clients of the field.
ACTIVATION = ("test", "webhook activation")

# What calls a notificationUrl is no event but has the same way to travel. Source: Events, 1.
NOTIFICATION_URL = "notificationUrl"


def emitted_types(*, field_events: bool) -> tuple[str, ...]:
    """The types of webhook events sent; without `field_events` those of the specification."""
    return EVENT_TYPES if field_events else SPECIFIED_TYPES


def find_emission(change: str, of_type: str) -> Emission | None:
    """The row for this change by a request of this type, or None where no event is sent."""
    return BY_CHANGE.get((change, of_type))


def find_emission_by_change(change: str) -> Emission:
    """The row for a change of a registration or a schedule, which has one alone."""
    (row,) = (each for each in EVENTS if each.change == change)
    return row


BY_CHANGE = {(row.change, kind): row for row in EVENTS for kind in row.payment_types}
