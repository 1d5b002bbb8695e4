"""Mutants that survive the whole suite, though a merchant would notice: its limits, as code.

They are published with the others (docs/makers/mutants.md); a proof shows that they fail nothing
that the original behind the same proxy passes. One that a new scenario kills moves to the module of
its subject, with that scenario.
"""

from dataclasses import dataclass

from features.mutants.changes import change_at, replace_members, report_not_found
from features.mutants.proxy import MutantFunction, OriginalGateway, ProxiedRequest
from features.mutants.subjects.pending import DAY_S, parse_seconds
from simulator.client import Answer

MANY_PAYMENTS, MANY_CAPTURES, MANY_NOTIFICATIONS = 100_000, 10, 100


@dataclass(frozen=True)
class Survivor:
    """A mutant that passes every scenario, and why."""

    function: MutantFunction
    why: str

    @property
    def name(self) -> str:
        """Its name."""
        return self.function.__name__

    @property
    def description(self) -> str:
        """Its defect."""
        return (self.function.__doc__ or "").strip()


def forgets_payments_after_a_year(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment of more than a year ago cannot be read."""
    answer = original.forward(request)
    for merchant in answer.at("entities.merchants") or []:
        original.memory[f"Bearer {merchant['token']}"] = answer.id
    if parse_seconds(request) > 365 * DAY_S:
        original.memory[request.path.split("/")[1]] = "a year has passed"
    sandbox = original.memory.get(request.headers.get("authorization", ""))
    reads = request.method == "GET" and request.path.startswith("v1/payments/")
    return report_not_found(answer) if reads and sandbox in original.memory else answer


def repeats_ids_in_the_end(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """After a hundred thousand payments ids are used again."""
    answer = original.forward(request)
    ids = original.memory.setdefault("ids", [])
    if request.is_payment and answer.id:
        ids.append(answer.id)
    return replace_members(answer, id=ids[0]) if len(ids) > MANY_PAYMENTS else answer


def loses_a_cent_on_the_tenth_capture(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The tenth capture of a payment is booked with a cent less."""
    answer = original.forward(request)
    if request.parameters.get("paymentType") != "CP":
        return answer
    count = original.memory.get(request.path, 0) + 1
    original.memory[request.path] = count
    return change_at(answer, "amount", subtract_cent) if count == MANY_CAPTURES else answer


def keeps_a_hundred_notifications(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Of more than a hundred notifications of a merchant the oldest are lost."""
    answer = original.forward(request)
    if not request.path.endswith("/inbox"):
        return answer
    return change_at(answer, "arrived", lambda arrived: arrived[-MANY_NOTIFICATIONS:])


def subtract_cent(amount: str) -> str:
    """An amount less a cent; one that ends in a zero keeps its form."""
    return amount if amount.endswith("0") else f"{amount[:-1]}{int(amount[-1]) - 1}"


# fmt: off
SURVIVORS = (
    Survivor(forgets_payments_after_a_year,     "no scenario lets more than a year pass"),
    Survivor(repeats_ids_in_the_end,            "no scenario makes so many payments"),
    Survivor(loses_a_cent_on_the_tenth_capture, "no scenario reads what a tenth capture came to"),
    Survivor(keeps_a_hundred_notifications,     "no scenario causes so many notifications"),
)
# fmt: on
