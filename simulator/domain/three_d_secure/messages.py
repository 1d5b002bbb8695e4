"""3-D Secure 2: the messages the gateway's 3DS server writes, made of a stored payment.

An AReq may be written long after its payment came in, so nothing in it comes from the request but
what the payment keeps; the card number is handed in. Source: 3D Secure. Choice: D-196.
"""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.messages.three_d_secure_outcomes import EXEMPTED
from simulator.domain.core.currencies import USUAL_DECIMALS, decimals_of, number_of
from simulator.domain.core.entities import Channel
from simulator.domain.core.money import read_amount
from simulator.domain.core.parameters import onward
from simulator.domain.core.records import Payment
from simulator.domain.three_d_secure.authentications import Authentication, packed
from simulator.domain.urls import ascii_url, is_web_url

Message = dict[str, Any]

EXTENSION = "sandgate-sandbox"
BROWSER_CHANNEL, PAYMENT_CATEGORY = "02", "01"
METHOD_DATA = "threeDSMethodData"
NO_CATEGORY_CODE, NO_COUNTRY = "5999", "826"
# Decimals of an amount as it is sent, for currencies that have no minor unit of their own.
URL_LENGTH_MAX = 2048
DEPTHS = frozenset({"1", "4", "8", "15", "16", "24", "32", "48"})
WINDOW_SIZES = frozenset({"1", "2", "3", "4", "5"})
FULL_SCREEN = "05"
AUTHENTICATION_INDICATORS = {"RECURRING": "02", "INSTALLMENT": "03"}

# fmt: off
COPIED = (
    #  field                  parameter                          at most
    ("browserAcceptHeader",   "customer.browser.acceptHeader",   2048),
    ("browserIP",             "customer.ip",                     45),
    ("browserLanguage",       "customer.browser.language",       8),
    ("browserScreenHeight",   "customer.browser.screenHeight",   6),
    ("browserScreenWidth",    "customer.browser.screenWidth",    6),
    ("browserTZ",             "customer.browser.timezone",       5),
    ("browserUserAgent",      "customer.browser.userAgent",      2048),
    ("billAddrLine1",         "billing.street1",                 50),
    ("billAddrLine2",         "billing.street2",                 50),
    ("billAddrCity",          "billing.city",                    50),
    ("billAddrPostCode",      "billing.postcode",                16),
    ("shipAddrLine1",         "shipping.street1",                50),
    ("shipAddrLine2",         "shipping.street2",                50),
    ("shipAddrCity",          "shipping.city",                   50),
    ("shipAddrPostCode",      "shipping.postcode",               16),
    ("email",                 "customer.email",                  254),
    ("recurringFrequency",    "standingInstruction.frequency",   4),
    ("purchaseInstalData",    "standingInstruction.numberOfInstallments", 3),
)
# fmt: on


class GatewayAddress(NamedTuple):
    """Where the gateway is found: its base address (with a slash), the id of the sandbox, and that
    of its epoch.
    """

    base: str
    sandbox: str
    epoch: str = ""

    def of(self, payment: str, page: str) -> str:
        """The address of one of its pages about a payment."""
        return f"{self.base}threeDSecure/{self.sandbox}/{payment}/{page}"


def lookup_of(payment: Payment, number: str, place: GatewayAddress) -> Message:
    """What the directory server is asked of a card."""
    return {"acctNumber": number, "messageExtension": [_extension(payment, place)]}


def areq_of(
    payment: Payment,
    authentication: Authentication,
    number: str,
    *,
    place: GatewayAddress,
    channel: Channel,
    shop: str,
) -> Message:
    """The authentication request. The amount is risk.amount where that was sent. TDS-05.

    `shop` is the name the acquirer knows the merchant by, as in the authorization. Choice: D-330.
    """
    sent = {**payment.sent, **authentication.browser}
    copied = {field: sent[name][:most] for field, name, most in COPIED if sent.get(name)}
    return {
        "messageType": "AReq",
        "messageVersion": authentication.message_version,
        "threeDSServerTransID": authentication.server_id,
        "acctNumber": number,
        "deviceChannel": BROWSER_CHANNEL,
        "messageCategory": PAYMENT_CATEGORY,
        "threeDSCompInd": _completion(authentication),
        "threeDSServerURL": place.of(payment.id, f"results/{authentication.secret}"),
        "notificationURL": place.of(payment.id, "return"),
        "browserJavaEnabled": sent.get("customer.browser.javaEnabled") in ("true", "1"),
        **_purchase(payment),
        **_requestor(payment, channel),
        **_merchant(payment, channel, shop),
        **_card(payment),
        **copied,
        **_optional(payment.sent),
        "messageExtension": [_extension(payment, place)],
    }


def creq_of(payment: Payment, authentication: Authentication) -> str:
    """What the browser brings to the ACS."""
    size = payment.sent.get("customer.browser.challengeWindow", "").lstrip("0")
    return packed(
        {
            "messageType": "CReq",
            "messageVersion": authentication.message_version,
            "threeDSServerTransID": authentication.server_id,
            "acsTransID": authentication.acs_id,
            "challengeWindowSize": f"0{size}" if size in WINDOW_SIZES else FULL_SCREEN,
        }
    )


