"""The context of a request: a channel with its entities above it, and ports of its sandbox."""

from typing import Generic, TypeVar

import msgspec

from simulator.domain.core.entities import Channel
from simulator.domain.core.hosts import TEST, Host
from simulator.domain.core.records import AccountHierarchy

# The ports that a use case needs of the context; a context with more of them will do.
Needed = TypeVar("Needed", covariant=True)


class ChannelContext(msgspec.Struct, Generic[Needed], frozen=True):
    """Where an admitted request is at home: a channel, its stamp, its host, the ports of its
    sandbox.
    """

    ports: Needed
    channel: Channel
    stamp: AccountHierarchy
    host: Host = TEST
