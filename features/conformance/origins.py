"""Where an error of a case was raised: in steps of a user, and there by a request to the target."""

import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from types import FrameType, TracebackType
from urllib.parse import urlsplit

import features
from features.target.records import Target
from simulator.client import Connection

SUITE = Path(features.__file__).parent
PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class OwnSteps:
    """The folder with the features and steps of a user, and the target that they may ask."""

    folder: Path
    target: Target | None = field(default=None, repr=False)

    def raised(self, error: BaseException) -> bool:
        """Whether an error was raised in a file of the folder, or in what such a file called."""
        return any(self._is_own(frame) for frame in _frames_of(error.__traceback__))

    def asked_target(self, error: BaseException) -> bool:
        """Whether an error came of a request to the target: of a fixture of the suite, or of a
        client of this project or of `http.client` at an address of the target.

        A library may raise an error of its own for that of the connection.
        """
        return any(map(self._asks_target, self._called_frames(error)))

    def _called_frames(self, error: BaseException) -> Iterator[FrameType]:
        """The frames of what the steps called, and of the errors for which that raised another."""
        is_called = False
        for frame in _frames_of(error.__traceback__):
            is_called = is_called or self._is_own(frame)
            if is_called:
                yield frame
        before = error.__cause__ or error.__context__
        while before is not None:
            yield from _frames_of(before.__traceback__)
            before = before.__cause__ or before.__context__

    def _asks_target(self, frame: FrameType) -> bool:
        if self._is_own(frame):
            return False
        is_of_suite = Path(frame.f_code.co_filename).is_relative_to(SUITE)
        return is_of_suite or _place_asked_by(frame) in self._places()

    def _places(self) -> set[tuple[str, int] | None]:
        if self.target is None:
            return set()
        found = self.target
        addresses = (found.base_url, found.control_url, found.tls_url, found.live_url)
        return {_place_of(each) for each in (*addresses, *found.members) if each}

    def _is_own(self, frame: FrameType) -> bool:
        return Path(frame.f_code.co_filename).is_relative_to(self.folder)


def _frames_of(trace: TracebackType | None) -> Iterator[FrameType]:
    return (frame for frame, _ in traceback.walk_tb(trace))


def _place_asked_by(frame: FrameType) -> tuple[str, int] | None:
    """The host and port that a method of an HTTP client asks; None in any other function."""
    client = frame.f_locals.get("self")
    if isinstance(client, Connection):
        return _place_of(client.base_url)
    if isinstance(client, HTTPConnection):
        return client.host, client.port
    if isinstance(client, HTTPResponse):
        return _place_of(getattr(client, "url", ""))
    return None


def _place_of(address: str) -> tuple[str, int]:
    parts = urlsplit(address)
    return parts.hostname or "", parts.port or PORTS.get(parts.scheme, 0)
