"""Redirects: which payments ask the shopper on other pages, where these are, and the way back.

Source: Asynchronous payment parameters. Choices: D-135, D-136, D-139.
"""

import re
from collections.abc import Mapping
from hmac import compare_digest
from typing import NamedTuple
from urllib.parse import quote

from simulator.catalogue.fields.flow import WAY_BACK
from simulator.catalogue.payment_types import CHARGING_TYPES
from simulator.domain.accounts.accounts import Account
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import Violations
from simulator.domain.core.records import Payment, PaymentSource, PaymentType, Redirect
from simulator.domain.recurring import is_merchant_initiated
from simulator.domain.urls import add_query, ascii_url
from simulator.grammar.violations import Violation

RESULT_URL = "shopperResultUrl"
REFERENCE = "reference"
TOKEN_DIGITS = 48
ADDRESS = re.compile(
    r"(?!(?i:javascript|data|vbscript|file|blob|about):)[A-Za-z][A-Za-z0-9+.-]*://."
)


def is_redirected(account: Account, sent: Mapping[str, str], source: PaymentSource) -> bool:
    """Whether a payment asks the shopper elsewhere. Raises Violations where he could not return.

    The check knows this rule where a brand is sent; a payment by a registration or in a checkout
    has its brand or its way back from there. No shopper is there when the gateway itself pays.
    """
    if not account.redirects or source is not PaymentSource.OPP:
        return False
    if sent["paymentType"] not in CHARGING_TYPES or is_merchant_initiated(sent):
        return False
    refuse_no_way_back(sent)
    return True


def refuse_no_way_back(sent: Mapping[str, str]) -> None:
    """Raise Violations where a shopper who is sent away could not return."""
    url = sent.get(RESULT_URL)
    if url is None:
        raise Violations([Violation(RESULT_URL, None, WAY_BACK.says, WAY_BACK.id)])
    if ADDRESS.match(url) is None:
        message = "must be an address a browser can be sent to, such as https://shop.example/done"
        raise Violations([Violation(RESULT_URL, url, message, "D-136")])


def redirect_of(payment: Payment, *, base: str, sandbox: str, token: str) -> Redirect:
    """Where the shopper is sent. `token` is secret and opens this one page.

    The parameter is there to be passed on; the page does without it. Choice: D-135.
    """
    url = f"{base}redirect/{sandbox}/{payment.id}/{token}"
    return Redirect(url=url, parameters={REFERENCE: payment.short_id})


def token_in(redirect: Redirect) -> str:
    """The secret of a redirect: it stands in no journal, trace, log or error."""
    return redirect.url.rpartition("/")[2]


def shop_name(sandbox: Sandbox, payment: Payment) -> str:
    """The name a shopper knows the merchant of a payment by: the one on his statement."""
    if payment.sent.get("merchant.name"):
        return payment.sent["merchant.name"]
    merchants = sandbox.merchants
    return next((each.name for each in merchants if each.id == payment.stamp.merchant), "")


def opens(token: str, payment: Payment) -> bool:
    """Whether `token` opens the redirect page of `payment`, pending or not any more."""
    if payment.redirect is None:
        return False
    return compare_digest(token.encode(), token_in(payment.redirect).encode())


class ResultPlace(NamedTuple):
    """Where a merchant reads how a payment ended: an id and a path on the same host."""

    id: str
    path: str


def result_place(payment: Payment) -> ResultPlace:
    """The checkout of a payment that came through one, else the payment. Source: Events, 1."""
    if payment.type is PaymentType.TD:
        return ResultPlace(payment.id, f"/v1/threeDSecure/{payment.id}")
    if payment.checkout is None:
        return ResultPlace(payment.id, f"/v1/payments/{payment.id}")
    kind = "registration" if payment.type is PaymentType.RG else "payment"
    return ResultPlace(payment.checkout, f"/v1/checkouts/{payment.checkout}/{kind}")


def way_back(payment: Payment) -> str:
    """The shopperResultUrl of a redirected payment in ASCII, with id and resourcePath behind its
    own query.
    """
    return ascii_url(with_result(payment.sent[RESULT_URL], result_place(payment)))


def with_result(url: str, place: ResultPlace) -> str:
    """`url` with id and resourcePath behind its own query, and its fragment kept."""
    return add_query(url, f"id={place.id}&resourcePath={quote(place.path, safe='')}")
