"""A route: a path, the resource behind it, and the suffix of its responders."""

from typing import NamedTuple


class Route(NamedTuple):
    """One row of a route table."""

    path: str
    resource: object
    suffix: str | None = None
