"""Ending and starting a receiver again, by a command of the merchant's own."""

import subprocess
from collections.abc import Callable, Sequence

from features.merchant_side.context import NotCheckableError

COMMAND_S_MAX = 60.0


def restart_by_command(
    command: Sequence[str], *, time_limit_s: float = COMMAND_S_MAX
) -> Callable[[], None] | None:
    """What runs the command and waits for its end, or None where there is none.

    A call raises NotCheckableError where the command fails. It may leave a server running behind
    it, so it is given no pipe that would have to be closed.
    """
    if not command:
        return None

    def restart() -> None:
        nothing = subprocess.DEVNULL
        try:
            ran = subprocess.run(
                command, stdin=nothing, stdout=nothing, stderr=nothing, timeout=time_limit_s
            )
        except subprocess.TimeoutExpired:
            raise NotCheckableError(
                f"--restart-command: expected its end within {time_limit_s:g} s"
            ) from None
        except OSError as error:
            # The whole error repeats the command, which may hold a password.
            raise NotCheckableError(
                f"--restart-command: expected it to run, got: {error.strerror}"
            ) from None
        if ran.returncode:
            raise NotCheckableError(f"--restart-command: expected status 0, got {ran.returncode}")

    return restart
