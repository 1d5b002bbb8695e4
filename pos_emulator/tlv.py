"""BER-TLV as EMV uses it: a tree that keeps order, repeats and offsets.

A tag is its hexadecimal text in capitals ("9F02"). Reading is strict and bounded, so that input of
any kind ends in a tree or in a `TlvError` that names an offset and no value.
Source: EMV Book 3, annex B.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

CONSTRUCTED = 0x20
MORE_TAG_BYTES = 0x1F
TAG_BYTES_MAX = 4
LENGTH_BYTES_MAX = 2


class TlvError(ValueError):
    """Bytes that are no TLV; says where and why."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(f"at byte {offset}: {reason}")
        self.offset = offset
        self.reason = reason


@dataclass(frozen=True, slots=True)
class TlvLimits:
    """What one tree may take: bytes of input, levels, and objects."""

    size_bytes: int = 65_535
    depth: int = 8
    count: int = 1_024


@dataclass(frozen=True, slots=True)
class Node:
    """One data object: value bytes, and the objects in it if the tag is constructed.

    `offset` is where its tag stands in the bytes that were read; it does not count for equality.
    """

    tag: str
    value: bytes = field(repr=False)
    children: tuple["Node", ...] = ()
    offset: int = field(default=0, compare=False)

    @property
    def is_constructed(self) -> bool:
        return is_constructed(self.tag)


@dataclass(slots=True)
class _Budget:
    """The objects that may still be read."""

    left: int


DEFAULT_LIMITS = TlvLimits()


def parse(data: bytes, limits: TlvLimits = DEFAULT_LIMITS) -> tuple[Node, ...]:
    """The data objects in `data`, in order; bytes 00 around an object are skipped.

    Raises TlvError if an object is cut off, a tag or length is malformed, or a limit is exceeded.
    """
    if len(data) > limits.size_bytes:
        raise TlvError(limits.size_bytes, f"more than {limits.size_bytes} bytes")
    return tuple(_objects(bytes(data), 0, limits.depth, _Budget(limits.count)))


def encode(nodes: Iterable[Node]) -> bytes:
    """The bytes of these objects, one after the other."""
    return b"".join(object_bytes(node.tag, node.value) for node in nodes)


def object_bytes(tag: str, value: bytes) -> bytes:
    """Tag, length in its shortest form, and value. Raises TlvError above 65,535 bytes."""
    return bytes.fromhex(tag) + _length_bytes(len(value)) + value


def build(*parts: tuple[str, bytes]) -> bytes:
    """The bytes of several objects, given as tag and value."""
    return b"".join(object_bytes(tag, value) for tag, value in parts)


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """Every object, each before those inside it."""
    for node in nodes:
        yield node
        yield from walk(node.children)


def find(nodes: Iterable[Node], tag: str) -> bytes | None:
    """The value of the first object with this tag at any depth."""
    return next((node.value for node in walk(nodes) if node.tag == tag), None)


def find_all(nodes: Iterable[Node], tag: str) -> tuple[Node, ...]:
    """Every object with this tag, in order."""
    return tuple(node for node in walk(nodes) if node.tag == tag)


def leaves(nodes: Iterable[Node]) -> Iterator[Node]:
    """The objects that hold no others."""
    return (node for node in walk(nodes) if not node.is_constructed)


def is_constructed(tag: str) -> bool:
    """Whether objects with this tag hold other objects."""
    return bool(int(tag[:2], 16) & CONSTRUCTED)


def read_tag(data: bytes, at: int) -> tuple[str, int]:
    """The tag at this offset, and the offset behind it. Raises TlvError."""
    end = at + 1
    if at >= len(data):
        raise TlvError(at, "a tag is missing")
    if data[at] & MORE_TAG_BYTES == MORE_TAG_BYTES:
        end = _end_of_long_tag(data, at)
    return data[at:end].hex().upper(), end


def _end_of_long_tag(data: bytes, at: int) -> int:
    for end in range(at + 1, at + TAG_BYTES_MAX):
        if end >= len(data):
            raise TlvError(at, "the tag is cut off")
        if end == at + 1 and data[end] == 0x80:
            raise TlvError(at, "the tag begins with an empty byte")
        if not data[end] & 0x80:
            return end + 1
    raise TlvError(at, f"the tag has more than {TAG_BYTES_MAX} bytes")


def _objects(data: bytes, base: int, depth: int, budget: _Budget) -> Iterator[Node]:
    at = 0
    while at < len(data):
        if data[at] == 0x00:
            at += 1
            continue
        node, at = _object(data, at, base=base, depth=depth, budget=budget)
        yield node


def _object(data: bytes, at: int, *, base: int, depth: int, budget: _Budget) -> tuple[Node, int]:
    budget.left -= 1
    if budget.left < 0:
        raise TlvError(base + at, "too many data objects")
    try:
        tag, start = read_tag(data, at)
        length, start = _read_length(data, start)
    except TlvError as error:
        raise TlvError(base + error.offset, error.reason) from None
    end = start + length
    if end > len(data):
        raise TlvError(base + at, f"{tag} has {length} bytes, {len(data) - start} are left")
    value = data[start:end]
    children: tuple[Node, ...] = ()
    if is_constructed(tag):
        if depth <= 1:
            raise TlvError(base + at, "data objects are nested too deep")
        children = tuple(_objects(value, base + start, depth - 1, budget))
    return Node(tag, value, children, base + at), end


def _read_length(data: bytes, at: int) -> tuple[int, int]:
    if at >= len(data):
        raise TlvError(at, "the length is missing")
    first = data[at]
    if first < 0x80:
        return first, at + 1
    count = first & 0x7F
    if not 1 <= count <= LENGTH_BYTES_MAX:
        raise TlvError(at, "the length is indefinite or has more than two bytes")
    digits = data[at + 1 : at + 1 + count]
    if len(digits) < count:
        raise TlvError(at, "the length is cut off")
    length = int.from_bytes(digits, "big")
    if len(_length_bytes(length)) != count + 1:
        raise TlvError(at, "the length is not in its shortest form")
    return length, at + 1 + count


def _length_bytes(length: int) -> bytes:
    if length < 0x80:
        return bytes([length])
    if length <= 0xFF:
        return bytes([0x81, length])
    if length <= 0xFFFF:
        return b"\x82" + length.to_bytes(2, "big")
    raise TlvError(0, f"a value of {length} bytes has no length field")
