"""Directory server and ACS for tests: the real servers, a gateway that takes results, clocks that
are moved by hand.
"""

import json
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from datetime import timedelta
from types import SimpleNamespace
from urllib.parse import urlencode

from falcon import testing

from acquirer_mocks.three_d_secure.access_control import AccessControl, AcsPorts, RandomSource
from acquirer_mocks.three_d_secure.application import AcsParts, create_acs_app
from acquirer_mocks.three_d_secure.challenges import Challenges
from acquirer_mocks.three_d_secure.directory import Carrier, SimulatedDirectoryServer
from acquirer_mocks.three_d_secure.signing import Signer
from simulator.adapters.journal import JournalRing, MemoryJournal
from simulator.adapters.sandboxes.holds import HeldMessages
from simulator.domain.core.ports import unit_of
from simulator.tests.adapters.store.memory_store import MemoryStore
from simulator.tests.kit.steering import script_of
from simulator.tests.kit.twins import HandClock

SANDBOX, PAYMENT = "a" * 32, "8" * 32
GATEWAY = "http://gateway.test/"
RESULTS = f"{GATEWAY}3ds/results"
BACK = f"{GATEWAY}3ds/back"
SERVER_ID = "11111111-2222-4333-8444-555555555555"
CODE = "246813"
KEY = "key-of-the-sandbox"
CHALLENGE_CARD, PLAIN_CARD = "4200000000000018", "4200000000000000"
FRICTIONLESS_CARD = "4200000000000026"
SESSION = "c2Vzc2lvbg"


class Bench:
    """The application with everything around it. `results` are the RReq that came to the
    gateway.
    """

    def __init__(self, *scripts: dict, answers: tuple = (), most: int = 100, signer=None):
        self.store, self.clock, self.real = MemoryStore(), HandClock(jumps=True), HandClock()
        self.results, self.answers, self.waits = [], list(answers), []
        self.epoch = "0123456789abcdef"
        ring = JournalRing(100, timedelta(days=1))
        self.journal = MemoryJournal(ring, clock=self.clock, real=self.real)
        if scripts:
            self.store.commit(unit_of(*(each for each in map(_script, range(9), scripts))))
        self.signer = signer or Signer()
        self.kept, self.begin = Challenges(most), lambda sandbox, work: work()
        carrier = Carrier(
            lambda url, body: self.take(url, body),
            ours=lambda: (GATEWAY,),
            wait=self.waits.append,
        )
        around = AcsPorts(
            world_of=self._world_of,
            real=self.real.now,
            chance=RandomSource(uuid=self._uuid, code=lambda: CODE, value=self._value),
            signer=self.signer,
            tell=carrier.tell,
            begin=lambda sandbox, work: self.begin(sandbox, work),
        )
        self.acs = AccessControl(around, kept=self.kept)
        directory = SimulatedDirectoryServer(
            self.acs,
            carrier,
            world_of=around.world_of,
            has_key=lambda key, identity: (key, identity) == (KEY, SANDBOX),
            uuid=self._uuid,
        )
        app = create_acs_app(AcsParts(directory, self.acs, self.signer, carrier.may_reach))
        self.client, self._drawn = testing.TestClient(app), 0

    def areq(self, number: str = CHALLENGE_CARD, **fields) -> dict:
        """The answer to an AReq about this card."""
        return self.post("ds/areq", areq_of(number, **fields)).json

    def lookup(self, number: str, **fields) -> dict:
        """The answer to a lookup of this card."""
        return self.post("ds/lookup", {"acctNumber": number, **fields}).json

    def post(self, path: str, document: object, **options) -> testing.Result:
        """JSON posted."""
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        sent = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}", **options}
        headers = {name: value for name, value in sent.items() if value is not None}
        return self.client.simulate_post(f"/{path}", body=body, headers=headers)

    def browse(self, path: str, fields: dict, **headers) -> testing.Result:
        """A form posted by a browser."""
        sent = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}
        body = urlencode(fields)
        return self.client.simulate_post(f"/{path}", body=body, headers={**sent, **headers})

    def challenge(self, number: str = CHALLENGE_CARD, **fields) -> SimpleNamespace:
        """A challenge that a browser has come for: its ARes, its path, its page."""
        ares = self.areq(number, **fields)
        path = ares["acsURL"].removeprefix("http://acs.test/")
        page = self.browse(path, {"creq": packed(creq_of(ares)), "threeDSSessionData": SESSION})
        return SimpleNamespace(ares=ares, path=path, page=page)

    def act(self, path: str, action: str) -> dict:
        """The answer to a program that ends the challenge."""
        return self.post(path, {"action": action}).json

    def scripts(self) -> list:
        """The scripts as they are stored now."""
        return [each for unit in self.store.units for each in unit.puts]

    def _world_of(self, identity: str) -> SimpleNamespace | None:
        holds = HeldMessages(self.store, self.clock, lambda: None)
        known = SimpleNamespace(
            store=self.store, clock=self.clock, journal=self.journal, holds=holds,
            sandbox=SimpleNamespace(epoch_id=self.epoch),
        )  # fmt: skip
        return known if identity == SANDBOX else None

    def take(self, url: str, body: bytes) -> bytes | None:
        """What the gateway answers to an RReq."""
        rreq = json.loads(body)
        self.results.append((url, rreq))
        answer = self.answers.pop(0) if self.answers else rres_to(rreq)
        return None if answer is None else json.dumps(answer).encode()

    def _uuid(self) -> str:
        self._drawn += 1
        return f"{self._drawn:08x}-0000-4000-8000-000000000000"

    @staticmethod
    def _value() -> str:
        return b64encode(bytes(range(20))).decode()


