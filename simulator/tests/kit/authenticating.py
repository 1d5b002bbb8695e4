"""For tests of 3-D Secure: a channel that asks, a payment with all it needs, and the messages of
directory server and ACS.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode

from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.records import Origin, Payment
from simulator.domain.three_d_secure.authentications import Authentication
from simulator.service.challenges import handle_cres, handle_rreq
from simulator.service.payments.contexts import read_payment
from simulator.service.payments.pipeline import take_payment
from simulator.tests.kit.making import CARD, Answering, Frictionless, a_context, ares_to, new_ids
from simulator.tests.merchants.test_requirements import ADDRESS, BROWSER

SHOP = "https://shop.example/done?order=4711"
VALUE = "AAABBWFlmQAAAABjRWWZEEFgFz8="
ACS_URL = "http://acs.test/acs/challenge/1"
ORDER = {
    "paymentType": "DB",
    "amount": "92.00",
    "currency": "EUR",
    "shopperResultUrl": SHOP,
    **CARD,
    **BROWSER,
    **ADDRESS,
}


def saying(status: str, **more: str) -> Frictionless:
    """A directory server whose ARes says so."""
    if status in "YA":
        more = {"eci": "05", "authenticationValue": VALUE, **more}
    return Frictionless(areq=lambda _, areq: ares_to(areq, status, **more))


def asking(*, method: bool = False, signed: dict | None = None) -> Frictionless:
    """A directory server whose ACS asks the shopper. `signed` is what else its signature says."""

    def challenged(_: str, areq: dict) -> dict:
        ares = ares_to(areq, "C")
        names = ("threeDSServerTransID", "acsTransID", "dsTransID")
        content = {"acsURL": ACS_URL, **{name: ares[name] for name in names}, **(signed or {})}
        return {
            **ares,
            "acsURL": ACS_URL,
            "acsChallengeMandated": "Y",
            "authenticationType": "02",
            "acsSignedContent": json.dumps(content),
        }

    answers: dict = {"areq": challenged}
    if method:
        answers["lookup"] = {
            "enrolled": True,
            "messageVersions": ["2.1.0", "2.2.0"],
            "threeDSMethodURL": "http://acs.test/acs/method",
        }
    return Frictionless(**answers)


def secured(
    directory: object, acquirer: object = None, *, store: object = None, **channel: object
) -> ChannelContext:
    """A context of a channel that asks by version 2.2.0."""
    setup = {"three_d_secure": {"VISA": "2.2.0", "MASTER": "2.1.0"}, **channel}
    return a_context(
        channel=setup, directory=directory, acquirer=acquirer or Answering(), store=store
    )


def pay(context: ChannelContext, origin: Origin | None = None, **more: str | None) -> Payment:
    """A payment with all that 3-D Secure asks for; None leaves a parameter out."""
    sent = {name: value for name, value in {**ORDER, **more}.items() if value is not None}
    return take_payment(context, sent, new_ids(context), origin or Origin())


def authentication_of(context: ChannelContext, payment: Payment) -> Authentication:
    """What is stored of it."""
    return context.ports.store.get(Authentication, payment.id)


def rreq_for(
    context: ChannelContext, payment: Payment, status: str = "Y", **more: str | None
) -> dict:
    """The RReq of an ACS; None leaves a field out."""
    known = authentication_of(context, payment)
    if status in "YA":
        more = {"eci": "05", "authenticationValue": VALUE, **more}
    elif "transStatusReason" not in more:
        more = {"transStatusReason": "01", **more}
    made = {
        "messageType": "RReq",
        "messageVersion": known.message_version,
        "threeDSServerTransID": known.server_id,
        "acsTransID": known.acs_id,
        "dsTransID": known.ds_id,
        "messageCategory": "01",
        "interactionCounter": "01",
        "transStatus": status,
        **more,
    }
    return {name: value for name, value in made.items() if value is not None}


def send_rreq(
    context: ChannelContext, payment: Payment, rreq: dict, *, secret: str | None = None
) -> object:
    """Handle an RReq of the directory server; the answer."""
    secret = authentication_of(context, payment).secret if secret is None else secret
    return handle_rreq(context.ports, payment, json.dumps(rreq).encode(), secret)


def returning(context: ChannelContext, payment: Payment, status: str = "Y", **more: str) -> str:
    """The CRes that a browser brings back."""
    known = authentication_of(context, payment)
    made = {
        "messageType": "CRes",
        "messageVersion": known.message_version,
        "threeDSServerTransID": known.server_id,
        "acsTransID": known.acs_id,
        "transStatus": status,
        **more,
    }
    return urlsafe_b64encode(json.dumps(made).encode()).decode()


def challenged(
    context: ChannelContext, payment: Payment, status: str = "Y", **more: str
) -> Payment:
    """The payment after a challenge that ended so."""
    send_rreq(context, payment, rreq_for(context, payment, status, **more))
    handle_cres(context.ports, payment, returning(context, payment, "Y" if status in "YA" else "N"))
    return read_payment(context, payment.id)


def opened(text: str) -> dict:
    """What a message says that a browser carries."""
    return json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
