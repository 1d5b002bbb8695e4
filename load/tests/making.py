"""Records for tests: requests and answers as a ledger has them, and plans."""

from typing import Any

from features.target.records import Target
from load.certificate import Counters, Evidence, Found
from load.ledger import KEPT, Heard, Told
from load.oracle import Findings
from load.payloads import amount_of
from load.place import Place
from load.plan import Plan
from load.run import Outcome
from load.summary import summarise
from load.thresholds import Thresholds, check_all

BEGAN = 1_800_000_000.0
APPROVED = "000.100.110"
A_PLACE = Place(Target("http://127.0.0.1:1/", "t", "8" * 32), "t", "8" * 32)


def told(identity: str = "", **other: Any) -> Told:
    """A debit of 10.00 that was approved, unless said otherwise."""
    at = BEGAN + other.pop("at", 0.0)
    took = other.pop("took_s", 0.01)
    late = other.pop("late_s", 0.0)
    fields = {
        "operation": "create_payment", "verdict": KEPT, "status": 200, "code": APPROVED,
        "id": identity, "type": "DB", "cents": 10_00, "root": f"root-{identity}",
    }  # fmt: skip
    return Told(due=at - late, sent=at, answered=at + took, took_s=took, **{**fields, **other})


def found(one: Told, **other: Any) -> Found:
    """A payment as it has to be found after it was acknowledged."""
    shown = Found(one.id, one.type, amount_of(one.cents), "EUR", one.code, 200)
    return shown._replace(**other)


def heard(one: Told, *, event: str = "", lag_s: float = 0.1) -> Heard:
    """The notification of a payment."""
    return Heard(event or f"event-{one.id}", "PAYMENT", "CREATED", one.id, one.answered + lag_s)


def evidence(some: list[Told], **other: Any) -> Evidence:
    """What a gateway shows that lost nothing of some requests."""
    trees: dict[str, list[Found]] = {}
    for one in some:
        trees.setdefault(one.root, []).append(found(one))
    counters = Counters(
        {("create_payment", 200): sum(each.operation == "create_payment" for each in some),
         ("refer_payment", 200): sum(each.operation == "refer_payment" for each in some)},
        {kind: sum(each.type == kind for each in some) for kind in {each.type for each in some}},
        {},
    )  # fmt: skip
    shown = {
        "read": {one.id: found(one) for one in some},
        "trees": trees,
        "heard": [heard(one) for one in some],
        "counters": counters,
    }
    return Evidence(**{**shown, **other})


def a_plan(**other: Any) -> Plan:
    """A plan of ten seconds."""
    return Plan(
        base_url="http://127.0.0.1:1/", token="t", entity_id="8" * 32, ledger="ledger", **other
    )


def an_outcome(some: list[Told], certificate: Any, **other: Any) -> Outcome:
    """What a run with these requests came to."""
    plan = other.pop("plan", a_plan())
    thresholds = other.pop("thresholds", Thresholds())
    pulses = other.pop("pulses", [])
    findings: Findings | None = other.pop("findings", None)
    told_of = [heard(one) for one in some if one.id]
    interrupted = other.pop("interrupted", None)
    summary = summarise(plan, some, pulses, told_of, interrupted=interrupted)
    return Outcome(
        plan=plan, place=other.pop("place", A_PLACE), told=some, summary=summary,
        certificate=certificate,
        findings=findings, checks=check_all(thresholds, summary), knee=other.pop("knee", None),
    )  # fmt: skip
