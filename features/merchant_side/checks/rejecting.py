"""Checks that a receiver refuses what is not the gateway's, or was altered on its way."""

from features.merchant_side.context import Bench, Finding, Run
from features.merchant_side.webhook_encryption import SPOILED
from features.merchant_side.webhook_messages import PAID, new_payment


def refuses(name: str) -> Run:
    """The check that a notification that was spoiled so is not taken."""
    spoil = SPOILED[name]

    def run(bench: Bench) -> Finding:
        bench.demand_taking()
        wrapper = new_payment().told(PAID)
        reply = bench.sender.post(spoil(bench.letter(wrapper), wrapper, bench.key))
        return Finding(reply.is_refused, "an answer that is not 2xx, such as 400", str(reply))

    return run


def acts_on_none(bench: Bench) -> Finding:
    """No payment is known that only spoiled notifications told of."""
    bench.demand_beliefs()
    payments = [new_payment() for _ in SPOILED]
    for payment, spoil in zip(payments, SPOILED.values(), strict=True):
        wrapper = payment.told(PAID)
        bench.sender.post(spoil(bench.letter(wrapper), wrapper, bench.key))
    names = list(SPOILED)
    believed = [names[at] for at in bench.acted(payments)]
    came = f"known after {', '.join(believed) or 'none of them'}"
    return Finding(not believed, "a payment unknown that only such a message told of", came)
