"""`sandgate terminal run` as a process: what it prints, what it keeps, and what it refuses."""

import errno
import fcntl
import json
import os
import pty
import select
import signal
import socket
import struct
import subprocess
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.client import GatewayAccess, gateway_for
from simulator.client.processes import python, running_server, without_settings
from simulator.client.sandbox import SandboxClient

PORTS = ("--port", "--nexo", "--zvt")
IN_USE = f"{os.strerror(errno.EADDRINUSE)}; 0 takes any"
RUN = "import sys; sys.argv[1:] = {}; from simulator.__main__ import main; main()"


@pytest.fixture(scope="module")
def gateway() -> Iterator[GatewayAccess]:
    with gateway_for({}) as access:
        yield access


def variables(gateway: GatewayAccess, sandbox: SandboxClient | None = None) -> dict[str, str]:
    """What a shell has after the line was pasted that a gateway prints."""
    found = {
        "SANDGATE_URL": gateway.url,
        "SANDGATE_CONTROL_URL": gateway.control_url,
        "SANDGATE_CONTROL_API_KEY": gateway.control_key,
    }
    if sandbox is not None:
        found |= {
            "SANDGATE_SANDBOX_ID": sandbox.id,
            "SANDGATE_ENTITY_ID": sandbox.entity_id,
            "SANDGATE_TOKEN": sandbox.token,
        }
    return without_settings() | found


def command(*options: str) -> list[str]:
    return python(RUN.format(["terminal", "run", *options]))


def facts(folder: Path, environment: dict[str, str], *options: str) -> dict[str, str]:
    """What a terminal says of itself that is switched on, and off again."""
    ready = command("--port", "0", "--ready-json", *options)
    with running_server(ready, environment={**environment, "PWD": str(folder)}) as server:
        return dict(server.facts)


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("delete", "SANDGATE_SANDBOX_ID, got"), ("rotate", "SANDGATE_TOKEN and SANDGATE_ENTITY_ID"),
    ],
)  # fmt: skip
def test_variables_that_name_what_is_gone_are_said_to(
    gateway: GatewayAccess, tmp_path: Path, deed: str, said: str
) -> None:
    sandbox = gateway.create_sandbox()
    if deed == "delete":
        sandbox.control.delete(sandbox.id)
    else:
        merchant = sandbox.facts["entities"]["merchants"][0]["id"]
        for each in sandbox.control.tokens(sandbox.id, merchant):
            sandbox.control.rotate_token(sandbox.id, merchant, each["id"])

    done = subprocess.run(
        command("--port", "0"), env=variables(gateway, sandbox), cwd=tmp_path, text=True,
        capture_output=True, timeout=60,
    )  # fmt: skip

    assert done.returncode == 2 and said in done.stderr
    assert len(done.stderr.splitlines()) == 1 and sandbox.token not in done.stderr


def test_a_terminal_is_there_again_in_the_sandbox_that_is_named(
    gateway: GatewayAccess, tmp_path: Path
) -> None:
    sandbox = gateway.create_sandbox()
    kept = ("--folder", str(tmp_path / "kept"))

    options = (*kept, "--model", "PORTABLE", "--nexo", "0", "--zvt", "0")
    first = facts(tmp_path, variables(gateway, sandbox), *options)
    second = facts(tmp_path, variables(gateway, sandbox), *kept)

    assert first["sandbox_id"] == sandbox.id and first["base_url"] == gateway.url
    assert first["page_url"].startswith("http://127.0.0.1:")
    assert first["nexo_url"].startswith("https://127.0.0.1:") and "nexo_url" not in second
    assert first["zvt_address"].startswith("127.0.0.1:") and "zvt_address" not in second
    assert second["terminal_id"] == first["terminal_id"]
    (known,) = sandbox.control.terminals(sandbox.id)
    assert known["model"] == "SANDGATE_PORTABLE"

    other = gateway.create_sandbox()
    ended = refused(variables(gateway, other), *kept)
    assert "which it does not know" in ended and first["terminal_id"] in ended


