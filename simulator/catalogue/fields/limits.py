"""Limits. Source: Limits; what the specification does not show is decided in D-05."""

from simulator.grammar.names import Words

PARAMETERS_MAX = 20_000
NAME_BYTES_MAX = 255
BODY_BYTES_MAX = 16 * 1024 * 1024
CART_ITEMS_MAX = 1000

# Which keys no request may carry, of those that merchants choose: sensitive authentication data
# (PCI DSS 3.3), credentials, and card numbers, which have a field of their own. Choice: D-267.
FORBIDDEN_KEYS = Words(
    stems=(
        "cvv", "cvc", "securitycode", "verificationcode", "verificationvalue", "cardcode",
        "password", "passwd", "passphrase", "trackdata", "track1", "track2", "pinblock",
        "encryptedpin", "cardnumber", "primaryaccountnumber",
    ),
    whole=frozenset({"pin", "csc", "cvn", "otp", "pwd", "pan", "ccnumber"}),
)  # fmt: skip
FORBIDDEN_KEY = "must not carry a card number, security code, PIN, track data or password"
