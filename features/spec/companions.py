"""The parameters a field needs beside it, and the fields that a payment cannot carry."""

from collections.abc import Mapping

Sent = Mapping[str, str]

# The test card every gateway of this family takes; any expiry date to come will do.
REFERENCE_CARD: Sent = {
    "paymentBrand": "VISA",
    "card.number": "4200000000000000",
    "card.holder": "Jane Jones",
    "card.expiryMonth": "12",
    "card.expiryYear": "2099",
    "card.cvv": "123",
}

REFERENCE_PAYMENT: Sent = {
    "amount": "92.00",
    "currency": "EUR",
    "paymentType": "DB",
    **REFERENCE_CARD,
}

_SHOPPER = {"customer.givenName": "Jane", "customer.surname": "Jones"}
_MPI = {
    "threeDSecure.eci": "05",
    "threeDSecure.verificationId": "AAABBWFlmQAAAABjRWWZEEFgFz8=",
    "threeDSecure.enrollmentStatus": "Y",
    "threeDSecure.authenticationStatus": "Y",
}
_TERMINAL = {"pos.entryMode": "MANUAL", "pos.terminalId": "1"}
_ACCOUNT = {
    "paymentBrand": "DIRECTDEBIT_SEPA",
    "bankAccount.holder": "Jane Jones",
    "bankAccount.iban": "DE89370400440532013000",
    "bankAccount.bic": "MARKDEF1",
    "bankAccount.country": "DE",
}
_MAESTRO = {"paymentBrand": "MAESTRO"}
_MONTHLY = {"job.dayOfMonth": "05"}
_NOTICE = {"job.noticeNumber": "14", "job.noticeUnit": "DAY"}
_DURATION = {"job.durationNumber": "3", "job.durationUnit": "MONTH"}
_LATER_3DS = {"threeDSecure.version": "2.2.0"}

# A field is sent with the companions of the longest prefix of its name found here.
COMPANIONS: Mapping[str, Sent] = {
    "bankAccount.": _ACCOUNT,
    "billing.houseNumber2": {"billing.houseNumber1": "1", "billing.street1": "Main Street"},
    "billing.street2": {"billing.street1": "Main Street"},
    "card.number": _MAESTRO,
    "customer.": _SHOPPER,
    "customer.identificationDocId": {**_SHOPPER, "customer.identificationDocType": "PASSPORT"},
    "customer.identificationDocType": {**_SHOPPER, "customer.identificationDocId": "L01X00T47"},
    "date.from": {"date.to": "2099-12-31"},
    "date.to": {"date.from": "2095-01-01"},
    "job.": _MONTHLY,
    "job.dayOfWeek": {"job.hour": "12"},
    "job.durationNumber": {**_MONTHLY, "job.durationUnit": "DAY"},
    "job.durationUnit": {**_MONTHLY, "job.durationNumber": "14"},
    "job.expression": {},
    "job.noticeCallable": {**_MONTHLY, **_NOTICE, **_DURATION},
    "job.noticeNumber": {**_MONTHLY, "job.noticeUnit": "DAY"},
    "job.noticeUnit": {**_MONTHLY, "job.noticeNumber": "14"},
    "mobileWallet.source": _MPI,
    "pos.": _TERMINAL,
    "recurringMigration.": {
        "recurringMigration.paymentType": "DB",
        "recurringMigration.connectorTxId1": "830128374650192",
    },
    "shipping.customer.identificationDocId": {"shipping.customer.identificationDocType": "IDCARD"},
    "shipping.customer.identificationDocType": {
        "shipping.customer.identificationDocId": "L01X00T47"
    },
    "shipping.houseNumber2": {"shipping.houseNumber1": "1", "shipping.street1": "Main Street"},
    "shipping.street2": {"shipping.street1": "Main Street"},
    "threeDSecure.authenticationStatus": _MPI,
    "threeDSecure.challengeIndicator": _LATER_3DS,
    "threeDSecure.dsTransactionId": _MPI,
    "threeDSecure.eci": _MPI,
    "threeDSecure.enrollmentStatus": _MPI,
    "threeDSecure.exemptionFlag": _LATER_3DS,
    "threeDSecure.verificationId": _MPI,
    "threeDSecure.version": _MPI,
    "threeDSecure.xid": _MPI,
    "transactionDueDate": _ACCOUNT,
    "virtualAccount.": {"paymentBrand": "VIRTUAL_ACCOUNT"},
}

# Beginnings of names whose payment is no card payment: the card stays away.
CARDLESS = ("bankAccount.", "transactionDueDate", "virtualAccount.")

# Prefixes of names that change how a payment is processed: only their format is tested here.
FORMAT_ONLY = {
    "bankAccount.": "a bank account payment is processed by another part of the gateway",
    "entityId": "another value names another entity, with which the token is not valid",
    "mobileWallet.": "a wallet payment is processed by another part of the gateway",
    "overrideHolder": "it applies to checkouts and to payments by registration",
    "overridePaymentType": "a checkout is prepared, and pending until it is paid",
    "pos.": "a terminal transaction is processed by another part of the gateway",
    "testMode": "EXTERNAL needs a processor's test system",
    "transactionDueDate": "it belongs to a direct debit",
    "virtualAccount.": "a virtual account payment is processed by another part of the gateway",
}

# Beginnings of names that no boundary case can send, and why.
UNREACHABLE = {
    "Authorization header": "it is no parameter; authentication.feature has it",
    "mobileWallet.paymentToken": "its format is the wallet provider's",
}

# What a target must offer for the cases of a field.
NEEDS = {
    "bankAccount.": ("brands",),
    "date.": ("reports",),
    "transactionDueDate": ("brands",),
    "virtualAccount.": ("brands",),
}

# Beginnings of field and kind of the cases that rest on a decision of Sandgate, and which one.
DECIDED = {
    "chargebackResultCode:": "D-148",
    "overridePaymentType[brand]:every-sign": "D-44",
    "overridePaymentType[brand]:longest-name": "D-44",
    "overridePaymentType[brand]:shortest-name": "D-44",
    "pos.deviceType:longest": "D-55",
    "pos.deviceType:shortest": "D-55",
    "threeDSecure.v1.<scheme>.password:": "D-51",
}


def companions_of(name: str) -> Sent:
    """The parameters with which only `name` decides whether a payment is accepted."""
    beginnings = [beginning for beginning in COMPANIONS if name.startswith(beginning)]
    return COMPANIONS[max(beginnings, key=len)] if beginnings else {}


def reason_among(reasons: Mapping[str, str], name: str) -> str | None:
    """The reason of the first beginning of `name` that has one, or None."""
    return next((why for start, why in reasons.items() if name.startswith(start)), None)
