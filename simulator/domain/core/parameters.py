"""What becomes of the parameters of an admitted request: adjusted, stored, sent onward, echoed.

The rules are rows of the catalogue; here they are only looked up.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from simulator.catalogue.fields.adjustments import (
    DEFAULTED,
    IGNORED,
    NOT_ONWARD,
    TRUNCATED,
    WITH_BRAND,
)
from simulator.catalogue.fields.limits import MOST_OF_A_REQUEST, Most
from simulator.catalogue.fields.parameters import TABLES
from simulator.catalogue.fields.responses import PAYMENT_RESPONSE, RECEIVING
from simulator.catalogue.fields.three_d_secure import AUTHENTICATION_SHOWN
from simulator.domain.core.errors import Refusal, Violations
from simulator.grammar.adjustments import Truncated
from simulator.grammar.names import parts_of
from simulator.grammar.parameters import REQUEST
from simulator.grammar.remembered import ByNames
from simulator.grammar.violations import Violation

FindViolations = Callable[[Mapping[str, str]], list[Violation]]

ROWS = tuple(row for table in TABLES for row in table.rows if row.direction == REQUEST)
TOO_LARGE = "200.100.103"
SECRET = frozenset(name for row in ROWS if row.secret for name in row.concrete_names)
LISTS = frozenset(part.rpartition(".")[2] for row in ROWS for part in row.name.split("[n]")[:-1])
# A payment has fields of its own for these.
IN_THE_RECORD = frozenset(
    {"entityId", "amount", "currency", "paymentBrand", "paymentType", "testMode", "descriptor"}
    | {name for row in ROWS if row.name.startswith("card.") for name in row.concrete_names}
)
NOT_KEPT = SECRET | IN_THE_RECORD
NEVER_ONWARD = SECRET | {row.name for row in NOT_ONWARD}
# What an answer shows beside it, in the same structures: the account that shoppers pay to, and an
# authentication.
SHOWN = frozenset(
    row.name for row in PAYMENT_RESPONSE.rows if row.name.startswith(RECEIVING)
) | frozenset(row.name for row in AUTHENTICATION_SHOWN)
ECHOED = SHOWN | {name for row in ROWS if row.echo for name in row.concrete_names}
# Names with brackets, by what stands outside of them: lists with indexes, and maps with keys.
ECHOED_LISTS = frozenset(parts_of(name).skeleton for name in ECHOED if "[n]" in name)
ECHOED_MAPS = frozenset(parts_of(name).skeleton for name in ECHOED if "[" in name) - ECHOED_LISTS


class WholeCheck(NamedTuple):
    """What finds the violations of a whole that a part was added to, and those that what is stored
    has by itself.
    """

    of_whole: FindViolations
    of_stored: FindViolations


class Adjusting(NamedTuple):
    """What names alone decide: what may be cut, what is left out, what is filled in."""

    cut: tuple[Truncated, ...]
    ignored: tuple[str, ...]
    filled: Mapping[str, str]


def normalised(sent: Mapping[str, str]) -> Mapping[str, str]:
    """`sent` as it is processed: long names cut, ignored address lines left out, defaults filled
    in.

    Source: Customer; Billing address; Shipping address; Cart items.
    """
    cut, ignored, filled = _adjusting_of(sent)
    too_long = [row for row in cut if len(sent[row.name]) > row.length]
    if not (too_long or ignored or filled):
        return sent
    adjusted = {**sent, **filled}
    for row in too_long:
        adjusted[row.name] = sent[row.name][: row.length]
    for name in ignored:
        del adjusted[name]
    return adjusted


def _adjusting(names: tuple[str, ...]) -> Adjusting:
    sent = dict.fromkeys(names)
    return Adjusting(
        cut=tuple(row for row in TRUNCATED if row.name in sent),
        ignored=tuple(row.name for row in IGNORED if row.when in sent and row.name in sent),
        filled=_defaults(sent),
    )


_adjusting_of = ByNames(_adjusting)


def _defaults(sent: Mapping[str, None]) -> dict[str, str]:
    found: dict[str, str] = {}
    listed = [name for name in sent if "[" in name]
    for row in DEFAULTED:
        stem, field = row.name.split("n]", 1)
        items = dict.fromkeys([name.partition("]")[0] for name in listed if name.startswith(stem)])
        names = (f"{item}]{field}" for item in items)
        found.update({name: row.value for name in names if name not in sent})
    return found


def kept(sent: Mapping[str, str]) -> dict[str, str]:
    """What is stored with a payment beside its own fields: never a secret."""
    return _without(NOT_KEPT, sent)


def onward(sent: Mapping[str, str], brand: str | None = None) -> dict[str, str]:
    """What the acquirer of a payment of this brand receives. Source: PAY-09, PAY-10, MERCH-03."""
    left = _without(NEVER_ONWARD, sent)
    for row in WITH_BRAND:
        if row.name in left and brand not in row.brands:
            del left[row.name]
    return left


def _without(names: frozenset[str], sent: Mapping[str, str]) -> dict[str, str]:
    left = dict(sent)
    for name in left.keys() & names:
        del left[name]
    return left


def added_to(
    whole: Mapping[str, str], sent: Mapping[str, str], most: Most = MOST_OF_A_REQUEST
) -> dict[str, str]:
    """A whole with what was sent in place of what it had. Raises Refusal where it grows beyond
    `most`. Choice: D-05.
    """
    after = {**whole, **sent}
    refuse_oversize(after, most, before=whole)
    return after


def refuse_oversize(
    whole: Mapping[str, str], most: Most, *, before: Mapping[str, str] | None = None
) -> None:
    """Raise Refusal where a whole has more than `most`, and more than it had `before`.
    Choice: D-05.
    """
    bounds = Most(*map(max, most, _size_of(before or {})))
    for what, bound, has in zip(Most._fields, bounds, _size_of(whole), strict=True):
        if has > bound:
            raise Refusal(TOO_LARGE, f"expected at most {bound:,} {what} in all, got {has:,}")


def _size_of(whole: Mapping[str, str]) -> Most:
    return Most(len(whole), sum(map(len, whole)) + sum(map(len, whole.values())))


def refuse_whole(
    whole: Mapping[str, str],
    sent: Mapping[str, str],
    check: WholeCheck,
    *,
    stored: Mapping[str, str],
) -> None:
    """Raise Violations for what `check` finds in a whole that `sent` was added to. What counts is
    what is there in the end, but for what was wrong in `stored` already. Choice: D-701.
    """
    found = check.of_whole(_left_to_check(whole, sent))
    if found:
        found = _brought_along(found, sent, check, stored=stored)
    if found:
        raise Violations(found)


def _brought_along(
    found: Iterable[Violation],
    sent: Mapping[str, str],
    check: WholeCheck,
    *,
    stored: Mapping[str, str],
) -> list[Violation]:
    """Those of the violations that `sent` has by itself, or that `stored` did not have: other rules
    held when it was taken.
    """
    sent_has = {*map(_sign_of, check.of_whole(sent))}
    stood = {*map(_sign_of, check.of_stored(_left_to_check(stored, sent)))} - sent_has
    return [violation for violation in found if _sign_of(violation) not in stood]


def _sign_of(violation: Violation) -> tuple[str, str | None, str]:
    return violation.name, violation.value, violation.rule


def _left_to_check(whole: Mapping[str, str], sent: Mapping[str, str]) -> dict[str, str]:
    """All but the lists and maps that were there: these stand under no relation, and a thousand
    items were checked when they came. One that goes on is checked from its start.
    """
    going_on = {name.partition("[")[0] for name in sent if "[" in name}
    return {
        name: value
        for name, value in whole.items()
        if "[" not in name or name.partition("[")[0] in going_on
    }


def receiving_in(shown: Mapping[str, str]) -> dict[str, str]:
    """The merchant's bank account in what an answer shows. Choice: D-143."""
    return {name: text for name, text in shown.items() if name.startswith(RECEIVING)}


def is_echoed(name: str) -> bool:
    """Whether an answer repeats the parameter `name`. A record of an earlier build may have names
    that no request may have any more, such as a list without an index. Source: RSP-08.
    """
    if "[" not in name:
        return name in ECHOED
    # What stands before the last bracket is the same for all fields of an item.
    before, _, last = name.rpartition("]")
    parts = parts_of(f"{before}]")
    skeleton = parts.skeleton + last
    return (skeleton in ECHOED_LISTS and parts.has_indexes) or skeleton in ECHOED_MAPS
