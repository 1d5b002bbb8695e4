"""A page in a browser can connect to the port of a terminal, and orders nothing there."""

import contextlib

import pytest

from pos_emulator.ecr.zvt.server import serve_zvt
from pos_emulator.ecr.zvt.settings import Framing, ZvtSettings
from pos_emulator.tests.ecr.conftest import ANY_PORT
from pos_emulator.tests.ecr.zvt.till import COMPLETION, ZvtTill

# How requests of a browser begin: HTTP/1, HTTP/2, TLS, and STUN over TCP.
OF_BROWSERS = [
    *(f"{each} / HTTP/1.1\r\n".encode() for each in ("GET", "POST", "OPTIONS", "PUT", "HEAD")),
    b"PRI * HTTP/2.0\r\n", b"\x16\x03\x01", b"\x00\x03\x00\x08",
]  # fmt: skip


@pytest.mark.parametrize("zeros", range(400, 403))
@pytest.mark.parametrize("framing", Framing)
@pytest.mark.parametrize("start", OF_BROWSERS)
def test_a_page_in_a_browser_orders_nothing(terminal, start, framing, zeros):
    with (
        serve_zvt(terminal, ANY_PORT, ZvtSettings(framing=framing)) as address,
        ZvtTill(address, is_serial=framing is Framing.SERIAL) as till,
    ):
        till.socket.sendall(start + bytes(zeros))
        with contextlib.suppress(OSError, AssertionError):
            till.send("0601 07 04 000000001250")
        assert till.is_closed()
    assert terminal.orders == []


@pytest.mark.parametrize("start", OF_BROWSERS)
def test_a_page_in_a_browser_does_not_take_the_place_of_a_till(terminal, start):
    with serve_zvt(terminal, ANY_PORT) as address, ZvtTill(address) as till:
        till.login()
        with ZvtTill(address) as page:
            page.socket.sendall(start)
            assert page.is_closed()
        assert till.pay()[-1] == COMPLETION
