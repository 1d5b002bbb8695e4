"""The link to the directory server: what counts as an answer, and whose signatures count."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import gevent
import pytest
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import load_pem_x509_certificate
from gevent.lock import Semaphore
from gevent.pywsgi import WSGIServer
from joserfc import jws
from joserfc.jwk import OctKey

from acquirer_mocks.three_d_secure.signing import Signer
from simulator.adapters.three_d_secure.link import ANSWER_BYTES_MAX, ThreeDSecureLink, verified
from simulator.adapters.turns import work_for
from simulator.domain.core.errors import NoResponseError, SignatureError

NOW = datetime(2026, 11, 20, tzinfo=UTC)
CONTENT = {"acsURL": "http://acs.test/", "acsTransID": "1"}
# Nothing takes so long, and all that can come has come after the second.
NEVER_S, SETTLED_S, HANG_S = 60.0, 0.3, 60.0
Serve = Callable[[str, bytes], ThreeDSecureLink]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """A directory server that answers everything alike, and a link to it."""
    opened = []

    def answering(status: str, body: bytes) -> ThreeDSecureLink:
        def answer(environ: dict, start: Callable) -> list[bytes]:
            start(status, [("Content-Type", "application/json")])
            return [body]

        server = WSGIServer(("127.0.0.1", 0), answer, log=None)
        server.start()
        link = ThreeDSecureLink(f"http://127.0.0.1:{server.server_port}/")
        opened.extend((link.close, server.stop))
        return link

    yield answering
    for close in opened:
        close()


def test_the_answer_is_what_was_answered(serve: Serve) -> None:
    assert serve("200 OK", b'{"a": 1}').ask("lookup", {}) == b'{"a": 1}'


@pytest.mark.parametrize(
    ("status", "body"),
    [("504 Gateway Timeout", b""), ("500 Fault", b"{}"), ("200 OK", b"1" * (ANSWER_BYTES_MAX + 1))],
    ids=["unknown", "a fault", "too long"],
)
def test_anything_else_is_no_answer(serve: Serve, status: str, body: bytes) -> None:
    with pytest.raises(NoResponseError):
        serve(status, body).ask("areq", {})


@pytest.mark.parametrize("url", ["", "http://127.0.0.1:1/"])
def test_without_a_directory_server_there_is_no_answer(url: str) -> None:
    with pytest.raises(NoResponseError):
        ThreeDSecureLink(url).ask("lookup", {})


def test_a_root_that_is_none_is_no_answer(serve: Serve) -> None:
    with pytest.raises(NoResponseError):
        serve("200 OK", b"no certificate").signed("a.b.c")


def test_what_was_signed_under_the_root_of_the_server_is_read(serve: Serve) -> None:
    signer = Signer()

    assert serve("200 OK", signer.certificate).signed(signer.signed(CONTENT)) == CONTENT


@pytest.mark.parametrize("algorithm", ["ES256", "PS256"])
def test_both_algorithms_of_the_protocol_are_read(algorithm: str) -> None:
    signer = Signer(algorithm)

    assert verified(signer.signed(CONTENT), root_of(signer), now=NOW) == CONTENT


def test_what_was_corrupted_is_not_signed() -> None:
    signer = Signer()

    with pytest.raises(SignatureError):
        verified(signer.signed(CONTENT, is_corrupted=True), root_of(signer), now=NOW)


def test_what_another_root_signed_is_not_signed() -> None:
    with pytest.raises(SignatureError):
        verified(Signer().signed(CONTENT), root_of(Signer()), now=NOW)


@pytest.mark.parametrize("year", [1999, 2100])
def test_a_certificate_out_of_date_signs_nothing(year: int) -> None:
    signer = Signer()

    with pytest.raises(SignatureError, match="out of date|ValueError"):
        verified(signer.signed(CONTENT), root_of(signer), now=datetime(year, 1, 1, tzinfo=UTC))


def test_a_key_that_both_know_signs_nothing() -> None:
    root = root_of(Signer())
    public = root.public_bytes(Encoding.DER)
    header = {"alg": "HS256", "x5c": [b64encode(public).decode()]}
    made = jws.serialize_compact(header, b"{}", OctKey.import_key("k" * 32), algorithms=["HS256"])

    with pytest.raises(SignatureError):
        verified(made, root, now=NOW)


@pytest.mark.parametrize("text", ["", ".", "a.b.c", "e30.e30.e30", "x" * 20_000, "\N{SNOWMAN}.a.b"])
def test_what_is_no_signed_object_is_not_signed(text: str) -> None:
    with pytest.raises(SignatureError):
        verified(text, root_of(Signer()), now=NOW)


def test_what_is_signed_must_be_an_object() -> None:
    signer = Signer()

    with pytest.raises(SignatureError):
        verified(signer.signed(["a"]), root_of(signer), now=NOW)


def root_of(signer: Signer) -> object:
    return load_pem_x509_certificate(signer.certificate)


class CountingServer:
    """A directory server that answers when it is let, and notes whose messages come."""

    def __init__(self) -> None:
        self.came: list[str] = []
        self.silent: set[str] = set()
        self._let = Semaphore(0)

    def __call__(self, environ: dict, start: Callable) -> list[bytes]:
        owner = json.loads(environ["wsgi.input"].read())["owner"]
        self.came.append(owner)
        if owner in self.silent:
            gevent.sleep(HANG_S)
        self._let.acquire()
        start("200 OK", [("Content-Type", "application/json")])
        return [b"{}"]

    def answer(self, times: int) -> None:
        """Answer so many, one after the other, as they come."""
        for _ in range(times):
            self._let.release()
            gevent.sleep(SETTLED_S)


@pytest.fixture
def directory() -> CountingServer:
    return CountingServer()


@pytest.fixture
def ask(directory: CountingServer) -> Iterator[Callable[..., list[gevent.Greenlet]]]:
    """Have each owner, a letter, send a message, in this order."""
    server = WSGIServer(("127.0.0.1", 0), directory, log=None)
    server.start()
    asked: list[gevent.Greenlet] = []

    def asking(owners: str, usual_s: float = NEVER_S, answer_s: float = 5) -> list[gevent.Greenlet]:
        url = f"http://127.0.0.1:{server.server_port}/"
        link = ThreeDSecureLink(url, usual_s=usual_s, answer_s=answer_s)

        def send(owner: str) -> bytes:
            work_for(owner)
            return link.ask("areq", {"owner": owner})

        asked.extend(gevent.spawn(send, owner) for owner in owners)
        gevent.sleep(SETTLED_S)
        return asked

    yield asking
    gevent.killall(asked)
    server.stop()


def test_of_many_messages_of_a_sandbox_one_is_under_way(
    ask: Callable[..., list[gevent.Greenlet]], directory: CountingServer
) -> None:
    ask("a" * 30)
    assert directory.came == ["a"]
    directory.answer(2)
    assert directory.came == ["a"] * 3


def test_the_message_of_another_sandbox_waits_for_one_round(
    ask: Callable[..., list[gevent.Greenlet]], directory: CountingServer
) -> None:
    ask("a" * 9 + "b" * 9 + "c" * 9 + "d" * 9 + "e")
    assert sorted(directory.came) == ["a", "b", "c", "d"]
    directory.answer(4)
    assert directory.came[4] == "e"


def test_a_message_that_gets_no_answer_keeps_none_waiting(
    ask: Callable[..., list[gevent.Greenlet]], directory: CountingServer
) -> None:
    directory.silent = set("a")
    ask("a" * 40 + "b", usual_s=0.001)
    gevent.sleep(SETTLED_S)
    assert directory.came.count("a") == 40
    assert "b" in directory.came


def test_who_waits_for_a_turn_gives_up_in_time(
    ask: Callable[..., list[gevent.Greenlet]], directory: CountingServer
) -> None:
    asked = ask("aa", answer_s=0.2)
    gevent.joinall(asked, timeout=5)
    assert [type(each.exception) for each in asked] == [NoResponseError] * 2
    assert directory.came in (["a"], ["a", "a"])