def test_a_folder_is_not_opened_in_a_copy_of_its_sandbox(
    gateway: GatewayAccess, tmp_path: Path
) -> None:
    """A copy knows the terminal and its keys, for a channel with another id."""
    sandbox, folder = gateway.create_sandbox(), tmp_path / "kept"
    facts(tmp_path, variables(gateway, sandbox), "--folder", str(folder))
    kept = json.loads((folder / "identity.json").read_text())
    (folder / "identity.json").write_text(json.dumps({**kept, "channel": "0" * 32}))

    ended = refused(variables(gateway, sandbox), "--folder", str(folder))

    assert "this one is a copy of it" in ended and kept["id"] in ended


@pytest.mark.parametrize("option", ["--remote-keys", "--next-keys"])
def test_a_terminal_loads_new_keys_at_each_start(
    gateway: GatewayAccess, tmp_path: Path, option: str
) -> None:
    sandbox = gateway.create_sandbox()
    options = ("--folder", str(tmp_path / "kept"), option)

    keys = []
    for _ in range(2):
        facts(tmp_path, variables(gateway, sandbox), *options)
        (known,) = sandbox.control.terminals(sandbox.id)
        keys.append({each["id"] for each in known["keys"]})

    assert len(keys[0]) == len(keys[1]) == 2 and keys[0].isdisjoint(keys[1])


def test_a_sandbox_of_its_own_is_deleted_and_hints_are_printed(gateway: GatewayAccess) -> None:
    control = gateway.control()
    before = {each["id"] for each in control.sandboxes()}
    process = subprocess.Popen(
        command("--port", "0"), env=variables(gateway), stdout=subprocess.PIPE, text=True
    )
    with process:
        first = process.stdout.readline()
        assert first.startswith("Terminal ") and "ready: http://127.0.0.1:" in first
        assert len(control.sandboxes()) == len(before) + 1
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert process.wait(20) == 0

    assert "PIN 1234" in rest and "switched off" in rest
    assert {each["id"] for each in control.sandboxes()} == before
    control.close()


ENTERED, DRAWN, LEFT = b"\x1b[?1049h", b"Sale", b"\x1b[?1049l"


def test_a_text_window_ends_orderly_on_sigterm(gateway: GatewayAccess) -> None:
    """The screen is given back, and what was created for the terminal is gone."""
    control = gateway.control()
    before = {each["id"] for each in control.sandboxes()}
    screen, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        command("--port", "0", "--tui"), env={**variables(gateway), "TERM": "xterm-256color"},
        stdin=side, stdout=side, stderr=side, start_new_session=True,
    )  # fmt: skip
    os.close(side)
    with process:
        shown = read_screen(screen, until=DRAWN)
        assert ENTERED in shown and len(control.sandboxes()) == len(before) + 1
        process.send_signal(signal.SIGTERM)
        rest = read_screen(screen)
        assert process.wait(20) == 0, rest
    os.close(screen)

    assert LEFT in rest and b"switched off" in rest.rpartition(LEFT)[2]
    assert b"Traceback" not in shown + rest
    assert {each["id"] for each in control.sandboxes()} == before
    control.close()


def read_screen(screen: int, until: bytes = b"") -> bytes:
    """What is drawn: until this, or the end."""
    drawn = b""
    while not until or until not in drawn:
        assert select.select([screen], [], [], 30)[0], drawn
        try:
            piece = os.read(screen, 65536)
        except OSError:
            # The end, on Linux.
            piece = b""
        if not piece:
            break
        drawn += piece
    return drawn


