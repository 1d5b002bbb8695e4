"""The address of a sandbox's inbox."""

from simulator.domain.core.errors import ConflictError
from simulator.domain.core.ports import Ports, unit_of
from simulator.domain.webhooks.records import INBOX, Mailbox

KEY_DIGITS = 32


class UnknownInboxError(Exception):
    """No inbox has the address."""


def mailbox_of(ports: Ports) -> Mailbox:
    """The part of the inbox's address that nobody can guess, made when it is first asked for."""
    while True:
        found = ports.store.get(Mailbox, INBOX)
        if found is not None:
            return found
        try:
            ports.store.commit(unit_of(Mailbox(key=ports.ids.hex(KEY_DIGITS))))
        except ConflictError:
            continue
