"""What an issuer keeps of a chip card between payments, and what it found wrong with one payment.

Both are records of the sandbox, a card one of each host: the same in both test modes, and changed
with the payment itself.
Choices: D-431 to D-436.
"""

from datetime import datetime
from decimal import Decimal

import msgspec

from simulator.domain.core.hosts import Host, of_host
from simulator.domain.core.money import ZERO


class ChipCard(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The card of a profile with one sequence number; see `chip_card_id`.

    `counter` is the highest transaction counter (ATC) that came with a valid cryptogram, None
    before the first; `wrong_pins` those since the last valid PIN; `taps` and `taps_amount` what was
    paid contactless since then. `commands` go to the card with its next answer.
    """

    id: str
    version: int = 0
    counter: int | None = None
    wrong_pins: int = 0
    taps: int = 0
    taps_amount: Decimal = ZERO
    commands: tuple[str, ...] = ()


class ChipFinding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the issuer found wrong with a payment, by its id: `response` is what it means, which is
    not always what was answered.

    A payment that the card approved offline cannot be declined: it `may_be_charged_back`.
    """

    id: str
    version: int = 0
    at: datetime
    card: str
    response: str
    reason: str
    may_be_charged_back: bool = False


def chip_card_id(name: str, sequence: str, host: Host) -> str:
    """The id of a card on a host: the name of its profile, and a sequence number of two digits."""
    return of_host(f"{name}.{sequence}", host)
