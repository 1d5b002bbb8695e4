"""The merchant of the proofs: authorizes, captures, refunds, and checks what is left."""

from typing import NamedTuple

from load.traffic.payloads import format_amount
from load.traffic.requests import CURRENCY, EXCEEDED, SUCCESS
from simulator.client import Answer, Client, Control
from simulator.client.processes import ServerProcess

CARD = {
    "paymentBrand": "VISA",
    "card.number": "4200000000000000",
    "card.holder": "Jane Jones",
    "card.expiryMonth": "05",
    "card.expiryYear": "2034",
    "card.cvv": "123",
}
CENT = 1


class ProofMerchant(NamedTuple):
    """One connection of a merchant, and the control API of its sandbox. All its payments have the
    test mode `mode`.
    """

    client: Client
    control: Control
    sandbox: str
    mode: str = "INTERNAL"

    def authorize(self, cents: int) -> Answer:
        """Send a PA. Raises what the client raises."""
        form = {**self.form_of("PA", cents), **CARD, "testMode": self.mode}
        return self.client.post("v1/payments", form)

    def refer(self, payment: str, kind: str, cents: int) -> Answer:
        """Send a capture (CP) or a refund (RF) of `cents` of a payment."""
        return self.client.post(f"v1/payments/{payment}", self.form_of(kind, cents))

    def form_of(self, kind: str, cents: int) -> dict[str, str]:
        """Return the parameters every payment has."""
        return {
            "entityId": self.client.entity_id,
            "paymentType": kind,
            "amount": format_amount(cents),
            "currency": CURRENCY,
        }

    def delay_responses(self, seconds: float, *, is_random: bool = False) -> None:
        """Let the acquirer take `seconds` for each capture and refund of this sandbox; with
        `is_random` that is the median of a log-normal delay.
        """
        latency: dict[str, object] = {"fixed": {"seconds": seconds}}
        if is_random:
            latency = {"lognormal": {"median_s": seconds, "sigma": 1.0, "seed": 1}}
        behaviour = {"steps": {"acquirer": {"latency": latency, "approve": {}}}}
        for kind in ("CP", "RF"):
            self.control.arm_script(self.sandbox, behaviour, match={"type": kind})

    def check_remainder(self, payment: str, kind: str, possible_cents: list[int]) -> str | None:
        """Use up what is left of a payment; return a fault unless it is one of `possible_cents`."""
        for cents in sorted(set(possible_cents), reverse=True):
            if cents == 0 or self.refer(payment, kind, cents).code.startswith(SUCCESS):
                break
        else:
            return f"{payment}: none of {possible_cents} cents is left for {kind}"
        more = self.refer(payment, kind, CENT)
        if more.code not in EXCEEDED:
            return f"{payment}: a cent more than {cents} was answered with {more.code}"
        return None

    def reconnect(
        self, base_url: str | None = None, *, ca_file: str | None = None
    ) -> "ProofMerchant":
        """Return the same merchant on another connection, to another listener with `base_url`."""
        old = self.client
        address = base_url or old.base_url
        return self._replace(client=Client(address, old.token, old.entity_id, ca_file=ca_file))

    def at(self, server: ServerProcess) -> "ProofMerchant":
        """Return the same merchant at a restarted server."""
        client = Client(server.base_url, self.client.token, self.client.entity_id)
        return self._replace(client=client, control=_control(server))


def create_merchant(server: ServerProcess) -> ProofMerchant:
    """Create a merchant with a sandbox of its own."""
    control = _control(server)
    made = control.create_sandbox()
    client = Client(server.base_url, made["token"], made["entity_id"])
    return ProofMerchant(client, control, made["id"])


def _control(server: ServerProcess) -> Control:
    return Control(server.facts["control_url"], server.facts["control_key"])
