"""A store that counts how many records are read in one turn of the event loop."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from simulator.domain.core.ports import Store


class ReadInTurns:
    """The store of a sandbox; `most` is how many records were read between two pauses."""

    def __init__(self, inner: Store):
        self._inner = inner
        self._read = self.most = 0

    def get(self, kind: type[Any], identity: str) -> Any:
        return self._counted(self._inner.get(kind, identity), 1)

    def get_many(self, kind: type[Any], identities: Sequence[str]) -> dict[str, Any]:
        return self._counted(self._inner.get_many(kind, identities), len(identities))

    def find(self, kind: type[Any], index: str, key: str) -> list[Any]:
        found = self._inner.find(kind, index, key)
        return self._counted(found, len(found))

    def ids_found(self, kind: type[Any], index: str, key: str) -> Sequence[str]:
        return self._inner.ids_found(kind, index, key)

    def between(self, kind: type[Any], *bounds: str) -> Iterator[Any]:
        return self._each(self._inner.between(kind, *bounds))

    def page(self, *place: Any, start: int, most: int) -> tuple[Iterator[Any], int]:
        found, count = self._inner.page(*place, start=start, most=most)
        return self._each(found), count

    def pause(self, failures: int) -> None:
        self._inner.pause(failures)
        self._read = 0

    def wait_durable(self) -> None:
        self._inner.wait_durable()

    def _each(self, found: Iterable[Any]) -> Iterator[Any]:
        return (self._counted(each, 1) for each in found)

    def _counted(self, read: Any, count: int) -> Any:
        self._read += count
        self.most = max(self.most, self._read)
        return read
