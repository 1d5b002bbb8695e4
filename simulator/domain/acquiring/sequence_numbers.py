"""Sequence numbers of terminals, as their acquirer remembers them. Choice: D-610."""

from datetime import datetime, timedelta

import msgspec

from simulator.domain.acquiring.requests import AcquirerRequest

SEQUENCE_NUMBER = "pos.transactionSequenceNumber"
# Terminals count to a highest number and begin again, so a number is not kept for ever.
KEPT_FOR = timedelta(days=1)


class UsedSequenceNumber(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sequence number by `sequence_id`, and the last payment of its terminal that used it: one
    that was approved, or is pending.
    """

    id: str
    version: int = 0
    payment: str
    at: datetime


def sequence_id(request: AcquirerRequest) -> str | None:
    """Host, channel, terminal and number of a new payment; None where no terminal numbered it, and
    for what refers to a payment, which may repeat the number of that one. Zeros in front count for
    nothing. A payment at another channel or host uses no number of a terminal that is not its own.
    """
    number = request.parameters.get(SEQUENCE_NUMBER)
    if number is None or request.terminal is None or request.original is not None:
        return None
    counted = number.lstrip("0") or "0"
    return f"{request.host} {request.entity} {request.terminal.terminal} {counted}"
