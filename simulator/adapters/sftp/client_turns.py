"""Turns in which the clients of the SFTP server are served. Choice: D-421."""

import sys
from dataclasses import dataclass

from simulator.adapters.turns import OwnersTurns, next_turn


class ClientTurns:
    """Of all clients one packet or request is served in each turn of the event loop, in rounds over
    the groups to which they belong, and of a group in rounds over its clients.
    """

    __slots__ = ("_of_clients", "_of_groups")

    def __init__(self) -> None:
        self._of_groups = OwnersTurns(1)
        # Of each client one waits for its group.
        self._of_clients = OwnersTurns(sys.maxsize)

    def take(self, group: str, client: str) -> None:
        """Wait for a turn; everything else that is ready comes before it."""
        with self._of_clients.taken(client), self._of_groups.taken(group):
            next_turn()


@dataclass(slots=True)
class OwnTurns:
    """Those of one connection: of its address, and after the login of its merchant."""

    turns: ClientTurns
    group: str
    client: str

    def take(self) -> None:
        """Wait for the next one."""
        self.turns.take(self.group, self.client)
