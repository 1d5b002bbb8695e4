"""Why a request gets another answer than it hoped for: the order of errors, as rows.

The first cause that applies decides, and nothing of a refused request is stored. A test provokes
every one of them. Source: Errors; HTTP status codes. Choices: D-05, D-13, D-18, D-20, D-78, D-89.
"""

from typing import NamedTuple

from simulator.catalogue.fields.limits import BODY_BYTES_MAX, NAME_BYTES_MAX, PARAMETERS_MAX
from simulator.grammar.choices import Choices
from simulator.grammar.operations import Operation

MEBIBYTE = 1024 * 1024
EVERYWHERE = "everywhere"
WITH_AN_ID = "with an id"
WHERE_SENT = "where something is sent"
NOWHERE = "before any operation"


# The result codes of causes that have one for themselves. Choice: D-18.
TLS = "200.100.199"
BAD = "200.300.404"
METHOD = "200.300.403"
WHO = "800.900.300"
THROTTLED = "800.120.100"
MALFORMED = "200.100.103"
FAULT = "999.999.999"
NOT_STORED = "999.999.888"


class Cause(NamedTuple):
    """One cause of an error: its stage, status and code of the answer, and where it can occur.

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
    throttled = int(choices["throttle_status"])
    size = f"{BODY_BYTES_MAX // MEBIBYTE} MiB or {PARAMETERS_MAX:,} parameters"
    limits = f"more than {size}, or a name of more than {NAME_BYTES_MAX} bytes"
    coded = "a body with a Content-Encoding, such as gzip"
    form = "another media type than a form, or bytes that are no UTF-8"
    entity = "an entity that is not known, or not the token's: one answer for both"
    # fmt: off
    return (
        Cause("TLS",        400,       TLS,       "a plain request where TLS is required", NOWHERE),
        Cause("route",      404,       BAD,       "a path that does not exist", NOWHERE),
        Cause("method",     405,       METHOD,    "a method the path does not take", NOWHERE),
        Cause("header",     401,       WHO,       "no Authorization header with Bearer and token"),
        Cause("token",      403,       WHO,       "an access token this host does not know"),
        Cause("throttle",   throttled, THROTTLED, "more requests than a window takes"),
        Cause("size",       413,       MALFORMED, limits),
        Cause("coding",     415,       MALFORMED, coded, WHERE_SENT),
        Cause("encoding",   400,       MALFORMED, form, WHERE_SENT),
        Cause("entity",     403,       WHO,       entity),
        Cause("parameters", 400,       BAD,       "parameters that break rules, each is named"),
        Cause("unknown id", unknown,   None,      "no payment has the id in the path", WITH_AN_ID),
        Cause("state",      400,       None,      "card, state or a limit forbid it", WHERE_SENT),
        Cause("acquirer",   declined,  None,      "the payment was declined; it can be read"),
        Cause("store",      503,       NOT_STORED, "nothing can be stored, or too much at once"),
        Cause("fault",      500,       FAULT,     "a mistake of the gateway, which is logged"),
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