def method_data(payment: Payment, authentication: Authentication, place: GatewayAddress) -> str:
    """What the browser brings to the issuer's method."""
    return packed(
        {
            "threeDSServerTransID": authentication.server_id,
            "threeDSMethodNotificationURL": place.of(payment.id, "method"),
        }
    )


def rres_of(rreq: Mapping[str, Any]) -> Message:
    """The answer to a result that was taken."""
    names = ("messageVersion", "threeDSServerTransID", "dsTransID", "acsTransID")
    return {"messageType": "RRes", **{name: rreq[name] for name in names}, "resultsStatus": "01"}


def _completion(authentication: Authentication) -> str:
    if not authentication.has_method:
        return "U"
    return "Y" if authentication.is_method_done else "N"


def _purchase(payment: Payment) -> Message:
    sent, currency = payment.sent, "" if payment.money is None else payment.money.currency
    amount = Decimal(0) if payment.money is None else payment.money.amount
    if "risk.amount" in sent:
        amount = read_amount(sent["risk.amount"])
    exponent = decimals_of(currency)
    if amount.scaleb(exponent) != int(amount.scaleb(exponent)):
        exponent = USUAL_DECIMALS
    return {
        "purchaseAmount": str(int(amount.scaleb(exponent))),
        "purchaseCurrency": number_of(currency),
        "purchaseExponent": str(exponent),
        "purchaseDate": f"{payment.created_at:%Y%m%d%H%M%S}",
    }


def _requestor(payment: Payment, channel: Channel) -> Message:
    """Who asks: by the scheme of the brand where the merchant is known there. TDS-03."""
    brand = BRANDS.get(payment.card_brand or "")
    stem = f"threeDSecure.v2.{'' if brand is None else brand.scheme}"
    identity = payment.sent.get(f"{stem}.requestorId", payment.stamp.channel)
    name = payment.sent.get(f"{stem}.requestorName", channel.name)
    return {"threeDSRequestorID": identity[:35], "threeDSRequestorName": name[:40]}


def _merchant(payment: Payment, channel: Channel, shop: str) -> Message:
    sent = payment.sent
    code = sent.get("merchant.mcc", "")
    return {
        "merchantName": (sent.get("threeDSecure.merchant.name") or shop or channel.name)[:40],
        "merchantCountryCode": _country(sent.get("threeDSecure.merchant.country")) or NO_COUNTRY,
        "mcc": code if len(code) == 4 and code.isdigit() else NO_CATEGORY_CODE,
        "acquirerMerchantID": channel.merchant_account[:35],
    }


def _card(payment: Payment) -> Message:
    card = payment.card
    assert card is not None, "only a payment by card is authenticated"
    made = {"cardExpiryDate": f"{card.expiryYear[-2:]}{card.expiryMonth}"}
    if card.holder is not None and len(card.holder) > 1:
        made["cardholderName"] = card.holder[:45]
    return made


def _optional(sent: Mapping[str, str]) -> Message:
    """Fields whose values are written otherwise than the parameters they come from."""
    countries = {
        "billAddrCountry": _country(sent.get("billing.country")),
        "shipAddrCountry": _country(sent.get("shipping.country")),
    }
    made: Message = {name: code for name, code in countries.items() if code is not None}
    url = ascii_url(sent.get("threeDSecure.merchant.url", ""))
    if is_web_url(url) and len(url) <= URL_LENGTH_MAX:
        made["threeDSRequestorURL"] = url
    wish = sent.get("threeDSecure.challengeIndicator")
    wish = wish or EXEMPTED.get(sent.get("threeDSecure.exemptionFlag", ""))
    if wish is not None:
        made["threeDSRequestorChallengeInd"] = wish
    kind = sent.get("standingInstruction.type", "")
    made["threeDSRequestorAuthenticationInd"] = AUTHENTICATION_INDICATORS.get(kind, "01")
    if "standingInstruction.expiry" in sent:
        made["recurringExpiry"] = sent["standingInstruction.expiry"].replace("-", "")
    depth = sent.get("customer.browser.screenColorDepth")
    if depth in DEPTHS:
        made["browserColorDepth"] = depth
    return made


def _extension(payment: Payment, place: GatewayAddress) -> Message:
    """The extension that names the sandbox, and so the scripts, this is about."""
    data = {
        "sandbox": place.sandbox,
        "epoch": place.epoch,
        "entity": payment.stamp.channel,
        "payment": payment.id,
        "type": payment.type.value,
        "brand": payment.card_brand,
        "parameters": onward(payment.sent, payment.card_brand),
    }
    return {"name": "Sandgate", "id": EXTENSION, "criticalityIndicator": False, "data": data}


@cache
def _country(code: str | None) -> str | None:
    """The three digits of a country by its two or three letters."""
    import pycountry

    if code is None:
        return None
    found = pycountry.countries.get(alpha_2=code.upper()) or pycountry.countries.get(
        alpha_3=code.upper()
    )
    return None if found is None else str(found.numeric)
