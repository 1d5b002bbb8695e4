"""The fields of the card messages: one row a field, with its standard name.

Both ends of the link read and write by these rows, and the log masks by them. Content: n digits,
an letters and digits, ans any characters, z track data, b bytes. Source: ISO 8583:1987, as far as
this link uses it. Choice: D-183.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from simulator.domain.masking.masking import MASK, masked_number

N, AN, ANS, Z, B = "n", "an", "ans", "z", "b"
FIXED, LL, LLL, TWO_BYTES = 0, 2, 3, -2
# A message with its TPDU; what is longer is refused.
FRAME_BYTES_MAX = 32_768
# What the type of a message is shown as.
KIND = "message type"
HOST_MAX = 30_000


def hidden(value: str) -> str:
    """Nothing of a secret is shown."""
    return MASK


def counted(value: str) -> str:
    """Of a field with parts only its length is shown: secrets may stand in it."""
    return f"({len(value)} characters)"


class CardField(NamedTuple):
    """One field: how its length is written, how long it may be, and how it is shown masked.

    `length` is FIXED (then `size` characters), LL or LLL (so many digits), or TWO_BYTES.
    """

    number: int
    name: str
    content: str
    length: int
    size: int
    masked: Callable[[str], str] | None = None

    @property
    def is_secret(self) -> bool:
        """Whether its value may stand in no log."""
        return self.masked is not None

    @property
    def key(self) -> str:
        """The number as text: what the codec knows it by."""
        return str(self.number)


# fmt: off
FIELDS = (
    #          no  name                                        content length  size  masked
    CardField( 2, "primary account number",                    N,   LL,         19, masked_number),
    CardField( 3, "processing code",                           N,   FIXED,       6),
    CardField( 4, "amount, transaction",                       N,   FIXED,      12),
    CardField( 7, "transmission date and time",                N,   FIXED,      10),
    CardField(11, "systems trace audit number",                N,   FIXED,       6),
    CardField(12, "time, local transaction",                   N,   FIXED,       6),
    CardField(14, "date, expiration",                          N,   FIXED,       4, hidden),
    CardField(18, "merchant type",                             N,   FIXED,       4),
    CardField(22, "point of service entry mode",               N,   FIXED,       3),
    CardField(23, "card sequence number",                      N,   FIXED,       3),
    CardField(25, "point of service condition code",           N,   FIXED,       2),
    CardField(32, "acquiring institution identification code", N,   LL,         11),
    CardField(35, "track 2 data",                              Z,   LL,         37, hidden),
    CardField(37, "retrieval reference number",                AN,  FIXED,      12),
    CardField(38, "authorization identification response",     AN,  FIXED,       6),
    CardField(39, "response code",                             AN,  FIXED,       2),
    CardField(41, "card acceptor terminal identification",     ANS, FIXED,       8),
    CardField(42, "card acceptor identification code",         ANS, FIXED,      15),
    CardField(44, "additional response data",                  ANS, LL,         25),
    CardField(48, "additional data, private",                  ANS, LLL,       999, counted),
    CardField(49, "currency code, transaction",                N,   FIXED,       3),
    CardField(52, "personal identification number data",       B,   FIXED,       8, hidden),
    CardField(53, "security related control information",      N,   FIXED,      16),
    CardField(55, "integrated circuit card data",              B,   LLL,       255, counted),
    CardField(60, "reserved private: addressing",              ANS, LLL,       999),
    CardField(61, "reserved private: address verification",    ANS, LLL,       999, counted),
    CardField(62, "reserved private: 3-D Secure",              ANS, LLL,       999, counted),
    CardField(63, "reserved private: host data",               ANS, TWO_BYTES, HOST_MAX, counted),
    CardField(70, "network management information code",       N,   FIXED,       3),
    CardField(90, "original data elements",                    N,   FIXED,      42),
)
# fmt: on

BY_KEY: Mapping[str, CardField] = {row.key: row for row in FIELDS}
LABELS = tuple((row.key, f"{row.number} {row.name}", row.masked) for row in FIELDS)


def shown(message: Mapping[str, str]) -> dict[str, str]:
    """A message for a log: field names for their numbers, secrets masked, the type first."""
    shown = {KIND: message.get("t", "?")}
    for key, label, masked in LABELS:
        value = message.get(key)
        if value is not None:
            shown[label] = masked(value) if masked else value
    return shown


def is_checked(row: CardField) -> bool:
    """Whether not every character may stand in the field."""
    return row.content in (N, AN) or row.number in (41, 42)


def fault_in(row: CardField, value: str) -> bool:
    """Whether `value` is none that the field may have; its length is judged by the codec."""
    if row.content == N:
        return not (value.isascii() and value.isdigit())
    if row.content == AN:
        return not (value.isascii() and value.replace(" ", "").isalnum())
    return not value.isascii()
