"""The cards in the wallet of the gateway's own wallet provider, as its sheet shows them.

Choice: D-341.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StoredCard:
    """A card in a wallet: its name in requests, its number, and how it is taken."""

    name: str
    brand: str
    number: str
    meaning: str
    expiry_month: str = "12"
    expiry_year: str = "2034"


# fmt: off
ROWS = (
    #          name        brand     number              meaning
    StoredCard("visa",     "VISA",   "4200000000000000", "approved"),
    StoredCard("master",   "MASTER", "5454545454545454", "approved"),
    StoredCard("amex",     "AMEX",   "377777777777770",  "approved"),
    StoredCard("declined", "VISA",   "4200000000005108", "declined: insufficient funds"),
)
# fmt: on

STORED_CARDS: Mapping[str, StoredCard] = {row.name: row for row in ROWS}
