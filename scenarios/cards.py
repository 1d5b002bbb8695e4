"""Card numbers with an outcome of their own; every other number is left to the levels below.

Our own: VISA numbers whose thirteenth and fourteenth digit are the acquirer's response code.
The plain cards of the catalogue are not among them, so that amounts and the channel's default can
still decide for them. Choice: D-65.
"""

from collections.abc import Mapping

# fmt: off
OUTCOME_CARDS: Mapping[str, str] = {
    # number             behaviour
    "4200000000000505":  "do-not-honour",
    "4200000000001404":  "invalid-card",
    "4200000000004101":  "lost-card",
    "4200000000004309":  "stolen-card",
    "4200000000005108":  "insufficient-funds",
    "4200000000005405":  "expired-card",
    "4200000000005900":  "suspected-fraud",
    "4200000000006106":  "limit-exceeded",
    "4200000000006502":  "soft-decline",
    "4200000000008201":  "wrong-cvv",
    "4200000000009100":  "acquirer-down",
}
# fmt: on
