"""Result codes: what an answer says, the group it belongs to, and what the group means."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

SUCCESS = "success"
REVIEW = "review"
PENDING = "pending"
PENDING_DELAYED = "pending_delayed"
DECLINED = "declined"
CHARGEBACK = "chargeback"
# A chargeback code answers nothing but a chargeback, and cannot be forced elsewhere.
APPROVALS = frozenset({SUCCESS, REVIEW, CHARGEBACK})
# What is not decided yet.
DEFERRALS = frozenset({PENDING, PENDING_DELAYED})


@dataclass(frozen=True, slots=True)
class ResultCode:
    """One result code with its group and the description answers carry."""

    code: str
    group: str
    text: str


def in_group(group: str, *rows: tuple[str, str]) -> tuple[ResultCode, ...]:
    """The codes of one group, each with its description."""
    return tuple(ResultCode(code, group, text) for code, text in rows)


def by_code(rows: Iterable[ResultCode]) -> Mapping[str, ResultCode]:
    """The rows by code, in their order."""
    return {row.code: row for row in rows}