def refused(environment: dict[str, str], *options: str) -> str:
    """What a start says that is refused."""
    ended = subprocess.run(
        command("--port", "0", *options), env=environment,
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert ended.returncode == 2, ended.stderr
    assert "Traceback" not in ended.stderr
    return ended.stderr


def test_what_cannot_be_opened_is_named(gateway: GatewayAccess, tmp_path: Path) -> None:
    named = variables(gateway)
    rates = tmp_path / "rates.toml"
    rates.write_text("rate = 1")
    (tmp_path / "identity.json").write_text(json.dumps({"id": "x"}))
    till = tmp_path / "till.toml"
    till.write_text("poi = 'P1'")

    assert "COUNTERTOP" in refused(named, "--model", "TOASTER")
    assert "identity.json" in refused(named, "--folder", str(tmp_path))
    assert "expected a gateway" in refused({**named, "SANDGATE_CONTROL_URL": "http://127.0.0.1:9/"})
    assert "65535" in refused(named, "--port", "70000")
    assert "--tui: expected a text window" in refused(named, "--tui")
    assert "rate is unknown" in refused(named, "--conversion", str(rates))
    assert "degrees with at most 8 decimals" in refused(
        named, "--model", "PORTABLE", "--position", "here"
    )
    assert "with GPS, got COUNTERTOP" in refused(named, "--position", "52.5,13.4")
    assert "poi is unknown" in refused(named, "--nexo", "0", "--nexo-settings", str(till))
    assert "expected --nexo PORT beside it" in refused(named, "--nexo-settings", str(till))


def test_a_start_that_is_refused_leaves_no_terminal_behind(
    gateway: GatewayAccess, tmp_path: Path
) -> None:
    sandbox = gateway.create_sandbox()
    named, kept = variables(gateway, sandbox), ("--folder", str(tmp_path / "kept"))
    till = tmp_path / "till.toml"
    till.write_text("poi = 'P1'")

    refused(named, *kept, "--position", "52.5,13.4")
    refused(named, *kept, "--model", "PORTABLE", "--position", "here")
    refused(named, *kept, "--nexo", "0", "--nexo-settings", str(till))
    refused(named, *kept, "--model", "TOASTER")
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = str(other.getsockname()[1])
        for option in PORTS:
            refused(named, *kept, option, taken)

    assert list(sandbox.control.terminals(sandbox.id)) == []
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--nexo", "{0}"), "--nexo: expected a free port, got {0}: " + IN_USE),
        (("--nexo", "{1}", "--zvt", "{1}"), "--zvt: expected a free port, got {1}: " + IN_USE),
        (("--model", "TOASTER"), "--model: expected one of COUNTERTOP, "),
        (("--model", "PINPAD", "--position", "52.5,13.4"), "with GPS, got PINPAD"),
    ],
)
def test_what_no_terminal_can_have_is_refused_before_a_gateway_is_started(
    options: tuple[str, ...], said: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        with socket.create_server(("127.0.0.1", 0)) as free:
            ports = [each.getsockname()[1] for each in (other, free)]
        error = refused(without_settings(), *(each.format(*ports) for each in options))

    assert said.format(*ports) in error and "no gateway is named" not in error


def test_a_terminal_stays_of_its_model(gateway: GatewayAccess, tmp_path: Path) -> None:
    named, kept = variables(gateway, gateway.create_sandbox()), ("--folder", str(tmp_path / "kept"))
    facts(tmp_path, named, *kept, "--model", "PORTABLE", "--position", "52.5,13.4")

    facts(tmp_path, named, *kept, "--position", "48.1,11.5")
    facts(tmp_path, named, *kept, "--model", "portable")
    other = refused(named, *kept, "--model", "PINPAD")

    assert "expected PORTABLE, the model of the terminal in" in other and "got PINPAD" in other


def test_a_port_or_folder_that_is_in_use_is_named(gateway: GatewayAccess, tmp_path: Path) -> None:
    named, kept = variables(gateway, gateway.create_sandbox()), ("--folder", str(tmp_path / "kept"))
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = str(other.getsockname()[1])
        for option in PORTS:
            assert f"{option}: expected a free port, got {taken}: " in refused(named, option, taken)

    running = command("--port", "0", "--ready-json", *kept)
    with running_server(running, environment=named):
        assert f"another process uses {tmp_path / 'kept'}" in refused(named, *kept)
