"""What becomes of each kind of record in the copy of a sandbox: one row a kind.

A copy reaches nothing of its original. What would lead there stays behind, and what a payment needs
is taken anew: addresses of servers, secrets of pages, ids of challenges. Choices: D-631, D-712.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from simulator.catalogue.events import NOTIFICATION_URL
from simulator.domain.acquiring.chip_cards import ChipCard, ChipFinding
from simulator.domain.acquiring.host_entries import CardEntry, LostRequest
from simulator.domain.acquiring.issuing import CardAccount, Movement
from simulator.domain.acquiring.messages import readdressed
from simulator.domain.acquiring.sequence_numbers import UsedSequenceNumber
from simulator.domain.chargebacks import Return
from simulator.domain.checkouts.checkouts import Checkout, CheckoutCall
from simulator.domain.checkouts.summaries import KeptForm
from simulator.domain.core.clock import ClockSetting
from simulator.domain.core.draws import Drawn
from simulator.domain.core.ports import Ids, Vault
from simulator.domain.core.records import LedgerEntry, Payment, Registration, Script
from simulator.domain.holding import StoodClock
from simulator.domain.payments.pending import Awaited
from simulator.domain.payments.redirects import RESULT_URL, TOKEN_DIGITS
from simulator.domain.payments.repeats import TransactionKey
from simulator.domain.recurring import Agreement
from simulator.domain.risk import Sighting
from simulator.domain.schedules.schedules import Execution, Schedule
from simulator.domain.settlement.blocks import (
    ReservedSale,
    SettledBlock,
    SettledChargeback,
    SettledFile,
    SettledReference,
    renamed_block,
)
from simulator.domain.settlement.pushing import FilePush, PushTarget
from simulator.domain.settlement.runs import (
    Aggregation,
    ArmedFaults,
    LeftPart,
    SettlementDue,
    SettlementRun,
)
from simulator.domain.terminals.loading import TerminalAuthority
from simulator.domain.terminals.terminals import InitialKey, Terminal, TerminalKeys
from simulator.domain.three_d_secure.authentications import (
    UUID_DIGITS,
    Authentication,
    AuthenticationStage,
    uuid_of,
)
from simulator.domain.throttling.windows import ThrottleSetting
from simulator.domain.wallets import UsedToken, WalletKeys
from simulator.domain.webhooks.records import (
    INBOX,
    SECRET_DIGITS,
    Delivery,
    Endpoint,
    InboxAddress,
    InboxMessage,
    WebhookEvent,
    give_up_delivery,
)

# Where the shopper of a copied payment is sent back to: no browser or server finds a shop there.
NO_SHOP = "not-copied://shop"
CALLED_URLS = (RESULT_URL, NOTIFICATION_URL)
WithSent = TypeVar("WithSent", Checkout, Payment, Registration, Schedule)


class CopyParts(NamedTuple):
    """What a copy has for its records: chance, its vault, the instant, the ids of its hierarchy by
    those of the original, and how text is renamed.
    """

    ids: Ids
    vault: Vault
    now: datetime
    names: Mapping[str, str]
    rename: Callable[[bytes], bytes]


Rule = Callable[[Any, CopyParts], Any]


def along(record: Any, copy: CopyParts) -> Any:
    """As it is: it leads nowhere, and no one reads a secret in it."""
    return record


def behind(record: Any, copy: CopyParts) -> None:
    """Not at all: it would reach the original, or be found by an id that the copy has not."""


def without_calls(record: WithSent, copy: CopyParts) -> WithSent:
    """Without the addresses that are called, or that a shopper is sent to."""
    if not any(name in record.sent for name in CALLED_URLS):
        return record
    sent = {name: value for name, value in record.sent.items() if name not in CALLED_URLS}
    return replace(record, sent=sent)


def copied_payment(payment: Payment, copy: CopyParts) -> Payment:
    """Its shopper is sent back to no shop, and calls no method of an ACS for the original. The
    token of its page is another one by `copies.SECRETS`.
    """
    after = without_calls(payment, copy)
    if RESULT_URL in payment.sent:
        after = replace(after, sent={**after.sent, RESULT_URL: NO_SHOP})
    if payment.redirect is not None and payment.redirect.preconditions:
        after = replace(after, redirect=replace(payment.redirect, preconditions=()))
    return after


def copied_checkout(checkout: Checkout, copy: CopyParts) -> Checkout:
    """No form that was opened in the original posts to it."""
    return replace(without_calls(checkout, copy), capabilities=())


def begun_anew(authentication: Authentication, copy: CopyParts) -> Authentication:
    """Its AReq is still to be sent, under an id and a secret of the copy: the shopper who opens the
    page there gets a challenge of their own. One whose payment has gone on to the acquirer is over
    there too: asked anew, the acquirer would get the payment twice.
    """
    has_passed = authentication.stage is AuthenticationStage.PASSED or _has_ended(authentication)
    return Authentication(
        id=authentication.id,
        version=authentication.version,
        stage=AuthenticationStage.PASSED if has_passed else AuthenticationStage.METHOD,
        server_id=uuid_of(copy.ids.hex(UUID_DIGITS)),
        secret=copy.ids.hex(TOKEN_DIGITS),
        message_version=authentication.message_version,
    )


def _has_ended(authentication: Authentication) -> bool:
    """Whether nothing more is to come: result and browser are there, or neither was asked for.
    Earlier builds left it so where its payment had gone on.
    """
    is_both = bool(authentication.answered) == bool(authentication.returned)
    return authentication.stage is AuthenticationStage.ANSWERED and is_both


def copied_request(lost: LostRequest, copy: CopyParts) -> LostRequest:
    """Its reversal names the copy, and takes back nothing that the original asked for."""
    return replace(lost, message=readdressed(lost.message, copy.names))


def copied_endpoint(endpoint: Endpoint, copy: CopyParts) -> Endpoint | None:
    """The inbox alone, with a secret of its own."""
    if endpoint.url != INBOX:
        return None
    secret = copy.vault.seal(endpoint.id, copy.ids.hex(SECRET_DIGITS))
    return replace(endpoint, secret=secret, next_secret=None)


def copied_delivery(delivery: Delivery, copy: CopyParts) -> Delivery | None:
    """None to an address of a request, which could be called again; others are over."""
    if delivery.url:
        return None
    return delivery if delivery.settled_at is not None else give_up_delivery(delivery, at=copy.now)


def copied_event(event: WebhookEvent, copy: CopyParts) -> WebhookEvent | None:
    """None that only was the call of an address."""
    return None if event.type in CALLED_URLS else event


def copied_block(block: SettledBlock, copy: CopyParts) -> SettledBlock:
    """Its records are packed: what they name is renamed in there too."""
    return renamed_block(block, copy.rename)


# fmt: off
COPIED: Mapping[type, Rule] = {
    Payment:            copied_payment,
    Registration:       without_calls,
    Agreement:          along,
    Checkout:           copied_checkout,
    CheckoutCall:       behind,            # of an address that is left behind
    KeptForm:           behind,            # sealed under the id of a checkout
    Schedule:           without_calls,
    Execution:          along,
    WalletKeys:         behind,            # made anew when first asked for
    UsedToken:          behind,            # of keys that are left behind
    TerminalKeys:       along,             # terminals follow from them; a payment needs a token too
    Terminal:           along,
    InitialKey:         along,
    TerminalAuthority:  behind,            # made anew when first asked for
    Sighting:           along,
    TransactionKey:     behind,            # found by the id of a channel
    LedgerEntry:        along,
    SettlementRun:      along,
    SettledBlock:       copied_block,
    SettledChargeback:  along,
    ReservedSale:       along,
    LeftPart:           along,
    SettledFile:        behind,            # found by the hash of a file with other names
    SettledReference:   along,
    Aggregation:        along,
    SettlementDue:      along,
    ArmedFaults:        along,
    PushTarget:         behind,            # a server of the original's merchant
    FilePush:           behind,
    Script:             along,
    Endpoint:           copied_endpoint,
    WebhookEvent:       copied_event,
    Delivery:           copied_delivery,
    InboxMessage:       along,
    InboxAddress:       behind,            # made anew when first asked for
    Authentication:     begun_anew,
    Awaited:            along,             # ends what is pending, at the same instant
    Return:             along,
    CardEntry:          along,
    UsedSequenceNumber: along,
    CardAccount:        along,
    ChipCard:           along,
    ChipFinding:        along,
    Movement:           along,
    LostRequest:        copied_request,
    ClockSetting:       along,
    StoodClock:         along,             # nothing is held in a copy: its clock runs at once
    Drawn:              along,
    ThrottleSetting:    along,
}
# fmt: on
