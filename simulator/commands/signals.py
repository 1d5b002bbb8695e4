"""Passing signals on: a command that runs another one behaves as if it were that one."""

import os
import signal
import subprocess
from collections.abc import Iterable, Mapping
from types import FrameType

PASSED_ON = (
    signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2,
)  # fmt: skip
FROM_A_KEYBOARD = (signal.SIGINT, signal.SIGQUIT)


class InterruptedByUserError(Exception):
    """A signal came while there was no command to pass it on to."""

    def __init__(self, number: int):
        super().__init__(f"signal {number}")
        self.number = number


class Relay:
    """Passes the signals of this process on to one command.

    Before the command runs they raise InterruptedByUserError; after it has ended they do nothing,
    so that what
    it was started with can be put away.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._held: list[int] | None = None

    def listen(self) -> None:
        """From here on. A signal that is ignored stays ignored, as `nohup` wants it."""
        for number in PASSED_ON:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._take)

    def run(self, command: Iterable[str], environment: Mapping[str, str]) -> int:
        """The exit status of the command, 128 and the number of the signal where one ended it.

        It has our standard input, output and error. Raises OSError.
        """
        self._held = []
        try:
            self._process = subprocess.Popen(list(command), env=dict(environment))
            for number in self._held:
                self._process.send_signal(number)
        finally:
            self._held = None
        status = self._process.wait()
        return status if status >= 0 else 128 - status

    def _take(self, number: int, frame: FrameType | None) -> None:
        if self._process is not None:
            if not (number in FROM_A_KEYBOARD and _in_foreground()):
                self._process.send_signal(number)
        elif self._held is not None:
            self._held.append(number)
        else:
            raise InterruptedByUserError(number)


def _in_foreground() -> bool:
    """Whether a terminal sends its signals to us and to the command alike."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)
