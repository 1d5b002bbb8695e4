"""Records for tests: requests as a ledger has them, evidence, plans and outcomes."""

from typing import Any

from features.target.records import Target
from load.closing.check import ClosingCheck, ClosingClause
from load.closing.evidence import ClosingEvidence, GatewayCounters, PaymentSnapshot, SettledFiles
from load.gateway.target import LoadTarget
from load.ledger.records import SUCCEEDED, ProcessSample, ReceivedEvent, RequestRecord
from load.plan.plan import LoadPlan
from load.results.outcome import RunOutcome
from load.results.summary import summarize
from load.results.thresholds import Thresholds, check_thresholds
from load.traffic.payloads import format_amount
from reports.machine import describe_run

BEGAN = 1_800_000_000.0
APPROVED = "000.100.110"
TARGET = LoadTarget(Target("http://127.0.0.1:1/", "t", "8" * 32), "t", "8" * 32)


def create_record(identity: str = "", **other: Any) -> RequestRecord:
    """Return the record of an approved debit of 10.00, with other fields as given."""
    at = BEGAN + other.pop("at", 0.0)
    duration_s = other.pop("duration_s", 0.01)
    late_s = other.pop("late_s", 0.0)
    fields = {
        "operation": "create_payment", "verdict": SUCCEEDED, "status": 200, "code": APPROVED,
        "id": identity, "type": "DB", "cents": 10_00, "root": f"root-{identity}",
    }  # fmt: skip
    return RequestRecord(
        due_at=at - late_s, sent_at=at, responded_at=at + duration_s, duration_s=duration_s,
        **{**fields, **other},
    )  # fmt: skip


def snapshot_of(record: RequestRecord, **other: Any) -> PaymentSnapshot:
    """Return a payment as the gateway has to show it."""
    amount = format_amount(record.cents)
    shown = PaymentSnapshot(record.id, record.type, amount, "EUR", record.code, 200)
    return shown._replace(**other)


def event_of(record: RequestRecord, *, event_id: str = "", lag_s: float = 0.1) -> ReceivedEvent:
    """Return the event of a payment."""
    at = record.responded_at + lag_s
    return ReceivedEvent(event_id or f"event-{record.id}", "PAYMENT", "CREATED", record.id, at)


def create_evidence(records: list[RequestRecord], **other: Any) -> ClosingEvidence:
    """Return the evidence of a gateway that lost nothing of some requests."""
    trees: dict[str, list[PaymentSnapshot]] = {}
    for one in records:
        trees.setdefault(one.root, []).append(snapshot_of(one))
    operations, kinds = [one.operation for one in records], [one.type for one in records]
    counters = GatewayCounters(
        {("create_payment", 200): operations.count("create_payment"),
         ("refer_payment", 200): operations.count("refer_payment")},
        {kind: kinds.count(kind) for kind in kinds},
        {},
    )  # fmt: skip
    shown = {
        "payments": {one.id: snapshot_of(one) for one in records},
        "trees": trees,
        "events": [event_of(one) for one in records],
        "counters": counters,
        "settled": SettledFiles(
            {
                one.id: [format_amount(one.cents)]
                for one in records
                if one.type != "PA" and one.code == APPROVED
            }
        ),
    }
    return ClosingEvidence(**{**shown, **other})


def create_plan(**other: Any) -> LoadPlan:
    """Return a plan of ten seconds."""
    place = {"base_url": "http://127.0.0.1:1/"}
    return LoadPlan(**place | {"token": "t", "entity_id": "8" * 32, "ledger": "ledger"} | other)


def create_outcome(
    records: list[RequestRecord], closing_check: ClosingCheck, **other: Any
) -> RunOutcome:
    """Return the outcome of a run with these requests."""
    plan = other.pop("plan", create_plan())
    thresholds = other.pop("thresholds", Thresholds())
    samples = other.pop("samples", [])
    events = [event_of(one) for one in records if one.id]
    interrupted_at = other.pop("interrupted_at", None)
    summary = summarize(plan, records, samples, events, interrupted_at=interrupted_at)
    return RunOutcome(
        plan=plan, target=TARGET, records=records, summary=summary, closing_check=closing_check,
        findings=other.pop("findings", None), checks=check_thresholds(thresholds, summary),
        knee=other.pop("knee", None), run=other.pop("run", RUN_FACTS),
    )  # fmt: skip


RUN_FACTS = describe_run("sandgate load")
RUN = [create_record(f"{n}", at=n / 10, duration_s=n / 1000) for n in range(1, 101)]
CLEAN = ClosingCheck([ClosingClause("nothing is lost", 3, ())])
FAULTY = ClosingCheck([ClosingClause("nothing is lost", 3, ("DB 1 is lost",))])
# The samples of a client that is short of processor time.
BUSY = [ProcessSample("1", BEGAN + second, 10, 0.97) for second in range(10)]
