"""The merchant's side: a webhook receiver, and the result page a shopper returns to.

It needs the standard library and `cryptography`. Its state is in one SQLite file: an event is
committed there before the receiver answers 200. It passes `sandgate check-merchant`;
docs/how-to/check-merchant.md says what each of its lines is for.

    SANDGATE_WEBHOOK_SECRET=... python receiver.py --port 3000 --gateway http://127.0.0.1:18090/
"""

import argparse
import json
import os
import re
import secrets
import sqlite3
import threading
import time
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

BODY_BYTES_MAX = 16 * 1024 * 1024
TAG_BYTES = 16
# A checkout may be read twice a minute, so it is read every 31 seconds at most.
SECONDS_BETWEEN_READS = 31
PAID = re.compile(r"000\.000\.|000\.100\.1|000\.[36]")
PENDING = re.compile(r"000\.200|800\.400\.5|100\.400\.500")
TABLES = """
CREATE TABLE IF NOT EXISTS payments (id TEXT PRIMARY KEY, state TEXT, changes INTEGER);
CREATE TABLE IF NOT EXISTS orders (
    cookie TEXT PRIMARY KEY, checkout TEXT UNIQUE, state TEXT, next_read REAL
);
"""
# One statement, so that two at once cannot both act. A final state is never changed by a pending
# one, whatever the order they come in, and the same state twice is no change.
LEARN = """
INSERT INTO payments VALUES (?, ?, 1) ON CONFLICT (id) DO UPDATE
SET state = excluded.state, changes = changes + 1
WHERE payments.state = 'pending' AND excluded.state <> 'pending'
"""


class Refused(Exception):
    """A notification that is not the gateway's, or was altered on its way."""


def opened(headers, body, key):
    """The notification inside a body: hex text, or a JSON object with it. Raises Refused."""
    try:
        text = body.decode("ascii")
        digits = json.loads(text)["encryptedBody"] if text.startswith("{") else text
        iv = bytes.fromhex(headers["X-Initialization-Vector"])
        tag = bytes.fromhex(headers["X-Authentication-Tag"])
        # A shorter tag is easier to guess.
        if len(tag) != TAG_BYTES:
            raise Refused("the tag")
        plain = AESGCM(key).decrypt(iv, bytes.fromhex(digits) + tag, None)
    except (ValueError, KeyError, TypeError, InvalidTag) as error:
        raise Refused(str(error)) from error
    return json.loads(plain)


def state_of(result):
    """What a result code means. The codes of a live gateway are others than those of a test one."""
    code = result.get("code", "")
    if PAID.match(code):
        return "paid"
    return "pending" if PENDING.match(code) else "failed"


class Shop:
    """What the shop knows, and how it learns it."""

    def __init__(self, key, gateway, database):
        self.key = key
        self.gateway = gateway
        self.token = os.environ.get("SANDGATE_TOKEN", "token-of-the-example")
        self.entity = os.environ.get("SANDGATE_ENTITY_ID", "8a8294174b7ecb28014b9699220015ca")
        self.lock = threading.Lock()
        self.database = sqlite3.connect(database, check_same_thread=False, isolation_level=None)
        self.database.executescript(TABLES)

    def run(self, statement, *values):
        """The rows a statement gives. Each is a transaction, on disk when this returns."""
        with self.lock:
            return self.database.execute(statement, values).fetchall()

    def notified(self, headers, body):
        """Take a notification; the status to answer it with."""
        try:
            event = opened(headers, body, self.key)
        except Refused:
            return 400
        # Unknown types and members are accepted too: a refused one is sent again for 30 days.
        if event.get("type") == "PAYMENT":
            payload = event["payload"]
            self.run(LEARN, payload["id"], state_of(payload["result"]))
        return 200

    def believes(self, payment):
        """What `sandgate check-merchant --state-url` asks for, or None."""
        rows = self.run("SELECT state, changes FROM payments WHERE id = ?", payment)
        return {"id": payment, "state": rows[0][0], "changes": rows[0][1]} if rows else None

    def begin(self):
        """A new order with a checkout of its own; the cookie that knows it."""
        sent = {"paymentType": "DB", "amount": "92.00", "currency": "EUR"}
        answer = self.ask("POST", "/v1/checkouts", sent | {"merchantTransactionId": "order-4711"})
        cookie = secrets.token_urlsafe(24)
        self.run("INSERT INTO orders VALUES (?, ?, 'pending', 0)", cookie, answer["id"])
        return cookie

    def returned(self, cookie, query):
        """How the order of this shopper stands, once the gateway has been asked.

        The checkout is looked up, not believed: what the browser brings only names an order. The
        gateway calls without a cookie when the result was not read, and names it by the id.
        """
        named = query.get("id", [""])[0]
        column, value = ("cookie", cookie) if cookie else ("checkout", named)
        rows = self.run(f"SELECT checkout, state, next_read FROM orders WHERE {column} = ?", value)
        if not rows:
            return "unknown"
        checkout, state, next_read = rows[0]
        if state != "pending" or time.time() < next_read:
            return state
        return self.read(checkout)

    def read(self, checkout):
        """Ask the gateway how a checkout ended, and keep what it says."""
        soon = time.time() + SECONDS_BETWEEN_READS
        self.run("UPDATE orders SET next_read = ? WHERE checkout = ?", soon, checkout)
        try:
            # The path is the shop's own: no resourcePath is ever asked that a browser brought.
            answer = self.ask("GET", f"/v1/checkouts/{checkout}/payment", {})
        except (OSError, ValueError):
            return "pending"
        code = answer.get("result", {}).get("code", "")
        # 800.120.100 says that it was asked too often, and nothing about the payment.
        state = "pending" if code == "800.120.100" else state_of({"code": code})
        self.run("UPDATE orders SET state = ? WHERE checkout = ?", state, checkout)
        return state

    def ask(self, method, path, sent):
        """The gateway's answer. Raises OSError or ValueError where none came."""
        form = urlencode({"entityId": self.entity, **sent})
        url = self.gateway.rstrip("/") + path
        body = form.encode() if method == "POST" else None
        request = Request(url if body else f"{url}?{form}", body, method=method)
        request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urlopen(request, timeout=10) as response:
                return json.load(response)
        except HTTPError as refused:
            return json.load(refused)


