"""How bytes are looked at for card numbers: tables and patterns, faster than those for texts."""

import re

from simulator.client.spelled_numbers import DIGITS_MIN, NO_ACCOUNT

# For a look at bytes: digits as 0, what may stand between them as blank, anything else as _. Runs
# of the first two are found much faster than chains. A colon counts with what stands in no time
# of day, since nearly all answers have a time. Values of parameters are joined by NUL.
COLON_SEPARATORS = b" \"'()[]{}<>=&:;?!@#$%"
SEPARATORS = bytes(
    sign for sign in range(1, 256) if sign >= 0x80 or (sign != ord(":") and not chr(sign).isalnum())
)
DIGIT_TABLE = bytes(48 if 48 <= sign <= 57 else 95 for sign in range(256))


def _chain_table(separators: bytes) -> bytes:
    return bytes(
        48 if 48 <= sign <= 57 else 32 if sign in separators else 95 for sign in range(256)
    )


# What may stand between digits, the table in which it is blank, and what else a run has in it: any
# other one is part of a run of the first look.
LOOKS = tuple(
    (signs, _chain_table(signs), sign)
    for signs, sign in ((SEPARATORS, b""), (COLON_SEPARATORS, b":"))
)
CHAIN_RUN = re.compile(rb"0[0 ]{11,}")
LONG_RUN, RUN = b"0" * DIGITS_MIN, re.compile(rb"[0-9]+")
# A digit beside an escape of JSON or of an address, behind which a number may go on.
ESCAPE_BETWEEN = re.compile(
    rb"[0-9][^0-9A-Za-z]{0,5}\\[abfnrtuvx]|\\u[0-9a-f]{4}[0-9]|[0-9]\\\"[^0-9A-Za-z]{0,6}[0-9]"
)
PERCENT_BETWEEN = re.compile(
    rb"[0-9][^0-9A-Za-z]{0,2}%(?:[A-Fa-f][0-9A-Fa-f]|[0-9][A-Fa-f]|3[0-9])"
)
# The first bytes of the digits of other scripts and forms.
ODD_DIGIT = re.compile(
    rb"[\xd9\xdb\xdf\xe0\xe1\xea\xef\xf0]|\xc2[\xb2\xb3\xb9]"
    rb"|\xe2(?:\x81[\xb0-\xb9]|\x82[\x80-\x89]|[\x91-\x93\x9d\x9e])"
)
HEX_LETTERS = b"abcdefABCDEF"
ID_LENGTH = 32
ID = re.compile(rf"(?=[0-9]*[A-Fa-f]){NO_ACCOUNT}[0-9A-Fa-f]{{{ID_LENGTH}}}".encode())
TOKEN, TOKEN_BEFORE = re.compile(rb"[0-9A-Za-z]{0,33}"), re.compile(rb"[0-9A-Za-z]*\Z")
