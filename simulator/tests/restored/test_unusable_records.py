"""Records of a snapshot whose types are right and whose values no gateway stored: refused whole, so
that nothing is answered 500 later. Each place that is read later is altered alone.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from scenarios.loader import load_behaviours
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.sandboxes.test_advance import FROZEN, card_of, schedule_of
from simulator.tests.sandboxes.test_hostile_snapshots import Opened, opened, restore, taken_of
from simulator.tests.terminals.test_remote_loading import request_of

Record = dict[str, Any]
CARD_NUMBER = "4539578763621486"
WORDS = ("", "NaN", "1e400", "\ud83d\ude00", "9" * 400, "VISA")


@pytest.fixture(scope="module")
def genuine(gateway: Gateway) -> bytes:
    """A snapshot of a sandbox in which every kind of record below was stored."""
    made = gateway.control("POST", "/sandboxes", {"clock": FROZEN}).json
    who, path = Credentials(made["token"], made["entity_id"]), f"/sandboxes/{made['id']}"
    registered = gateway.send("/v1/registrations", card_of(who.entity_id), who).json["id"]
    scheduled = schedule_of(registered, who.entity_id)
    assert gateway.send("/scheduling/v1/schedules", scheduled, who).status_code == 200
    session = {"entityId": who.entity_id, "amount": "92.00", "currency": "EUR"}
    gateway.send("/v1/checkouts", {**session, "paymentType": "DB"}, who)
    gateway.control("GET", f"{path}/wallet")
    terminal = gateway.control("POST", f"{path}/terminals", {"loading": "remote"}).json
    own = request_of(rsa.generate_private_key(65537, 2048), terminal["id"], terminal["device"])
    gateway.control("POST", f"{path}/terminals/{terminal['id']}/certificate", {"request": own})
    gateway.control("POST", f"{path}/webhooks", {"url": "http://127.0.0.1:9/", "secret": "0" * 64})
    gateway.control("POST", f"{path}/clock/advance", {"by": "2d"})
    gateway.control("POST", f"{path}/scripts", {"behaviour": "account-closed"})
    assert gateway.post(who=who).status_code == 400
    return taken_of(gateway, made["id"])


@pytest.fixture
def parts(genuine: bytes) -> Opened:
    return opened(genuine)


def put(value: object, *path: str) -> Callable[[Record], object]:
    """What puts a value in a place of a record."""

    def change(record: Record) -> None:
        *within, last = path
        for name in within:
            record = record[name]
        record[last] = value

    return change


def altered(parts: Opened, table: str, change: Callable[[Record], object]) -> bytes:
    """The file with the last record of this table altered."""
    stored = [each for unit in parts.units for each in unit if each[0] == table and each[2]]
    change(stored[-1][2][1])
    return parts.closed()


# fmt: off
PLACES: tuple[tuple[str, tuple[str, ...]], ...] = (
    # table            the place that is read later
    ("payments",       ("outcome", "code")),
    ("payments",       ("money", "amount")),
    ("payments",       ("brand",)),
    ("payments",       ("card", "expiryYear")),
    ("payments",       ("sealed_card", "number")),
    ("registrations",  ("outcome", "code")),
    ("registrations",  ("brand",)),
    ("registrations",  ("card", "expiryMonth")),
    ("registrations",  ("sealed_card", "number")),
    ("schedules",      ("sent", "amount")),
    ("schedules",      ("sent", "job.expression")),
    ("schedules",      ("last", "code")),
    ("checkouts",      ("sent", "amount")),
    ("checkouts",      ("sent", "paymentType")),
    ("schedules",      ("sent", "paymentType")),
    ("scripts",        ("behaviour", "steps", "acquirer", "decline", "code")),
    ("wallet_keys",    ("sealed",)),
    ("terminal_keys",  ("sealed",)),
    ("terminal_authorities", ("sealed",)),
    ("endpoints",      ("secret",)),
)
REFERRING = ("RV", "CP", "RF", "CB", "RI", "3D")
CHANGES: tuple[tuple[str, str, Callable[[Record], object]], ...] = (
    ("schedules",  "nothing sent",         put({}, "sent")),
    ("scripts",    "an answer of nothing", put({}, "behaviour", "steps", "acquirer", "decline")),
    ("scripts",    "a behaviour of nothing", put({}, "behaviour")),
    ("scripts",    "steps of an unknown party", put({"clown": {}}, "behaviour", "steps")),
    ("scripts",    "an unknown criterion", put({"clown": "x"}, "match")),
    ("scripts",    "repetitions without end",
     put({"duplicate": {"times": 1_000_000_000}}, "behaviour", "steps", "webhooks")),
    ("scripts",    "fewer answers than one", put(0, "times")),
    *(("schedules", f"a type that is not begun by itself, {kind}", put(kind, "sent", "paymentType"))
      for kind in (*REFERRING, "RG")),
    *(("checkouts", f"a type that is not begun by itself, {kind}", put(kind, "sent", "paymentType"))
      for kind in REFERRING),
    ("checkouts",  "such a type of a brand", put("RV", "sent", "overridePaymentType[VISA]")),
    ("payments",   "a reversal of nothing", put("RV", "type")),
    ("payments",   "no money",             lambda made: made.pop("money")),
    ("payments",   "a card number",        put({"card.number": CARD_NUMBER}, "sent")),
    ("payments",   "a code of a card",     put({"card.cvv": "731"}, "sent")),
    ("checkouts",  "a card number",        put({"card.number": CARD_NUMBER}, "sent")),
)
# fmt: on


@pytest.mark.parametrize(
    ("table", "place", "word"),
    [
        pytest.param(table, place, word, id=f"{table}.{'.'.join(place)}-{ascii(word)}")
        for table, place in PLACES
        for word in WORDS
        # An account that is no card has no expiry.
        if (word or not place[-1].startswith("expiry")) and (word, place[-1]) != ("VISA", "brand")
    ],
)
def test_a_word_where_none_can_be_is_refused(
    gateway: Gateway, parts: Opened, table: str, place: tuple[str, ...], word: str
) -> None:
    assert_refused(gateway, altered(parts, table, put(word, *place)))


@pytest.mark.parametrize(
    ("table", "change"),
    [(table, change) for table, _, change in CHANGES],
    ids=[f"{table}: {what}" for table, what, _ in CHANGES],
)
def test_a_record_that_lacks_or_adds_something_is_refused(
    gateway: Gateway, parts: Opened, table: str, change: Callable[[Record], object]
) -> None:
    assert_refused(gateway, altered(parts, table, change))


def assert_refused(gateway: Gateway, content: bytes) -> None:
    refused = restore(gateway, content)

    assert refused.status_code == 400, refused.text
    assert refused.json["error"]["where"].partition(".")[0] in ("record", "body")
    assert CARD_NUMBER not in refused.text


def test_what_a_gateway_stored_is_restored(gateway: Gateway, genuine: bytes) -> None:
    assert restore(gateway, genuine).status_code == 200


def test_every_behaviour_that_was_armed_is_restored(gateway: Gateway) -> None:
    made: Mapping[str, Any] = gateway.control("POST", "/sandboxes", {}).json
    path = f"/sandboxes/{made['id']}/scripts"
    asked = [{"behaviour": each} for each in load_behaviours()]
    armed = [gateway.control("POST", path, each).status_code for each in asked]

    assert restore(gateway, taken_of(gateway, made["id"])).status_code == 200
    assert armed.count(201) > 20
    assert len(gateway.control("GET", path).json["scripts"]) == armed.count(201)