def handler_of(shop):
    """The pages of a shop."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 60

        def do_POST(self):
            length = int(self.headers.get("Content-Length") or 0)
            if length > BODY_BYTES_MAX:
                self.close_connection = True
                self.answer(413, "")
                return
            body = self.rfile.read(length)
            if len(body) == length:
                self.answer(shop.notified(self.headers, body), "")

        def do_GET(self):
            page, query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
            if page == "/state":
                known = shop.believes(query.get("id", [""])[0])
                self.answer(200 if known else 404, json.dumps(known), "application/json")
            elif page == "/buy":
                self.buy()
            elif page == "/done":
                self.done(query)
            else:
                self.answer(404, "There is no such page.")

        def buy(self):
            try:
                cookie = shop.begin()
            except (URLError, ValueError, KeyError):
                self.answer(502, "The gateway cannot be reached.")
                return
            self.answer(200, "92.00 EUR, please.", cookie=cookie)

        def done(self, query):
            cookies = SimpleCookie(self.headers.get("Cookie", ""))
            cookie = cookies["order"].value if "order" in cookies else ""
            state = shop.returned(cookie, query)
            says = "Thank you, your order is on its way." if state == "paid" else f"Order: {state}."
            self.answer(200, says)

        def answer(self, status, text, kind="text/html; charset=utf-8", cookie=None):
            content = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            if cookie:
                self.send_header("Set-Cookie", f"order={cookie}; HttpOnly; SameSite=Lax; Path=/")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *message):
            """Log nothing: a log of notifications would show who paid what."""

    return Handler


def server_of(shop, port):
    """A server on loopback. Fifty may come at once, so fifty may wait to be let in."""
    server = ThreadingHTTPServer(("127.0.0.1", port), handler_of(shop), bind_and_activate=False)
    server.request_queue_size = 128
    server.server_bind()
    server.server_activate()
    return server


def main():
    """Serve until stopped."""
    parser = argparse.ArgumentParser(description="A merchant's receiver and result page.")
    parser.add_argument("--port", type=int, default=3000)
    parser.add_argument("--gateway", default="http://127.0.0.1:18090/")
    parser.add_argument("--database", default=":memory:", help="a file keeps its state")
    given = parser.parse_args()
    secret = os.environ.get("SANDGATE_WEBHOOK_SECRET", "")
    if re.fullmatch("[0-9a-fA-F]{64}", secret) is None:
        parser.error(
            "SANDGATE_WEBHOOK_SECRET: expected 64 hex digits, the secret of the webhook; "
            "docs/how-to/check-merchant.md says how to make one"
        )
    key = bytes.fromhex(secret)
    try:
        server = server_of(Shop(key, given.gateway, given.database), given.port)
    except (OSError, OverflowError, sqlite3.Error) as error:
        parser.error(f"--port {given.port} or --database {given.database} cannot be used: {error}")
    print(f"listening on http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
