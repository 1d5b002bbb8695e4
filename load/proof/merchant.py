"""A merchant of the proofs: authorises, captures, refunds, and finds out what is left of a sum."""

from typing import NamedTuple

from load.servers import Server
from simulator.client import Answer, Client, Control

CARD = {
    "paymentBrand": "VISA",
    "card.number": "4200000000000000",
    "card.holder": "Jane Jones",
    "card.expiryMonth": "05",
    "card.expiryYear": "2034",
    "card.cvv": "123",
}
CURRENCY = "EUR"
APPROVED = "000."
EXCEEDED = ("700.400.100", "700.400.200")
CENT = 1


class Merchant(NamedTuple):
    """One connection of a merchant, and the control API of its sandbox. With a test `mode` every
    payment is of that one.
    """

    client: Client
    control: Control
    sandbox: str
    mode: str = "INTERNAL"

    def authorise(self, cents: int) -> Answer:
        """The answer to a PA. Raises what the client raises."""
        sent = {**self.form_of("PA", cents), **CARD, "testMode": self.mode}
        return self.client.post("v1/payments", sent)

    def take(self, payment: str, kind: str, cents: int) -> Answer:
        """The answer to a capture (CP) or a refund (RF) of so much of a payment."""
        return self.client.post(f"v1/payments/{payment}", self.form_of(kind, cents))

    def form_of(self, kind: str, cents: int) -> dict[str, str]:
        """The parameters every payment has."""
        return {
            "entityId": self.client.entity_id,
            "paymentType": kind,
            "amount": f"{cents // 100}.{cents % 100:02d}",
            "currency": CURRENCY,
        }

    def delay_answers(self, seconds: float, *, uneven: bool = False) -> None:
        """From now on the acquirer takes so long to answer captures and refunds of this sandbox;
        `uneven`: about so long, each time otherwise.
        """
        latency: dict[str, object] = {"fixed": {"seconds": seconds}}
        if uneven:
            latency = {"lognormal": {"median_s": seconds, "sigma": 1.0, "seed": 1}}
        behaviour = {"steps": {"acquirer": {"latency": latency, "approve": {}}}}
        for kind in ("CP", "RF"):
            self.control.arm_script(self.sandbox, behaviour, match={"type": kind})

    def fault_of_remainder(self, payment: str, kind: str, possible_cents: list[int]) -> str | None:
        """What is wrong unless one of the possible sums is exactly what is left; takes it all."""
        for cents in sorted(set(possible_cents), reverse=True):
            if cents == 0 or self.take(payment, kind, cents).code.startswith(APPROVED):
                break
        else:
            return f"{payment}: nothing of {possible_cents} cents is left for {kind}"
        more = self.take(payment, kind, CENT)
        if more.code not in EXCEEDED:
            return f"{payment}: a cent more than {cents} was answered {more.code}"
        return None

    def again(self) -> "Merchant":
        """The same merchant on a connection of its own."""
        old = self.client
        return self._replace(client=Client(old.base_url, old.token, old.entity_id))

    def at(self, server: Server) -> "Merchant":
        """The same merchant at another start of its server."""
        client = Client(server.base_url, self.client.token, self.client.entity_id)
        return self._replace(client=client, control=_control(server))


def new_merchant(server: Server) -> Merchant:
    """A merchant with a sandbox to itself."""
    control = _control(server)
    made = control.create_sandbox()
    client = Client(server.base_url, made["token"], made["entity_id"])
    return Merchant(client, control, made["id"])


def _control(server: Server) -> Control:
    return Control(server.facts["control_url"], server.facts["control_key"])
