"""The seat of a request that names its merchant: of the payment it is about, or as rules pick."""

from collections.abc import Mapping

from simulator.domain.dispatching import channel_for
from simulator.domain.ports import Pass, Seat
from simulator.domain.records import Payment


def dispatched(held: Pass, sent: Mapping[str, str], *, of: str | None) -> Seat:
    """The seat at the channel of the payment `of`; without one, as the merchant's rules pick.

    Raises Refusal where the data selects none.
    """
    if of is None:
        return held.seats[channel_for(held.merchant.dispatching, sent)]
    payment = held.ports.store.get(Payment, of)
    found = None if payment is None else held.seats.get(payment.stamp.channel)
    # No payment of this merchant: whichever channel is asked, it knows none.
    return found or next(iter(held.seats.values()))
