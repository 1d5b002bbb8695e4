"""Key serial numbers: which key of which terminal encrypted something, and for which time.

The length says the method: 20 hex digits TDES DUKPT, 24 AES DUKPT. Both begin with the id of the
initial key, which names a set of keys and a terminal, and end with a counter. Source: ANSI X9.24-1
and X9.24-3. Choice: D-408.
"""

import re
from typing import Literal, NamedTuple

from simulator.domain.core.errors import Violations
from simulator.grammar.violations import Violation

Method = Literal["TDES", "AES"]
Usage = Literal["PIN", "DATA"]
HEX = re.compile("[0-9A-Fa-f]*")


class KeySet(NamedTuple):
    """One base key of a sandbox: what its keys are for, and how their serial numbers begin."""

    method: Method
    usage: Usage
    prefix: str

    @property
    def name(self) -> str:
        """What the set is called among the keys of a sandbox."""
        return f"{self.method} {self.usage}"


class DukptMethod(NamedTuple):
    """The shape of a serial number: its hex digits, the bits of its counter, and how many of these
    are set at most in a counter that a device uses.
    """

    digits: int
    counter_bits: int
    ones_max: int


# fmt: off
METHODS: dict[Method, DukptMethod] = {
    #                    digits  counter  set at most
    "TDES": DukptMethod(     20,      21,         10),
    "AES":  DukptMethod(     24,      32,         16),
}
KEY_SETS = (
    # A letter at the end keeps the journal from taking the rest for the number of a card.
    KeySet("TDES", "PIN",  "FFFF5A001A"),
    KeySet("TDES", "DATA", "FFFF5A002A"),
    KeySet("AES",  "PIN",  "5A00001A"),
    KeySet("AES",  "DATA", "5A00002A"),
)
# fmt: on
BY_DIGITS = {row.digits: method for method, row in METHODS.items()}


class KeySerial(NamedTuple):
    """A key serial number that was read: `key` is the id of the initial key, in hex."""

    method: Method
    key: str
    counter: int

    @property
    def text(self) -> str:
        """The serial number as it is written."""
        row = METHODS[self.method]
        return f"{int(self.key, 16) << row.counter_bits | self.counter:0{row.digits}X}"


def read_serial(written: str, field: str) -> KeySerial:
    """The serial number in `field`. Raises Violations for one that no device uses."""
    method = BY_DIGITS.get(len(written))
    if method is None or HEX.fullmatch(written) is None:
        raise _violation(field, "must be 20 hex digits (TDES DUKPT) or 24 (AES DUKPT)")
    row, number = METHODS[method], int(written, 16)
    counter = number & ((1 << row.counter_bits) - 1)
    if counter.bit_count() > row.ones_max:
        raise _violation(field, f"counters with more than {row.ones_max} bits set are skipped")
    return KeySerial(method, f"{number >> row.counter_bits:X}", counter)


def initial_serial(keys: KeySet, number: int) -> KeySerial:
    """The serial number of the initial key of terminal `number` (1 to 524,287), its counter 0."""
    row = METHODS[keys.method]
    device_bits = 4 * (row.digits - len(keys.prefix)) - row.counter_bits
    return KeySerial(keys.method, f"{int(keys.prefix, 16) << device_bits | number:X}", 0)


def _violation(field: str, rule: str) -> Violations:
    return Violations([Violation(field, None, rule, "D-408")])
