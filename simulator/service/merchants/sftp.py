"""Access of merchants to the SFTP server: granted, read, ended, and found at a login."""

from typing import NamedTuple

from msgspec.structs import replace

from simulator.domain.core.entities import Merchant, Sandbox, SftpAccess
from simulator.domain.merchants.sftp import AskedSftpAccess, Granted, grant_sftp, password_of
from simulator.domain.merchants.tokens import Mint
from simulator.domain.ports.server import ServerPorts
from simulator.service.merchants.entities import UnknownEntityError, change_merchant_with, one_of
from simulator.service.sandboxes.sandboxes import vault_of


class SftpMerchant(NamedTuple):
    """A merchant that may log in: where it stands, its password (empty: none) and its keys.
    `access` is how they are stored.
    """

    sandbox: str
    merchant: str
    password: str
    keys: tuple[str, ...]
    access: SftpAccess


def set_sftp_access(
    server: ServerPorts, sandbox: str, merchant: str, asked: AskedSftpAccess
) -> Granted:
    """Let the merchant log in like this from now on; who has logged in before is cut off. Raises
    UnknownSandboxError, UnknownEntityError, InvalidInputError.
    """

    def decide(world: Sandbox, before: Merchant) -> tuple[Merchant, Granted]:
        mint = Mint(server.ids, vault_of(server, world), server.clock.now())
        granted = grant_sftp(before, asked, mint)
        return granted.merchant, granted

    return change_merchant_with(server, sandbox, merchant, decide)


def remove_sftp_access(server: ServerPorts, sandbox: str, merchant: str) -> None:
    """Let the merchant log in no more. Raises UnknownSandboxError, UnknownEntityError."""

    def decide(_: Sandbox, before: Merchant) -> tuple[Merchant, None]:
        return replace(with_sftp_access(before), sftp=None), None

    change_merchant_with(server, sandbox, merchant, decide)


def with_sftp_access(merchant: Merchant) -> Merchant:
    """The merchant. Raises UnknownEntityError where it has no access."""
    if merchant.sftp is None:
        raise UnknownEntityError("the merchant in the path has no access by SFTP")
    return merchant


def find_sftp_merchant(server: ServerPorts, name: str) -> SftpMerchant | None:
    """Who logs in as `name`, the id of a merchant; None where it has no access."""
    sandbox = server.registry.sandbox_of_merchant(name)
    if sandbox is None:
        return None
    merchant = one_of(sandbox.merchants, name)
    if merchant.sftp is None:
        return None
    password = password_of(merchant, vault_of(server, sandbox))
    return SftpMerchant(sandbox.id, merchant.id, password, merchant.sftp.keys, merchant.sftp)


def has_sftp_access(server: ServerPorts, found: SftpMerchant) -> bool:
    """Whether a merchant that has logged in still has the access that it logged in by: another
    password is another access, and so is the same that is set anew.
    """
    sandbox = server.registry.sandbox(found.sandbox)
    held = () if sandbox is None else sandbox.merchants
    return any(each.id == found.merchant and each.sftp == found.access for each in held)
