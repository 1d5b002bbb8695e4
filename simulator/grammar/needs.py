"""Needs: parameters that a payment must have because of the channel it comes in by, as rows."""

from typing import NamedTuple


class Needed(NamedTuple):
    """`names` must be sent where `when` is so; `says` is why. With a `switch` it holds only where
    that decision is "require".
    """

    id: str
    names: tuple[str, ...]
    when: str
    says: str
    switch: str = ""
