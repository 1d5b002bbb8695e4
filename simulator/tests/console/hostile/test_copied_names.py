"""No id or number of the hierarchy of a sandbox is in a copy of it, in whichever form it stands."""

import re
import zlib
from base64 import b64decode, urlsafe_b64decode
from binascii import Error as BadBase64
from collections.abc import Iterator

import gevent
import msgspec
import pytest

from simulator.adapters.ids import RandomIds
from simulator.adapters.settlement.archive import FilePiece
from simulator.adapters.store.snapshots import FILES
from simulator.domain.acquiring.host_entries import LostRequest
from simulator.domain.acquiring.messages import acceptor_of, terminal_of
from simulator.domain.copied_names import renaming
from simulator.domain.core.hosts import LIVE
from simulator.domain.settlement.numbers import number_on
from simulator.tests.console.hostile.test_sandbox_copies import challenged, secured
from simulator.tests.console.test_class_data import class_with_data
from simulator.tests.console.test_classes import joined
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import CONTROL_KEY, Credentials, Gateway
from simulator.tests.kit.shopper import Shopper
from simulator.tests.settlement.test_runs import INSTITUTES
from simulator.tests.terminals.keys import Device, sent_by

KEY = {"Authorization": f"Bearer {CONTROL_KEY}"}
# Cards of this brand are asked for no 3-D Secure.
MASTER = {"paymentBrand": "MASTER", "card.number": "5454545454545454"}
# So many characters of an id come together in nothing else.
WINDOW = 12
BASE64, HEX = re.compile(rb"[\w+/-]{24,}={0,2}", re.ASCII), re.compile(rb"(?:[0-9a-f]{2}){24,}")
ONE, OTHER, NEW = "8" + "a" * 31, "8" + "b" * 31, "8" + "c" * 31
RENAME = renaming(ONE, {ONE: NEW, OTHER: "8" + "d" * 31}, key="")


class FullSandbox:
    """A sandbox in which there is something of everything."""

    def __init__(self, gateway: Gateway):
        self.gateway = gateway
        self.shop, _ = secured(gateway)
        self.id, self.test = self.shop.sandbox, self.shop.merchant
        (merchant,) = self.call("GET", "/merchants")["merchants"]
        token = self.call("POST", f"/merchants/{merchant['id']}/tokens", {"host": "live"})["token"]
        self.live = Credentials(token, self.test.entity_id, "live")

    def call(self, method: str, path: str, document: object = None) -> dict:
        """A call of the control API."""
        return dict(self.gateway.control(method, f"/sandboxes/{self.id}{path}", document).json)

    def fill(self) -> None:
        """Sell in all ways on both hosts, settle at all institutes, let files be late."""
        for form in ("json", "hex"):
            self.call("POST", "/webhooks", {"url": "inbox", "format": form})
        for who in (self.test, self.live):
            paid = self.gateway.post(who=who, createRegistration="true", **MASTER).json
            sent = {"entityId": who.entity_id, "paymentType": "RF", "amount": "1.00",
                    "currency": "EUR"}  # fmt: skip
            self.gateway.send(f"/v1/payments/{paid['id']}", sent, who)
            asked = {**sent, "paymentType": "DB"}
            assert self.gateway.send("/v1/checkouts", asked, who).status_code == 200
        Shopper(self.gateway, self.id, self.test).pays(notificationUrl="http://127.0.0.1:9/")
        challenged(self.shop)
        device = Device.of(self.gateway, self.id, method="AES")
        self.gateway.post(who=self.test, **sent_by(device, testMode="EXTERNAL"))
        for institute in INSTITUTES:
            plan = {"institute": institute, "plan": "file: late\ncounts: {deferred: 1}\n"}
            self.call("POST", "/settlement-faults", plan)
        for span in ("3d", "1d"):
            self.call("POST", "/clock/advance", {"by": span})
            self.call("POST", "/settlements", {})
        self.call("POST", "/drain", {})

    def lose(self) -> None:
        """Send a request to the card host that has no answer, and so far none to its reversal."""
        self.call("POST", "/scripts", {"behaviour": "line-silent", "times": 1})
        who, store = self.test, self.gateway.ports(self.id).store
        paying = gevent.spawn(self.gateway.post, who=who, testMode="EXTERNAL", **MASTER)
        with gevent.Timeout(20):
            while not any(store.between(LostRequest, "due", "", "~")):
                gevent.sleep(0.05)
                self.call("POST", "/clock/advance", {"by": "5s"})
        paying.join(timeout=5)


