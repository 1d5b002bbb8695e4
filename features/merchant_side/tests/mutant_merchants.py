"""A box of bad receivers: the example, each with one mistake that a developer might have made.

A mistake is an edit of examples/receiver/receiver.py: what stands there, and what stands there
instead. So each row can be read as the difference between a good receiver and a bad one.
"""

from typing import NamedTuple

Edit = tuple[str, str]


class Bad(NamedTuple):
    """A receiver with one mistake, and the checks made to find it, within this limit of time."""

    name: str
    caught_by: tuple[str, ...]
    edits: tuple[Edit, ...]
    time_limit_s: float = 10.0


DECRYPT = "plain = AESGCM(key).decrypt(iv, bytes.fromhex(digits) + tag, None)"
WHERE = "WHERE payments.state = 'pending' AND excluded.state <> 'pending'"
REFUSED = "        except Refused:\n            return 400\n"
OPENED = "            event = opened(headers, body, self.key)\n"
LEARNT = '            self.run(LEARN, payload["id"], state_of(payload["result"]))\n'
PAYMENT = '        if event.get("type") == "PAYMENT":\n'
PAYLOAD = '            payload = event["payload"]\n'
ANSWERED = '                self.answer(shop.notified(self.headers, body), "")\n'
READ = "        return self.read(checkout)\n"
SAYS = '            says = "Thank you'
STATE = '        state = "pending" if code == "800.120.100" else state_of({"code": code})\n'
CIPHER = (
    "from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes; "
    "it = Cipher(algorithms.AES(key), {mode}).decryptor(); plain = it.update(bytes.fromhex(digits))"
)


def followed(join: str) -> tuple[Edit, ...]:
    """The edits of a shop that asks the resourcePath a browser brought, joined so."""
    return (
        (READ, '        return self.read(checkout, query.get("resourcePath", [""])[0])\n'),
        ("def read(self, checkout):", "def read(self, checkout, path):"),
        ('self.ask("GET", f"/v1/checkouts/{checkout}/payment", {})', 'self.ask("GET", path, {})'),
        ('url = self.gateway.rstrip("/") + path', f"url = {join}"),
        ("import parse_qs, urlencode, urlsplit", "import parse_qs, urlencode, urljoin, urlsplit"),
    )


def unless(condition: str, status: int) -> tuple[Edit, ...]:
    """The edit of a receiver that answers `status` to what it opened unless this holds."""
    return ((PAYMENT, f"        if not ({condition}):\n            return {status}\n{PAYMENT}"),)


