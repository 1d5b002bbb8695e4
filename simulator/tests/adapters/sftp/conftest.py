"""One gateway process with the SFTP server, two merchants that may log in, and their files."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import paramiko
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from simulator.client import Control
from simulator.client.processes import gateway_in

CONTENT = b"ReconciliationType;PaymentType\r\nSETTLED;DEBIT\r\n"
MONTH = "/reconciliation/2030-01"


@dataclass(frozen=True)
class Served:
    """The server, its facts and its folder; two merchants of one sandbox, the first of which logs
    in by a password and by the key in the file `key`, the other by its password.
    """

    facts: dict[str, Any]
    folder: Path
    sandbox: str
    merchants: tuple[str, str]
    passwords: tuple[str, str]
    key: Path

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens."""
        host, _, port = self.facts["sftp"].rpartition(":")
        return host, int(port)

    def outgoing(self, merchant: int) -> Path:
        """The folder a merchant sees."""
        return self.folder / "data" / self.sandbox / "outgoing" / self.merchants[merchant]

    def log(self) -> str:
        """What the gateway has logged."""
        return (self.folder / "stderr").read_text()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """It serves for all tests of the folder; none of them changes a file."""
    folder = tmp_path_factory.mktemp("sftp")
    key = folder / "id_ed25519"
    public = new_key(key)
    with gateway_in(folder) as facts:
        control = Control(facts["control_url"], facts["control_key"])
        sandbox = control.create_sandbox(merchants=[{"name": "First"}, {"name": "Second"}])
        first, second = (each["id"] for each in sandbox["entities"]["merchants"])
        chosen = "a password of mine"
        control.set_sftp_access(sandbox["id"], first, password=chosen, keys=[f"{public} jane@till"])
        generated = control.set_sftp_access(sandbox["id"], second)["password"]
        control.close()
        made = Served(facts, folder, sandbox["id"], (first, second), (chosen, generated), key)
        for merchant in (0, 1):
            deliver(made.outgoing(merchant), f"{merchant}.csv")
        yield made


def deliver(outgoing: Path, name: str) -> None:
    """A file as the gateway leaves it, one that is still written, and a link out of the folder."""
    month = outgoing / MONTH.lstrip("/")
    month.mkdir(parents=True)
    (month / name).write_bytes(CONTENT)
    (month / f".{name}.part").write_bytes(CONTENT[:10])
    (month / "link.csv").symlink_to("/etc/hostname")
    (outgoing / "reconciliation" / "etc").symlink_to("/etc")


def new_key(path: Path) -> str:
    """A new private key in a file as OpenSSH reads it, and the line of its public half."""
    key = Ed25519PrivateKey.generate()
    written = key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    path.write_bytes(written)
    path.chmod(0o600)
    return f"ssh-ed25519 {paramiko.Ed25519Key.from_private_key_file(str(path)).get_base64()}"
