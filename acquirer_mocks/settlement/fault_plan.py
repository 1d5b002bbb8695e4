"""Which movement gets which fault: plans in YAML, and the draw by their seed.

The draw depends on seed, day, fault and payment alone, so the order of movements changes nothing.
Choice: D-385.
"""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Literal
from zlib import crc32

import msgspec
import yaml

from scenarios.yaml_text import read_yaml, reason_of
from simulator.client.shown.misfits import one_of, said_of_file
from simulator.domain.ports.clearing import FileTrouble, SettlementFaults, SettlementFaultsError

LINE_FAULTS: Mapping[str, str] = {
    "missing": "the institute left this movement out of its file",
    "line_twice": "the institute wrote this line twice",
    "settled_twice": "the institute settled this movement in an earlier file already",
    "amount_cent": "the amount is too high by the smallest amount that is settled",
    "amount_large": "the amount is ten times as high",
    "fee_wrong": "the markup is too high by ten of the smallest amounts that are settled",
    "tariff_changed": "the markup is half a percent of the settlement amount above the tariff",
    "fx_rounding": "the settlement amount is rounded the other way",
    "fx_yesterday": "the rate is that of the bank day before",
    "exponent_jpy": "the amount is 100 times as high: this currency has no decimals",
    "exponent_kwd": "the amount is a tenth: this currency has three decimals",
    "currency_swapped": "the currency is another one",
    "reference_unknown": "no payment has these references",
    "reference_other": "the references are those of another payment",
    "captures_summed": "several partial captures are one line",
    "chargeback_early": "a chargeback comes before the settlement of its payment",
    "chargeback_late": "a chargeback comes after 120 days, or for a refunded payment",
    "date_holiday": "the settlement date is a day on which banks are closed",
    "other_merchant": "this line belongs to another merchant",
}
FILE_FAULT = "file_trouble"
LATE = "late"
FILE_WORDS: Mapping[str, str] = {
    LATE: "late: the file is delivered with the next run",
    "empty": "empty: the file has no bytes",
    "cut": "cut: the file ends in the middle",
    "trailer": "trailer: a control total does not add up",
}
# No fault that a merchant could see: nothing of the second file is booked.
TWICE = "twice"
# Delivered with the next run, and no fault.
DEFERRED = "deferred"
KNOWN = (*LINE_FAULTS, DEFERRED)
WHOLE = 10_000
DEFAULT_SHARE = 20
COUNT_MAX = 100_000
BYTES_MAX = 65_536
# One with every name there is has half as many. It is read as it is armed, and again in its run:
# so few take a hundredth of a second.
VALUES_MAX = 200


class PlanDocument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fault plan as a person writes it."""

    seed: int = 0
    mix: Literal["clean", "default"] = "clean"
    shares: dict[str, float] = {}
    counts: dict[str, int] = {}
    file: FileTrouble | None = None
    payout: Literal["rejected"] | None = None


def read_faults(text: str) -> SettlementFaults:
    """A plan in YAML: `seed`, `mix` (clean or default), `shares` (fault: 0 to 1), `counts` (fault:
    number), `file` (late, empty, cut, trailer or twice) and `payout` (rejected). Raises
    SettlementFaultsError.
    """
    if len(text) > BYTES_MAX:
        raise SettlementFaultsError(
            f"expected a plan of at most {BYTES_MAX} characters; received {len(text)}"
        )
    document = _document(text)
    try:
        plan = msgspec.convert(document, PlanDocument)
    except msgspec.ValidationError as error:
        said = said_of_file(error, document, PlanDocument)
        raise SettlementFaultsError(f"fault plan of settlement: {said}") from None
    _check("shares", plan.shares, 1)
    _check("counts", plan.counts, COUNT_MAX)
    mix = dict.fromkeys(LINE_FAULTS, DEFAULT_SHARE) if plan.mix == "default" else {}
    shares = {name: round(share * WHOLE) for name, share in plan.shares.items()}
    return SettlementFaults(
        seed=plan.seed,
        shares=mix | shares,
        counts=plan.counts,
        file=plan.file,
        rejects_payouts=plan.payout is not None,
    )


def _document(text: str) -> Any:
    try:
        found = read_yaml(text, values_max=VALUES_MAX)
    except yaml.YAMLError as error:
        reason = reason_of(error)
        raise SettlementFaultsError(
            f"fault plan of settlement: expected YAML, got: {reason}"
        ) from None
    return {} if found is None else found


def _check(where: str, rows: Mapping[str, float], most: int) -> None:
    for name, value in rows.items():
        if name not in KNOWN:
            raise SettlementFaultsError(
                f"{where}: expected {one_of(KNOWN, name)}; received {name[:64]!r}"
            )
        if not 0 <= value <= most:
            raise SettlementFaultsError(f"{where}.{name}: expected 0 to {most}; received {value}")


class FaultDraw:
    """Draws the fault of each movement of a day; it counts those that a plan gives by number."""

    def __init__(self, faults: SettlementFaults, day: date):
        self._shares = [(name, share) for name, share in faults.shares.items() if share > 0]
        self._left = {name: count for name, count in faults.counts.items() if count > 0}
        self._salt = {
            name: crc32(f"{faults.seed}:{day}:{name}".encode()) for name, _ in self._shares
        }

    def draw(self, payment: str, applies: Callable[[str], bool]) -> str | None:
        """The fault of a movement, None for most; `applies` says whether it can have one."""
        for name in self._left:
            if applies(name):
                self._take(name)
                return name
        for name, share in self._shares:
            hit = crc32(payment.encode(), self._salt[name]) % WHOLE < share
            if hit and applies(name):
                return name
        return None

    def _take(self, name: str) -> None:
        self._left[name] -= 1
        if not self._left[name]:
            del self._left[name]
