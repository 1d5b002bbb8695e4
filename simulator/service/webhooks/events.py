"""Telling endpoints what happened: stored with the change itself, handed to the courier after it.

Source: Events. Choices: D-80 to D-84.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from scenarios.webhooks import mishap_for
from simulator.catalogue.events import (
    types_told,
)
from simulator.domain.core.errors import ConflictError
from simulator.domain.core.ports import Ports, unit_of
from simulator.domain.core.records import Outcome, Payment, Registration, Script, State
from simulator.domain.schedules.schedules import Schedule
from simulator.domain.scripts import armed_scripts
from simulator.domain.webhooks.events import (
    Happening,
    execution_event,
    happenings,
    notice_of,
    record_event,
    result_call,
    screening_event,
)
from simulator.domain.webhooks.payloads import Scene
from simulator.domain.webhooks.records import (
    Delivery,
    Endpoint,
    Mishap,
    Notice,
    again,
    delivery_to,
    handed_over,
    listening,
)

END_OF_TIME = "9999-12-31"
TAKEN_AT_ONCE = 500


class UnknownEventError(Exception):
    """No notice has the id."""


class Post(NamedTuple):
    """What a change is told by: records for its unit of work, and the deliveries among them."""

    records: tuple[Any, ...] = ()
    deliveries: tuple[Delivery, ...] = ()


NOTHING = Post()


def post_for(
    ports: Ports, payment: Payment, others: Sequence[Any], *, before: State, now: datetime
) -> Post:
    """What is told when a payment that was `before` is settled; `others` is what it changed.

    Nothing where nobody listens: this is asked at every payment.
    """
    if not ports.outbox.endpoints and before is not State.PENDING:
        return NOTHING
    scene = Scene(ports.sandbox, ports.choices, now)
    posts = [_call_of(ports, payment, now)] if before is State.PENDING else []
    if ports.outbox.endpoints:
        told = happenings(payment, others, before=before, scene=scene)
        if payment.schedule is not None:
            told += _executions(ports, payment, scene)
        if payment.screened_by is not None and before is State.OPEN:
            told += _screenings(ports, payment, scene)
        posts.append(posted(ports, told, now, about=payment))
    return _joined(posts)


def post_about(
    ports: Ports,
    record: Registration | Schedule,
    change: str,
    *,
    now: datetime,
    outcome: Outcome | None = None,
    ndc: str = "",
) -> Post:
    """What is told of a registration or a schedule that a request of its own made or changed.

    `change` is one of catalogue/events.py: REGISTERED of no payment, CHANGED, REMOVED, SCHEDULED,
    RESCHEDULED, DESCHEDULED; `outcome` and `ndc` are those of the request. The caller stores
    `records` with the change itself, in one unit, and then calls `hand_over`:

        post = post_about(ports, registration, REMOVED, now=now, outcome=outcome, ndc=ndc)
        ports.store.commit(unit_of(removed, *post.records))
        hand_over(ports, post)

    Of a registration that is removed, hand in the record as it was: a removed one has no account.
    """
    if not ports.outbox.endpoints:
        return NOTHING
    scene = Scene(ports.sandbox, ports.choices, now)
    return posted(ports, [record_event(record, change, scene, outcome=outcome, ndc=ndc)], now)


def posted(
    ports: Ports, told: Sequence[Happening], now: datetime, *, about: Payment | None = None
) -> Post:
    """Notices of these events and their deliveries; where nobody listens, no notice.

    Scripts are asked once: what happens to one of them happens to all. They match payments alone.
    """
    types = types_told(field_events=ports.choices["field_events"] == "send")
    heard = [
        (happening, wanted)
        for happening in told
        if happening.type in types
        and (wanted := listening(ports.outbox.endpoints, happening.stamp, happening.type))
    ]
    if not heard:
        return NOTHING
    mishap, counted = (None, ()) if about is None else _mishap(ports, about)
    posts = [_posted_to(ports, *each, now=now, mishap=mishap) for each in heard]
    if mishap is None or not mishap.reorder:
        posts.append(_held(ports, {each.id for _, wanted in heard for each in wanted}))
    return _joined([*posts, Post(counted)])


def hand_over(ports: Ports, post: Post) -> None:
    """Hand what was stored to the courier; look again at what is due later."""
    if post.deliveries:
        ports.outbox.carry(post.deliveries)
        if any(each.due is not None for each in post.deliveries):
            ports.scheduler.wake()


def deliver_due(ports: Ports, delivery: Delivery) -> None:
    """Hand over this delivery, which is due, and with it every other one that is."""
    until = ports.clock.now()
    due = (
        each
        for each in ports.store.between(Delivery, "due", "", END_OF_TIME)
        if each.due is not None and each.due <= until
    )
    _hand_over_stored(ports, list(islice(due, TAKEN_AT_ONCE)))


def resume_deliveries(ports: Ports) -> int:
    """Hand over again what was under way when the server stopped; the count of it."""
    found = ports.store.find(Delivery, "under_way", "yes")
    ports.outbox.carry(found)
    return len(found)


def notices_in(
    ports: Ports, *, failed: bool = False, payment: str | None = None
) -> Iterator[Notice]:
    """The notices of a sandbox, newest first; those that failed so far, or about one payment."""
    if payment is not None:
        found = ports.store.find(Notice, "payment", payment)
    else:
        found = list(ports.store.between(Notice, "date", "", END_OF_TIME))
    for notice in reversed(found):
        if not failed or any(has_failed(each) for each in deliveries_of(ports, notice.id)):
            yield notice


def has_failed(delivery: Delivery) -> bool:
    """Whether a delivery was attempted, and the last attempt was no success."""
    return delivery.attempts > 0 and not delivery.delivered


def notice_with(ports: Ports, identity: str) -> Notice:
    """The notice with the id `identity`. Raises UnknownEventError."""
    notice = ports.store.get(Notice, identity)
    if notice is None:
        raise UnknownEventError(identity)
    return notice


def deliveries_of(ports: Ports, notice: str) -> list[Delivery]:
    """The deliveries of a notice, one for each endpoint."""
    return ports.store.find(Delivery, "notice", notice)


def resend(ports: Ports, identity: str) -> Notice:
    """Deliver a notice again, now, to everybody it went to, under the same identity.

    Raises UnknownEventError.
    """
    notice = notice_with(ports, identity)
    while True:
        now = ports.clock.now()
        fresh = [
            again(each, now=now) for each in deliveries_of(ports, identity) if not each.under_way
        ]
        try:
            ports.store.commit(unit_of(*fresh))
        except ConflictError:
            continue
        ports.outbox.carry(fresh)
        return notice


def _screenings(ports: Ports, payment: Payment, scene: Scene) -> list[Happening]:
    """The event of the risk check that decided about the payment."""
    event = screening_event(payment, ports.ids.record(), scene)
    return [] if event is None else [event]


def _executions(ports: Ports, payment: Payment, scene: Scene) -> list[Happening]:
    """The event of the schedule that made the payment."""
    schedule = ports.store.get(Schedule, payment.schedule or "")
    event = None if schedule is None else execution_event(payment, schedule, scene)
    return [] if event is None else [event]


def _posted_to(
    ports: Ports,
    happening: Happening,
    wanted: Sequence[Endpoint],
    *,
    now: datetime,
    mishap: Mishap | None,
) -> Post:
    notice = notice_of(happening, identity=ports.ids.record(), now=now)
    deliveries = tuple(
        delivery_to(each, notice, identity=ports.ids.record(), mishap=mishap) for each in wanted
    )
    return Post((notice, *deliveries), deliveries)


def _mishap(ports: Ports, payment: Payment) -> tuple[Mishap | None, tuple[Script, ...]]:
    scripts = armed_scripts(ports.store)
    return mishap_for(payment, scripts) if scripts else (None, ())


def _held(ports: Ports, endpoints: Iterable[str]) -> Post:
    """What scripts held back until the next notice to the same endpoint: it follows now."""
    held = tuple(
        handed_over(each)
        for endpoint in endpoints
        for each in ports.store.find(Delivery, "held", endpoint)
    )
    return Post(held, held)


def _call_of(ports: Ports, payment: Payment, now: datetime) -> Post:
    """The call of the notificationUrl of an asynchronous payment that is final now."""
    url = payment.sent.get("notificationUrl")
    if url is None:
        return NOTHING
    notice = result_call(payment, identity=ports.ids.record(), now=now)
    delivery = Delivery(
        id=ports.ids.record(), notice=notice.id, url=url, began_at=now, under_way=True
    )
    return Post((notice, delivery), (delivery,))


def _joined(posts: Sequence[Post]) -> Post:
    records = tuple(record for post in posts for record in post.records)
    return Post(records, tuple(each for post in posts for each in post.deliveries))


def _hand_over_stored(ports: Ports, found: Sequence[Delivery]) -> None:
    taken = [handed_over(each) for each in found]
    try:
        ports.store.commit(unit_of(*taken))
    except ConflictError:
        return
    ports.outbox.carry(taken)
