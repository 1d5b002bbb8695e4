"""There is one till at a time: who takes its place, and when."""

import socket
import threading
from contextlib import ExitStack, closing
from select import select

import pytest

from pos_emulator.ecr.zvt.commands import ZvtStation
from pos_emulator.ecr.zvt.server import SILENT_MAX, ZvtListener, serve_zvt
from pos_emulator.ecr.zvt.settings import ZvtSettings
from pos_emulator.tests.ecr.conftest import ANY_PORT
from pos_emulator.tests.ecr.zvt.till import COMPLETION, ZvtTill


def test_there_is_one_till_at_a_time_and_an_idle_one_makes_room(terminal):
    with serve_zvt(terminal, ANY_PORT) as address, ZvtTill(address) as first:
        first.pay()
        with ZvtTill(address) as second:
            assert second.pay()[-1] == COMPLETION
            assert first.is_closed()
            terminal.waits = True
            second.send("0601 07 04 000000001250")
            assert terminal.waiting.wait(20)
            with ZvtTill(address) as third:
                third.send("0620 03 000000")
                assert third.is_closed()
            terminal.card.set()
            assert second.read_answer()[-1] == COMPLETION


def test_a_till_waits_behind_many_connections_that_are_not_accepted_yet(terminal):
    with closing(ZvtListener(ANY_PORT, ZvtStation(terminal, ZvtSettings()))) as listener:
        address = (ANY_PORT[0], listener.port)
        with ExitStack() as opened:
            for _ in range(100):
                opened.enter_context(closing(socket.create_connection(address, timeout=0.5)))
            with ZvtTill(f"{address[0]}:{address[1]}") as till:
                threading.Thread(target=listener.serve, daemon=True).start()
                assert till.pay()[-1] == COMPLETION


def test_what_sends_nothing_takes_no_place_and_few_of_it_are_kept(terminal):
    with serve_zvt(terminal, ANY_PORT) as address, ZvtTill(address) as till, ExitStack() as opened:
        till.login()
        silent = [opened.enter_context(ZvtTill(address)) for _ in range(SILENT_MAX + 1)]

        (gone,) = select([each.socket for each in silent], [], [], 20)[0]
        kept = next(each for each in silent if each.socket is not gone)

        assert gone.recv(1) == b""
        assert till.pay()[-1] == COMPLETION
        assert kept.pay()[-1] == COMPLETION
        assert till.is_closed()


def test_a_till_that_comes_back_waits_until_its_lost_payment_has_ended(terminal):
    terminal.waits, terminal.is_deaf = True, True
    with serve_zvt(terminal, ANY_PORT) as address:
        with ZvtTill(address) as till:
            till.send("0601 07 04 000000001250")
            assert terminal.waiting.wait(20)
        with ZvtTill(address) as again:
            again.send("0620 03 000000")
            threading.Timer(0.2, terminal.card.set).start()
            answer = again.read_answer()

    assert "2700" in answer[1]


@pytest.mark.parametrize("sent", ["", "0601", "0601 FF 0110", "10"])
def test_a_till_that_is_silent_or_sends_no_message_is_disconnected(terminal, sent):
    settings = ZvtSettings(acknowledge_s=0.1, idle_s=0.2)
    with serve_zvt(terminal, ANY_PORT, settings) as address, ZvtTill(address) as till:
        till.socket.sendall(bytes.fromhex(sent))
        assert till.is_closed()