BOX = (
    Bad("accepts-anything",
        tuple(f"refuses:{how}" for how in (
            "wrong-key", "altered-body", "altered-tag", "wrong-iv", "truncated-body", "no-tag",
            "no-iv", "plain-text", "no-digits", "empty-body")),
        ((REFUSED, REFUSED.replace("400", "200")),)),
    Bad("never-checks-the-tag", ("refuses:altered-tag",),
        ((DECRYPT, CIPHER.format(mode="modes.CTR(iv + bytes([0, 0, 0, 2]))")),)),
    Bad("takes-four-bytes-of-tag", ("refuses:short-tag",),
        (("if len(tag) != TAG_BYTES:", "if len(tag) < 4:"),
         (DECRYPT, CIPHER.format(mode="modes.GCM(iv, tag, min_tag_length=4)")
          + " + it.finalize()"))),
    Bad("falls-back-to-plain-text", ("refuses:plain-text",),
        ((OPENED, '            is_plain = "X-Authentication-Tag" not in headers\n'
          "            event = (\n                json.loads(body) if is_plain else "
          "opened(headers, body, self.key)\n            )\n"),
         (REFUSED, REFUSED.replace("Refused", "(Refused, ValueError)")))),
    Bad("takes-an-empty-body-for-a-health-check", ("refuses:empty-body",),
        ((OPENED, "            if not body:\n                return 200\n" + OPENED),)),
    Bad("books-what-it-refuses", ("refuses:acts-on-none",),
        ((REFUSED, '        except Refused:\n            if b"payload" in body:\n'
          '                self.run(LEARN, json.loads(body)["payload"]["id"], "paid")\n'
          "            return 400\n"),)),
    Bad("answers-too-slowly", ("takes:payment",),
        ((ANSWERED, "                time.sleep(1)\n" + ANSWERED),), time_limit_s=0.5),
    Bad("drops-the-connection", ("takes:payment",),
        ((ANSWERED, "                shop.notified(self.headers, body)\n"
          "                self.close_connection = True\n"),)),
    Bad("refuses-the-activation", ("takes:activation",),
        unless('event.get("type") != "test"', 400)),
    Bad("refuses-declines", ("takes:declined",),
        unless('state_of(event["payload"].get("result", {})) != "failed"', 402)),
    Bad("knows-no-json-wrapper", ("takes:other-form",),
        (('json.loads(text)["encryptedBody"] if text.startswith("{") else text', "text"),)),
    Bad("takes-payments-alone", ("takes:registration", "takes:schedule", "takes:unknown-type"),
        unless('event.get("type") in ("PAYMENT", "test")', 400)),
    Bad("fails-on-an-unknown-type", ("takes:schedule", "takes:unknown-type"),
        unless('event.get("type") in ("PAYMENT", "REGISTRATION", "test")', 500)),
    Bad("demands-an-action", ("takes:no-action",), unless('"action" in event', 400)),
    Bad("demands-an-event-id", ("takes:no-event-id",), unless('headers["X-Event-Id"]', 400)),
    Bad("knows-capital-digits-alone", ("takes:lower-case",),
        (("        iv = bytes", "        if digits != digits.upper():\n"
          '            raise Refused("digits")\n        iv = bytes'),)),
    Bad("breaks-on-unknown-members", ("takes:unknown-members",),
        unless('set(event) <= {"type", "action", "payload"}', 422)),
    Bad("reads-ascii", ("takes:letters",),
        (("return json.loads(plain)", 'return json.loads(plain.decode("ascii"))'),)),
    Bad("has-the-usual-limit-of-a-body", ("takes:big",),
        (("BODY_BYTES_MAX = 16 * 1024 * 1024", "BODY_BYTES_MAX = 100 * 1024"),)),
    Bad("reads-once", ("takes:pieces",),
        (("self.rfile.read(length)", "self.rfile.read1(length)"),
         ("if len(body) == length:", "if True:"))),
    Bad("is-too-busy-for-a-burst", ("takes:burst",),
        (("self.lock = threading.Lock()",
          "self.lock, self.room = threading.Lock(), threading.Semaphore(5)"),
         (PAYMENT, "        if not self.room.acquire(blocking=False):\n            return 503\n"
          "        time.sleep(0.2)\n        self.room.release()\n" + PAYMENT))),
    Bad("answers-before-it-stores-and-forgets", ("takes:burst",),
        (("self.lock = threading.Lock()",
          "self.lock, self.room = threading.Lock(), threading.Semaphore(5)"),
         (PAYMENT, "        if not self.room.acquire(blocking=False):\n            return 200\n"
          "        time.sleep(0.2)\n        self.room.release()\n" + PAYMENT))),

    Bad("takes-live-codes-alone", ("understands:paid",),
        ((r"|000\.100\.1|", "|"),)),
    Bad("knows-the-code-of-the-test-system-alone", ("understands:paid-live",),
        ((r"000\.000\.|000\.100\.1|000\.[36]", r"000\.100\.110"),)),
    Bad("takes-every-payment-for-paid", ("understands:declined", "understands:pending"),
        ((LEARNT, LEARNT.replace('state_of(payload["result"])', '"paid"')),)),
    Bad("takes-pending-for-failed", ("understands:pending",),
        ((r"000\.200|800\.400\.5|100\.400\.500", "never"),)),
    Bad("reads-the-first-alone", ("understands:then-paid", "understands:then-declined"),
        ((WHERE, "WHERE false"),)),
    Bad("reads-good-news-alone", ("understands:then-declined",),
        ((WHERE, WHERE + " AND excluded.state = 'paid'"),)),

    Bad("refuses-what-it-knows", ("survives:twice",),
        ((LEARNT, '            if self.believes(payload["id"]):\n                return 409\n'
          + LEARNT),)),
    Bad("counts-duplicates-twice", ("survives:twice-once", "survives:replay"),
        ((WHERE, "WHERE payments.state IN ('pending', excluded.state)"),)),
    Bad("looks-then-writes", ("survives:at-once",),
        ((LEARNT, '            known = self.believes(payload["id"])\n'
          '            if known and known["state"] != "pending":\n                return 200\n'
          "            time.sleep(0.2)\n" + LEARNT), (WHERE, "WHERE true"))),
    Bad("trusts-the-event-id", ("survives:replay",),
        ((LEARNT, '            seen = self.__dict__.setdefault("seen", set())\n'
          '            if headers["X-Event-Id"] in seen:\n                return 200\n'
          '            seen.add(headers["X-Event-Id"])\n' + LEARNT),
         (WHERE, "WHERE payments.state IN ('pending', excluded.state)"))),
    Bad("lets-the-last-to-arrive-win",
        ("survives:updated-first", "survives:declined-first", "survives:older-again"),
        ((WHERE, "WHERE payments.state <> excluded.state"),)),
    Bad("remembers-what-it-refused", ("survives:damaged",),
        ((OPENED, '            seen = self.__dict__.setdefault("seen", set())\n'
          '            if headers["X-Event-Id"] in seen:\n                return 200\n'
          '            seen.add(headers["X-Event-Id"])\n' + OPENED),)),
    Bad("keeps-half-a-body", ("survives:broken-off",),
        (("self.rfile.read(length)",
          'self.server.__dict__.pop("left", b"") + self.rfile.read(length)'),
         ("            if len(body) == length:\n", "            if len(body) < length:\n"
          "                self.server.left = body\n            else:\n"))),
    Bad("never-commits", ("survives:restart",),
        ((", isolation_level=None", ""),)),
    Bad("keeps-everything-in-memory", ("survives:restart",),
        (("sqlite3.connect(database", 'sqlite3.connect(":memory:"'),)),

    Bad("never-thanks", ("return:paid",), ((SAYS, SAYS.replace("Thank you", "Dear customer")),)),
    Bad("trusts-the-redirect", ("return:paid", "return:unpaid", "return:declined"),
        ((READ, '        return "paid"\n'),)),
    Bad("takes-any-end-for-paid", ("return:declined",),
        ((STATE, STATE + '        state = "pending" if state == "pending" else "paid"\n'),)),
    Bad("guesses-where-nothing-is-said", ("return:no-parameters",),
        ((SAYS, '            state = state if query else "paid"\n' + SAYS),)),
    Bad("reads-the-status-in-the-address", ("return:claims",),
        ((SAYS, '            state = query.get("status", [state])[0]\n' + SAYS),)),
    Bad("reads-whatever-order-is-named", ("return:another-order",),
        ((READ, "        return self.read(named or checkout)\n"),)),
    Bad("thanks-without-an-answer", ("return:gateway-down",),
        (('            return "pending"\n', '            return "paid"\n'),)),
    Bad("breaks-down-with-the-gateway", ("return:gateway-down",),
        (('            return "pending"\n', '            return "broken"\n'),
         ("            self.answer(200, says)", '            self.answer(500 if state == "broken" '
          "else 200, says)"))),
    Bad("joins-whatever-it-is-given", ("return:other-host", "return:double-slash"),
        followed("urljoin(self.gateway, path)")),
    Bad("appends-whatever-it-is-given", ("return:at-sign", "return:dots"),
        # As most clients read an address; the one of the example does not know user names in it.
        followed('re.sub("//[^/]*@", "//", self.gateway.rstrip("/") + path)')),
    Bad("looks-at-the-beginning-of-a-path", ("return:dots",),
        followed('self.gateway.rstrip("/") + (path if path.startswith("/v1/checkouts") else "/")')),
    Bad("serves-its-shoppers-alone", ("return:called",),
        (('("cookie", cookie) if cookie else ("checkout", named)', '("cookie", cookie)'),)),

    Bad("asks-every-300-milliseconds", ("polls:waiting",),
        ((STATE, STATE + """
        def ask_again():
            try:
                self.read(checkout)
            except sqlite3.Error:
                "The shop is closed."
        if state == "pending":
            threading.Timer(0.3, ask_again).start()
"""),)),
    Bad("asks-at-every-reload", ("polls:reloading",),
        ((" or time.time() < next_read", ""),)),
    Bad("asks-again-at-once", ("polls:backs-off",),
        ((STATE, '        if code == "800.120.100":\n            time.sleep(0.2)\n'
          '            self.ask("GET", f"/v1/checkouts/{checkout}/payment", {})\n' + STATE),)),
)  # fmt: skip
