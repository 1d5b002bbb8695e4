"""What no member says at the internal listener: it is refused, and nothing is done."""

from io import BytesIO
from typing import Any
from unittest.mock import Mock

import pytest

from simulator.adapters.fleet.calm_messages import (
    BEGIN,
    CALM,
    HAND,
    LEAVE,
    LEND,
    PART,
    STOP,
    HandedOver,
    LeftBehind,
    LendOrder,
    encoded,
)
from simulator.adapters.fleet.internal import HAND_OVER, OWN, InternalApplication, MemberParts
from simulator.adapters.fleet.peers import KEY, LISTENER, PLACE, REMOTE, SCHEME
from simulator.adapters.postgresql.homes import Homes
from simulator.domain.core.errors import (
    DamagedLogError,
    DiskError,
    EpochEndedError,
    HomeNeededError,
    UnreachableStoreError,
)
from simulator.domain.core.hosts import ACS, ACS_LISTENERS, TEST

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


class Failing:
    """What a member is asked through; each use of it fails."""

    def __init__(self, error: Exception):
        self._error = error

    def __getattr__(self, name: str) -> Any:
        def fail(*_: object) -> None:
            raise self._error

        return fail


class Here:
    """Homes of a member that has every sandbox."""

    is_stopping = False

    def home_of(self, identity: str) -> None:
        return None


ASKED = {
    f"{HAND_OVER}{SANDBOX}": b"",
    f"{CALM}{BEGIN}/{SANDBOX}": b"",
    f"{CALM}{LEND}/{SANDBOX}": encoded(LendOrder(1, TEST, "m", "o")),
    f"{CALM}{HAND}/{SANDBOX}": encoded(HandedOver()),
    f"{CALM}{PART}/{SANDBOX}": encoded(LeftBehind(1)),
}
FAILURES = (
    UnreachableStoreError("connection refused"),
    DiskError("a log", "no space"),
    DamagedLogError("a log", 7, "a record"),
    EpochEndedError("the sandbox was deleted"),
    HomeNeededError("another member has it"),
)


def answered(homes: Any, failure: Exception, path: str, sent: dict[str, str], body: bytes) -> Any:
    """Status and headers of an answer, where all that the member does fails so."""
    failing: Any = Failing(failure)
    environ = {
        "PATH_INFO": path, "CONTENT_LENGTH": str(len(body)), "wsgi.input": BytesIO(body),
        **{_key_of(name): value for name, value in sent.items()},
    }  # fmt: skip
    said: list[Any] = []
    parts = MemberParts(*(failing for _ in MemberParts._fields))
    application = InternalApplication(SECRET, homes, parts)
    list(application(environ, lambda status, headers: said.append((status, headers))))
    return said[0]


@pytest.mark.parametrize("failure", FAILURES, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("path", ASKED)
def test_what_cannot_be_done_now_is_said_to_the_member_that_asks(
    path: str, failure: Exception
) -> None:
    sent = {KEY: SECRET, PLACE: "7"}

    assert answered(Here(), failure, path, sent, ASKED[path]) == ("503 Service Unavailable", OWN)


@pytest.mark.parametrize("path", ["/v1/payments", f"{CALM}{BEGIN}/{SANDBOX}"])
def test_nothing_is_served_of_a_sandbox_whose_home_cannot_be_found(path: str) -> None:
    lost = UnreachableStoreError("connection refused")
    forwarded = {} if path.startswith(CALM) else {LISTENER: "plain", SCHEME: "https", REMOTE: ""}
    sent = {KEY: SECRET, PLACE: "7", **forwarded}

    status, headers = answered(Failing(lost), lost, path, sent, b"")

    assert (status, headers) in [("503 Service Unavailable", OWN), ("421 Misdirected Request", [])]


class EndedMember:
    """A member whose lease is over."""

    number, is_valid = 7, False

    def refuse_ended(self) -> None:
        raise UnreachableStoreError("its lease has ended")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/payments", "421 Misdirected Request"),
        *((each, "503 Service Unavailable") for each in ASKED if each.startswith(CALM)),
    ],
)
def test_nothing_is_served_of_a_sandbox_that_a_member_had_when_its_lease_ended(
    path: str, status: str
) -> None:
    member: Any = EndedMember()
    homes = Homes(Mock(), member)
    homes.add_own(SANDBOX)
    forwarded = {} if path in ASKED else {LISTENER: "plain", SCHEME: "https", REMOTE: ""}
    sent = {KEY: SECRET, PLACE: "7" if path in ASKED else SANDBOX, **forwarded}
    served = AssertionError("it is served")

    assert answered(homes, served, path, sent, ASKED.get(path, b""))[0] == status
