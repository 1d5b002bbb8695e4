"""The closing certificate: whether the books of both sides agree after a run. Pure.

What was acknowledged must be there, as it was acknowledged; what was taken must be what was
acknowledged, and within the sum; every change must have been told once; and the gateway must have
counted what was answered. A request without an answer may have been done or not, as a whole: it is
allowed for, and never assumed.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from load.ledger import KEPT, REFUSED, THROTTLED, Heard, Told
from load.orders import CURRENCY
from load.payloads import amount_of

REGISTRATION = "RG"
SUCCESS = "000."
# Types of payments, and the types of those that may take no more than these gave.
TAKEN_FROM = (
    (("PA",), ("CP",)),
    (("DB", "CP"), ("RF", "CB")),
)


class Found(NamedTuple):
    """A payment as the gateway shows it; status 0 where a report showed it."""

    id: str
    type: str
    amount: str
    currency: str
    code: str
    status: int = 0


class Counters(NamedTuple):
    """What the gateway counted: answers by operation and status, and payments by type."""

    answers: Mapping[tuple[str, int], int]
    payments: Mapping[str, int]
    throttled: Mapping[str, int]

    def since(self, before: "Counters") -> "Counters":
        """What was counted after `before`."""
        return Counters(
            Counter(self.answers) - Counter(before.answers),
            Counter(self.payments) - Counter(before.payments),
            Counter(self.throttled) - Counter(before.throttled),
        )


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the gateway shows after a run. What could not be had is None, and not checked.

    `read` are payments and registrations by id, `trees` all payments of a merchantTransactionId.
    `unread` are ids and references whose reads came to nothing: those are neither lost nor found.
    Where nobody else can have asked the gateway, `is_alone`, it may have counted nothing more.
    """

    read: Mapping[str, Found] | None = None
    trees: Mapping[str, Sequence[Found]] | None = None
    unread: frozenset[str] = frozenset()
    heard: Sequence[Heard] | None = None
    unreadable: int = 0
    counters: Counters | None = None
    is_alone: bool = True


class Clause(NamedTuple):
    """One clause: what it says, over how many cases, what is wrong, and why it was not checked.

    `unread` is how many cases nothing can be said about: the gateway did not let them be read.
    """

    name: str
    cases: int
    faults: Sequence[str]
    not_checked: str = ""
    unread: int = 0

    @property
    def verdict(self) -> str:
        """In one word or two."""
        if self.not_checked:
            return "not checked"
        if self.faults:
            return "BROKEN"
        if self.unread:
            return f"{self.unread:,} could not be read"
        return "kept" if self.cases else "nothing to check"


