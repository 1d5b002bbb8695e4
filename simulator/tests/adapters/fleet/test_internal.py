"""What no member says at the internal listener: it is refused, and nothing is done."""

from io import BytesIO
from typing import Any
from unittest.mock import Mock

import pytest

from simulator.adapters.fleet.calm_messages import CALM, HAND, LEAVE, LEND, PART, STOP
from simulator.adapters.fleet.internal import HAND_OVER, InternalApplication, MemberParts
from simulator.adapters.fleet.peers import KEY, LISTENER, PLACE, REMOTE, SCHEME
from simulator.adapters.postgresql.homes import Homes
from simulator.domain.core.hosts import ACS, ACS_LISTENERS

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


@pytest.mark.parametrize("listener", [*ACS_LISTENERS, "plain"])
def test_pages_of_the_acs_are_answered_by_it_wherever_they_were_asked(listener: str) -> None:
    taken: list[tuple[str, str]] = []

    def answers(name: str) -> Any:
        def application(environ: Any, start_response: Any) -> list[bytes]:
            taken.append((name, environ["sandgate.listener"]))
            start_response("200 OK", [])
            return [b""]

        return application

    homes = Mock(spec=Homes, **{"home_of.return_value": None})
    parts = MemberParts(answers("gateway"), answers(ACS), *(Mock() for _ in range(4)))
    sent = {KEY: SECRET, LISTENER: listener, SCHEME: "https", REMOTE: "", PLACE: ""}
    environ = {"PATH_INFO": "/acs/method", **{_key_of(name): sent[name] for name in sent}}
    list(InternalApplication(SECRET, homes, parts)(environ, lambda *_: None))
    assert taken == [(ACS if listener in ACS_LISTENERS else "gateway", listener)]
