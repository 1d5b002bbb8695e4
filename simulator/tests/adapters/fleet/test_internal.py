"""What no member says at the internal listener: it is refused, and nothing is done."""

from io import BytesIO
from typing import Any
from unittest.mock import Mock

import pytest

from simulator.adapters.fleet.calm_messages import CALM, HAND, LEAVE, LEND, PART, STOP
from simulator.adapters.fleet.internal import HAND_OVER, InternalApplication, MemberParts
from simulator.adapters.fleet.peers import KEY, PLACE
from simulator.adapters.postgresql.homes import Homes

SECRET = "k" * 16
SANDBOX = "8" + "a" * 31
NUMBERS = ("", "one", "1.5", "-", "\u0661", "9" * 5000, SANDBOX)
BODIES = (
    b"",
    b"\xc1",
    b"\xff" * 100,
    b"\x91" * 100_000,
    b"\xa4text",
    b"\xdf\xff\xff\xff\xff",
)


def _key_of(name: str) -> str:
    return "HTTP_" + name.upper().replace("-", "_")


def status_of(path: str, *, place: str = "7", body: bytes = b"") -> str:
    """What is answered; whatever a member is asked to do fails the test."""
    homes = Mock(spec=Homes, **{"home_of.return_value": None})
    parts: Any = MemberParts(*(Mock(side_effect=AssertionError) for _ in MemberParts._fields))
    environ = {
        "PATH_INFO": path, _key_of(KEY): SECRET, _key_of(PLACE): place,
        "CONTENT_LENGTH": str(len(body)), "wsgi.input": BytesIO(body),
    }  # fmt: skip
    said: list[str] = []
    application: Any = InternalApplication(SECRET, homes, parts)
    list(application(environ, lambda status, *_: said.append(status)))
    assert not homes.note_stop.called
    assert not any(part.mock_calls for part in parts)
    return said[0]


@pytest.mark.parametrize("path", [f"{HAND_OVER}{SANDBOX}", STOP, f"{CALM}{LEND}/{SANDBOX}"])
@pytest.mark.parametrize("place", NUMBERS, ids=range(len(NUMBERS)))
def test_a_place_that_is_no_number_is_refused(path: str, place: str) -> None:
    assert status_of(path, place=place) == "400 Bad Request"


@pytest.mark.parametrize("what", [LEAVE, LEND, HAND, PART])
@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_a_message_that_cannot_be_read_is_refused(what: str, body: bytes) -> None:
    assert status_of(f"{CALM}{what}/{SANDBOX}", body=body) == "400 Bad Request"
