"""An access that ends, or gets another password, ends the connections that logged in by it."""

from collections.abc import Callable, Iterator
from contextlib import closing

import paramiko
import pytest

from simulator.adapters.sftp.users import AccessLook
from simulator.client import Control
from simulator.client.processes import gateway_in
from simulator.tests.adapters.sftp.test_login import Hand

PASSWORD, OTHER = "a password of mine", "another password"
ENDED = (EOFError, OSError, paramiko.SSHException)


class Merchant:
    """A merchant of a sandbox of its own, whose access is changed."""

    def __init__(self, control: Control, sftp: str):
        self.control, (host, _, port) = control, sftp.rpartition(":")
        made = control.create_sandbox()
        self.sandbox, self.id = made["id"], made["entities"]["merchants"][0]["id"]
        self._path = f"sandboxes/{self.sandbox}/merchants/{self.id}/sftp"
        self._address = (host, int(port))
        control.set_sftp_access(self.sandbox, self.id, password=PASSWORD)

    def connect(self, password: str = PASSWORD) -> paramiko.Transport:
        transport = paramiko.Transport(self._address)
        transport.start_client(timeout=10)
        transport.auth_password(self.id, password)
        return transport

    def change_password(self) -> None:
        self.control.set_sftp_access(self.sandbox, self.id, password=OTHER)

    def change_nothing_but_the_password_to_itself(self) -> None:
        self.control.set_sftp_access(self.sandbox, self.id, password=PASSWORD)

    def end_access(self) -> None:
        self.control._ask("DELETE", self._path)

    def delete_sandbox(self) -> None:
        self.control.delete(self.sandbox)


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with gateway_in(tmp_path_factory.mktemp("ended")) as facts:
        yield facts


@pytest.fixture
def merchant(gateway: dict[str, str]) -> Iterator[Merchant]:
    with closing(Control(gateway["control_url"], gateway["control_key"])) as control:
        yield Merchant(control, gateway["sftp"])


@pytest.mark.parametrize("end", [
    Merchant.change_password, Merchant.change_nothing_but_the_password_to_itself,
    Merchant.end_access, Merchant.delete_sandbox,
])  # fmt: skip
def test_an_open_session_ends_with_its_access(
    merchant: Merchant, end: Callable[[Merchant], None]
) -> None:
    """It went on for as long as it asked for something every five minutes."""
    with closing(merchant.connect()) as open_now, closing(merchant.connect()) as idle:
        session = paramiko.SFTPClient.from_transport(open_now)
        assert session is not None and session.listdir("/") == ["reconciliation"]

        end(merchant)

        with pytest.raises(ENDED):
            session.listdir("/")
        open_now.join(10)
        assert not open_now.is_active()
        with pytest.raises(ENDED):
            paramiko.SFTPClient.from_transport(idle)


def test_a_session_goes_on_when_that_of_another_merchant_ends(merchant: Merchant) -> None:
    other = merchant.control.add_merchant(merchant.sandbox, name="Other")["id"]
    with closing(merchant.connect()) as transport:
        session = paramiko.SFTPClient.from_transport(transport)
        merchant.control.set_sftp_access(merchant.sandbox, other, password=OTHER)
        merchant.control.change_merchant(merchant.sandbox, merchant.id, name="Renamed")
        assert session is not None and session.listdir("/") == ["reconciliation"]


def test_the_members_of_a_fleet_look_at_most_once_a_second() -> None:
    """Each look asks the database."""
    clock, looks = Hand(), list[float]()
    look = AccessLook(lambda: looks.append(clock.now) or len(looks) < 3, 1.0, clock)

    assert look() and look() and len(looks) == 1
    clock.now += 1.1
    assert look() and len(looks) == 2
    clock.now += 1.1
    assert not look() and len(looks) == 3
