"""Limits. Source: Limits; what the specification does not show is decided in D-05."""

PARAMETERS_MAX = 40_000
BODY_BYTES_MAX = 16 * 1024 * 1024
CART_ITEMS_MAX = 1000
