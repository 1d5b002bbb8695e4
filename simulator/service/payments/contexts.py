"""The records a request may see, and the channel context of work that no request caused."""

from datetime import datetime
from typing import Protocol, TypeVar

from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import EpochEndedError, UnknownReferenceError
from simulator.domain.core.hosts import Host
from simulator.domain.core.ports import HasChoices, HasIds, HasSandbox, HasStore
from simulator.domain.core.records import AccountHierarchy, Payment
from simulator.domain.payments.initial import TransactionIds


class ContextPorts(HasChoices, HasIds, HasSandbox, HasStore, Protocol):
    """What a context and its records are read from."""


class Owned(Protocol):
    """A record that belongs to a merchant on one host."""

    @property
    def stamp(self) -> AccountHierarchy:
        """Whom it belongs to."""

    @property
    def host(self) -> Host:
        """The host it came in by."""


Record = TypeVar("Record", bound=Owned)
Given = TypeVar("Given", bound=ContextPorts)


def find_visible(
    context: ChannelContext[ContextPorts], kind: type[Record], identity: str
) -> Record | None:
    """The record with this id, or None: what is another merchant's, or of the other host, stays
    unseen.

    Source: AUTH-06, HOST-03.
    """
    record = context.ports.store.get(kind, identity)
    if record is None or record.stamp.merchant != context.stamp.merchant:
        return None
    return record if record.host == context.host else None


def read_payment(context: ChannelContext[ContextPorts], identity: str) -> Payment:
    """The payment with the id `identity`, once a power cut can no longer undo it (D-36). Raises
    UnknownReferenceError.
    """
    payment = find_visible(context, Payment, identity)
    if payment is None:
        raise UnknownReferenceError("700.400.580", "no payment has the id in the path")
    context.ports.store.wait_durable()
    return payment


def context_of(ports: Given, stamp: AccountHierarchy, host: Host) -> ChannelContext[Given]:
    """The context of due work: the channel as it is set up now. Raises EpochEndedError where it
    was removed.
    """
    for merchant in ports.sandbox.merchants:
        for channel in merchant.channels:
            if channel.id == stamp.channel:
                return ChannelContext(ports, channel, stamp, host)
    raise EpochEndedError(f"channel {stamp.channel}: it was removed")


def new_transaction_ids(ports: ContextPorts, entity: str, now: datetime) -> TransactionIds:
    """Ids and trace number of a payment that no request asked for. Its ndc is of the entity, as
    that of a request (Choice: D-12).
    """
    sign = NDC_SIGNS[ports.choices["ndc"]]
    return TransactionIds(
        id=ports.ids.record(),
        short_id=ports.ids.short(),
        trace=ports.ids.trace(),
        now=now,
        ndc=f"{entity}{sign}{ports.ids.hex(32)}",
    )


NDC_SIGNS = {"hyphen": "-", "underscore": "_"}
