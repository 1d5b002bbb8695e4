"""The page that asks a redirected shopper. What merchants wrote is escaped."""

from html import escape

from simulator.domain.core.records import Payment
from simulator.domain.payments.pending import ShopperChoice
from simulator.web.http.page import BANK_TITLE, Page, page_of

BUTTONS = {
    ShopperChoice.PAY: "Pay",
    ShopperChoice.CANCEL: "Cancel",
    ShopperChoice.FAIL: "Fail the payment",
    ShopperChoice.LEAVE: "Leave the page without paying",
}


def asking_page(payment: Payment, shop: str) -> Page:
    """The page with the shopper's choices; its form goes to its own address."""
    buttons = "".join(
        f'<button name="action" value="{choice}"'
        f"{' class=main' if choice is ShopperChoice.PAY else ''}>{label}</button>"
        for choice, label in BUTTONS.items()
    )
    money = "" if payment.money is None else f'<p class="amount">{escape(str(payment.money))}</p>'
    rows = {
        "Shop": shop,
        "Payment method": payment.brand,
        "Reference": payment.sent.get("merchantTransactionId"),
    }
    shown = "".join(
        f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in rows.items() if text
    )
    body = (
        f"<h1>Confirm your payment</h1>{money}<dl>{shown}</dl>"
        f'<form method="post">{buttons}</form>'
        '<p class="quiet">This is a test bank: no money moves. If you close the page, the payment '
        "stays pending until it expires.</p>"
    )
    is_framed = payment.checkout is not None
    return page_of(BANK_TITLE, body, form_action="'self'", is_framed=is_framed)