def areq_of(number: str = CHALLENGE_CARD, **fields) -> dict:
    """A whole AReq, from the sandbox with the scripts; a field that is None is left out."""
    data = {"sandbox": SANDBOX, "type": "DB", "payment": PAYMENT}
    data["epoch"] = fields.pop("epoch", "")
    data["parameters"] = fields.pop("parameters", {})
    document = {
        "messageType": "AReq", "messageVersion": "2.2.0", "threeDSServerTransID": SERVER_ID,
        "acctNumber": number, "cardExpiryDate": "3405", "purchaseAmount": "9200",
        "purchaseCurrency": "978", "purchaseExponent": "2", "purchaseDate": "20260101120000",
        "deviceChannel": "02", "messageCategory": "01", "threeDSCompInd": "U",
        "threeDSRequestorID": "requestor", "threeDSRequestorName": "Shop",
        "threeDSServerURL": RESULTS, "notificationURL": BACK, "merchantName": "Corner Shop",
        "merchantCountryCode": "276", "mcc": "5411", "browserAcceptHeader": "text/html",
        "browserJavaEnabled": False, "browserLanguage": "en", "browserScreenHeight": "1080",
        "browserScreenWidth": "1920", "browserTZ": "-60", "browserUserAgent": "Browser/1",
        "messageExtension": [{
            "name": "Sandgate", "id": "sandgate-sandbox", "criticalityIndicator": False,
            "data": data,
        }],
        **fields,
    }  # fmt: skip
    return {name: value for name, value in document.items() if value is not None}


def creq_of(ares: dict, **fields) -> dict:
    """The CReq that belongs to an ARes."""
    return {
        "messageType": "CReq",
        "messageVersion": ares["messageVersion"],
        "threeDSServerTransID": ares["threeDSServerTransID"],
        "acsTransID": ares["acsTransID"],
        "challengeWindowSize": "02",
        **fields,
    }


def rres_to(rreq: dict, **fields) -> dict:
    """The RRes of a gateway that took an RReq."""
    names = ("messageVersion", "threeDSServerTransID", "dsTransID", "acsTransID")
    same = {name: rreq[name] for name in names}
    return {"messageType": "RRes", **same, "resultsStatus": "01", **fields}


def packed(document: object) -> str:
    """Base64url of a JSON document, as browsers carry it."""
    return urlsafe_b64encode(json.dumps(document).encode()).rstrip(b"=").decode()


def unpacked(text: str) -> dict:
    """The document again."""
    return json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def steps(acs: str, **script) -> dict:
    """A script with the step `acs`."""
    return {"acs": acs, **script}


def minutes(count: float) -> timedelta:
    """So many minutes."""
    return timedelta(minutes=count)


def _script(index: int, wanted: dict):
    wanted = dict(wanted)
    behaviour = {"name": "x", "title": "x", "description": "x"}
    behaviour["steps"] = {"acs": wanted.pop("acs"), **wanted.pop("also", {})}
    return script_of(behaviour, identity=f"s{index}", **wanted)
