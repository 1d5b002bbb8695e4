"""The requests of a browser that opens the hosted form and pays in it, as its script does."""

from dataclasses import replace
from typing import Final

from load.traffic.payloads import Payloads
from load.traffic.requests import PlannedRequest, new_checkout, pay_checkout

LOAD_SCRIPT: Final = "load_form_script"
LOAD_FRAME: Final = "load_form_frame"
OPEN_FORM: Final = "open_form"
# A gateway counts them together.
COUNTED_AS = dict.fromkeys((LOAD_SCRIPT, LOAD_FRAME, OPEN_FORM), "pages")
LOCALES = ("en", "de", "fr", "ar")
# What the script loads for a card: its style and three frames.
PARTS = ("form/style.css", "form/relay", "form/number", "form/cvv")
OPENED = ("000.200.000",)
# As a browser marks what a page asks of its own origin.
FROM_OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}


def new_form_checkout(payloads: Payloads) -> PlannedRequest:
    """Return a checkout whose answer has the hash of the script."""
    created = new_checkout(payloads)
    return replace(created, form={**created.form, "integrity": "true"})


def form_script(checkout_id: str, integrity: str = "") -> PlannedRequest:
    """Return what the tag in a page loads, with the hash that the tag names."""
    path = f"v1/paymentWidgets.js?checkoutId={checkout_id}"
    return PlannedRequest(
        LOAD_SCRIPT, "GET", path, is_file=True, by_browser=True, integrity=integrity
    )


def form_parts() -> list[PlannedRequest]:
    """Return what the script loads, the same for every checkout."""
    return [
        PlannedRequest(LOAD_FRAME, "GET", path, is_file=True, by_browser=True) for path in PARTS
    ]


def open_form(payloads: Payloads, checkout_id: str) -> PlannedRequest:
    """Return what the hidden frame asks; the answer has the capability to pay once."""
    locale = payloads.random.choice(LOCALES)
    return PlannedRequest(
        OPEN_FORM, "POST", f"form/{checkout_id}/open", {"locale": locale},
        success_codes=OPENED, path_id=checkout_id, headers=FROM_OWN_PAGE, by_browser=True,
    )  # fmt: skip


def pay_in_form(
    payloads: Payloads, checkout_id: str, created_by: PlannedRequest, *, capability: str
) -> PlannedRequest:
    """Return the payment that the hidden frame posts."""
    headers = {**FROM_OWN_PAGE, "Authorization": f"Checkout {capability}"}
    paid = pay_checkout(payloads, checkout_id, created_by)
    return replace(paid, headers=headers, by_browser=True)
