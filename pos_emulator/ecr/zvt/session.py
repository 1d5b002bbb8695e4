"""One till at its terminal: takes a command at a time, and an abort beside it."""

import logging
import threading

from pos_emulator.ecr.zvt.bmp import FieldError
from pos_emulator.ecr.zvt.codes import STATUSES, ZvtCommand, ZvtResult
from pos_emulator.ecr.zvt.commands import (
    REFERENCE,
    PasswordError,
    ZvtRequest,
    ZvtRow,
    ZvtStation,
    request_of,
    row_of,
)
from pos_emulator.ecr.zvt.frames import Apdu
from pos_emulator.ecr.zvt.link import Link, LinkLostError
from pos_emulator.ecr.zvt.messages import ACKNOWLEDGED, aborted, refused, status_of
from pos_emulator.terminal.records import Notice

LOG = logging.getLogger("sandgate.till")
ABORT_EVERY_S, ABORT_TRIES = 0.05, 40
# A gateway has 30 seconds to answer, and is then asked what became of the payment.
LEAVING_S, NOTICED_S = 60.0, 0.5
LAST = (ZvtCommand.COMPLETION, ZvtCommand.ABORTED)


class ZvtSession:
    """Carries out commands in a thread of their own, so that an abort is read while one waits."""

    def __init__(self, station: ZvtStation, link: Link) -> None:
        self._station, self._link = station, link
        self._under_way: threading.Thread | None = None
        self._aborting: tuple[threading.Thread, threading.Thread | None] | None = None
        self._is_ending = False
        self.finished = threading.Event()

    @property
    def is_busy(self) -> bool:
        """Whether a command is under way."""
        return self._under_way is not None and self._under_way.is_alive()

    def run(self) -> None:
        """Serve the till until it is gone.

        A payment that then still waits for a person is ended, since no till would take its result;
        one that the gateway already has goes on, and is repeated on request.
        """
        try:
            for apdu in self._link.commands():
                self._take(apdu)
        except LinkLostError as error:
            LOG.debug("a till is gone: %s", error)
        finally:
            self._link.close()
            while self._under_way is not None and self.is_busy:
                self._station.terminal.abort(REFERENCE)
                self._under_way.join(ABORT_EVERY_S)
            self.finished.set()

    def make_room(self) -> bool:
        """Whether this till has left for another one: it is gone, or has nothing under way.

        A command of a till that is gone comes to its end first.
        """
        if self._is_ending and self._under_way is not None:
            self._under_way.join(self._station.settings.acknowledge_s)
        # A till that comes back may be here before the end of its last connection was read.
        if self.is_busy and not self._link.is_lost_within(NOTICED_S):
            return False
        self._link.close()
        return self.finished.wait(LEAVING_S)

    def close(self) -> None:
        """End the connection."""
        self._link.close()

    def _take(self, apdu: Apdu) -> None:
        if apdu.command == ZvtCommand.ABORT:
            self._link.reply(ACKNOWLEDGED)
            self._begin_abort()
            return
        if self._is_ending and self._under_way is not None:
            # The till has acknowledged the end of its last command, and that thread returns now.
            self._under_way.join(self._station.settings.acknowledge_s)
        row = row_of(apdu)
        if self.is_busy:
            self._link.reply(refused(ZvtResult.PLEASE_WAIT))
        elif row is None:
            self._link.reply(refused(ZvtResult.NOT_POSSIBLE))
        else:
            self._begin(row, apdu)

    def _begin(self, row: ZvtRow, apdu: Apdu) -> None:
        try:
            request = request_of(self._station, row, apdu)
        except FieldError as error:
            LOG.info("command %04X is refused: %s", apdu.command, error)
            self._link.reply(refused(ZvtResult.PROTOCOL_ERROR))
            return
        except PasswordError as error:
            LOG.info("command %04X is refused: %s", apdu.command, error)
            self._link.reply(refused(ZvtResult.NOT_POSSIBLE))
            return
        self._link.reply(ACKNOWLEDGED)
        self._is_ending = not row.has_end
        self._under_way = threading.Thread(target=self._act, args=(row, request), daemon=True)
        self._under_way.start()

    def _act(self, row: ZvtRow, request: ZvtRequest) -> None:
        stop_watching = self._station.terminal.watch(self._pass_on)
        try:
            for message in row.act(self._station, request):
                self._send(message)
        except FieldError as error:
            LOG.info("command %04X is refused: %s", request.command, error)
            self._send(aborted(ZvtResult.PROTOCOL_ERROR))
        finally:
            stop_watching()
            if not self._is_ending:
                # A fault goes on to the log of the thread; the till must not wait for an end.
                self._send(aborted(ZvtResult.SYSTEM_ERROR))

    def _send(self, message: Apdu) -> None:
        """Send a message of the answer. Without a till there is none: the journal has the end."""
        self._is_ending = message.command in LAST
        if not self._link.is_lost:
            try:
                self._link.send(message)
            except LinkLostError as error:
                LOG.info("a till is gone: %s", error)

    def _pass_on(self, notice: Notice) -> None:
        """Send what the display says as a status, in the thread of the payment and no other's."""
        if (
            notice.kind == "display"
            and notice.text in STATUSES
            and self._station.registration.wants_statuses
            and threading.current_thread() is self._under_way
        ):
            self._send(status_of(STATUSES[notice.text]))

    def _begin_abort(self) -> None:
        """Abort the command that is under way, in one thread however often the till asks."""
        if self._aborting is not None:
            thread, command = self._aborting
            if thread.is_alive() and command is self._under_way:
                return
        thread = threading.Thread(target=self._end_wait, args=(self._under_way,), daemon=True)
        self._aborting = thread, self._under_way
        thread.start()

    def _end_wait(self, under_way: threading.Thread | None) -> None:
        """Abort what waits. A payment that has begun may not wait yet, so it is tried again."""
        for _ in range(ABORT_TRIES):
            if under_way is None or self._station.terminal.abort(REFERENCE):
                return
            under_way.join(ABORT_EVERY_S)
            if not under_way.is_alive():
                return
