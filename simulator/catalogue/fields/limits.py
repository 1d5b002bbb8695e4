"""Limits. Source: Limits; what the specification does not show is decided in D-05."""

from typing import NamedTuple

from simulator.client.shown.secret_names import STEMS, WORDS
from simulator.grammar.names import Words

PARAMETERS_MAX = 10_000
NAME_BYTES_MAX = 255
BODY_BYTES_MAX = 1024 * 1024
CART_ITEMS_MAX = 1000


class Most(NamedTuple):
    """How much a whole may have that requests add to; names count as characters too."""

    parameters: int
    characters: int


MOST_OF_A_REQUEST = Most(PARAMETERS_MAX, BODY_BYTES_MAX)
# Of a registration and of a schedule, which are read, listed and paid with again and again. So much
# is read and checked in a millisecond.
MOST_USED_AGAIN = Most(500, 32 * 1024)
# Of a checkout that prepares a registration: what the shopper adds has room beside.
MOST_BEFORE_REGISTRATION = Most(400, 24 * 1024)

# Which keys no request may carry, of those that merchants choose: what may not be kept of a card,
# credentials, and card numbers, which have a field of their own. Choice: D-267.
FORBIDDEN_KEYS = Words(
    stems=(*STEMS, "cardnumber", "primaryaccountnumber"),
    whole=WORDS | {"pan", "ccnumber"},
)
FORBIDDEN_KEY = "must not carry a card number, security code, PIN, track data or password"
