"""The channel context of a request that names its merchant: of the payment it is about, or as
rules pick.
"""

from collections.abc import Mapping

from simulator.domain.checkouts.checkouts import Checkout
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.records import AccountHierarchy, Payment, Registration
from simulator.domain.merchants.dispatching import channel_for
from simulator.domain.ports.sandbox import Ports, Principal
from simulator.domain.schedules.schedules import Schedule


def dispatch_to_channel(
    principal: Principal, sent: Mapping[str, str], *, of: str | None
) -> ChannelContext[Ports]:
    """The context of the channel of the record `of`; without one, as the merchant's rules pick.

    Raises Refusal where the data selects none.
    """
    if of is None:
        return principal.contexts[channel_for(principal.merchant.dispatching, sent)]
    stamps = (_stamp_of(principal, kind, of) for kind in NAMED_IN_PATHS)
    found = next(
        (principal.contexts.get(stamp.channel) for stamp in stamps if stamp is not None), None
    )
    # No record of this merchant: whichever channel is asked, it knows none.
    return found or next(iter(principal.contexts.values()))


def _stamp_of(principal: Principal, kind: type, identity: str) -> AccountHierarchy | None:
    record = principal.ports.store.get(kind, identity)
    return None if record is None else record.stamp


NAMED_IN_PATHS = (Payment, Registration, Checkout, Schedule)
