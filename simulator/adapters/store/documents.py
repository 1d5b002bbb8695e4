"""The documents of one table as the store keeps them: JSON bytes by id, indexes over their keys.

A body is the JSON array `[serial, document]`. The serial says which document came first, over
restarts and compactions; it costs a few digits where a field would cost an object a document.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, TypeVar, get_origin

import msgspec

from simulator.adapters.store.bodies import Bodies, SharedParts
from simulator.adapters.store.indexes import HashIndex, OrderedIndex, place_of
from simulator.adapters.store.lines import REMOVED
from simulator.domain.core.ports import key_of

PRESENT = "yes"
# What a document costs in a log beside its body: checksum, watermark, quotes and brackets.
LINE_OVERHEAD_BYTES = 32

Kind = TypeVar("Kind", HashIndex, OrderedIndex)


class Index(msgspec.Struct, frozen=True):
    """A row of a kind: the name of an index, and where in the document its key stands.

    With `within` the keys are kept apart by the texts at those paths, which stand before the key.
    """

    name: str
    path: str
    ordered: bool = False
    form: str = "text"
    within: tuple[str, ...] = ()


def hashed(name: str, path: str) -> Index:
    """An index that finds documents by the text at `path`."""
    return Index(name, path)


def present(name: str, path: str) -> Index:
    """An index of the documents that have anything at `path`, all under the key PRESENT."""
    return Index(name, path, form="present")


def ordered(name: str, path: str, *, within: tuple[str, ...] = ()) -> Index:
    """An index in order of the text at `path`, within those at `within` as `instants` has it."""
    return Index(name, path, ordered=True, within=within)


def instants(name: str, path: str, *, within: tuple[str, ...] = ()) -> Index:
    """An index in order of the instant at `path`, stored as ISO 8601 in UTC.

    A bound may end in Z, in +00:00 or anywhere before: "2026-11-20" is the start of that day. Keys
    and bounds begin with the texts at `within`, as `ports.key_of` puts them together; what has
    not all of them is not in the index.
    """
    return Index(name, path, ordered=True, form="instant", within=within)


def instant_key(text: str) -> str:
    """The instant without its zone, which is always UTC: so 10:00:00 comes before 10:00:00.5."""
    return text.removesuffix("Z").removesuffix("+00:00")


class TableShape(msgspec.Struct, frozen=True):
    """How a table is kept: its name, its indexes, whether its documents carry a version, and from
    which member to which object they repeat one another. What a document leaves out of `defaults`
    has the text beside its path.
    """

    table: str
    indexes: tuple[Index, ...] = ()
    versioned: bool = False
    shared: tuple[str, str] | None = None
    defaults: tuple[tuple[str, str], ...] = ()


class DocumentHead(NamedTuple):
    """What a document is known by beside its body: a key for each index, None where it has none."""

    serial: int
    version: int
    keys: tuple[str | None, ...]


class Change(NamedTuple):
    """One change of a unit, ready to be made: a body to keep, or None to remove the document.

    `replaced` is the head of what it replaces, where that was looked at before.
    """

    documents: "Documents"
    identity: str
    body: bytes | None
    head: DocumentHead | None
    replaced: DocumentHead | None = None


class Documents:
    """One table in memory: of bytes and strings, so that the garbage collector passes it over."""

    __slots__ = (
        "shape",
        "bodies",
        "found",
        "size",
        "_indexes",
        "_instants",
        "_moves",
        "_nowhere",
        "_head_of",
        "_overhead",
        "_rows",
    )

    def __init__(self, shape: TableShape):
        self.shape = shape
        self.bodies = Bodies(None if shape.shared is None else SharedParts(*shape.shared))
        # What was found last, with its index and key, until a document of the table changes.
        self.found: tuple[str, str, tuple[Any, ...]] | None = None
        # What was read of a kind that is remembered, by id: each until it changes.
        self._rows: dict[str, Any] = {}
        # Bytes that a log of nothing but these documents would take.
        self.size = 0
        self._overhead = len(shape.table) + LINE_OVERHEAD_BYTES
        self._head_of = head_reader(shape)
        self._indexes = {
            index.name: OrderedIndex() if index.ordered else HashIndex() for index in shape.indexes
        }
        self._instants = frozenset(each.name for each in shape.indexes if each.form == "instant")
        self._moves = tuple(self._indexes[index.name].move for index in shape.indexes)
        self._nowhere = (None,) * len(shape.indexes)

    def head(self, identity: str) -> DocumentHead | None:
        """Serial and keys of the document with this id, or None."""
        if identity not in self.bodies.places:
            return None
        return self._head_of(self.bodies[identity])

    def serial(self, identity: str) -> int:
        """The serial of a document that is there."""
        return self._head_of(self.bodies[identity]).serial

    def change(self, identity: str, body: bytes | None) -> Change:
        """The change that keeps `body`. Raises msgspec.ValidationError if a key is no text."""
        return Change(self, identity, body, None if body is None else self._head_of(body))

    def make(self, change: Change) -> Change:
        """Make the change; the answer is the change that takes it back."""
        _, identity, body, head, replaced = change
        self.found = None
        if self._rows:
            self._rows.pop(identity, None)
        if head is not None and body is not None and identity not in self.bodies.places:
            self._enter(identity, body, head)
            self.bodies.put(identity, body)
            return Change(self, identity, None, None)
        held = self.bodies.get(identity)
        if replaced is None and held is not None:
            replaced = self._head_of(held)
        back = Change(self, identity, held, replaced)
        self._move(identity, back.head, head)
        if held is not None:
            self.size -= len(held) + len(identity) + self._overhead
        if body is not None:
            self.size += len(body) + len(identity) + self._overhead
            self.bodies.put(identity, body)
        else:
            self.bodies.remove(identity)
        return back

    def _enter(self, identity: str, body: bytes, head: DocumentHead) -> None:
        """Bring a document that is new, as nearly all are, into the indexes."""
        place = place_of(head.serial, identity)
        for move, key in zip(self._moves, head.keys, strict=True):
            if key is not None:
                move(place, None, key)
        self.size += len(body) + len(identity) + self._overhead

    def restore(self, identity: str, body: bytes) -> None:
        """Keep `body` as the log has it; `reindex` follows when the whole log is read."""
        if body == REMOVED:
            self.bodies.remove(identity)
        else:
            self.bodies.put(identity, body)

    def reindex(self, identities: Sequence[str]) -> int:
        """Bring restored documents into the indexes, all into one after the other; the highest
        serial among them.
        """
        if not identities:
            return 0
        self.found = None
        self._rows.clear()
        bodies = [self.bodies[identity] for identity in identities]
        heads = [self._head_of(body) for body in bodies]
        places = list(map(place_of, [head.serial for head in heads], identities))
        columns = zip(*[head.keys for head in heads], strict=True)
        for index, keys in zip(self._indexes.values(), columns, strict=True):
            index.enter_all(keys, places)
        self.size += sum(map(len, bodies)) + sum(map(len, identities))
        self.size += len(bodies) * self._overhead
        return max(head.serial for head in heads)

    def rows_of(self, identities: Iterable[str], read: Callable[[str, bytes], Any]) -> list[Any]:
        """What `read` makes of the ids and bodies of these documents; of one that has not changed
        it is known.
        """
        rows = self._rows
        for identity in identities:
            if identity not in rows:
                rows[identity] = read(identity, self.bodies[identity])
        return [rows[identity] for identity in identities]

    def hash_index(self, name: str) -> HashIndex:
        """The index called `name`. Raises LookupError if there is none of this kind."""
        return self._index(name, HashIndex)

    def ordered_index(self, name: str) -> OrderedIndex:
        """The ordered index called `name`. Raises LookupError if there is none of this kind."""
        return self._index(name, OrderedIndex)

    def bound(self, name: str, text: str) -> str:
        """The key that `text` means as a bound of the ordered index called `name`."""
        return instant_key(text) if name in self._instants else text

    def _index(self, name: str, kind: type[Kind]) -> Kind:
        index = self._indexes.get(name)
        if not isinstance(index, kind):
            known = [f"{row.name}{' (ordered)' * row.ordered}" for row in self.shape.indexes]
            raise LookupError(
                f"{self.shape.table}: expected one of {', '.join(known)}; "
                f"got {name!r} as {kind.__name__}"
            )
        return index

    def _move(self, identity: str, before: DocumentHead | None, after: DocumentHead | None) -> None:
        # A document that is replaced keeps its serial.
        place = place_of(0 if (head := before or after) is None else head.serial, identity)
        old_keys = self._nowhere if before is None else before.keys
        new_keys = self._nowhere if after is None else after.keys
        for move, old, new in zip(self._moves, old_keys, new_keys, strict=True):
            if old != new:
                move(place, old, new)


def _instant_key_of(at: datetime) -> str:
    """The key of an instant, as `instant_key` makes it of its text."""
    return at.isoformat().removesuffix("+00:00")


Keys = tuple[str | None, ...]


def keys_reader(record: Any, shape: TableShape) -> Callable[[Any], Keys]:
    """A reader of the keys of a record at hand: those that `head_reader` finds in its body.

    Every value is fetched once, all in one call: on the way of each payment, six indexes.
    """
    paths = _paths_of(shape)
    fields = {field.encode_name: field for field in msgspec.structs.fields(record)}
    attributes, inner = [], []
    for place, path in enumerate(paths):
        first, _, rest = path.partition(".")
        field = fields[first]
        # In a mapping the rest of the path is one key.
        is_mapping = get_origin(field.type) in (Mapping, dict)
        attributes.append(f"{field.name}.{rest}" if rest and not is_mapping else field.name)
        if is_mapping:
            inner.append((place, rest))
    # With two more names it answers a tuple however few there are.
    fetch = attrgetter(*attributes, "__class__", "__class__")
    keys_of = _keys_maker(shape, _instant_key_of)

    def read(record: Any) -> Keys:
        values = list(fetch(record))
        for place, name in inner:
            values[place] = values[place].get(name)
        return keys_of(values)

    return read


def serial_of(body: bytes) -> int:
    """The serial alone: read in half a microsecond."""
    return int(body[1 : body.index(b",")])


@cache
def head_reader(shape: TableShape) -> Callable[[bytes], DocumentHead]:
    """A reader of serial, version and keys that skips the rest of a body unread."""
    decode, paths = _head_decoder(shape), _paths_of(shape)
    # With two more names it answers a tuple however few there are.
    fetch = attrgetter(*paths, "__class__", "__class__")
    raw = [paths.index(row.path) for row in shape.indexes if row.form == "present"]
    keys_of = _keys_maker(shape, instant_key)

    def read(body: bytes) -> DocumentHead:
        serial, keys = decode(body)
        values = list(fetch(keys))
        for place in raw:
            value = values[place]
            values[place] = PRESENT if value and bytes(value) != REMOVED else None
        return DocumentHead(serial, keys.version if shape.versioned else 0, keys_of(values))

    return read


def _paths_of(shape: TableShape) -> list[str]:
    """Where the values stand that keys are made of, each once."""
    return list(dict.fromkeys(path for row in shape.indexes for path in (*row.within, row.path)))


def _keys_maker(
    shape: TableShape, instant_key_of: Callable[[Any], str]
) -> Callable[[list[Any]], Keys]:
    """A function that makes the key of each index from the values at `_paths_of`, that of an
    instant by `instant_key_of`.
    """
    paths = _paths_of(shape)
    dated = tuple({paths.index(row.path) for row in shape.indexes if row.form == "instant"})
    rows = tuple(_key_row(row, paths) for row in shape.indexes)

    def keys_of(values: list[Any]) -> Keys:
        for place in dated:
            if (value := values[place]) is not None:
                values[place] = instant_key_of(value)
        keys: list[str | None] = []
        for place, texts_of, is_present in rows:
            if (key := values[place]) is None:
                keys.append(None)
            elif texts_of is not None:
                keys.append(None if None in (texts := texts_of(values)) else key_of(*texts))
            else:
                keys.append(PRESENT if is_present else key)
        return tuple(keys)

    return keys_of


KeyRow = tuple[int, Callable[[list[Any]], tuple[Any, ...]] | None, bool]


def _key_row(row: Index, paths: list[str]) -> KeyRow:
    """The place of the value, what picks the texts its key is made of where others stand before it,
    and whether the key only says that there is one.
    """
    place = paths.index(row.path)
    around = itemgetter(*map(paths.index, row.within), place) if row.within else None
    return place, around, row.form == "present"


def _head_decoder(shape: TableShape) -> Callable[[bytes], tuple[int, Any]]:
    fields: dict[str, Any] = {}
    for index in shape.indexes:
        for path in (index.path, *index.within):
            place = fields
            *above, last = path.split(".")
            for name in above:
                place = place.setdefault(name, {})
            place[last] = msgspec.Raw if index.form == "present" else str
    keys = _struct_of(shape, fields)
    head: Any = tuple[int, keys]  # type: ignore[valid-type]
    return msgspec.json.Decoder(head).decode


def _struct_of(shape: TableShape, fields: Mapping[str, Any], *, above: str = "") -> type:
    rows: list[tuple[str, Any, Any]] = []
    defaults = dict(shape.defaults)
    for field, kind in fields.items():
        if kind is msgspec.Raw:
            rows.append((field, kind, msgspec.Raw()))
        elif isinstance(kind, Mapping):
            # Where it is missing, so are all its keys.
            inner = _struct_of(shape, kind, above=f"{above}{field}.")
            rows.append((field, inner, inner()))
        else:
            rows.append((field, str | None, defaults.get(above + field)))
    if shape.versioned and not above:
        rows.append(("version", int, 0))
    return msgspec.defstruct(f"keys_of_{shape.table}", rows, frozen=True, gc=False)
