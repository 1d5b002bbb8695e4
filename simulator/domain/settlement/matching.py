"""Which payments a line of a settlement file is about. Source: Reconciliation record, matching.

The keys are tried in the order in which they are printed; the first that finds payments decides.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from simulator.domain.core.money import as_settled, with_two_decimals
from simulator.domain.settlement.lines import SettlementLine
from simulator.domain.settlement.match_keys import (
    KEYS,
    Key,
    KeyOf,
    MatchCandidate,
    by_reference,
    features_of,
    features_of_line,
)
from simulator.domain.settlement.slots import HashSlots

MATCHED, MULTIPLE, NOT_MATCHED = "MATCHED", "MULTIPLE_MATCHES", "NOT_MATCHED"
NAMED_MAX = 1000
# No more are looked at: of a key that all payments of a day share there may be a million.
MOST = NAMED_MAX + 1
LIKELY_MAX = 3


class LineMatch(NamedTuple):
    """The payments of a line, and in words by which key they were found, or why none was; every
    field that differs is named.
    """

    status: str
    payments: tuple[str, ...]
    why: str


# The ids of the payments with each of these references.
Elsewhere = Callable[[Collection[str]], Mapping[str, Sequence[str]]]


def _nowhere(_: Collection[str]) -> Mapping[str, Sequence[str]]:
    return {}


def match_named(line: SettlementLine, payment: MatchCandidate) -> LineMatch:
    """A line that names this payment: the first key decides, and no other one is tried."""
    return _matched(line, KEYS[0][0], [payment])


class CandidateIndex:
    """The candidates of one run by each of the keys. They are read at the first line that is
    matched here: most lines name their payment, and need none. Of each only its id is kept, so
    that a million take 200 MB; `find` reads the candidate of an id again. `elsewhere` has the ids
    of payments of other bank days by their references; no other key finds these.
    """

    def __init__(
        self,
        candidates: Iterable[MatchCandidate],
        find: Callable[[str], MatchCandidate | None],
        elsewhere: Elsewhere = _nowhere,
    ):
        self._source, self._find, self._elsewhere = candidates, find, elsewhere
        self._others: Mapping[str, Sequence[str]] = {}
        self._ids: list[str] | None = None
        self._slots = {key_of: HashSlots() for _, key_of in KEYS}

    def expect(self, lines: Iterable[SettlementLine]) -> None:
        """Look up, for the next lines all at once, what other bank days have of them."""
        ones = {line.reference for line in lines if line.reference and not self._is_of_day(line)}
        self._others = self._elsewhere(ones) if ones else {}

    def likely(self, line: SettlementLine) -> list[str]:
        """The first few payments that `match` looks at, most of which it decides by."""
        ids, features = self._known(), features_of_line(line)
        for _, key_of in KEYS:
            key = key_of(features)
            places = () if key is None else self._slots[key_of].find(hash(key))
            if found := [ids[place] for place in islice(places, LIKELY_MAX)]:
                return found
            if key_of is by_reference and line.reference in self._others:
                return list(self._others[line.reference][:LIKELY_MAX])
        return []

    def match(self, line: SettlementLine) -> LineMatch:
        """The payments that the line is about."""
        self._known()
        features = features_of_line(line)
        tried = []
        for name, key_of in KEYS:
            key = key_of(features)
            if key is None:
                continue
            ones = map(self._candidate, self._slots[key_of].find(hash(key)))
            found = self._with_key(key, key_of, ones)
            if not found and key_of is by_reference:
                others = map(self._find, self._others.get(line.reference, ())[:MOST])
                found = self._with_key(key, key_of, others)
            if found:
                return _matched(line, name, found)
            tried.append(name)
        return LineMatch(NOT_MATCHED, (), f"no payment has its {', or its '.join(tried) or 'key'}")

    def _is_of_day(self, line: SettlementLine) -> bool:
        """Whether a payment of the bank day may have the reference and the amount of a line."""
        self._known()
        key = hash(by_reference(features_of_line(line)))
        return any(True for _ in self._slots[by_reference].find(key))

    @staticmethod
    def _with_key(
        key: Key, key_of: KeyOf, ones: Iterable[MatchCandidate | None]
    ) -> list[MatchCandidate]:
        found = (one for one in ones if one is not None and key_of(features_of(one)) == key)
        return list(islice(found, MOST))

    def _known(self) -> list[str]:
        if self._ids is None:
            self._ids = self._read()
        return self._ids

    def _read(self) -> list[str]:
        ids = []
        for number, each in enumerate(self._source):
            ids.append(each.payment)
            features = features_of(each)
            for key_of, slots in self._slots.items():
                key = key_of(features)
                if key is not None:
                    slots.add(hash(key), number)
        return ids

    def _candidate(self, place: int) -> MatchCandidate:
        found = self._find(self._known()[place])
        assert found is not None, "a payment is never removed"
        return found


def differences(line: SettlementLine, payment: MatchCandidate) -> tuple[str, ...]:
    """Every field in which a line and its payment differ; a part may have a lower amount."""
    amount, found = with_two_decimals(line.money.amount), []
    settled = as_settled(payment.money)
    is_lower = line.is_part and amount <= settled
    if amount != settled and not is_lower:
        found.append(f"amount {amount} instead of {settled}")
    for name, came, expected in (
        ("currency", line.money.currency, payment.money.currency),
        ("type", line.type, payment.kind),
        ("reference", line.reference, payment.reference),
        ("last digits", line.last4, payment.last4),
    ):
        if came and expected and came != expected:
            found.append(f"{name} {came} instead of {expected}")
    if not payment.is_approved:
        found.append("the gateway has not approved it")
    return tuple(found)


def _matched(line: SettlementLine, name: str, found: Sequence[MatchCandidate]) -> LineMatch:
    ids = tuple(dict.fromkeys(each.payment for each in found))
    if len(ids) > 1:
        count = f"more than {NAMED_MAX}" if len(found) == MOST else len(found)
        return LineMatch(MULTIPLE, ids[:NAMED_MAX], f"{count} payments have its {name}")
    differing = differences(line, found[0])
    return LineMatch(MATCHED, ids, f"by {name}" + "".join(f"; {each}" for each in differing))
