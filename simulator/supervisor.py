"""`sandgate serve --processes N`: members of a fleet on this machine, started again when they end.

The members listen on the same ports of API, TLS and live host; the system spreads connections over
them. Ports of the other listeners are counted up. They end with this process, however it ends.
"""

import gc
import json
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from time import monotonic
from typing import Any

from simulator.client.processes import START_S_MAX, gateway_command
from simulator.setting_values import fleet_problem
from simulator.settings import ROWS, Settings, SettingsError

SHARED = ("port", "tls_port", "live_port")
# Of each member: a connection there must come to the one that has what it is about.
COUNTED = ("acs_port", "card_port", "sftp_port")
# Set for each member anew, or not theirs.
OWN = frozenset({"processes", "config", "ready_json", "stop_at_eof", "share_ports"})
KEY_BYTES = 24
AGAIN_S = 1.0


def supervise(settings: Settings) -> None:
    """Serve with so many processes until a stop signal.

    Raises SettingsError, and ChildProcessError where a member does not start.
    """
    if settings.store is None:
        raise SettingsError(
            f"processes: expected --store with {settings.processes} processes, got none; they "
            "share a database"
        )
    key = settings.peer_key or secrets.token_hex(KEY_BYTES)
    problem = fleet_problem(key, settings.store, host=settings.peer_host, url=settings.peer_url)
    if problem is not None:
        raise SettingsError(problem)
    # It was put off for the start of a gateway, and this process starts none of its own.
    gc.enable()
    is_over = threading.Event()
    if settings.stop_at_eof:
        threading.Thread(target=_read_to_end, args=(is_over,), daemon=True).start()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: is_over.set())
    with ExitStack() as stack:
        ports = stack.enter_context(_reserved(settings))
        common = environment_of(settings, key)
        members = [_Member({**common, **_ports_of(ports, i)}) for i in range(settings.processes)]
        stack.callback(_stop, members)
        for member in members:
            member.start()
        facts = dict(members[0].facts)
        _announce(facts, settings)
        watches = [threading.Thread(target=each.keep, args=(is_over,)) for each in members]
        for watch in watches:
            watch.daemon = True
            watch.start()
        is_over.wait()


def environment_of(settings: Settings, key: str) -> dict[str, str]:
    """The settings of a member, as variables of its environment; `key` is what they share."""
    named = {}
    for row in ROWS:
        value = getattr(settings, row.name)
        if row.name not in OWN and value is not None and value != row.default:
            named[row.variable] = _text_of(value)
    more = {
        "SANDGATE_PEER_KEY": key,
        "SANDGATE_SHARE_PORTS": "yes",
        "SANDGATE_PROCESSES": "1",
    }
    kept = {name: text for name, text in os.environ.items() if not name.startswith("SANDGATE_")}
    return {**kept, **named, **more}


class _Member:
    """One process with its environment, and the facts it printed when it was ready."""

    def __init__(self, environment: Mapping[str, str]):
        self.facts: Mapping[str, Any] = {}
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and return when it is ready. Raises ChildProcessError."""
        self._process = process = subprocess.Popen(
            gateway_command("--stop-at-eof"),
            env=dict(self._environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert process.stdout is not None, "it was asked for"
        line = process.stdout.readline()
        if not line:
            raise ChildProcessError(f"a member ended with status {process.wait(START_S_MAX)}")
        self.facts = json.loads(line)

    def keep(self, is_over: threading.Event) -> None:
        """Start it again whenever it ends."""
        while not is_over.is_set():
            began = monotonic()
            if self._process is not None:
                self._process.wait()
            if is_over.is_set():
                return
            print("sandgate: a member ended and is started again", file=sys.stderr, flush=True)
            if is_over.wait(max(0.0, began + AGAIN_S - monotonic())):
                return
            try:
                self.start()
            except ChildProcessError as error:
                print(f"sandgate: {error}", file=sys.stderr, flush=True)

    def ask_to_stop(self) -> None:
        """Let it finish what it does and hand over its sandboxes."""
        if self._process is not None:
            self._process.terminate()

    def wait(self, timeout_s: float) -> None:
        """Return when it has ended; what takes longer is killed."""
        if self._process is None:
            return
        try:
            self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self._process.kill()


def _read_to_end(is_over: threading.Event) -> None:
    # Where the standard library is patched, a read that waits would stop everything else.
    while select.select([sys.stdin], [], [])[0] and os.read(sys.stdin.fileno(), 4096):
        pass
    is_over.set()


def _stop(members: list[_Member]) -> None:
    for member in members:
        member.ask_to_stop()
    for member in members:
        member.wait(START_S_MAX)


@contextmanager
def _reserved(settings: Settings) -> Iterator[Mapping[str, list[int]]]:
    """The ports of the listeners, which no other program gets until the end of the block."""
    with ExitStack() as stack:
        ports = {}
        for name in SHARED + COUNTED:
            count = 1 if name in SHARED else settings.processes
            wanted = 0 if settings.port == 0 else getattr(settings, name)
            ports[name] = [
                _reserve(stack, settings.host, wanted + i if wanted else 0) for i in range(count)
            ]
        yield ports


def _reserve(stack: ExitStack, host: str, port: int) -> int:
    """A port, bound and not listened on: connections come to those who listen."""
    if port:
        return port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    held = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    held.bind((host, 0))
    return int(held.getsockname()[1])


def _ports_of(ports: Mapping[str, list[int]], number: int) -> dict[str, str]:
    """The ports of one member."""
    return {
        f"SANDGATE_{name.upper()}": str(found[number if name in COUNTED else 0])
        for name, found in ports.items()
    }


def _text_of(value: object) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{name}={word}" for name, word in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _announce(facts: dict[str, Any], settings: Settings) -> None:
    if settings.ready_json:
        print(json.dumps({**facts, "processes": settings.processes}), flush=True)
        return
    from simulator.banner import print_banner  # rich takes longer to import than to print.

    print_banner(facts, ca=settings.data / "tls" / "ca.pem")
