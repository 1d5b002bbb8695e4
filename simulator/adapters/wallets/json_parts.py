"""The parts of wallet tokens that are JSON."""

from typing import TypeVar

import msgspec

from simulator.domain.wallets import InvalidWalletTokenError

Part = TypeVar("Part")


def read_part(text: str | bytes, kind: type[Part], expected: str) -> Part:
    """A part of a token as a record, whatever the text is: `expected` says what it should be.

    Raises InvalidWalletTokenError.
    """
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidWalletTokenError(expected) from error
