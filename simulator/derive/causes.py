"""Why a request gets another answer than it hoped for: the order of errors, as rows.

The first cause that applies decides, and nothing of a refused request is stored. A test provokes
every one of them. Source: Errors; HTTP status codes. Choices: D-05, D-13, D-18, D-20.
"""

from typing import NamedTuple

from simulator.catalogue.limits import BODY_BYTES_MAX, PARAMETERS_MAX
from simulator.grammar.choices import Choices
from simulator.grammar.operations import Operation

MEBIBYTE = 1024 * 1024
EVERYWHERE = "everywhere"
WITH_AN_ID = "with an id"
WHERE_SENT = "where something is sent"
BEFORE_ANY_OPERATION = "before any operation"


class Cause(NamedTuple):
    """One cause: the stage it belongs to, status and result code of the answer, and where it can occur.

    No code means that each such error has one of its own.
    """

    stage: str
    status: int
    code: str | None
    when: str
    where: str = EVERYWHERE


def causes(choices: Choices) -> tuple[Cause, ...]:
    """Every cause, in the order in which they are looked for."""
    unknown, declined = int(choices["unknown_id"]), int(choices["decline_status"])
    limits = f"more than {BODY_BYTES_MAX // MEBIBYTE} MiB or {PARAMETERS_MAX:,} parameters"
    # fmt: off
    return (
        Cause("TLS",        400, "200.100.199", "a plain request where TLS is required", BEFORE_ANY_OPERATION),
        Cause("route",      404, "200.300.404", "a path that does not exist", BEFORE_ANY_OPERATION),
        Cause("method",     405, "200.300.403", "a method the path does not take", BEFORE_ANY_OPERATION),
        Cause("header",     401, "800.900.300", "no Authorization header of the form Bearer and a token"),
        Cause("token",      403, "800.900.300", "an access token that is not known"),
        Cause("size",       413, "200.100.103", limits),
        Cause("encoding",   400, "200.100.103", "another media type than a form, or bytes that are no UTF-8", WHERE_SENT),
        Cause("entity",     403, "800.900.300", "an entity that is not known, or not the token's: one answer for both"),
        Cause("parameters", 400, "200.300.404", "parameters that break a rule; parameterErrors names every one"),
        Cause("unknown id", unknown, None,      "no payment of the merchant has the id in the path", WITH_AN_ID),
        Cause("state",      400, None,          "the card, the state of a payment or a limit forbids it", WHERE_SENT),
        Cause("acquirer",   declined, None,     "the payment was declined; it exists and can be read"),
        Cause("fault",      500, "999.999.999", "a mistake of the gateway; it is logged, and the process goes on"),
    )
    # fmt: on


def causes_in(operation: Operation, choices: Choices) -> list[Cause]:
    """The causes that an operation can meet."""
    met = {EVERYWHERE}
    if "{id}" in operation.path:
        met.add(WITH_AN_ID)
    if operation.method == "POST":
        met.add(WHERE_SENT)
    return [cause for cause in causes(choices) if cause.where in met]
