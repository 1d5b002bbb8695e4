"""Throttles: how many requests an operation takes in a window, one limit a row."""

from dataclasses import dataclass

MERCHANT = "merchant"
OBJECT = "object"
SCOPES = (MERCHANT, OBJECT)
EVERY = "*"


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `limit` requests to an operation in each window of `window_s` seconds.

    They are counted for each merchant, or for each object that a merchant names in the path.
    The operation `*` stands for each one that has no row of its own.
    """

    operation: str
    scope: str
    limit: int
    window_s: int


@dataclass(frozen=True, slots=True)
class ThrottleTable:
    """The limits of one host, under a name that is printed wherever they are in force."""

    name: str
    limits: tuple[Limit, ...] = ()

    def limits_of(self, operation: str) -> tuple[Limit, ...]:
        """The rows an operation has to pass, all of them; none where nothing limits it."""
        own = tuple(row for row in self.limits if row.operation == operation)
        return own or tuple(row for row in self.limits if row.operation == EVERY)
