"""A violation: one parameter, the rule it breaks, and words for the merchant."""

from typing import NamedTuple


class Violation(NamedTuple):
    """One broken rule. `value` is None when nothing was sent or the parameter is secret.

    `code` is the result code of the answer when this violation alone decides it; `rule` names the
    row, relation or decision; `field_accepts` says that the `field` profile would have taken the
    value.
    """

    name: str
    value: str | None
    message: str
    rule: str
    code: str = "200.300.404"
    field_accepts: bool = False
