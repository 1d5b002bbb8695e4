"""The channel context of a checkout or a schedule that rules have dispatched."""

from collections.abc import Mapping
from itertools import chain
from typing import Protocol

from simulator.domain.checkouts.forms import channel_brands
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.entities import Merchant
from simulator.domain.core.hosts import Host
from simulator.domain.core.records import AccountHierarchy, Registration
from simulator.domain.merchants.dispatching import (
    channel_for,
    channels_by_brand,
    with_registration,
)
from simulator.domain.merchants.hierarchy import stamp_of
from simulator.service.payments.contexts import ContextPorts, Given, context_of

Sent = Mapping[str, str]


class DispatchedRecord(Protocol):
    """A record of a channel that may have been chosen by rules."""

    @property
    def stamp(self) -> AccountHierarchy:
        """Whom it belongs to."""

    @property
    def host(self) -> Host:
        """The host it came in by."""

    @property
    def is_dispatched(self) -> bool:
        """Whether rules have chosen its channel."""


def names_merchant(context: ChannelContext[object], sent: Mapping[str, str]) -> bool:
    """Whether a request names its merchant, so that rules choose the channel."""
    return sent.get("entityId") == context.stamp.merchant


def dispatched_anew(
    ports: Given,
    record: DispatchedRecord,
    whole: Mapping[str, str],
    registration: Registration | None = None,
) -> ChannelContext[Given]:
    """The context of a record that rules have dispatched, as they pick for its `whole` now; of any
    other, that of its channel. Raises Refusal where the data selects none, EpochEndedError.
    Choice: D-111.
    """
    merchant = _merchant_of(ports, record)
    if merchant is None or not merchant.dispatching:
        return context_of(ports, record.stamp, record.host)
    known = whole if registration is None else with_registration(registration, whole)
    picked = channel_for(merchant.dispatching, known)
    if picked == record.stamp.channel:
        return context_of(ports, record.stamp, record.host)
    channel = next(each for each in merchant.channels if each.id == picked)
    stamp = stamp_of(ports.sandbox, merchant, channel)
    return ChannelContext(ports, channel, stamp, record.host)


def brands_taken(ports: ContextPorts, record: DispatchedRecord, whole: Sent) -> tuple[str, ...]:
    """The brands that a record may be paid with: those that its channel takes; of one that rules
    have dispatched, each that is taken by the channel which they pick for it.
    """
    home = context_of(ports, record.stamp, record.host).channel
    merchant = _merchant_of(ports, record)
    if merchant is None or not merchant.dispatching:
        return channel_brands(home)
    channels = {each.id: channel_brands(each) for each in (home, *merchant.channels)}
    brands = tuple(dict.fromkeys(chain.from_iterable(channels.values())))
    picked = channels_by_brand(merchant.dispatching, whole, brands)
    return tuple(each for each in brands if each in channels.get(picked.get(each, ""), ()))


def _merchant_of(ports: Given, record: DispatchedRecord) -> Merchant | None:
    """The merchant whose rules have dispatched the record, None where a channel was named."""
    if not record.is_dispatched:
        return None
    merchants = ports.sandbox.merchants
    return next((each for each in merchants if each.id == record.stamp.merchant), None)
