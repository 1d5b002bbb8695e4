"""The URL of a sandbox's inbox."""

from typing import Protocol

from simulator.domain.core.ports import HasIds, HasStore, unit_of
from simulator.domain.core.transact import transact
from simulator.domain.webhooks.records import INBOX, InboxAddress

KEY_DIGITS = 32


class InboxAddressPorts(HasIds, HasStore, Protocol):
    """What the address of the inbox needs."""


class UnknownInboxError(Exception):
    """No inbox has the URL."""


def inbox_address_of(ports: InboxAddressPorts) -> InboxAddress:
    """The unguessable part of the inbox's URL, created when it is first read."""

    def read_or_create() -> InboxAddress:
        found = ports.store.get(InboxAddress, INBOX)
        if found is None:
            found = InboxAddress(key=ports.ids.hex(KEY_DIGITS))
            ports.store.commit(unit_of(found))
        return found

    return transact(ports.store, read_or_create)
