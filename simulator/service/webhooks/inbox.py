"""The URL of a sandbox's inbox."""

from simulator.domain.core.errors import ConflictError
from simulator.domain.core.ports import Ports, unit_of
from simulator.domain.webhooks.records import INBOX, InboxAddress

KEY_DIGITS = 32


class UnknownInboxError(Exception):
    """No inbox has the URL."""


def inbox_address_of(ports: Ports) -> InboxAddress:
    """The unguessable part of the inbox's URL, created when it is first read."""
    while True:
        found = ports.store.get(InboxAddress, INBOX)
        if found is not None:
            return found
        try:
            ports.store.commit(unit_of(InboxAddress(key=ports.ids.hex(KEY_DIGITS))))
        except ConflictError:
            continue
