"""What a merchant does with checkouts, for tests: in the process, without sockets."""

from collections.abc import Mapping
from urllib.parse import urlencode

from falcon.testing import Result

from simulator.tests.kit.gateway import FORM, ORDER, Credentials, Gateway

SESSION = {"amount": "92.00", "currency": "EUR", "paymentType": "DB"}
CARD = {name: ORDER[name] for name in ORDER if name.startswith("card.") or name == "paymentBrand"}
UNKNOWN = "0" * 32 + ".unknown"
DECLINE = {"card.holder": "800.100.152"}


def code_of(answer: Result) -> str:
    """The result code of an answer."""
    return answer.json["result"]["code"]


def named_in(answer: Result) -> dict[str, str]:
    """The parameters a refusal names, with what it says of each."""
    errors = answer.json["result"].get("parameterErrors", [])
    return {error["name"]: error["message"] for error in errors}


class Shop:
    """A merchant of a sandbox of its own, on a clock that stands still."""

    def __init__(self, gateway: Gateway, **options: object):
        self.gateway = gateway
        clock = {"mode": "frozen", "at": "2026-11-20T12:00:00Z"}
        made = gateway.control("POST", "/sandboxes", {"clock": clock, **options}).json
        self.sandbox = made["id"]
        self.who = Credentials(made["token"], made["entity_id"])
        self.live = Credentials(made["live_token"], made["entity_id"], "live")
        self.merchants = made["entities"]["merchants"]

    def prepare(self, sent: Mapping[str, str] | None = None, **more: str | None) -> str:
        """The id of a new checkout."""
        answer = self.post("", {**(SESSION if sent is None else sent), **more})
        assert answer.status_code == 200, answer.json
        return answer.json["id"]

    def post(
        self,
        path: str,
        sent: Mapping[str, str | None],
        who: Credentials | None = None,
        *,
        prefix: str = "/v1",
    ) -> Result:
        """A post of the merchant below /v1/checkouts."""
        who = who or self.who
        sent = {"entityId": who.entity_id, **sent}
        named = {name: value for name, value in sent.items() if value is not None}
        return self.gateway.send(f"{prefix}/checkouts{path}", named, who)

    def pay(self, checkout: str, **more: str | None) -> Result:
        """Pay by card with the merchant's token."""
        return self.post(f"/{checkout}/payment", {**CARD, **more})

    def get(self, path: str, who: Credentials | None = None, *, prefix: str = "/v1") -> Result:
        """Read something below /v1/checkouts."""
        return self.ask("GET", path, who, prefix=prefix)

    def ask(
        self, method: str, path: str, who: Credentials | None = None, *, prefix: str = "/v1"
    ) -> Result:
        """A request without a body."""
        who = who or self.who
        return self.gateway.client.simulate_request(
            method,
            f"{prefix}/checkouts{path}",
            params={"entityId": who.entity_id},
            headers={"Authorization": f"Bearer {who.token}"},
            extras={"sandgate.listener": who.listener},
        )

    def capability(self, checkout: str) -> str:
        """What a form may post once with."""
        path = f"/sandboxes/{self.sandbox}/checkouts/{checkout}/capability"
        return self.gateway.control("POST", path).json["capability"]

    def submit(
        self,
        checkout: str,
        capability: str,
        sent: Mapping[str, str] | None = None,
        *,
        end: str = "payment",
        listener: str = "plain",
    ) -> Result:
        """What a form posts; a card where nothing else is said."""
        return self.gateway.client.simulate_post(
            f"/v1/checkouts/{checkout}/{end}",
            headers={"Authorization": f"Checkout {capability}"},
            body=urlencode(CARD if sent is None else sent),
            content_type=FORM,
            extras={"sandgate.listener": listener},
        )

    def advance(self, by: str) -> None:
        """Move the clock."""
        path = f"/sandboxes/{self.sandbox}/clock/advance"
        assert self.gateway.control("POST", path, {"by": by}).status_code == 200
