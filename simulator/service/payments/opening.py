"""The attempt of an initial payment, decided from its request: the first steps of the pipeline.

Nothing is stored here, and neither issuer nor acquirer is asked.
"""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from simulator.domain.accounts.accounts import account_of, brand_in, takes_card
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.parameters import normalised
from simulator.domain.core.records import Origin, PaymentSource, PaymentType
from simulator.domain.merchants.requirements import refuse_lacking
from simulator.domain.payments.initial import PaymentAttempt, TransactionIds, decide_payment
from simulator.domain.recurring import is_in_series
from simulator.domain.registrations import refuse_large_registration
from simulator.domain.terminals.reading import ENTRY_MODE
from simulator.domain.wallets import TOKEN, UsedToken
from simulator.service.recurring import AgreementPorts, apply_agreement
from simulator.service.terminals.reading import ReadingPorts, TerminalReading, read_terminal_data
from simulator.service.wallets import WalletPorts, decrypt_wallet_data


class OpeningPorts(AgreementPorts, ReadingPorts, WalletPorts, Protocol):
    """What a payment is decided from."""


class DecidedRequest(NamedTuple):
    """An attempt, what its parameters came to, and what it will use: a wallet token, and the keys
    of a terminal.
    """

    attempt: PaymentAttempt
    sent: Mapping[str, str]
    token: UsedToken | None
    reading: TerminalReading | None


def open_payment(
    context: ChannelContext[OpeningPorts],
    sent: Mapping[str, str],
    ticket: TransactionIds,
    origin: Origin,
) -> DecidedRequest:
    """The attempt of an initial payment: its wallet data decrypted, what a terminal sent read, its
    account resolved, its agreement applied. Raises Refusal, Violations.
    """
    if sent.get("paymentType") == PaymentType.RG:
        refuse_large_registration(sent)
    sent, token, reading = normalised(sent), None, None
    # What is missing comes before what is wrong with the account. Choice: D-59.
    if origin.source is PaymentSource.OPP:
        refuse_lacking(sent, context, brand_in)
    if TOKEN in sent and takes_card(sent.get("paymentBrand")):
        sent, token = decrypt_wallet_data(context, sent, ticket)
    if ENTRY_MODE in sent:
        sent, reading = read_terminal_data(context, sent)
    choices = context.ports.choices
    account = account_of(sent, context.channel, choices=choices, today=ticket.now.date())
    if is_in_series(sent):
        sent = apply_agreement(context, sent, account, origin, now=ticket.now)
    sealed = None
    if account.number is not None:
        sealed = context.ports.vault.seal_card(ticket.id, account.number)
    attempt = decide_payment(
        sent, account, context=context, sealed=sealed, ticket=ticket, origin=origin
    )
    if reading is not None:
        request = replace(attempt.request, terminal=reading.data)
        attempt = replace(attempt, request=request)
    return DecidedRequest(attempt, sent, token, reading)
