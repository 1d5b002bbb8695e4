"""The sheet of the wallet provider for one checkout: whom it pays, and the token it returns.

Source: Mobile wallet, way 1. Choice: D-341.
"""

from typing import NamedTuple, Protocol

from msgspec.structs import replace

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.wallet_cards import STORED_CARDS
from simulator.domain.checkouts.checkouts import Checkout, CheckoutStage, is_over, stage_of
from simulator.domain.core.errors import InvalidInputError, UnknownCheckoutError
from simulator.domain.core.money import Money
from simulator.domain.payments.initial import money_in
from simulator.domain.wallets import TokenOrder
from simulator.grammar.brands import TokenProtocol
from simulator.service.payments.checkout_attempts import attempt_in
from simulator.service.payments.contexts import context_of
from simulator.service.payments.responses import ResponsePorts
from simulator.service.wallets import WalletPorts, make_token


class SheetPorts(WalletPorts, ResponsePorts, Protocol):
    """What a sheet is shown with."""


class WalletSheet(NamedTuple):
    """What a sheet shows: the wallet and the protocol of its tokens, the shop, and what is paid,
    None for a registration.
    """

    brand: str
    protocol: TokenProtocol
    shop: str
    money: Money | None


def wallet_sheet(ports: SheetPorts, checkout: Checkout, brand: str) -> WalletSheet:
    """The sheet of a wallet for a checkout. Raises UnknownCheckoutError, InvalidInputError."""
    _refuse_closed(ports, checkout)
    shop = context_of(ports, checkout.stamp, checkout.host).channel.name
    return WalletSheet(brand, _protocol_of(brand), shop, money_in(checkout.sent))


def make_sheet_token(ports: SheetPorts, checkout: Checkout, brand: str, card: str) -> str:
    """The token of a stored card, for the money of the checkout. Raises UnknownCheckoutError,
    InvalidInputError.
    """
    sheet, stored = wallet_sheet(ports, checkout, brand), STORED_CARDS.get(card)
    if stored is None:
        raise InvalidInputError("card", f"one of {', '.join(STORED_CARDS)}", "another")
    order = TokenOrder(
        protocol=sheet.protocol,
        number=stored.number,
        expiryMonth=stored.expiry_month,
        expiryYear=stored.expiry_year,
    )
    if sheet.money is not None:
        amount, currency = str(sheet.money.amount), sheet.money.currency
        order = replace(order, amount=amount, currency=currency)
    return make_token(ports, order)


def _protocol_of(brand: str) -> TokenProtocol:
    row = BRANDS.get(brand)
    if row is None or row.token is None:
        raise InvalidInputError("brand", "the brand of a wallet", "another")
    return row.token


def _refuse_closed(ports: SheetPorts, checkout: Checkout) -> None:
    is_paid = stage_of(attempt_in(ports, checkout)) is CheckoutStage.PAID
    if is_paid or is_over(checkout, ports.clock.now()):
        raise UnknownCheckoutError()