def stored(gateway: Gateway, sandbox: str) -> Iterator[bytes]:
    """All that is stored of a sandbox: each line of its log, and each file with its name."""
    path = f"/_sandbox/v1/sandboxes/{sandbox}/snapshot"
    lines = gateway.client.simulate_get(path, headers=KEY).content.splitlines(keepends=True)
    end = lines.index(FILES)
    yield from lines[2:end]
    for line in lines[end + 1 :]:
        piece = msgspec.json.decode(line, type=FilePiece)
        yield piece.path.encode()
        yield zlib.decompress(piece.content)


def whole(text: bytes) -> Iterator[bytes]:
    """A text, and what stands in it in another form."""
    yield text
    for found in HEX.findall(text):
        yield bytes.fromhex(found.decode())
    for found in BASE64.findall(text):
        yield from unpacked(found.rstrip(b"=") + b"==")


def unpacked(found: bytes) -> Iterator[bytes]:
    """What is in Base64, compressed or not."""
    decode = urlsafe_b64decode if {*b"-_"} & {*found} else b64decode
    try:
        content = decode(found)
    except BadBase64:
        return
    yield content
    try:
        yield zlib.decompress(content)
    except zlib.error:
        return


def windows(text: str, size: int = WINDOW) -> set[bytes]:
    """All parts of a text of this size."""
    return {text[at : at + size].encode() for at in range(len(text) - size + 1)}


def traces(gateway: Gateway, sandbox: str, wanted: set[bytes]) -> set[bytes]:
    """Which of these parts are in what is stored of a sandbox, whatever the case of letters."""
    found = set[bytes]()
    for line in stored(gateway, sandbox):
        for text in whole(line):
            low = text.lower()
            for size in {len(each) for each in wanted}:
                parts = (low[at : at + size] for at in range(len(low) - size + 1))
                found |= wanted.intersection(parts)
    return found


def test_no_part_of_an_id_is_in_a_copy_whatever_form_it_has(
    gateway: Gateway, anna: Visitor
) -> None:
    full = FullSandbox(gateway)
    full.fill()
    full.lose()
    was = gateway.ports(full.id).sandbox
    (merchant,) = was.merchants
    (channel,) = merchant.channels
    ids = (was.id, was.psp, was.division, merchant.id, channel.id, channel.merchant_account)
    wanted = set[bytes]().union(*map(windows, ids))
    derived = terminal_of(was.id, channel.id).lower().encode()
    forms = {
        number_on(LIVE, channel.merchant_account).lower().encode(),
        acceptor_of(channel.id).encode(), derived, *(each.encode() for each in ids),
    }  # fmt: skip
    assert traces(gateway, was.id, forms) == forms, "the original has each form that is known"

    own = str(joined(gateway, class_with_data(anna, was.id), "Ada")[1])

    assert traces(gateway, own, wanted | {derived}) == set()


@pytest.mark.parametrize(
    "text",
    ["%s", '"x\\u0000%s"', "/redirect/%s/a", "01032%s02", "ab%sef", "2608030001%sEUR", "8abc%s"],
)
@pytest.mark.parametrize("host", ["test", "live"])
def test_an_id_is_renamed_wherever_it_stands(text: str, host: str) -> None:
    was, new = (text % number_on(host, each) for each in (ONE, NEW))
    assert RENAME(was.encode()) == new.encode()
    assert RENAME(acceptor_of(ONE).encode()) == acceptor_of(NEW).encode()


def test_ids_that_touch_are_each_renamed_and_what_looks_like_one_stays() -> None:
    assert RENAME(f"{ONE}{OTHER}".encode()) == f"{NEW}8{'d' * 31}".encode()
    for other in (f"8{'e' * 31}", f"M{'a' * 31}", ONE.upper(), ONE[:14]):
        assert RENAME(other.encode()) == other.encode()


def test_of_thousands_of_names_each_is_found_at_once() -> None:
    ids = RandomIds()
    names = {ids.record(): ids.record() for _ in range(20_000)}
    text = " ".join(names).encode()
    assert renaming(next(iter(names)), names, key="")(text) == " ".join(names.values()).encode()
