"""The one entry point: `sandgate`, and `python -m simulator`."""

import gc
import os
import signal
import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command line.

    Serving patches the standard library for gevent before anything else is imported; this is the
    only place that does. The other commands open no sockets and start faster without.
    """
    is_heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_heeded:
        # Nothing is begun yet: who gives up now is shown no traceback of an import.
        signal.signal(signal.SIGINT, lambda number, frame: os._exit(INTERRUPTED))
    if sys.argv[1:2] == ["serve"]:
        _make_ready_to_serve()
    from simulator.cli import run

    if is_heeded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


def _make_ready_to_serve() -> None:
    """Patch the standard library, and leave out what only makes the start longer.

    Nothing made while it starts is garbage, so its collection begins once it serves. gevent asks
    every package that is installed, once for each module it patches, whether it has a say in that.
    paramiko imports a program that runs the commands of a person's ssh_config. With cffi,
    pycryptodome compiles the C declarations of each cipher; without it, it uses ctypes, which calls
    them as fast.
    """
    gc.disable()
    sys.modules["invoke"] = None  # type: ignore[assignment]
    sys.modules["cffi"] = None  # type: ignore[assignment]
    from gevent import events, monkey

    events.notify_and_call_entry_points = events.notify
    monkey.patch_all()


if __name__ == "__main__":
    main()
