"""How much a signed CMS message may hold before it is parsed. Choice: D-151.

A message is a tree of elements: a tag, a length, and a value or further elements.
"""

from simulator.domain.wallets import InvalidWalletTokenError

# Twice as much as wallets send, with three certificates.
BYTES_MAX, ELEMENTS_MAX, VALUE_BYTES_MAX = 8192, 512, 1024
TAG, HOLDS_OTHERS, LONG = 0x1F, 0x20, 0x80
END = b"\0\0"


def refuse_crowded(message: bytes) -> None:
    """Raise InvalidWalletTokenError for a message of more than wallets send, or that is none."""
    if len(message) > BYTES_MAX:
        raise InvalidWalletTokenError(
            f"at most {BYTES_MAX} bytes of a signature, got {len(message)}"
        )
    try:
        _walk(message)
    except (LookupError, ValueError) as error:
        raise InvalidWalletTokenError(
            "a signed CMS message as the signature, got something else"
        ) from error


def _walk(message: bytes) -> None:
    """Raise InvalidWalletTokenError where there are too many elements, or one is too long; else
    LookupError or ValueError where there is no tree of them.
    """
    # Where the elements end that hold what is at this place, and whether a mark ends them.
    place, open_ones = 0, [(len(message), False)]
    for _ in range(ELEMENTS_MAX):
        place = _close(message, place, open_ones)
        if not open_ones:
            return
        bound = open_ones[-1][0]
        tag = message[place]
        place, length = _length(message, place)
        end = bound if length is None else place + length
        if end > bound:
            raise ValueError("an element is longer than what holds it")
        if tag & HOLDS_OTHERS:
            open_ones.append((end, length is None))
        else:
            _refuse_long(length)
            place = end
    raise InvalidWalletTokenError(f"at most {ELEMENTS_MAX} elements in the signature, got more")


def _close(message: bytes, place: int, open_ones: list[tuple[int, bool]]) -> int:
    """Take from `open_ones` those that end at this place; the place of what follows."""
    while open_ones:
        end, is_marked = open_ones[-1]
        if is_marked and message[place : place + len(END)] == END:
            place += len(END)
        elif is_marked or place < end:
            break
        open_ones.pop()
    return place


def _length(message: bytes, place: int) -> tuple[int, int | None]:
    """The place behind the head of an element, and its length: None where a mark ends it."""
    tag, length = message[place], message[place + 1]
    if tag & TAG == TAG:
        raise ValueError("a tag of more than a byte")
    place += 2
    if length < LONG:
        return place, length
    digits = length - LONG
    if not digits:
        return place, None
    return place + digits, int.from_bytes(message[place : place + digits])


def _refuse_long(length: int | None) -> None:
    if length is None:
        raise ValueError("a value without a length")
    if length > VALUE_BYTES_MAX:
        expected = f"at most {VALUE_BYTES_MAX} bytes of a value in the signature"
        raise InvalidWalletTokenError(f"{expected}, got {length}")
