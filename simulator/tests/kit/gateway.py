"""A gateway in the process, without sockets: the real parts, wired as `app.build` wires them."""

from functools import partial
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch
from urllib.parse import urlencode

from falcon.testing import Result, TestClient

from simulator.adapters.console.passwords import Argon2Passwords, PasswordCost
from simulator.adapters.simulators import load_simulators
from simulator.app import build
from simulator.engines import OpenEngine, open_engine
from simulator.settings import Settings
from simulator.tests.kit.described import DescribedApp
from simulator.tests.kit.making import BEHAVIOURS

CheapPasswords = partial(Argon2Passwords, cost=PasswordCost(memory_kib=8, rounds=1))
CONTROL_KEY = "control-key-of-the-tests"
ORDER = {
    "paymentType": "DB",
    "amount": "92.00",
    "currency": "EUR",
    "paymentBrand": "VISA",
    "card.number": "4200000000000000",
    "card.holder": "Jane Jones",
    "card.expiryMonth": "05",
    "card.expiryYear": "2034",
    "card.cvv": "123",
}
FORM = "application/x-www-form-urlencoded"


class Credentials(NamedTuple):
    """What a merchant holds; its token is one of the host behind the listener."""

    token: str
    entity_id: str
    listener: str = "plain"


class Gateway:
    """A running gateway and its default sandbox.

    Where it `is_described`, a test fails that receives an answer its documents do not describe.
    Where it `is_cheap`, its passwords do not cost the processor time that a guess shall cost.
    """

    def __init__(
        self,
        folder: Path,
        *,
        is_described: bool = True,
        is_cheap: bool = True,
        open_engine: OpenEngine = open_engine,
        **settings: object,
    ):
        chosen = {"data": folder, "durability": "memory", "control_key": CONTROL_KEY, **settings}
        # Read once for all gateways of a run: a fifth of what it takes to build one. A password
        # takes longer than a gateway.
        with (
            patch("simulator.app.load_behaviours", lambda: dict(BEHAVIOURS)),
            patch("simulator.app.Argon2Passwords", CheapPasswords if is_cheap else Argon2Passwords),
        ):
            self._built = build(Settings(**chosen), load_simulators(), open_engine=open_engine)
        app = self._built.application
        self.member = self._built.member
        self.client = TestClient(DescribedApp(app) if is_described else app)
        self.access = access = self._built.access
        self.merchant = Credentials(access.get("token", ""), access["entity_id"])
        self.live = Credentials(access.get("live_token", ""), access["entity_id"], "live")

    @property
    def console_path(self) -> str:
        """Where people begin: the console, or the link that makes its first administrator."""
        return self._built.console_path

    def answer(self, status: int) -> bytes:
        """What a listener answers to bytes that are no request."""
        return self._built.answer(status, "")

    @property
    def card_host(self) -> object:
        """The card host of all sandboxes."""
        return self._built.card_host

    @property
    def sftp(self) -> object:
        """Who may fetch files, and the host key."""
        return self._built.sftp

    @property
    def card_reach(self) -> object:
        """Where lines to it lead."""
        return self._built.links.card_reach

    @property
    def reach(self) -> object:
        """Where it is reached from outside."""
        return self._built.links.reach

    def ports(self, identity: str) -> object:
        """The ports of a sandbox, for tests that look behind the API."""
        return self._built.card_host.ports_of(identity)

    def close(self) -> None:
        """Let go of the folder."""
        self._built.close()

    def post(
        self, path: str = "/v1/payments", *, who: Credentials | None = None, **more: str
    ) -> Result:
        """A payment request with ORDER's parameters, those of `more` instead (None leaves one
        out).
        """
        sent = {"entityId": (who or self.merchant).entity_id, **ORDER, **more}
        return self.send(
            path, {name: value for name, value in sent.items() if value is not None}, who
        )

    def refer(self, identity: str, kind: str, **more: str) -> Result:
        """A payment that refers to another."""
        sent = {"entityId": self.merchant.entity_id, "paymentType": kind, **more}
        return self.send(f"/v1/payments/{identity}", sent)

    def send(self, path: str, sent: dict, who: Credentials | None = None) -> Result:
        """Exactly these parameters."""
        who = who or self.merchant
        headers = {"Authorization": f"Bearer {who.token}"}
        return self.client.simulate_post(
            path,
            params=None,
            headers=headers,
            body=_form(sent),
            content_type=FORM,
            extras={"sandgate.listener": who.listener},
        )

    def read(self, identity: str, who: Credentials | None = None) -> Result:
        """GET of a payment."""
        who = who or self.merchant
        return self.client.simulate_get(
            f"/v1/payments/{identity}",
            params={"entityId": who.entity_id},
            headers={"Authorization": f"Bearer {who.token}"},
            extras={"sandgate.listener": who.listener},
        )

    def control(self, method: str, path: str, document: object = None) -> Result:
        """A call of the control API."""
        return self.client.simulate_request(
            method,
            f"/_sandbox/v1{path}",
            json=document,
            headers={"Authorization": f"Bearer {CONTROL_KEY}"},
        )

    def sandbox(self, **options: object) -> Credentials:
        """The credentials of a new sandbox."""
        made = self.control("POST", "/sandboxes", options).json
        return Credentials(made["token"], made["entity_id"])


def _form(sent: dict) -> bytes:
    return urlencode(sent).encode()
