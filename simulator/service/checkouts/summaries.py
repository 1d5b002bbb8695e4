"""Forms kept for a summary page: sealed, paid with once, erased with the payment or at the end. The
security code waits in memory. Source: Hosted payment form behaviour. Choices: D-342, D-42.
"""

import msgspec
from msgspec.structs import replace

from simulator.domain.checkouts.checkouts import Checkout, expires_at
from simulator.domain.checkouts.summaries import CODES, KeptFields, KeptForm
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import FormCapabilityError, UnknownCheckoutError
from simulator.domain.core.ports import unit_of
from simulator.domain.core.transact import transact
from simulator.domain.payments.initial import TransactionIds
from simulator.domain.payments.redirects import RESULT_URL
from simulator.service.checkouts.checkouts import (
    CheckoutPorts,
    Submission,
    enter_payment,
    refuse_unpayable,
)


def keep_form(
    context: ChannelContext[CheckoutPorts],
    identity: str,
    submission: Submission,
    ticket: TransactionIds,
) -> None:
    """Keep a form that could be paid with, in place of one that was kept before.

    Raises UnknownCheckoutError, FormCapabilityError, Violations, Refusal.
    """
    assert submission.capability is not None, "a form keeps what it posts, no merchant"
    ports = context.ports
    codes = {name: value for name, value in submission.sent.items() if name in CODES}
    sent = {name: value for name, value in submission.sent.items() if name not in codes}
    fields = KeptFields(sent, submission.capability)
    sealed = ports.vault.seal(identity, msgspec.json.encode(fields).decode())

    def change() -> None:
        checkout = ports.store.get(Checkout, identity)
        if checkout is None:
            raise UnknownCheckoutError()
        if submission.capability not in checkout.capabilities:
            raise FormCapabilityError("the capability was used before")
        refuse_unpayable(enter_payment(context, identity, submission), ticket)
        url = submission.sent.get(RESULT_URL) or checkout.sent.get(RESULT_URL, "")
        before = ports.store.get(KeptForm, identity)
        kept = before or KeptForm(id=identity, due=expires_at(checkout))
        # The checkout too: of a payment in it that comes at once and this, one conflicts.
        ports.store.commit(unit_of(replace(kept, sealed=sealed, url=url), checkout))

    transact(ports.store, change)
    # Another form may have come after it meanwhile, or the end of the checkout.
    stands = ports.store.get(KeptForm, identity)
    if stands is not None and stands.sealed == sealed:
        ports.codes.keep(identity, sealed, codes)
    ports.scheduler.wake()


def kept_fields(ports: CheckoutPorts, kept: KeptForm) -> KeptFields:
    """What a form holds that was not paid with; its code, unless the process ended meanwhile."""
    fields = msgspec.json.decode(ports.vault.open(kept.id, kept.sealed), type=KeptFields)
    codes = ports.codes.find(kept.id, kept.sealed)
    return fields._replace(sent={**fields.sent, **codes})


def remove_kept(ports: CheckoutPorts, kept: KeptForm) -> None:
    """Remove a form whose checkout is over."""
    ports.codes.erase(kept.id)
    ports.store.commit(unit_of(removes=(kept,)))
