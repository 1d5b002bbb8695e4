"""Payment types: what each may do, as rows."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TypeRow:
    """One payment type. `of_nothing` says that it may be for 0.00, `secured` that 3-D Secure may
    ask the shopper for it.
    """

    type: str
    of_nothing: bool = False
    secured: bool = False
