"""Closing the books: what the gateway shows after a run, read over its own API as evidence."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPException
from time import sleep, time
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from features.conformance.pacing import retry_after_s
from load.certificate import REGISTRATION, Counters, Evidence, Found, roots_of, stored
from load.ledger import Told
from load.place import Place
from load.receiver import Ear
from simulator.client import Answer, Client, Connection

READERS = 4
WAITS_MAX = 3
RETRY_S = 1.0
DRAIN_S = 60
SETTLE_S, QUIET_S = 10.0, 0.3
COUNTED = ("sandgate_requests", "sandgate_payments", "sandgate_throttled")

# What is read where there is nothing: the id of no payment.
MISSING = Found("", "", "", "", "")

Progress = Callable[[str], None]


class BooksNotClosed(RuntimeError):
    """The gateway could not be read after a run, or not understood; the message says what came."""


@contextmanager
def closing() -> Iterator[None]:
    """Tells whatever a gateway does while it is read back as what it is. Raises BooksNotClosed."""
    try:
        yield
    except (HTTPException, OSError, ValueError) as error:
        kind = type(error).__name__
        raise BooksNotClosed(
            f"expected a gateway that can be read after the run, got {kind}: {error}"
        ) from error


def quiesce(place: Place, ear: Ear | None) -> None:
    """Return when nothing is under way: no payment pending at once, no notification on its way."""
    if place.control is not None:
        place.control.drain(place.sandbox, f"{DRAIN_S}s")
    if ear is None:
        return
    until, before = time() + SETTLE_S, -1
    while time() < until and len(ear.heard) != before:
        before = len(ear.heard)
        sleep(QUIET_S)


def gather(
    place: Place, told: Sequence[Told], ear: Ear | None, counters: Counters | None,
    *, progress: Progress,
) -> Evidence:  # fmt: skip
    """Read back every acknowledged write and every tree that something was taken from.

    The limits of the run's sandbox are lifted for it; elsewhere reading takes as long as they say.
    """
    if place.control is not None:
        place.control.set_throttles(place.sandbox, throttle="off")
    writes = stored(told)
    roots = roots_of(told)
    progress(f"reading back {len(writes):,} payments and {len(roots):,} trees of payments")
    with ThreadPoolExecutor(READERS) as pool:
        reading = [
            pool.submit(_read_some, place.client(), writes[n::READERS], roots[n::READERS])
            for n in range(READERS)
        ]
        parts = [each.result() for each in reading]
    reads = {identity: found for read, _ in parts for identity, found in read.items()}
    trees = {root: tree for _, part in parts for root, tree in part.items()}
    return Evidence(
        read={identity: found for identity, found in reads.items() if found and found.id},
        trees={root: tree for root, tree in trees.items() if tree is not None},
        unread=frozenset(name for name, what in (*reads.items(), *trees.items()) if what is None),
        heard=None if ear is None else ear.heard,
        unreadable=0 if ear is None else ear.unreadable,
        counters=counters,
        is_alone=place.server is not None,
    )


def counters_of(place: Place) -> Counters | None:
    """What the gateway has counted so far; None where it shows no counters to us."""
    text = _metrics(place)
    if text is None:
        return None
    answers: Counter[tuple[str, int]] = Counter()
    payments: Counter[str] = Counter()
    throttled: Counter[str] = Counter()
    families = text_string_to_metric_families(text)
    for sample in (each for family in families for each in family.samples):
        labels, value = sample.labels, int(sample.value)
        if sample.name == "sandgate_requests_total" and labels["status"].isdigit():
            answers[labels["operation"], int(labels["status"])] += value
        elif sample.name == "sandgate_payments_total":
            payments[labels["type"]] += value
        elif sample.name == "sandgate_throttled_total":
            throttled[labels["operation"]] += value
    ours = {key: count for key, count in answers.items() if key[0] not in NOT_MERCHANT}
    return Counters(ours, payments, throttled)


NOT_MERCHANT = frozenset({"control", "documents", "watching", "other", "unreadable"})


def _metrics(place: Place) -> str | None:
    if place.control is None:
        return None
    base = place.target.control_url.rstrip("/").rpartition("/")[0] + "/"
    link = Connection(base, ca_file=place.target.ca_file or None)
    try:
        answer = link.ask(
            "GET", "metrics", headers={"Authorization": f"Bearer {place.target.control_key}"}
        )
    finally:
        link.close()
    is_text = answer.status == 200 and isinstance(answer.body, bytes)
    return answer.body.decode("utf-8") if is_text else None


def _read_some(
    client: Client, writes: Iterable[Told], roots: Iterable[str]
) -> tuple[dict[str, Found | None], dict[str, list[Found] | None]]:
    """What was read of each; None where the read came to nothing."""
    try:
        read = {each.id: _found_at(client, each) for each in writes}
        trees = {root: _tree_at(client, root) for root in roots}
    finally:
        client.close()
    return read, trees


def _found_at(client: Client, told: Told) -> Found | None:
    """A payment or registration as it reads now, MISSING where there is none."""
    kind = "registrations" if told.type == REGISTRATION else "payments"
    answer = _patiently(lambda: client.get(f"v1/{kind}/{told.id}"))
    if not is_readable(answer):
        return None
    return _found(answer.body, answer.status) if answer.id == told.id else MISSING


def _tree_at(client: Client, root: str) -> list[Found] | None:
    """Every payment that has a reference or refers to one that has, as a report shows it."""
    query = {"merchantTransactionId": root, "includeLinkedTransactions": "true"}
    answer = _patiently(lambda: client.get("v1/query", query))
    if not is_readable(answer):
        return None
    return [_found(each) for each in answer.at("payments") or ()]


def is_readable(answer: Answer) -> bool:
    """Whether an answer says what there is, or that there is nothing: not busy, broken, garbled."""
    return answer.status < 500 and answer.status != 429 and bool(answer.code)


def _patiently(ask: Callable[[], Answer]) -> Answer:
    """The answer to a read; where the gateway throttles it, after the wait it asks for."""
    answer = ask()
    for _ in range(WAITS_MAX):
        if answer.status != 429:
            break
        said = answer.headers.get("retry-after", "")
        sleep(retry_after_s(said, time(), default_s=RETRY_S))
        answer = ask()
    return answer


def _found(body: Mapping[str, Any], status: int = 0) -> Found:
    return Found(
        id=str(body.get("id") or ""),
        type=str(body.get("paymentType") or ""),
        amount=str(body.get("amount") or ""),
        currency=str(body.get("currency") or ""),
        code=str((body.get("result") or {}).get("code") or ""),
        status=status,
    )
