"""300 readers of the live pages that never take their answers cost no one else anything."""

import socket
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from urllib.parse import urlsplit

from features.support.console import ConsolePerson
from simulator.client import VISA, Client, Connection
from simulator.tests.console.visitor import PASSWORD
from simulator.tests.kit.running import serving

READERS, BYTES_EACH_MAX = 300, 200_000
SECONDS_MAX = 5


def resident_bytes(pid: int) -> int:
    """The memory of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096


def test_readers_that_never_read_keep_no_payment_waiting(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server, ExitStack() as open_ones:
        facts = server.facts
        anna = ConsolePerson(Connection(facts["base_url"]))
        link = urlsplit(facts["console_url"]).path
        assert anna.send(link, {"name": "anna", "password": PASSWORD}).status == 303
        root = f"/console/{facts['sandbox_id']}"
        place = urlsplit(facts["base_url"])
        client = Client(facts["base_url"], token=facts["token"], entity_id=facts["entity_id"])
        sent = {**VISA, "paymentType": "DB", "amount": "92.00", "currency": "EUR"}
        for _ in range(50):
            client.post("v1/payments", sent)
        before = resident_bytes(server.process.pid)
        ask = (
            f"GET {root}/journal/now HTTP/1.1\r\nHost: {place.netloc}\r\n"
            f"Cookie: {anna._cookie}\r\n\r\n"
        ).encode()
        for _ in range(READERS):
            reader = open_ones.enter_context(socket.socket())
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.connect((place.hostname, place.port))
            # As many as fit: the answers to the later ones are never taken.
            reader.sendall(ask * 5)

        began = perf_counter()
        answer = client.post("v1/payments", sent)
        page = anna.open(f"{root}/payments")

        assert (answer.status, page.status) == (200, 200)
        assert perf_counter() - began < SECONDS_MAX
        assert resident_bytes(server.process.pid) - before < READERS * BYTES_EACH_MAX
        client.close()
