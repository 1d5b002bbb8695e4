"""Clients that other people wrote: sftp and scp of OpenSSH, lftp, rclone, where installed.

Each fetches a whole folder into `into`, by key or by password, as its manual says.
"""

import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from simulator.tests.adapters.sftp.conftest import Served

Fetch = Callable[[Served, str, Path], None]
TIMEOUT_S = 30


def fetch_by_openssh(served: Served, folder: str, into: Path) -> None:
    """`get -r` of OpenSSH, with the key."""
    command = ["sftp", *openssh_options(served, into), "-b", "-"]
    run([*command, f"{served.merchants[0]}@{served.address[0]}"], f"get -r {folder} {into}\n")


def fetch_by_scp(served: Served, folder: str, into: Path) -> None:
    """`scp -r` of OpenSSH, with the key; it looks at the status that its session ends with."""
    source = f"{served.merchants[0]}@{served.address[0]}:{folder}"
    run(["scp", *openssh_options(served, into), "-r", source, str(into)])


def openssh_options(served: Served, into: Path) -> list[str]:
    """What OpenSSH's clients are given: the port, the key, and a file of known hosts."""
    options = ("StrictHostKeyChecking=no", f"UserKnownHostsFile={into.parent / 'known'}",
               "IdentitiesOnly=yes", "BatchMode=yes")  # fmt: skip
    given = [part for option in options for part in ("-o", option)]
    return ["-q", "-P", str(served.address[1]), "-i", str(served.key), *given]


def fetch_by_lftp(served: Served, folder: str, into: Path) -> None:
    """`mirror` of lftp, which drives OpenSSH's ssh, with the key."""
    host, port = served.address
    connect = (
        f"ssh -a -x -o StrictHostKeyChecking=no -o UserKnownHostsFile={into.parent / 'known'} "
        f"-o IdentitiesOnly=yes -i {served.key}"
    )
    script = (
        f'set sftp:connect-program "{connect}"; set net:max-retries 1; '
        f"open -u {served.merchants[0]}, -p {port} sftp://{host}; mirror {folder} {into}; bye"
    )
    run(["lftp", "--norc", "-c", script])


def fetch_by_rclone(served: Served, folder: str, into: Path) -> None:
    """`copy` of rclone, with the password; it asks for checksums by commands, which are refused."""
    host, port = served.address
    hidden = run(["rclone", "obscure", served.passwords[0]]).strip()
    run(
        ["rclone", "--config", "/dev/null", "copy", f":sftp:{folder}", str(into),
         "--sftp-host", host, "--sftp-port", str(port), "--sftp-user", served.merchants[0],
         "--sftp-pass", hidden, "--retries", "1"]
    )  # fmt: skip


def run(command: list[str], asked: str = "") -> str:
    """What a command prints. Raises AssertionError with what it said where it fails."""
    done = subprocess.run(
        command, input=asked, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


FETCHERS: Mapping[str, Fetch] = {
    "sftp": fetch_by_openssh, "scp": fetch_by_scp, "lftp": fetch_by_lftp,
    "rclone": fetch_by_rclone,
}  # fmt: skip


def skip_where_missing(client: str) -> None:
    """Skip a test of a client that is not installed."""
    if client in FETCHERS and shutil.which(client) is None:
        pytest.skip(f"{client} is not installed")
