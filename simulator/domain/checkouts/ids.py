"""Ids of checkouts: 32 upper-case hex digits, a dot, and a node name. Source: Payment response.

A shopper's browser has no token, so the id itself leads to its sandbox: 76 bits of the sandbox's id
are the node name, the other 48 stand in the hex digits, veiled by the random ones. Choice: D-127.
"""

import re
from collections.abc import Iterator
from hashlib import sha256

from simulator.domain.core.ports import Ids

RANDOM_DIGITS, VEILED_DIGITS, NODE_LENGTH = 20, 12, 15
NODE_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
ID = re.compile(rf"([0-9A-F]{{{RANDOM_DIGITS}}})([0-9A-F]{{{VEILED_DIGITS}}})\.([0-9a-z]{{15}})")
# What a path may hold in place of one, and a client takes for one. Source: Payment response, id.
SHAPE = re.compile(r"[A-Za-z0-9.-]{32,48}")
# Longer runs may be taken for a card number, and masked, also across the dot. Choice: D-94.
RUN_LENGTH_MAX = 11
RUN_OF_DIGITS = re.compile(rf"[0-9]{{{RUN_LENGTH_MAX + 1}}}")
FIRST_DIGITS = re.compile(rf"[0-9]{{0,{RUN_LENGTH_MAX}}}")


def new_checkout_id(sandbox: str, ids: Ids) -> str:
    """An unpredictable id, of the sandbox with this id."""
    return _id_of(sandbox, iter(lambda: ids.hex(RANDOM_DIGITS).upper(), ""))


def moved_checkout_id(checkout: str, sandbox: str, key: str) -> str:
    """The id of a checkout in a copy of its sandbox: the same each time it is asked for. Without
    the secret `key` of the copy, neither id follows from the other.
    """
    return _id_of(sandbox, _digits_after(f"{key}{checkout[:RANDOM_DIGITS]}"))


def _digits_after(text: str) -> Iterator[str]:
    while True:
        text = sha256(text.encode()).hexdigest()
        yield text[:RANDOM_DIGITS].upper()


def _id_of(sandbox: str, choices: Iterator[str]) -> str:
    """The id that begins with the first of these digits that can be taken."""
    body = sandbox[1:]
    veiled, node = int(body[:VEILED_DIGITS], 16), _node_of(int(body[VEILED_DIGITS:], 16))
    next_digits = FIRST_DIGITS.findall(node)[0]
    for first in choices:
        digits = f"{first}{veiled ^ _veil(first):0{VEILED_DIGITS}X}"
        if not RUN_OF_DIGITS.search(digits + next_digits):
            return f"{digits}.{node}"
    raise AssertionError("there is always another choice")


def sandbox_in(checkout: str) -> str | None:
    """The id of the sandbox that a checkout's id leads to; None for what is no such id.

    Whether that sandbox exists, and has the checkout, is not asked.
    """
    found = ID.fullmatch(checkout)
    if found is None:
        return None
    first, veiled, node = found.groups()
    rest = f"{int(node, 36):019x}"
    return f"8{int(veiled, 16) ^ _veil(first):0{VEILED_DIGITS}x}{rest}"


def _veil(first: str) -> int:
    return int(sha256(first.encode()).hexdigest()[:VEILED_DIGITS], 16)


def _node_of(number: int) -> str:
    signs = []
    for _ in range(NODE_LENGTH):
        number, digit = divmod(number, len(NODE_DIGITS))
        signs.append(NODE_DIGITS[digit])
    return "".join(reversed(signs))
