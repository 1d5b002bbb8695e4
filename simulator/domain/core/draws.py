"""What a seeded sandbox has drawn so far, kept so that a pause changes nothing. Choice: D-118."""

import msgspec


class Drawn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How many numbers were drawn."""

    id: str = "drawn"
    version: int = 0
    count: int = 0
