"""What a merchant's reconciliation found of what was planted, and what it raised for nothing."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from features.reconciling.key import AnswerKey, KeyedTruth
from features.reconciling.result import ResultRow

# The class of what no fault was planted for: a line that matches nothing, a wrong match.
NO_FAULT = "none"
MISSES_KEPT_MAX = 1000
Kind = Literal["not found", "false alarm", "wrong payments", "not judged", "of another merchant"]


@dataclass(slots=True)
class FaultClass:
    """One class of faults: how many were planted, and what became of them."""

    planted: int = 0
    found: int = 0
    missed: int = 0
    false_alarms: int = 0

    def add(self, other: "FaultClass") -> None:
        """Count what another class counts here too."""
        self.planted += other.planted
        self.found += other.found
        self.missed += other.missed
        self.false_alarms += other.false_alarms


@dataclass(frozen=True, slots=True)
class Miss:
    """One thing the merchant's program did wrong: about a line or a payment, and why it is so."""

    kind: Kind
    about: str
    fault: str
    why: str


@dataclass(slots=True)
class Measured:
    """The measure of a result. `pairs` are those of line and payment: in truth, as the result has
    them, and in both.
    """

    classes: dict[str, FaultClass] = field(default_factory=dict)
    misses: list[Miss] = field(default_factory=list)
    miss_count: int = 0
    pairs_true: int = 0
    pairs_claimed: int = 0
    pairs_right: int = 0

    @property
    def is_perfect(self) -> bool:
        """Whether everything was found, and nothing raised that is not."""
        return self.miss_count == 0

    @property
    def alarms(self) -> FaultClass:
        """All classes together."""
        total = FaultClass()
        for each in self.classes.values():
            total.add(each)
        return total

    @property
    def precision(self) -> float:
        """The share of the alarms that are right; 1 where there are none."""
        alarms = self.alarms
        return _share(alarms.found, alarms.found + alarms.false_alarms)

    @property
    def recall(self) -> float:
        """The share of what is wrong that was found; 1 where nothing is."""
        return _share(self.alarms.found, self.alarms.planted)

    @property
    def match_precision(self) -> float:
        """The share of the payments named for lines that are right."""
        return _share(self.pairs_right, self.pairs_claimed)

    @property
    def match_recall(self) -> float:
        """The share of the payments of lines that were named."""
        return _share(self.pairs_right, self.pairs_true)

    def add(self, miss: Miss) -> None:
        """Count a miss; the first ones are kept."""
        self.miss_count += 1
        if len(self.misses) < MISSES_KEPT_MAX:
            self.misses.append(miss)

    def of(self, fault: str | None) -> FaultClass:
        """The class with this name."""
        return self.classes.setdefault(fault or NO_FAULT, FaultClass())


@dataclass(slots=True)
class Said:
    """All that a result says of one line or payment: in one row or in several."""

    payments: set[str] = field(default_factory=set)
    is_alarm: bool = False
    fault: str = ""


def measure(key: AnswerKey, rows: Iterable[ResultRow]) -> Measured:
    """The measure of a result against a key."""
    measured = Measured()
    of_lines, of_payments = _gathered(rows)
    for identity, expected in sorted(key.lines.items()):
        said = of_lines.pop(identity, None)
        _judge_alarm(identity, expected, said, measured)
        _judge_payments(identity, expected, said, measured)
    for payment, expected in sorted(key.absent.items()):
        _judge_alarm(payment, expected, of_payments.pop(payment, None), measured)
    for identity, expected in sorted(key.hidden.items()):
        _judge_leak(identity, expected, of_lines.pop(identity, None), measured)
    if key.files:
        # Without its file, each payment the merchant misses is missing.
        missed = [payment for payment, said in of_payments.items() if said.is_alarm]
        has_missed = Said(is_alarm=bool(missed))
        for payment in missed:
            del of_payments[payment]
        for name, expected in sorted(key.files.items()):
            _judge_alarm(name, expected, has_missed, measured)
    for identity, said in (*sorted(of_lines.items()), *sorted(of_payments.items())):
        _raise_for_nothing(identity, said, "the key has no such line or payment", measured)
    return measured


def _gathered(rows: Iterable[ResultRow]) -> tuple[dict[str, Said], dict[str, Said]]:
    """What a result says, by lines and by payments without a line."""
    lines: dict[str, Said] = {}
    payments: dict[str, Said] = {}
    for each in rows:
        for identity in [each.line] if each.line else sorted(each.payments):
            said = (lines if each.line else payments).setdefault(identity, Said())
            said.payments |= each.payments
            said.is_alarm |= each.is_alarm
            said.fault = said.fault or each.difference
    return lines, payments


def _judge_alarm(
    identity: str, expected: KeyedTruth, said: Said | None, measured: Measured
) -> None:
    """Whether the result raises an alarm where one is due, and none elsewhere."""
    is_alarm = said is not None and said.is_alarm
    if expected.is_alarming:
        counted = measured.of(expected.planted)
        counted.planted += 1
        counted.found += is_alarm
        counted.missed += not is_alarm
        if not is_alarm:
            fault = expected.planted or NO_FAULT
            measured.add(Miss("not found", identity, fault, expected.why))
    elif said is not None and is_alarm:
        _raise_for_nothing(identity, said, expected.why or "nothing is wrong with it", measured)


def _judge_payments(
    identity: str, expected: KeyedTruth, said: Said | None, measured: Measured
) -> None:
    """Whether the result names the payments of a line, and no others. Where it says that something
    is wrong with one that is wrong, that is enough: its reference may be that of another payment.
    """
    if expected.planted and said is not None and said.is_alarm:
        return
    claimed = frozenset() if said is None else frozenset(said.payments)
    measured.pairs_true += len(expected.payments)
    measured.pairs_claimed += len(claimed)
    measured.pairs_right += len(claimed & expected.payments)
    if claimed == expected.payments:
        return
    kind: Kind = "not judged" if said is None else "wrong payments"
    why = f"expected {_listed(expected.payments)}, got {_listed(claimed)}"
    measured.add(Miss(kind, identity, expected.planted or NO_FAULT, why))


def _judge_leak(identity: str, expected: KeyedTruth, said: Said | None, measured: Measured) -> None:
    """A line of another merchant must come up in no result: it must be in no file."""
    counted = measured.of(expected.planted)
    counted.planted += 1
    counted.found += said is None
    counted.missed += said is not None
    if said is not None:
        fault = expected.planted or NO_FAULT
        measured.add(Miss("of another merchant", identity, fault, expected.why))


def _raise_for_nothing(identity: str, said: Said, why: str, measured: Measured) -> None:
    fault = said.fault if said.fault in measured.classes else NO_FAULT
    measured.of(fault).false_alarms += 1
    measured.add(Miss("false alarm", identity, fault, why))


def _listed(payments: Iterable[str]) -> str:
    shown = sorted(payments)
    return ", ".join(shown[:3]) + (" ..." if len(shown) > 3 else "") if shown else "none"


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
