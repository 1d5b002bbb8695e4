"""The card host on its connections: what it refuses, what it answers, and that it stays up."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import gevent
import pytest
from gevent.server import StreamServer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acquirer_mocks.card_host import CardHost
from simulator.adapters.acquiring.codec import decoded, encoded, framed
from simulator.adapters.acquiring.connections import (
    LinkConnection,
    connected,
    listener_for,
    pair_to,
)
from simulator.adapters.acquiring.link import Iso8583Link
from simulator.domain.acquiring.host_entries import CardEntry
from simulator.domain.acquiring.messages import (
    ECHO,
    SIGN_OFF,
    SIGN_ON,
    message_of,
    network_message,
    reversal_of,
)
from simulator.domain.acquiring.requirements import CHARGED
from simulator.domain.core.errors import DamagedLogError, DiskError, MessageNotSentError
from simulator.domain.core.records import PaymentType
from simulator.tests.acquiring.test_card_messages import CARD_NUMBER, CVV, NOON, ask
from simulator.tests.kit.gateway import Gateway

OVERSIZED = (60_000).to_bytes(2, "big") + b"x" * 60_000


class End:
    """The gateway's end of a connection to the host: what is sent, and the answers one by one."""

    def __init__(
        self, gateway: Gateway, *, sign_on: bool = True, line: LinkConnection | None = None
    ):
        self.sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
        self.ports = gateway.ports(self.sandbox)
        self.line = line or pair_to(gateway.card_host.serve)
        self._answers = self.line.frames()
        if sign_on:
            assert self.manage(SIGN_ON)["39"] == "00"

    def manage(self, code: str, sandbox: str = "") -> dict[str, str]:
        identity = sandbox or self.sandbox
        return self.ask(network_message(code, sandbox=identity, trace=1, at=NOON))

    def ask(self, message: dict[str, str]) -> dict[str, str]:
        return self.send(framed(encoded(message)))

    def send(self, content: bytes) -> dict[str, str]:
        self.line._send(content)
        return self.answer()

    def answer(self) -> dict[str, str]:
        """The next one."""
        with gevent.Timeout(5):
            return decoded(next(self._answers))

    def echo(self) -> dict[str, str]:
        return network_message(ECHO, sandbox=self.sandbox, trace=1, at=NOON)

    def payment(self, **more: object) -> dict[str, str]:
        (merchant,) = self.ports.sandbox.merchants
        made = ask(entity=merchant.channels[0].id, **more)
        return message_of(made, self.sandbox, at=NOON, currency="978")

    def stored(self) -> list[CardEntry]:
        return list(self.ports.store.between(CardEntry, "date", "", "~"))


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    made = Gateway(tmp_path)
    yield made
    made.close()


def test_a_connection_signs_on_and_is_echoed(gateway: Gateway) -> None:
    end = End(gateway)
    assert (end.manage(ECHO)["t"], end.manage(ECHO)["39"]) == ("0810", "00")


def test_a_payment_before_sign_on_is_refused(gateway: Gateway) -> None:
    end = End(gateway, sign_on=False)
    assert end.ask(end.payment())["39"] == "91"
    assert end.stored() == []


def test_sign_on_for_an_unknown_sandbox_is_refused(gateway: Gateway) -> None:
    assert End(gateway, sign_on=False).manage(SIGN_ON, "8" * 32)["39"] == "03"


def test_a_payment_is_answered_with_its_reference_and_a_code(gateway: Gateway) -> None:
    end = End(gateway)
    sent = end.payment()
    answer = end.ask(sent)
    assert (answer["t"], answer["39"], answer["37"]) == ("0210", "00", sent["37"])
    assert len(answer["38"]) == 6


def test_a_request_that_comes_twice_is_decided_once(gateway: Gateway) -> None:
    end = End(gateway)
    first, second = end.ask(end.payment()), end.ask(end.payment())
    assert first == second
    assert len(end.stored()) == 1


def test_a_request_that_comes_after_its_reversal_is_declined(gateway: Gateway) -> None:
    end = End(gateway)
    assert end.ask(reversal_of(end.payment(), "0400"))["39"] == "00"
    assert end.ask(end.payment())["39"] == "25"
    (entry,) = end.stored()
    assert entry.reversed_at is not None


@pytest.mark.parametrize("kind", ["0400", "0401", "0420", "0421"])
def test_every_kind_of_reversal_takes_a_payment_back_once(gateway: Gateway, kind: str) -> None:
    end = End(gateway)
    end.ask(end.payment())
    answers = [end.ask(reversal_of(end.payment(), kind)) for _ in range(2)]
    assert [each["t"] for each in answers] == ["0410" if kind < "0410" else "0430"] * 2
    assert len(end.stored()) == 1


def corrupted(sent: dict[str, str], at: int) -> bytes:
    raw = bytearray(encoded(sent))
    raw[at] = 0xFF
    return framed(bytes(raw))


