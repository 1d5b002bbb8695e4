"""Read back, over the gateway's own API, what the closing check compares with the ledger."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPException
from time import sleep, time
from typing import Any

from features.conformance.pacing import retry_after_s
from load.closing.check import REGISTRATION, select_roots, select_writes
from load.closing.evidence import ClosingEvidence, GatewayCounters, PaymentSnapshot
from load.gateway.target import LoadTarget
from load.gateway.webhook_receiver import WebhookRecorder
from load.ledger.records import RequestRecord
from load.progress import Progress, count_of
from load.traffic.shown import LINE_LENGTH_MAX, ShownTexts, shown_text
from simulator.client import Answer, Client

READERS = 4
RETRIES_MAX = 3
RETRY_S = 1.0
DRAIN_S = 60
NOTIFICATIONS_TIMEOUT_S, NOTIFICATIONS_QUIET_S = 10.0, 0.3
# With status 400, the answer to a report that finds nothing. Choice: D-171.
UNKNOWN_TRANSACTION = "700.400.580"

# What is read of an unknown id.
MISSING = PaymentSnapshot("", "", "", "", "")


class ClosingCheckError(RuntimeError):
    """The gateway could not be read after a run; the message says what happened."""


@contextmanager
def raise_closing_errors(shown: ShownTexts = shown_text) -> Iterator[None]:
    """Turn whatever fails while a gateway is read back into ClosingCheckError."""
    try:
        yield
    except (HTTPException, OSError, ValueError) as error:
        kind = type(error).__name__
        raise ClosingCheckError(
            f"expected a gateway that can be read after the run, got {kind}: "
            f"{shown(str(error), LINE_LENGTH_MAX)}"
        ) from error


def drain_target(target: LoadTarget, recorder: WebhookRecorder | None) -> None:
    """Return when no payment and no notification is in progress any more."""
    if target.control is not None:
        target.control.drain(target.sandbox, f"{DRAIN_S}s")
    if recorder is None:
        return
    until, before = time() + NOTIFICATIONS_TIMEOUT_S, -1
    while time() < until and len(recorder.events) != before:
        before = len(recorder.events)
        sleep(NOTIFICATIONS_QUIET_S)


def read_evidence(
    target: LoadTarget, records: Sequence[RequestRecord], recorder: WebhookRecorder | None,
    counters: GatewayCounters | None, *, progress: Progress,
) -> ClosingEvidence:  # fmt: skip
    """Read back every acknowledged write and every tree with captures, refunds or chargebacks.

    The limits of the run's own sandbox are switched off first; other limits are waited for.
    """
    if target.control is not None:
        target.control.set_throttles(target.sandbox, throttle="off")
    writes = select_writes(records)
    roots = select_roots(records) if target.has_reports else []
    found = f"{count_of(len(writes), 'payment')} and {count_of(len(roots), 'payment tree')}"
    progress(f"reading back {found}")
    with ThreadPoolExecutor(READERS) as pool:
        reading = [
            pool.submit(_read_part, target.connect(), writes[n::READERS], roots[n::READERS])
            for n in range(READERS)
        ]
        parts = [each.result() for each in reading]
    payments = {key: payment for part, _ in parts for key, payment in part.items()}
    trees = {root: tree for _, part in parts for root, tree in part.items()}
    return ClosingEvidence(
        payments={key: payment for key, payment in payments.items() if payment and payment.id},
        trees=_without_unread(trees) if target.has_reports else None,
        unread=frozenset(key for key, read in (*payments.items(), *trees.items()) if read is None),
        events=None if recorder is None else recorder.events,
        unreadable_events=0 if recorder is None else recorder.unreadable,
        counters=counters,
        is_exclusive=target.server is not None,
    )


def _without_unread(
    trees: Mapping[str, list[PaymentSnapshot] | None],
) -> Mapping[str, list[PaymentSnapshot]]:
    return {root: tree for root, tree in trees.items() if tree is not None}


def is_readable(answer: Answer) -> bool:
    """Whether a response shows what is stored, or that nothing is; not if throttled or broken."""
    return answer.status < 500 and answer.status != 429 and bool(answer.code)


def _read_part(
    client: Client, writes: Iterable[RequestRecord], roots: Iterable[str]
) -> tuple[dict[str, PaymentSnapshot | None], dict[str, list[PaymentSnapshot] | None]]:
    """Return what was read by id and by reference; None for each read that failed."""
    try:
        payments = {each.id: _read_payment(client, each) for each in writes}
        trees = {root: _read_tree(client, root) for root in roots}
    finally:
        client.close()
    return payments, trees


def _read_payment(client: Client, record: RequestRecord) -> PaymentSnapshot | None:
    """Return a payment or registration as it reads now, MISSING if there is none."""
    kind = "registrations" if record.type == REGISTRATION else "payments"
    answer = _read_with_retries(lambda: client.get(f"v1/{kind}/{record.id}"))
    if not is_readable(answer):
        return None
    return _snapshot(answer.body, answer.status) if answer.id == record.id else MISSING


def _read_tree(client: Client, root: str) -> list[PaymentSnapshot] | None:
    """Return every payment with a merchantTransactionId, and those that refer to one of them; None
    if they could not be read, or what came is no report.
    """
    query = {"merchantTransactionId": root, "includeLinkedTransactions": "true"}
    rows = _rows_of(_read_with_retries(lambda: client.get("v1/query", query)))
    return None if rows is None else [_snapshot(each) for each in rows]


def _rows_of(answer: Answer) -> Sequence[Any] | None:
    """Return the rows of a report, none where it says that it finds nothing; None if it is none."""
    if answer.status == HTTPStatus.BAD_REQUEST and answer.code == UNKNOWN_TRANSACTION:
        return []
    is_report = answer.status == HTTPStatus.OK and is_readable(answer)
    rows = answer.at("payments") if is_report else None
    return rows if isinstance(rows, list) and all(map(_is_payment, rows)) else None


def _is_payment(row: Any) -> bool:
    """Whether a row of a report has the form of a payment."""
    return isinstance(row, Mapping) and isinstance(row.get("result") or {}, Mapping)


def _read_with_retries(read: Callable[[], Answer]) -> Answer:
    """Return the response to a read; if it is throttled, after the wait it asks for."""
    answer = read()
    for _ in range(RETRIES_MAX):
        if answer.status != 429:
            break
        retry_after = answer.headers.get("retry-after", "")
        sleep(retry_after_s(retry_after, time(), default_s=RETRY_S))
        answer = read()
    return answer


def _snapshot(body: Mapping[str, Any], status: int = 0) -> PaymentSnapshot:
    return PaymentSnapshot(
        id=str(body.get("id") or ""),
        type=str(body.get("paymentType") or ""),
        amount=str(body.get("amount") or ""),
        currency=str(body.get("currency") or ""),
        code=str((body.get("result") or {}).get("code") or ""),
        status=status,
    )
