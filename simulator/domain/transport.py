"""Faults of the connection to a client, by script: what becomes of a request and of its answer."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from simulator.domain.core.money import Money

# Where the listener finds the fault of a request, in its WSGI environment.
FAULT_KEY = "sandgate.transport"
# Where it finds the id of the sandbox that a request is for.
HOLDER_KEY = "sandgate.sandbox"


class FaultKind(StrEnum):
    """What happens to the connection, or to the answer on it."""

    RESET = "reset"
    CLOSE = "close"
    CUT = "cut"
    SLOW = "slow"
    NO_ANSWER = "no_answer"
    NOT_JSON = "not_json"
    PROXY_ERROR = "proxy_error"


class MerchantRequest(NamedTuple):
    """One request to the merchant API as a script matches it; `number` and `cvv` are secrets."""

    operation: str
    entity: str
    type: str | None
    money: Money | None
    brand: str | None
    number: str | None
    cvv: str | None
    parameters: Mapping[str, str]


class TransportFault(NamedTuple):
    """A fault, and the id of the script that orders it. Where the request is `carried_out`, it is
    before the answer is lost. `seconds` are real time.
    """

    kind: FaultKind
    script: str
    carried_out: bool = True
    status: int = 502
    seconds: float = 0.0

    @property
    def text(self) -> str:
        """The fault in words, for the journal."""
        return f"{self.what} by script {self.script}, {self.when}"

    @property
    def what(self) -> str:
        """What happens to the connection, or to the answer on it."""
        return TEXTS[self.kind].format(status=self.status, seconds=self.seconds)

    @property
    def when(self) -> str:
        """Whether the request is carried out."""
        return f"{'after' if self.carried_out else 'before'} the request was carried out"


class InterruptedRequestError(Exception):
    """A script interrupts the request before it is carried out: nothing of it is stored."""

    def __init__(self, fault: TransportFault):
        super().__init__(fault.text)


# fmt: off
TEXTS: Mapping[FaultKind, str] = {
    FaultKind.RESET:       "connection reset",
    FaultKind.CLOSE:       "connection closed",
    FaultKind.CUT:         "answer cut in its middle",
    FaultKind.SLOW:        "answer sent over {seconds:g} s",
    FaultKind.NO_ANSWER:   "answer held back for {seconds:g} s",
    FaultKind.NOT_JSON:    "answer replaced by a page",
    FaultKind.PROXY_ERROR: "answer replaced by status {status} of a proxy",
}
# fmt: on
