"""Checks that a receiver refuses forged and altered notifications."""

from features.merchant_side.context import CheckContext, CheckFinding, RunCheck
from features.merchant_side.webhook_encryption import TAMPERINGS
from features.merchant_side.webhook_messages import PAID, new_payment


def rejects(name: str) -> RunCheck:
    """The check that a notification that was tampered with is refused."""
    tamper = TAMPERINGS[name]

    def run(context: CheckContext) -> CheckFinding:
        context.demand_accepting()
        wrapper = new_payment().notification(PAID)
        reply = context.sender.post(tamper(context.notification(wrapper), wrapper, context.key))
        return CheckFinding(reply.is_refused, "an answer that is not 2xx, such as 400", str(reply))

    return run


def acts_on_no_tampered_notification(context: CheckContext) -> CheckFinding:
    """No payment is known that appeared in altered notifications alone."""
    context.demand_states()
    payments = [new_payment() for _ in TAMPERINGS]
    for payment, tamper in zip(payments, TAMPERINGS.values(), strict=True):
        wrapper = payment.notification(PAID)
        context.sender.post(tamper(context.notification(wrapper), wrapper, context.key))
    names = list(TAMPERINGS)
    accepted = [names[at] for at in context.known_among(payments)]
    came = f"known after {', '.join(accepted) or 'none of them'}"
    return CheckFinding(not accepted, "no payment of such a notification known", came)
