"""Hostile names, values, bodies and card frames, one after the other, and what becomes of others.

Beside them one client asks for the health of the gateway, on a connection of its own. Afterwards
every line of the log is read: it is one JSON object, without a card number or control character.
"""

import json
import re
import socket
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

from load.proof.floods import OtherMerchant
from simulator.client.processes import ServerProcess

NUMBER = "4539578763621486"
GROUPED = " ".join(NUMBER[place : place + 4] for place in range(0, 16, 4))
FORGED = f"{NUMBER}\n12:00:00 [error    ] forged\r\x1b[2J\x1b]0;x\x07\x9b31m\u202e\u2028"
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
TIMEOUT_S, PAUSE_S = 120.0, 0.02
FORM = "application/x-www-form-urlencoded"
# What long values are made of: each comes close to a pattern again and again.
ALPHABETS: Mapping[str, str] = {
    "digits": "9",
    "groups of digits": "0000 ",
    "single digits": "1 ",
    "almost numbers": "424242424242a",
    "numbers": f"{NUMBER} ",
    "hex digits": "0123456789abcdef",
    "named secrets": "token='",
    "credentials": "bearer abcdefg",
    "brackets": "[",
    "escapes": "\\4",
    "wide digits": "４",
    "umlauts and digits": "é4",
    "lines": "4\n4",
    "control characters": "\x1b[2J",
}
FRAMES: Mapping[str, bytes] = {
    "zeros": b"\0",
    "ones": b"\xff",
    "HTTP": b"POST / HTTP/1.1\r\nContent-Length: 9999\r\n\r\n" + NUMBER.encode(),
    "short frames": b"\0\x01\x60",
    "frames with a number": b"\0\x16\x60\0\0\0\0" + NUMBER.encode() + b"\x1b",
}


class HostileRequest(NamedTuple):
    """One request that is wrong on purpose, or bytes for the card port where it has no method."""

    name: str
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class HostileResult(NamedTuple):
    """What was sent, the longest time another client waited, and its unanswered requests."""

    sent: int
    longest_s: float
    slowest: str
    unanswered: int

    def with_request(self, name: str, longest_s: float, unanswered: int) -> "HostileResult":
        """With one request more."""
        slowest = (self.longest_s, self.slowest)
        longest, slow = max(slowest, (longest_s, name))
        return HostileResult(self.sent + 1, longest, slow, self.unanswered + unanswered)


def hostile_requests(entity: str, token: str, size: int) -> Iterator[HostileRequest]:
    """All of them; the long ones have about `size` bytes."""
    bearer = {"Authorization": f"Bearer {token}", "Content-Type": FORM}

    def post(name: str, sent: str | bytes | Mapping[str, str]) -> HostileRequest:
        content = urlencode(sent) if isinstance(sent, Mapping) else sent
        body = content if isinstance(content, bytes) else content.encode()
        return HostileRequest(name, "POST", "/v1/payments", bearer, body)

    for name, alphabet in ALPHABETS.items():
        text = (alphabet * (size // len(alphabet.encode()) + 1))[:size]
        yield post(f"value: {name}", {"entityId": entity, "merchantMemo": text})
        yield post(f"name: {name}", {"entityId": entity, text: "x"})
        yield post(f"body: {name}", text)
        many = {f"{text[:100]}{number}": text[:100] for number in range(min(19_000, size // 250))}
        yield post(f"many: {name}", {"entityId": entity, **many})
    keys = {f"customParameters[pin{number}]": f"secret{number}" for number in range(2000)}
    yield post("secrets", {"entityId": entity, **keys, "merchantMemo": "secret1" * 1000})
    yield post("broken UTF-8", b"\xff" * size)
    for name in ("card.holder", "amount", "currency", "entityId", "paymentBrand", "testMode"):
        for spelled in (NUMBER, GROUPED, FORGED, "x" * 245 + NUMBER):
            yield post(f"number: {name}", {"entityId": entity, name: spelled})
    yield post("forged lines", {"entityId": entity, FORGED: FORGED})
    for path in (f"/v1/payments/{NUMBER}", f"/v1/{NUMBER}%0A%1B[2J", f"/v1/payments?{NUMBER}=1"):
        yield HostileRequest(f"path: {path[:40]}", "GET", path, bearer, b"")
    wrong = {"Authorization": f"Bearer {NUMBER}", "Content-Type": f"x/{NUMBER}"}
    yield HostileRequest("headers", "POST", "/v1/payments", wrong, NUMBER.encode())
    yield HostileRequest("control API", "POST", "/_sandbox/v1/sandboxes", wrong, FORGED.encode())
    for name, piece in FRAMES.items():
        yield HostileRequest(f"card port: {name}", "", "", {}, piece * (size // len(piece)))


def send_hostile_requests(server: ServerProcess, size: int) -> HostileResult:
    """Send all of them, while another merchant pays.

    A request is made before the clock runs: to encode a long one takes this process longer than
    others may wait.
    """
    port, facts = urlsplit(server.base_url).port or 0, server.facts
    whole = HostileResult(0, 0.0, "", 0)
    with ThreadPoolExecutor(1) as pool, OtherMerchant(server) as merchant:
        for request in hostile_requests(facts["entity_id"], facts["token"], size):
            sending = pool.submit(_send, request, port, facts["card_host"])
            longest_s, unanswered = _use_meanwhile(merchant, sending)
            sending.result()
            whole = whole.with_request(request.name, longest_s, unanswered)
    return whole


def _use_meanwhile(merchant: OtherMerchant, sending: "Future[None]") -> tuple[float, int]:
    """The longest time the merchant waited until all was sent, and its payments not taken."""
    longest_s, unanswered, is_over = 0.0, 0, False
    while not is_over:
        is_over = sending.done()
        began = monotonic()
        unanswered += not merchant.pay()
        longest_s = max(longest_s, monotonic() - began)
        sleep(PAUSE_S)
    return longest_s, unanswered


def faults_of_log(log: Path) -> list[str]:
    """What is wrong with each line of a log for machines that is no good line."""
    text = log.read_text(encoding="utf-8")
    return [
        f"{fault}: {line[:300]}"
        for line in text.removesuffix("\n").split("\n")
        if line and (fault := _fault_of(line))
    ]


def _fault_of(line: str) -> str:
    try:
        entry = json.loads(line)
    except ValueError:
        return "no JSON"
    if not isinstance(entry, dict) or not {"time", "level", "logger", "message"} <= entry.keys():
        return "no entry"
    if CONTROL.search(line):
        return "a control character"
    if NUMBER in "".join(sign for sign in line if sign.isdigit()):
        return "a card number"
    if len(line) > 64 * 1024:
        return "too long"
    return "a traceback" if "exception" in entry else ""


def _send(request: HostileRequest, port: int, card_host: str) -> None:
    if not request.method:
        host, _, card_port = card_host.rpartition(":")
        with suppress(OSError), socket.create_connection((host, int(card_port)), 5) as line:
            line.sendall(request.body)
            line.recv(1)
        return
    connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
    with suppress(BrokenPipeError, ConnectionResetError, HTTPException):
        connection.request(
            request.method, request.path, body=request.body, headers=dict(request.headers)
        )
        connection.getresponse().read()
    connection.close()
