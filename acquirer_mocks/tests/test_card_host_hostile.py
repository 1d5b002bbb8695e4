"""What no gateway sends to the card host: bytes that are no messages close the line, and others are
served; nothing of a payment changes by another request under its id, or by one that is taken back.
"""

import logging
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import gevent
import pytest
from gevent import socket
from msgspec.structs import replace

from acquirer_mocks.card_host import CardHost
from acquirer_mocks.tests.test_card_host import End, on_a_port
from simulator.adapters.acquiring.codec import encoded, framed
from simulator.adapters.acquiring.connections import (
    FIRST_PIECES_BYTES,
    PIECE_BYTES,
    LinkConnection,
)
from simulator.adapters.logs import LimitedLog
from simulator.domain.acquiring.messages import ECHO, SIGN_ON, network_message, reversal_of
from simulator.domain.core.errors import EpochEndedError
from simulator.domain.core.ports import unit_of
from simulator.tests.acquiring.test_card_messages import NOON
from simulator.tests.kit.event_loop import looks_during
from simulator.tests.kit.gateway import Gateway

LINES, MESSAGES = 20, 10


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    made = Gateway(tmp_path)
    yield made
    made.close()


STRANGE = {
    "zeros": bytes(600_000),
    "HTTP POST": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n" + b"a" * 300_000,
    "HTTP GET": b"GET / HTTP/1.1\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "lengths": b"\xff" * 200_000,
    "a long frame of a TPDU": b"\xff\xff\x60" + b"0" * 65_600,
    "short frames": b"\x00\x01\x60" * 100_000,
    "frames of a TPDU": framed(b"\x60" + b"9" * 10) * 40_000,
    "a number": b"4200000000000000\n\x1b[2J" * 10_000,
}


@pytest.mark.parametrize("strange", STRANGE.values(), ids=STRANGE.keys())
def test_a_connection_whose_first_bytes_are_no_message_is_closed(
    gateway: Gateway, caplog: pytest.LogCaptureFixture, strange: bytes
) -> None:
    listener, connect = on_a_port(gateway)
    began = monotonic()
    try:
        others = End(gateway, line=connect())
        for _ in range(5):
            line = connect()
            gevent.spawn(line._send, strange)
            with gevent.Timeout(5):
                assert others.manage(ECHO)["39"] == "00"
                assert list(line.frames()) == []
    finally:
        listener.stop()
    # One for each listener and second, and one of a host that still reads what came before.
    assert len(caplog.messages) <= 3 + (monotonic() - began)
    assert "4200" not in caplog.text


def test_others_have_their_turn_between_malformed_messages(
    gateway: Gateway, caplog: pytest.LogCaptureFixture
) -> None:
    end, other = End(gateway), End(gateway)
    gevent.spawn(end.line._send, bytes(60_000))
    gevent.sleep(0.02)
    took = []
    for _ in range(10):
        began = monotonic()
        assert other.manage(ECHO)["39"] == "00"
        took.append(monotonic() - began)

    assert max(took) < 0.25
    assert len(caplog.messages) <= 2 + sum(took)
    end.line.close()


class FullLine:
    """A line without a sign-on on which messages are always here; it counts what is refused."""

    signed_on, is_known, is_lost = False, True, False
    log = LimitedLog(logging.getLogger("sandgate.test"))

    def frames(self) -> Iterator[bytes]:
        """Malformed ones."""
        yield from [b"\x60" + b"9" * 10] * MESSAGES

    def close(self) -> None:
        """There is nothing to close."""


def test_of_all_lines_without_a_sign_on_one_message_is_taken_in_each_turn(
    gateway: Gateway,
) -> None:
    """Six hundred lines kept all others waiting in each turn of the event loop."""
    host = CardHost(gateway._built.card_host.ports_of)

    def all_served() -> None:
        served = [gevent.spawn(host.serve, FullLine()) for _ in range(LINES)]
        gevent.joinall(served, raise_error=True)

    assert looks_during(all_served) >= LINES * MESSAGES


def test_a_line_without_a_sign_on_keeps_little(gateway: Gateway) -> None:
    ours, theirs = socket.socketpair()
    line = LinkConnection(theirs, is_known=False)
    gevent.spawn(ours.sendall, bytes(1_000_000))
    assert 0 < len(line._received()) <= FIRST_PIECES_BYTES
    line.signed_on = True
    assert FIRST_PIECES_BYTES < len(line._received()) <= PIECE_BYTES
    ours.close()
    line.close()


def test_what_is_held_back_of_a_log_is_counted(caplog: pytest.LogCaptureFixture) -> None:
    times = iter([0.0, 0.1, 0.9, 1.0, 1.5, 3.0])
    log = LimitedLog(logging.getLogger("sandgate.test"), now=lambda: next(times))
    for number in range(6):
        log.warning("refused %d", number)

    assert caplog.messages == [
        "refused 0", "refused 3 (2 more since the last line)",
        "refused 5 (1 more since the last line)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "other",
    [
        {"4": "000000999900"},
        {"49": "840"},
        {"2": "5555555555554444"},
        {"60": ""},
    ],
    ids=str,
)
@pytest.mark.parametrize("is_reversed", [False, True])
def test_another_request_under_the_id_and_trace_of_a_payment_is_refused(
    gateway: Gateway, other: dict, is_reversed: bool
) -> None:
    end = End(gateway)
    sent = end.payment()
    assert end.ask(sent)["39"] == "00"
    if is_reversed:
        assert end.ask(reversal_of(sent, "0400"))["39"] == "00"
    if "60" in other:
        (merchant,) = end.ports.sandbox.merchants
        other = {"60": sent["60"].replace(merchant.channels[0].id, "8e" * 16)}

    assert end.ask({**sent, **other})["39"] == "30"

    assert len(end.stored()) == 1


def test_a_payment_of_an_earlier_build_is_answered_again_as_it_was(gateway: Gateway) -> None:
    end = End(gateway)
    first = end.ask(end.payment())
    (entry,) = end.stored()
    end.ports.store.commit(unit_of(replace(entry, mark="")))

    assert end.ask(end.payment()) == first
    assert end.ask({**end.payment(), "4": "000000999900"})["39"] == "30"


def test_a_request_that_comes_again_after_it_was_reversed_is_declined(gateway: Gateway) -> None:
    end = End(gateway)
    assert end.ask(end.payment())["39"] == "00"
    assert end.ask(reversal_of(end.payment(), "0400"))["39"] == "00"

    answers = [end.ask(end.payment()) for _ in range(2)]

    assert [(each["39"], "38" in each) for each in answers] == [("25", False)] * 2
    (entry,) = end.stored()
    assert (entry.response, entry.reversed_at is None) == ("00", False)


def test_a_host_takes_no_more_of_a_line_that_takes_no_answers() -> None:
    taken: list[str] = []

    def ports_of(identity: str) -> object:
        taken.append(identity)
        raise EpochEndedError("the sandbox was deleted")

    ours, theirs = socket.socketpair()
    sign_on = network_message(SIGN_ON, sandbox="8" * 32, trace=1, at=NOON)
    ours.sendall(framed(encoded(sign_on)) * 50)
    ours.close()
    CardHost(ports_of).serve(LinkConnection(theirs, is_known=False))

    assert len(taken) == 1
