"""How a request of a till can end: results, error conditions, and what leads to them.

Source: nexo Retailer protocol 3.0, data element Response; ISO 20022, RetailerResultDetail1Code,
which defines each condition. Choice: D-461.
"""

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from pos_emulator.terminal.records import (
    BusyError,
    Ending,
    OrderError,
    OutOfOrderError,
    UnreadableCardError,
)

CARD_NUMBER = "expected no number of a card in a message of a till, received one"


class NexoResult(Enum):
    """Whether a request was carried out."""

    SUCCESS = "Success"
    FAILURE = "Failure"
    PARTIAL = "Partial"


class Condition(Enum):
    """Why a request was not carried out."""

    ABORTED = "Aborted"
    BUSY = "Busy"
    CANCEL = "Cancel"
    DEVICE_OUT = "DeviceOut"
    IN_PROGRESS = "InProgress"
    INSERTED_CARD = "InsertedCard"
    INVALID_CARD = "InvalidCard"
    LOGGED_OUT = "LoggedOut"
    MESSAGE_FORMAT = "MessageFormat"
    NOT_ALLOWED = "NotAllowed"
    NOT_FOUND = "NotFound"
    PAYMENT_RESTRICTION = "PaymentRestriction"
    REFUSAL = "Refusal"
    UNAVAILABLE_DEVICE = "UnavailableDevice"
    UNAVAILABLE_SERVICE = "UnavailableService"
    UNREACHABLE_HOST = "UnreachableHost"
    WRONG_PIN = "WrongPIN"


class NexoOutcome(NamedTuple):
    """The member Response: `message` says what happened, `reason` why, both for people."""

    result: NexoResult = NexoResult.SUCCESS
    condition: Condition | None = None
    message: str = ""
    reason: str = ""


class NexoError(Exception):
    """A request cannot be carried out; the text says what was expected and what was received."""

    def __init__(self, condition: Condition, text: str) -> None:
        super().__init__(text)
        self.condition = condition


class UnreadableMessageError(ValueError):
    """A message without a header that can be read, which cannot be answered as a request."""


SUCCESS = NexoOutcome()

# fmt: off
BY_ENDING: Mapping[Ending, tuple[NexoResult, Condition | None]] = {
    Ending.APPROVED:     (NexoResult.SUCCESS, None),
    Ending.PARTIAL:      (NexoResult.PARTIAL, Condition.PAYMENT_RESTRICTION),
    Ending.DECLINED:     (NexoResult.FAILURE, Condition.REFUSAL),
    Ending.WRONG_PIN:    (NexoResult.FAILURE, Condition.WRONG_PIN),
    Ending.CANCELED:     (NexoResult.FAILURE, Condition.CANCEL),
    Ending.ABORTED:      (NexoResult.FAILURE, Condition.ABORTED),
    Ending.CARD_REMOVED: (NexoResult.FAILURE, Condition.CANCEL),
    Ending.CARD_REFUSED: (NexoResult.FAILURE, Condition.INVALID_CARD),
    Ending.UNREACHABLE:  (NexoResult.FAILURE, Condition.UNREACHABLE_HOST),
    Ending.TIMED_OUT:    (NexoResult.FAILURE, Condition.CANCEL),
    Ending.POWER_CUT:    (NexoResult.FAILURE, Condition.DEVICE_OUT),
}
BY_ERROR: Mapping[type[Exception], Condition] = {
    BusyError:       Condition.BUSY,
    OutOfOrderError: Condition.DEVICE_OUT,
    OrderError:      Condition.NOT_ALLOWED,
    UnreadableCardError: Condition.INVALID_CARD,
}
# fmt: on
CONDITIONS: tuple[type[Exception], ...] = (NexoError, *BY_ERROR)


def outcome_of_error(error: Exception) -> NexoOutcome:
    """Return how a request ends that raised a NexoError or an error of the terminal."""
    condition = error.condition if isinstance(error, NexoError) else BY_ERROR[type(error)]
    return NexoOutcome(NexoResult.FAILURE, condition, message_of(condition), str(error))


def message_of(condition: Condition) -> str:
    """Return the name of a condition as words: "unavailable service", "wrong PIN"."""
    name = condition.name.replace("_", " ").lower()
    return name.replace("pin", "PIN") if condition is Condition.WRONG_PIN else name
