"""What the channel of a payment makes mandatory: one table of conditions for the rows of
`catalogue/needs.py`.
"""

from collections.abc import Callable, Mapping

from simulator.catalogue.fields.requirements import NEEDS, RECEIVER, SECURE_2
from simulator.catalogue.fields.three_d_secure import EXTERNAL_MPI
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.entities import Channel
from simulator.domain.core.errors import Violations
from simulator.domain.core.ports import HasChoices
from simulator.domain.recurring import BY_WALLET, is_merchant_initiated
from simulator.domain.terminals.reading import ENTRY_MODE
from simulator.grammar.needs import Needed
from simulator.grammar.violations import Violation

Sent = Mapping[str, str]

# What says that another party has authenticated the shopper, a wallet has, or the cardholder stands
# at a terminal.
AUTHENTICATED = (*EXTERNAL_MPI, *BY_WALLET, ENTRY_MODE)


def refuse_lacking(
    sent: Sent,
    context: ChannelContext[HasChoices],
    brand_in: Callable[[Sent, Channel], str | None] | None = None,
) -> None:
    """Raise Violations for everything that the channel makes mandatory and `sent` lacks.

    `brand_in` finds the brand of a new payment. Asked at every payment: a channel without such
    needs is done at once.
    """
    channel, choices = context.channel, context.ports.choices
    if not channel.requires_merchant_transaction_id and not channel.three_d_secure:
        return
    brand = brand_in(sent, channel) if brand_in else None
    lacking = [
        Violation(name, None, f"may not be empty: {row.says}", row.id)
        for row in needs_of(sent, channel, brand)
        if not row.switch or choices[row.switch] == "require"
        for name in row.names
        if name not in sent
    ]
    if lacking:
        raise Violations(lacking)


def needs_of(sent: Sent, channel: Channel, brand: str | None) -> list[Needed]:
    """The rows of what the channel makes mandatory for a payment that is sent like this."""
    return [row for row in NEEDS if CONDITIONS[row.when](sent, channel, brand)]


def _demands_reference(sent: Sent, channel: Channel, brand: str | None) -> bool:
    return channel.requires_merchant_transaction_id


def asks_shopper(sent: Sent, channel: Channel, brand: str | None) -> bool:
    """Whether 3-D Secure version 2 would ask the shopper. Choice: D-146."""
    if channel.brands and brand not in channel.brands:
        return False
    version = channel.three_d_secure.get(brand or "", "")
    if not version.startswith("2") or not PAYMENT_TYPES[sent["paymentType"]].three_d_secure:
        return False
    return not is_merchant_initiated(sent) and not any(name in sent for name in AUTHENTICATED)


# fmt: off
CONDITIONS: Mapping[str, Callable[[Sent, Channel, str | None], bool]] = {
    RECEIVER: _demands_reference,
    SECURE_2: asks_shopper,
}
# fmt: on
