"""Requests to a fleet: each goes to a member that is drawn at random."""

from collections.abc import Sequence
from random import Random

from simulator.client.wire import Answer, Connection, OutgoingRequest, SendRequest

CONSOLE = "console"


class MemberSpread:
    """Draws a member for each request; `around` is the interceptor of a connection that does so.

    `base_url` and `members` are the addresses of the merchant API, one a member. What a connection
    to `base_url`, or to an address below it, sends goes to the same path of the member drawn; what
    is sent anywhere else is left alone, and so is the console: its cookie is of one address. The
    same `seed` draws the same members. Several threads may use one.
    """

    def __init__(
        self,
        base_url: str,
        members: Sequence[str],
        *,
        seed: str,
        ca_file: str | None = None,
    ):
        self._addresses = [f"{each.rstrip('/')}/" for each in (base_url, *members)]
        self._ca_file = ca_file
        self._connections: dict[tuple[str, float, int, float], Connection] = {}
        self.begin(seed)

    def begin(self, seed: str) -> None:
        """Draw by another seed from now on."""
        self._random = Random(seed)

    def draw(self) -> str:
        """The address of the member that gets the next request; it ends with a slash."""
        return self._random.choice(self._addresses)

    def around(self, asked: OutgoingRequest, send: SendRequest) -> Answer:
        """The answer of a member to a request that was to be sent to the first."""
        own, base = self._addresses[0], f"{asked.base_url.rstrip('/')}/"
        is_spread = base.startswith(own) and not asked.path.startswith(CONSOLE)
        member = self.draw() if is_spread else own
        if member == own:
            return send()
        connection = self._connection_to(member + base.removeprefix(own), asked)
        return connection.ask(
            asked.method, asked.path, headers=asked.headers, body=asked.body, into=asked.into
        )

    def _connection_to(self, address: str, asked: OutgoingRequest) -> Connection:
        """The connection to a member, with the limits of the one that was to be used; made once: to
        read the certificates that are trusted takes a tenth of a second.
        """
        place = (address, asked.timeout_s, asked.bytes_max, asked.answer_s)
        found = self._connections.get(place)
        if found is not None:
            return found
        made = Connection(
            address,
            timeout_s=asked.timeout_s,
            ca_file=self._ca_file,
            bytes_max=asked.bytes_max,
            answer_s=asked.answer_s,
        )
        return self._connections.setdefault(place, made)

    def close(self) -> None:
        """Close the connections; a later request opens another."""
        for each in self._connections.values():
            each.close()