def test_a_malformed_message_is_refused_by_field_and_position_and_the_connection_stays_up(
    gateway: Gateway, caplog: pytest.LogCaptureFixture
) -> None:
    end = End(gateway)
    raw = encoded(end.payment())
    with caplog.at_level(logging.WARNING):
        answer = end.send(corrupted(end.payment(), raw.index(b"5999")))
    assert (answer["39"], answer["11"]) == ("30", "000042")
    assert "field 18 at" in caplog.text
    assert CARD_NUMBER not in caplog.text
    assert CVV not in caplog.text
    assert end.stored() == []
    assert end.ask(end.payment())["39"] == "00"


def test_an_oversized_message_is_passed_over_and_the_connection_stays_up(
    gateway: Gateway, caplog: pytest.LogCaptureFixture
) -> None:
    end = End(gateway)
    with caplog.at_level(logging.WARNING):
        answer = end.send(OVERSIZED + framed(encoded(end.payment())))
    assert answer["39"] == "00"
    assert "60000 bytes" in caplog.text


@pytest.mark.parametrize(
    "change",
    [
        {"60": "01005abc"}, {"60": "0100"}, {"49": "998"}, {"63": "[]"}, {"63": "{"}, {"t": "0100"},
        {"3": "200000"}, {"4": "000000000000"}, {"48": "92-01a"},
    ],
)  # fmt: skip
def test_a_message_that_says_nothing_sensible_is_refused(gateway: Gateway, change: dict) -> None:
    end = End(gateway)
    assert end.ask({**end.payment(), **change})["39"] in ("30", "91")
    assert end.stored() == []


REFERRING = {"kind": PaymentType.RF, "original": "8d" * 16, "number": None}


@pytest.mark.parametrize("key", [*sorted(CHARGED), "2"])
def test_a_payment_that_lacks_a_field_is_refused_by_its_number_and_the_connection_stays_up(
    gateway: Gateway, caplog: pytest.LogCaptureFixture, key: str
) -> None:
    end = End(gateway)
    sent = end.payment()
    del sent[key]
    with caplog.at_level(logging.WARNING):
        answer = end.send(framed(encoded(sent)) + framed(encoded(end.echo())))
    if key != "11":
        assert answer["39"] == "30"
        answer = end.answer()
    assert answer["t"] == "0810"
    assert f"field {key}" in caplog.text
    assert end.stored() == []


@pytest.mark.parametrize(("kind", "key"), [("0400", "90"), ("0401", "90"), ("0420", "37")])
def test_a_reversal_that_lacks_a_field_takes_nothing_back(
    gateway: Gateway, kind: str, key: str
) -> None:
    end = End(gateway)
    end.ask(end.payment())
    sent = reversal_of(end.payment(), kind)
    del sent[key]
    assert end.ask(sent)["39"] == "30"
    (entry,) = end.stored()
    assert entry.reversed_at is None


@pytest.mark.parametrize(
    "change",
    [
        {"payment": "8a" * 15 + "zz"},
        {**REFERRING, "original": "../log"},
        {**REFERRING, "original": None},
    ],
)
def test_a_payment_named_by_what_is_no_id_is_refused(gateway: Gateway, change: dict) -> None:
    end = End(gateway)
    sent = end.payment(**{**change, "payment": "8a" * 16})
    sent["60"] = sent["60"].replace("8a" * 16, change.get("payment", "8a" * 16))
    assert end.ask(sent)["39"] == "30"
    assert end.stored() == []


def test_a_payment_whose_id_came_with_another_request_is_refused(gateway: Gateway) -> None:
    end = End(gateway)
    assert end.ask(end.payment())["39"] == "00"
    assert end.ask(end.payment(trace=43))["39"] == "30"
    assert len(end.stored()) == 1


def test_a_refusal_repeats_no_field_that_cannot_be_read(gateway: Gateway) -> None:
    end = End(gateway)
    raw = encoded(end.payment()).replace(b"000000009200", b"A00000009200")
    answer = end.send(framed(raw))
    assert (answer["39"], "4" in answer) == ("30", False)


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(garbage=st.binary(max_size=300))
def test_garbage_never_breaks_the_host(gateway: Gateway, garbage: bytes) -> None:
    end = End(gateway)
    assert end.send(framed(garbage) + framed(encoded(end.payment())))["39"] in ("00", "30")
    end.line.close()


def test_the_host_listens_on_a_port(gateway: Gateway) -> None:
    listener = listener_for(("127.0.0.1", 0), gateway.card_host.serve)
    try:
        gateway.card_reach.move(("127.0.0.1", listener.server_port))
        answer = gateway.post(testMode="EXTERNAL").json
        assert answer["result"]["code"] == "000.100.112"
    finally:
        listener.stop()


