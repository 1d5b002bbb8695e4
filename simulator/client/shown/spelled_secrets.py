"""How a secret may be written where it is repeated: as it is, for an address, a form or a page, in
JSON, and in base64, where it may stand in the middle of something longer.
"""

import json
from base64 import b64encode
from collections.abc import Iterator
from html import escape
from urllib.parse import quote, quote_plus

from simulator.client.shown.writable import writable

# A shorter one is a few signs in base64, which stand somewhere by chance.
PACKED_LENGTH_MIN = 8
# How many signs of base64 begin with bits of what stands before, by the number of bytes there.
SIGNS_BEFORE = (0, 2, 3)


def spellings_of(secret: str, *, packed_from: int = PACKED_LENGTH_MIN) -> set[str]:
    """Every form of a secret that is sought in texts; in base64 one of `packed_from` characters."""
    sent = writable(secret)
    plain = {secret, sent, escape(sent), json.dumps(secret)[1:-1], repr(secret)[1:-1]}
    plain |= {quote(sent, safe=""), quote(sent), quote_plus(sent)}
    return plain | set(_packed(sent.encode())) if len(secret) >= packed_from else plain


def _packed(secret: bytes) -> Iterator[str]:
    """In base64, without the signs that others share: as it reads by its place among threes."""
    for before, signs in enumerate(SIGNS_BEFORE):
        whole = b64encode(bytes(before) + secret).decode()
        packed = whole[signs : (before + len(secret)) * 4 // 3]
        yield packed
        yield packed.translate(str.maketrans("+/", "-_"))
