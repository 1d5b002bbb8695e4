"""What becomes of the parameters of an admitted request: adjusted, stored, sent onward, echoed.

The rules are rows of the catalogue; here they are only looked up.
"""

from collections.abc import Mapping

from simulator.catalogue.adjustments import DEFAULTED, IGNORED, NOT_ONWARD, TRUNCATED
from simulator.catalogue.parameters import TABLES
from simulator.grammar.parameters import REQUEST

ROWS = tuple(row for table in TABLES for row in table.rows if row.direction == REQUEST)
SECRET = frozenset(name for row in ROWS if row.secret for name in row.concrete_names)
LISTS = frozenset(part.rpartition(".")[2] for row in ROWS for part in row.name.split("[n]")[:-1])
# A payment has fields of its own for these.
IN_THE_RECORD = frozenset(
    {"entityId", "amount", "currency", "paymentBrand", "paymentType", "testMode", "descriptor"}
    | {name for row in ROWS if row.name.startswith("card.") for name in row.concrete_names}
)
NOT_KEPT = SECRET | IN_THE_RECORD
NEVER_ONWARD = SECRET | {row.name for row in NOT_ONWARD}
ECHOED = frozenset(name for row in ROWS if row.echo for name in row.concrete_names)
ECHOED_STEMS = frozenset(name[: name.index("[")] for name in ECHOED if "[" in name)


def normalised(sent: Mapping[str, str]) -> Mapping[str, str]:
    """`sent` as it is processed: long names cut, ignored address lines left out, defaults filled
    in.

    Source: Customer; Billing address; Shipping address; Cart items.
    """
    changes = {
        row.name: sent[row.name][: row.length]
        for row in TRUNCATED
        if len(sent.get(row.name, "")) > row.length
    }
    changes |= _defaults(sent)
    ignored = [row.name for row in IGNORED if row.when in sent and row.name in sent]
    if not changes and not ignored:
        return sent
    adjusted = {**sent, **changes}
    for name in ignored:
        del adjusted[name]
    return adjusted


def _defaults(sent: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    listed = [name for name in sent if "[" in name]
    for row in DEFAULTED:
        stem, field = row.name.split("n]", 1)
        items = {name[len(stem) : name.index("]")] for name in listed if name.startswith(stem)}
        names = (f"{stem}{item}]{field}" for item in items)
        found.update({name: row.value for name in names if name not in sent})
    return found


def kept(sent: Mapping[str, str]) -> dict[str, str]:
    """What is stored with a payment beside its own fields: never a secret."""
    return _without(NOT_KEPT, sent)


def onward(sent: Mapping[str, str]) -> dict[str, str]:
    """What the acquirer receives. Source: PAY-09, PAY-10."""
    return _without(NEVER_ONWARD, sent)


def _without(names: frozenset[str], sent: Mapping[str, str]) -> dict[str, str]:
    left = dict(sent)
    for name in left.keys() & names:
        del left[name]
    return left


def is_echoed(name: str) -> bool:
    """Whether an answer repeats the parameter `name`. Source: RSP-08."""
    if "[" in name:
        return name[: name.index("[")] in ECHOED_STEMS
    return name in ECHOED
