"""What no report of a test shows: pytest prints what a failing function was given and has."""

from collections.abc import Iterator, Mapping


class HiddenHeaders(Mapping[str, str]):
    """Headers that are sent as they are; of their values, which may be credentials, `repr` shows
    none.
    """

    __slots__ = ("_headers",)

    def __init__(self, headers: Mapping[str, str]):
        __tracebackhide__ = True
        self._headers = dict(headers)

    def __getitem__(self, name: str) -> str:
        return self._headers[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._headers)

    def __len__(self) -> int:
        return len(self._headers)

    def __repr__(self) -> str:
        return f"<{', '.join(self._headers)}>"
