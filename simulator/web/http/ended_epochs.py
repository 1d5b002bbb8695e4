"""What the sender of a request is answered whose sandbox began another epoch meanwhile.

Who is admitted still may send it again: what it did is gone with the epoch. Not where a card host
may have charged, or where the same epoch stands, as after a reset that a lost database did not
store. Choice: D-305.
"""

from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import (
    ChargedEpochError,
    DiskError,
    EpochEndedError,
    HomeNeededError,
    LostOutcomeError,
    ReplacedEpochError,
)
from simulator.web.http.context import Exchange


def seen_by_sender(
    exchange: Exchange, ended: EpochEndedError, refusing: tuple[type[Exception], ...]
) -> Exception:
    """The error that is answered: the same where no sandbox admitted the request, and what refuses
    its sender by now, one of the `refusing`. Raises HomeNeededError.
    """
    if exchange.admission is None:
        return ended
    try:
        stands = exchange.admission.again()
    except HomeNeededError:
        raise
    except DiskError as error:
        return LostOutcomeError(str(error))
    except refusing as error:
        return error
    is_same = _epoch(stands) == _epoch(exchange.admission.sandbox)
    if is_same or isinstance(ended, ChargedEpochError):
        return LostOutcomeError(str(ended))
    return ReplacedEpochError()


def _epoch(sandbox: Sandbox) -> tuple[int, str]:
    return sandbox.epoch, sandbox.epoch_id