def on_a_port(
    gateway: Gateway, **limits: object
) -> tuple[StreamServer, Callable[[], LinkConnection]]:
    """A listener for the host, and what opens a connection to it."""
    listener = listener_for(("127.0.0.1", 0), gateway.card_host.serve, **limits)
    return listener, lambda: connected(("127.0.0.1", listener.server_port), 5)


def test_a_connection_without_a_sign_on_is_closed(gateway: Gateway) -> None:
    listener, connect = on_a_port(gateway, sign_on_within_s=0.02)
    try:
        half_open = connect()
        half_open._send(b"\x00")
        known = End(gateway, line=connect())
        with gevent.Timeout(5):
            assert list(half_open.frames()) == []
        assert known.manage(ECHO)["39"] == "00"
    finally:
        listener.stop()


def test_a_connection_too_many_is_closed_and_the_others_stay_up(gateway: Gateway) -> None:
    listener, connect = on_a_port(gateway, lines_max=1)
    try:
        first = End(gateway, line=connect())
        with gevent.Timeout(5):
            assert list(connect().frames()) == []
        assert first.manage(ECHO)["39"] == "00"
        first.line.close()
        gevent.sleep(0.01)
        assert End(gateway, line=connect()).manage(ECHO)["39"] == "00"
    finally:
        listener.stop()


def test_connections_that_do_not_sign_on_take_the_place_of_no_other(gateway: Gateway) -> None:
    listener, connect = on_a_port(gateway, lines_max=3)
    try:
        first = End(gateway, line=connect())
        silent = [connect() for _ in range(20)]
        gevent.sleep(0.1)
        with gevent.Timeout(5):
            assert End(gateway, line=connect()).manage(ECHO)["39"] == "00"
            assert list(silent[0].frames()) == []
        assert first.manage(ECHO)["39"] == "00"
    finally:
        listener.stop()


@pytest.mark.parametrize(
    "error",
    [DamagedLogError("1.log", 7, "a checksum"), DiskError("1.log", "No space left"), KeyError("x")],
)
def test_a_host_that_cannot_plan_or_store_decides_nothing_and_its_connection_stays_up(
    gateway: Gateway, error: Exception
) -> None:
    def broken(identity: str) -> None:
        raise error

    end = End(gateway, line=pair_to(CardHost(broken).serve), sign_on=False)
    assert end.manage(SIGN_ON)["39"] == "96"
    assert end.manage(ECHO)["39"] == "00"


def link_of(end: End, connect: object, **more: object) -> Iso8583Link:
    return Iso8583Link(connect, end.ports.clock, end.sandbox, **more)


def test_a_link_opens_a_connection_anew_where_the_old_one_broke(gateway: Gateway) -> None:
    end, lines = End(gateway), []

    def connect() -> LinkConnection:
        lines.append(pair_to(gateway.card_host.serve))
        return lines[-1]

    link = link_of(end, connect)
    assert link.exchange(end.payment())["39"] == "00"
    lines[0].close()
    gevent.sleep(0.01)
    assert link.lines == 0
    assert link.exchange(end.payment())["39"] == "00"
    assert len(lines) == 2
    link.close()


def test_a_connection_that_rested_is_tested_by_an_echo(gateway: Gateway) -> None:
    end, kinds = End(gateway), []

    class Listening:
        """A connection that records what it takes to the host."""

        def __init__(self, line: LinkConnection):
            self._line = line

        def frames(self) -> Iterator[bytes]:
            for raw in self._line.frames():
                message = decoded(raw)
                kinds.append((message["t"], message.get("70")))
                yield raw

        def __getattr__(self, name: str) -> object:
            return getattr(self._line, name)

    def connect() -> LinkConnection:
        return pair_to(lambda line: gateway.card_host.serve(Listening(line)))

    link = link_of(end, connect, echo_after_s=-1)
    link.exchange(end.payment())
    link.exchange(end.payment())
    assert kinds == [("0800", "001"), ("0200", None), ("0800", "301"), ("0200", None)]
    link.close()


def test_a_connection_signs_on_again_after_a_sign_off(gateway: Gateway) -> None:
    end, theirs = End(gateway), []

    def connect() -> LinkConnection:
        return pair_to(lambda line: (theirs.append(line), gateway.card_host.serve(line)))

    link = link_of(end, connect)
    link.exchange(end.payment())
    off = network_message(SIGN_OFF, sandbox=end.sandbox, trace=9, at=NOON)
    theirs[0].signed_on = False
    theirs[0].send(encoded(off))
    gevent.sleep(0.01)
    assert link.exchange(end.payment())["39"] == "00"
    assert len(theirs) == 1
    link.close()


def test_without_a_host_nothing_is_sent(gateway: Gateway) -> None:
    end = End(gateway)

    def refused() -> LinkConnection:
        raise ConnectionRefusedError(111, "Connection refused")

    with pytest.raises(MessageNotSentError, match="Connection refused"):
        link_of(end, refused).exchange(end.payment())
