"""What a form keeps in the gateway until its shopper has confirmed it on a summary page.

Source: Hosted payment form behaviour. Choice: D-342.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

import msgspec

from simulator.domain.core.parameters import SECRET

# Of what a form posts these are stored nowhere; a token or a number of a card may be sealed.
CODES = SECRET - {"card.number", "mobileWallet.paymentToken", "risk.accountToken"}


class KeptForm(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The form that was kept for the checkout of the same id: `sealed` without its codes, or empty
    once it was paid with. `url` is where the shopper goes then; when the checkout is over, at
    `due`, it is removed.
    """

    id: str
    version: int = 0
    sealed: str = ""
    url: str = ""
    due: datetime


class KeptFields(NamedTuple):
    """What a kept form holds: its fields, secrets among them, and the hash of the capability it
    was posted with, which it is paid with.
    """

    sent: Mapping[str, str]
    capability: str

    def __repr__(self) -> str:
        return "KeptFields(...)"
