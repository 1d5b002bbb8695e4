"""`sandgate run`: what the command gets, what it leaves, and that nothing outlives it."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from simulator.client import Client, Connection
from simulator.tests.kit.gateway import ORDER
from simulator.tests.kit.running import clean_environment
from simulator.variables import FORMER_KEY, VARIABLES

SHOW = "import json, os; print(json.dumps(dict(os.environ)), flush=True)"
SECONDS_MAX = 30


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder outside the repository, with a package of the gateway's own name in the way."""
    (tmp_path / "project" / "simulator").mkdir(parents=True)
    (tmp_path / "project" / "simulator" / "__init__.py").write_text("raise SystemExit('not this')")
    (tmp_path / "temporary").mkdir()
    return tmp_path / "project"


def command_of(*arguments: str) -> list[str]:
    # -P leaves out the folder we stand in, as the installed command does.
    return [sys.executable, "-P", "-m", "simulator", "run", *arguments]


def environment_in(folder: Path, **more: str) -> dict[str, str]:
    return {**clean_environment(), "TMPDIR": str(folder.parent / "temporary"), **more}


def ran(folder: Path, *arguments: str, stdin: str = "", **more: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        command_of(*arguments),
        cwd=folder, env=environment_in(folder, **more), input=stdin,
        capture_output=True, text=True, timeout=SECONDS_MAX,
    )  # fmt: skip


@contextmanager
def running(folder: Path, program: str) -> Iterator[tuple[subprocess.Popen, dict[str, str]]]:
    """A run whose command has said its environment, and goes on with `program`."""
    process = subprocess.Popen(
        command_of("--", sys.executable, "-c", f"{SHOW}\n{program}"),
        cwd=folder, env=environment_in(folder), stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        try:
            yield process, json.loads(process.stdout.readline())
        finally:
            process.kill()


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder.parent / "temporary").iterdir())


def is_served(url: str) -> bool:
    try:
        return Connection(url, timeout_s=5).ask("GET", "_sandbox/health", headers={}).status == 200
    except OSError:
        return False


def ends(url: str) -> bool:
    """Whether the gateway at this address stops before long."""
    end = time.monotonic() + SECONDS_MAX
    while is_served(url) and time.monotonic() < end:
        time.sleep(0.05)
    return not is_served(url)


PAYING = f"""
from simulator.client import Client, Control
import os
env = os.environ
client = Client(env["SANDGATE_TLS_URL"], env["SANDGATE_TOKEN"], env["SANDGATE_ENTITY_ID"],
                ca_file=env["SANDGATE_CA_FILE"])
control = Control(env["SANDGATE_CONTROL_URL"], env["SANDGATE_CONTROL_API_KEY"])
assert client.post("v1/payments", {ORDER!r}).code == "000.100.110"
assert control.sandbox(env["SANDGATE_SANDBOX_ID"])["profile"] == "field"
"""


def test_the_command_gets_addresses_and_credentials_that_work(outside: Path) -> None:
    done = ran(outside, "--profile", "field", "--", sys.executable, "-P", "-c", SHOW + PAYING)

    assert (done.returncode, done.stderr) == (0, "")
    given = json.loads(done.stdout)
    assert [name for name, _ in VARIABLES if not given.get(name)] == []
    assert given[FORMER_KEY] == given["SANDGATE_CONTROL_API_KEY"]
    assert not is_served(given["SANDGATE_URL"])
    assert left_in(outside) == []


