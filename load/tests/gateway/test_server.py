"""What a server takes, with the processes that it has started."""

import os
import signal
import subprocess
from time import monotonic, sleep

from load.gateway.server import memory_below

PATIENCE_S = 30.0


def test_the_memory_of_what_a_started_process_started_itself_is_seen_too() -> None:
    command = "sh -c 'sleep 60 & wait' & wait"
    with subprocess.Popen(["sh", "-c", command], start_new_session=True) as process:
        until = monotonic() + PATIENCE_S
        while len(found := list(memory_below(process.pid))) < 2 and monotonic() < until:
            sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)

    assert len(found) == 2 and min(found) > 0
