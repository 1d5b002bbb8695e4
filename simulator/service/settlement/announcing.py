"""Webhook events of settled bank days, one for each merchant account. Choice: D-523."""

from collections.abc import Mapping
from typing import Any, Protocol

from simulator.domain.core.ports import HasClock
from simulator.domain.merchants.hierarchy import stamp_of
from simulator.domain.settlement.reporting import reported_aggregation
from simulator.domain.settlement.runs import Aggregation
from simulator.domain.webhooks.events import draft_settlement_event
from simulator.domain.webhooks.payloads import EventContext
from simulator.service.payments.contexts import ContextPorts, new_transaction_ids
from simulator.service.settlement.whom import Accounts
from simulator.service.webhooks.events import EventPorts, prepare_events


class AnnouncingPorts(ContextPorts, EventPorts, HasClock, Protocol):
    """What an event of a settlement is prepared from."""


def prepare_settlement_events(
    ports: AnnouncingPorts,
    accounts: Accounts,
    delivered: Mapping[str, tuple[str, ...]],
    sums: Mapping[str, Aggregation],
) -> tuple[Any, ...]:
    """The events of a run, to be stored with it: what each merchant account came to, and the names
    of its files.
    """
    if not ports.dispatcher.endpoints:
        return ()
    now = ports.clock.now()
    context = EventContext(ports.sandbox, ports.choices, now)
    drafts = []
    for name, files in delivered.items():
        account = accounts[name]
        stamp = stamp_of(account.sandbox, account.merchant, account.channel)
        ndc = new_transaction_ids(ports, account.channel.id, now).ndc
        body = {**reported_aggregation(sums[name]), "files": list(files)}
        drafts.append(draft_settlement_event(body, stamp, context, ndc=ndc))
    return prepare_events(ports, drafts, now)