@dataclass(frozen=True, slots=True)
class Certificate:
    """The clauses of a run, and how many requests had no answer."""

    clauses: Sequence[Clause]
    unanswered: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether every clause was checked wholly, and nothing is wrong."""
        return self.is_believed and not self.unchecked

    @property
    def is_believed(self) -> bool:
        """Whether nothing is wrong or unreadable, and the acknowledged writes were looked for."""
        is_bad = any(clause.faults or clause.unread for clause in self.clauses)
        return not is_bad and bool(self.clauses) and not self.clauses[0].not_checked

    @property
    def unchecked(self) -> list[Clause]:
        """The clauses nothing was looked for in. With any of them the certificate is partial."""
        return [clause for clause in self.clauses if clause.not_checked]

    @property
    def faults(self) -> list[str]:
        """Everything that is wrong, one line each."""
        return [f"{clause.name}: {each}" for clause in self.clauses for each in clause.faults]


def certify(told: Sequence[Told], evidence: Evidence) -> Certificate:
    """Compare what was acknowledged with what the gateway shows."""
    unanswered = [each for each in told if each.is_open]
    clauses = (
        _nothing_lost(told, evidence),
        _nothing_taken_twice(told, unanswered, evidence),
        _told_once(told, unanswered, evidence),
        _counted(told, evidence),
    )
    return Certificate(clauses, len(unanswered))


def stored(told: Iterable[Told]) -> list[Told]:
    """The acknowledged writes: what was approved, and what was declined and kept."""
    return [each for each in told if each.id and each.verdict in (KEPT, REFUSED)]


def roots_of(told: Iterable[Told]) -> list[str]:
    """The trees of payments that something was taken from, or may have been, in order."""
    taking = {kind for _, takers in TAKEN_FROM for kind in takers}
    return list(dict.fromkeys(each.root for each in told if each.type in taking and each.root))


def _nothing_lost(told: Sequence[Told], evidence: Evidence) -> Clause:
    name = "every acknowledged write is found, as it was acknowledged"
    writes = stored(told)
    if evidence.read is None:
        return Clause(name, len(writes), (), "nothing could be read")
    found = evidence.read
    readable = [each for each in writes if each.id not in evidence.unread]
    faults = (_difference(each, found.get(each.id)) for each in readable)
    unread = len(writes) - len(readable)
    return Clause(name, len(writes), [fault for fault in faults if fault], unread=unread)


def _difference(told: Told, found: Found | None) -> str:
    if found is None:
        return f"{told.type} {told.id} is lost"
    wanted, got = {"result": told.code}, {"result": found.code}
    if told.type != REGISTRATION:
        wanted |= {"type": told.type}
        got |= {"type": found.type}
    if told.verdict == KEPT and told.cents:
        wanted |= {"amount": amount_of(told.cents), "currency": CURRENCY}
        got |= {"amount": found.amount, "currency": found.currency}
    return "" if wanted == got else f"{told.type} {told.id}: acknowledged {wanted}, reads {got}"


def _nothing_taken_twice(
    told: Sequence[Told], unanswered: Sequence[Told], evidence: Evidence
) -> Clause:
    name = "what was taken is what was acknowledged, and within the sum"
    roots = roots_of(told)
    if evidence.trees is None:
        return Clause(name, len(roots), (), "no report could be read")
    acknowledged: dict[str, set[str]] = defaultdict(set)
    for each in stored(told):
        acknowledged[each.root].add(each.id)
    open_requests = Counter(each.root for each in unanswered)
    faults: list[str] = []
    readable = [root for root in roots if root not in evidence.unread]
    for root in readable:
        tree = evidence.trees.get(root, ())
        faults += _tree_faults(root, tree, acknowledged[root], open_requests[root])
    return Clause(name, len(roots), faults, unread=len(roots) - len(readable))


def _tree_faults(
    root: str, tree: Sequence[Found], acknowledged: set[str], unanswered: int
) -> list[str]:
    there = {each.id for each in tree}
    faults = [f"{root}: {each} is not in the report" for each in sorted(acknowledged - there)]
    extra = sorted(there - acknowledged)
    if len(extra) > unanswered:
        faults.append(f"{root}: shows {', '.join(extra)}, which nobody acknowledged")
    for givers, takers in TAKEN_FROM:
        given, taken = _sum_of(tree, givers), _sum_of(tree, takers)
        if taken > given:
            took = f"{amount_of(taken)} by {'+'.join(takers)}"
            faults.append(f"{root}: {took} taken of {amount_of(given)}")
    return faults


def _sum_of(tree: Iterable[Found], types: Sequence[str]) -> int:
    """The cents of the successful payments of some types."""
    right = (each for each in tree if each.type in types and each.code.startswith(SUCCESS))
    return sum(int(each.amount.replace(".", "")) for each in right if each.amount)


def _told_once(told: Sequence[Told], unanswered: Sequence[Told], evidence: Evidence) -> Clause:
    name = "every change of state was told once"
    writes = stored(told)
    if evidence.heard is None:
        return Clause(name, len(writes), (), "no webhook could be set up")
    identities: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for each in evidence.heard:
        identities[each.type, each.action, each.id].add(each.event_id)
    wanted = {_event_of(each) for each in writes}
    faults = [f"{' '.join(event)} was never told" for event in sorted(wanted - identities.keys())]
    faults += [
        f"{' '.join(event)} was told under {len(ids)} identities"
        for event, ids in sorted(identities.items())
        if len(ids) > 1
    ]
    extra = sorted(identities.keys() - wanted)
    if len(extra) > len(unanswered):
        faults += [f"{' '.join(event)} was told and never acknowledged" for event in extra]
    if evidence.unreadable:
        faults.append(f"{evidence.unreadable} notifications could not be opened")
    return Clause(name, len(wanted), faults)


def _event_of(told: Told) -> tuple[str, str, str]:
    kind = "REGISTRATION" if told.type == REGISTRATION else "PAYMENT"
    return (kind, "CREATED", told.id)


def _counted(told: Sequence[Told], evidence: Evidence) -> Clause:
    name = "the gateway counted what was answered"
    answered = [each for each in told if each.has_answer]
    if evidence.counters is None:
        return Clause(name, len(answered), (), "the gateway shows no counters")
    ours = Counters(
        Counter((each.operation, each.status) for each in answered),
        Counter(each.type for each in stored(told)),
        Counter(each.operation for each in told if each.verdict == THROTTLED),
    )
    slack = Counter(each.operation for each in told if not each.has_answer)
    # An answer that was wrong, or never came, may have made a payment.
    made = Counter(each.type for each in told if each.is_open and each.type)
    faults = [
        *_count_faults("answers", ours.answers, evidence.counters.answers, slack),
        *_count_faults("payments", ours.payments, evidence.counters.payments, made),
        *_count_faults("throttled", ours.throttled, evidence.counters.throttled, slack),
    ]
    if evidence.is_alone:
        return Clause(name, len(answered), [fault for fault, _ in faults])
    missing = [fault for fault, is_excess in faults if not is_excess]
    excess = len(faults) > len(missing)
    others = "somebody else asked this gateway meanwhile" if excess and not missing else ""
    return Clause(name, len(answered), missing, others)


def _count_faults(
    what: str, ours: Mapping, theirs: Mapping, slack: Mapping
) -> Iterable[tuple[str, bool]]:
    """Counts that differ more than missing answers explain, and whether they are too high."""
    for key in sorted({*ours, *theirs}, key=str):
        mine, counted = ours.get(key, 0), theirs.get(key, 0)
        allowed = slack.get(key[0] if isinstance(key, tuple) else key, 0)
        if not mine <= counted <= mine + allowed:
            label = " ".join(map(str, key)) if isinstance(key, tuple) else key
            yield f"{what} {label}: the gateway counted {counted}, seen {mine}", counted > mine