@pytest.mark.parametrize(
    ("program", "status"),
    [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", 143), ("kill -KILL $$", 137)],
)
def test_the_exit_status_is_that_of_the_command(outside: Path, program: str, status: int) -> None:
    done = ran(outside, "--", "sh", "-c", program)

    assert (done.returncode, done.stderr) == (status, "")
    assert left_in(outside) == []


def test_input_and_output_are_those_of_the_command(outside: Path) -> None:
    done = ran(outside, "--", "sh", "-c", "cat; echo trouble >&2", stdin="one\ntwo\n")

    assert (done.stdout, done.stderr) == ("one\ntwo\n", "trouble\n")


def test_options_after_the_command_are_the_commands(outside: Path) -> None:
    done = ran(outside, "echo", "--profile", "serve")

    assert done.stdout == "--profile serve\n"


@pytest.mark.parametrize(("command", "status"), [("no-such-command", 127), ("/", 126)])
def test_a_command_that_cannot_be_run_is_reported_as_a_shell_reports_it(
    outside: Path, command: str, status: int
) -> None:
    done = ran(outside, "--", command)

    assert done.returncode == status
    assert done.stderr.startswith(f"sandgate: {command}: ")
    assert left_in(outside) == []


def test_a_gateway_that_cannot_start_says_why_and_the_command_is_not_run(outside: Path) -> None:
    done = ran(outside, "--override", "D-999=field", "--", "echo", "ran")

    assert (done.returncode, done.stdout) == (125, "")
    assert "D-999" in done.stderr
    assert "Traceback" not in done.stderr
    assert left_in(outside) == []


def test_a_wrong_option_is_reported_before_anything_starts(outside: Path) -> None:
    done = ran(outside, "--profile", "unknown", "--", "echo", "ran")

    assert (done.returncode, done.stdout) == (2, "")


def test_a_folder_that_is_named_is_kept(outside: Path) -> None:
    first = ran(outside, "--data", "kept", "--", sys.executable, "-c", SHOW)
    second = ran(outside, "--data", "kept", "--", sys.executable, "-c", SHOW)

    one, other = json.loads(first.stdout), json.loads(second.stdout)
    assert one["SANDGATE_CONTROL_API_KEY"] == other["SANDGATE_CONTROL_API_KEY"]
    assert one["SANDGATE_TOKEN"] != other["SANDGATE_TOKEN"]
    assert one["SANDGATE_CA_FILE"] == str(outside / "kept" / "tls" / "ca.pem")


def test_settings_of_another_gateway_do_not_get_in_the_way(outside: Path) -> None:
    (outside / "sandgate.toml").write_text('port = 1\ndata = "other"\nprofile = "field"\n')

    done = ran(outside, "--", sys.executable, "-c", SHOW, SANDGATE_TLS_PORT="1")

    assert done.returncode == 0, done.stderr
    assert not (outside / "other").exists()


# No server is there: a gateway that took it could not start.
AWAY = "postgresql://127.0.0.1:1/none"
FLEET = {"SANDGATE_STORE": AWAY, "SANDGATE_PROCESSES": "2", "SANDGATE_PEER_KEY": "k" * 24}


def test_a_database_of_the_environment_is_left_alone(outside: Path) -> None:
    done = ran(outside, "--", sys.executable, "-c", SHOW, **FLEET)

    assert done.returncode == 0, done.stderr


def test_a_database_that_is_named_by_hand_is_taken(outside: Path) -> None:
    done = ran(outside, "--store", AWAY, "--", sys.executable, "-c", SHOW)

    assert done.returncode == 125
    assert "127.0.0.1" in done.stderr


@pytest.mark.parametrize("options", [(), ("--config", "named.toml")], ids=["found", "named"])
def test_a_database_of_a_configuration_file_is_refused_without_a_folder(
    outside: Path, options: tuple[str, ...]
) -> None:
    file = options[1] if options else "sandgate.toml"
    (outside / file).write_text(f'store = "{AWAY}"\n')

    done = ran(outside, *options, "--", sys.executable, "-c", SHOW)

    assert (done.returncode, done.stdout) == (2, "")
    assert "name it by --store, or keep the folder by --data" in done.stderr


def test_what_is_given_by_hand_completes_the_environment(outside: Path) -> None:
    key = "a key of at least sixteen"

    done = ran(
        outside, "--control-key", key.replace(" ", "-"), "--", sys.executable, "-c", SHOW,
        SANDGATE_HOST="0.0.0.0", **FLEET,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr


WAITING = """
import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: (print("stopped", flush=True), sys.exit(3)))
print("waits", flush=True)
time.sleep(60)
"""


def test_a_signal_reaches_the_command_and_its_status_comes_back(outside: Path) -> None:
    with running(outside, WAITING) as (process, given):
        assert process.stdout.readline() == "waits\n"
        process.send_signal(signal.SIGTERM)

        assert process.stdout.readline() == "stopped\n"
        assert process.wait(SECONDS_MAX) == 3
    assert not is_served(given["SANDGATE_URL"])
    assert left_in(outside) == []


def test_the_gateway_serves_until_the_command_has_ended_also_after_a_signal_to_stop(
    outside: Path,
) -> None:
    program = WAITING.replace('print("stopped", flush=True)', "pay()").replace(
        "import signal, sys, time",
        "import os, signal, sys, time, urllib.request\n"
        "def pay():\n"
        "    health = os.environ['SANDGATE_URL'] + '_sandbox/health'\n"
        "    print(urllib.request.urlopen(health).status, flush=True)\n",
    )
    with running(outside, program) as (process, _):
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)

        assert process.stdout.readline() == "200\n"


def test_where_the_run_itself_is_killed_the_gateway_stops(outside: Path) -> None:
    with running(outside, "print(os.getpid(), flush=True); import time; time.sleep(60)") as (
        process, given,
    ):  # fmt: skip
        command = int(process.stdout.readline())
        process.kill()
        process.wait()

        assert ends(given["SANDGATE_URL"])
        os.kill(command, signal.SIGKILL)


def test_a_sandbox_of_the_default_gateway_is_not_the_commands(outside: Path) -> None:
    with running(outside, "import time; time.sleep(60)") as (process, given):
        merchant = Client(
            given["SANDGATE_URL"], given["SANDGATE_TOKEN"], given["SANDGATE_ENTITY_ID"]
        )

        assert merchant.post("v1/payments", ORDER).status == 200
        merchant.close()
        process.terminate()
        assert process.wait(SECONDS_MAX) == 143


COUNTING = """
import signal, sys, time
taken = []
signal.signal(signal.SIGINT, lambda *_: taken.append(1))
print("waits", flush=True)
while not taken:
    time.sleep(0.01)
time.sleep(0.3)
sys.exit(len(taken))
"""


def test_ctrl_c_in_a_terminal_reaches_the_command_once(outside: Path) -> None:
    keyboard, terminal = os.openpty()
    process = subprocess.Popen(
        command_of("--", sys.executable, "-c", COUNTING),
        cwd=outside, env=environment_in(outside), stdout=subprocess.PIPE, text=True,
        stdin=terminal, start_new_session=True, preexec_fn=lambda: _as_terminal(terminal),
    )  # fmt: skip
    with process:
        assert process.stdout.readline() == "waits\n"
        os.write(keyboard, b"\x03")

        assert process.wait(SECONDS_MAX) == 1
    os.close(keyboard)
    os.close(terminal)


def _as_terminal(handle: int) -> None:
    """Make it the terminal that the session of this process is controlled by."""
    fcntl.ioctl(handle, termios.TIOCSCTTY, 0)
