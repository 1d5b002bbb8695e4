"""Amounts that decide an outcome, where a channel switched them on.

The two decimals are read as the response code of an acquirer: 10.51 is answered as response code 51
would be, 10.00 is approved. Source: our own; off by default. Choice: D-63.
"""

from collections.abc import Mapping

# fmt: off
AMOUNTS: Mapping[str, str] = {
    # decimals  behaviour
    "05":       "do-not-honour",
    "14":       "invalid-card",
    "41":       "lost-card",
    "43":       "stolen-card",
    "51":       "insufficient-funds",
    "54":       "expired-card",
    "57":       "not-permitted",
    "59":       "suspected-fraud",
    "61":       "limit-exceeded",
    "62":       "restricted-card",
    "65":       "soft-decline",
    "82":       "wrong-cvv",
    "91":       "acquirer-down",
}
# fmt: on
