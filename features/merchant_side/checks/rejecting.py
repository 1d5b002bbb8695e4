"""Checks that a receiver refuses what is not the gateway's, or was altered on its way."""

from features.merchant_side.context import CheckContext, CheckFinding, RunCheck
from features.merchant_side.webhook_encryption import TAMPERINGS
from features.merchant_side.webhook_messages import PAID, new_payment


def rejects(name: str) -> RunCheck:
    """The check that a notification that was spoiled so is not taken."""
    spoil = TAMPERINGS[name]

    def run(bench: CheckContext) -> CheckFinding:
        bench.demand_taking()
        wrapper = new_payment().told(PAID)
        reply = bench.sender.post(spoil(bench.letter(wrapper), wrapper, bench.key))
        return CheckFinding(reply.is_refused, "an answer that is not 2xx, such as 400", str(reply))

    return run


def acts_on_no_tampered_notification(bench: CheckContext) -> CheckFinding:
    """No payment is known that only spoiled notifications told of."""
    bench.demand_beliefs()
    payments = [new_payment() for _ in TAMPERINGS]
    for payment, spoil in zip(payments, TAMPERINGS.values(), strict=True):
        wrapper = payment.told(PAID)
        bench.sender.post(spoil(bench.letter(wrapper), wrapper, bench.key))
    names = list(TAMPERINGS)
    believed = [names[at] for at in bench.acted(payments)]
    came = f"known after {', '.join(believed) or 'none of them'}"
    return CheckFinding(not believed, "a payment unknown that only such a message told of", came)
