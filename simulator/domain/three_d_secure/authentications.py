"""3-D Secure 2: an authentication and how it goes on. Decisions; nothing here waits.

Source: 3D Secure. Choices: D-193, D-194, D-195.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from hmac import compare_digest
from typing import Any, NamedTuple

import msgspec

from simulator.catalogue.fields.three_d_secure import AUTHENTICATION_SHOWN, THREE_D_SECURE
from simulator.catalogue.messages.three_d_secure import VERSIONS
from simulator.catalogue.messages.three_d_secure_outcomes import (
    AUTHENTICATED,
    CANCELLED,
    FRICTIONLESS,
    TECHNICAL,
    WRONG_DATA,
    WRONG_MESSAGE,
    Ended,
    end_of_status,
)
from simulator.derive.checks.acceptance import acceptance_of
from simulator.derive.schemas.three_d_secure import Wrong, read_message, wrong_with
from simulator.domain.core.entities import Channel
from simulator.domain.core.hosts import SUCCESS_CODES
from simulator.domain.core.records import Outcome, Payment, PaymentType

Document = Mapping[str, Any]

WORD, FLOW = "3-D Secure", "threeDSecure.flow"
ENROLLMENT, NOT_ENROLLED = "threeDSecure.enrollmentStatus", "13"
# What the results of a challenge say anew.
OF_RESULTS = frozenset(
    f"threeDSecure.{name}"
    for name in ("eci", "verificationId", "authenticationStatus", "transactionStatusReason")
)
CHALLENGE, CANCELLED_BY_SHOPPER = "C", frozenset({"01", "03", "06", "07", "08"})
# The browser does not come back of a challenge whose time was over.
OUT_OF_TIME = frozenset({"04", "05"})
# The ten minutes of the ACS, and what its result may take. Source: EMV 3DS. Choice: D-242.
CHALLENGE_MAX = timedelta(minutes=10, seconds=5)
# How long one browser may hold the claim to send the AReq: longer than its answer takes.
AREQ_MAX = timedelta(minutes=1)
# What is sent to the acquirer of an authentication; the rest is shown to the merchant alone.
SENT_TO_ACQUIRER = frozenset(
    f"threeDSecure.{name}"
    for name in ("eci", "verificationId", "dsTransactionId", "version", "authenticationStatus")
)


UUID_PARTS = (8, 4, 4, 4, 12)
UUID_DIGITS = sum(UUID_PARTS)
UUID_LENGTH = UUID_DIGITS + len(UUID_PARTS) - 1


class AuthenticationStage(StrEnum):
    """Where an authentication stands: its AReq waits for the method call, the shopper is asked, the
    result is there, or the payment went on to the acquirer. It is over then, and where its payment
    is no longer pending.
    """

    METHOD = "method"
    CHALLENGE = "challenge"
    ANSWERED = "answered"
    PASSED = "passed"


class Authentication(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The authentication of the pending payment of the same id.

    `returned` is the transStatus that the browser brought, `answered` that of the result; both must
    be there. At `due` a challenge ends that came to neither; before the challenge, the claim of
    the browser that sends the AReq lapses then. `secret` is given to the directory server alone: a
    result comes with it. `browser` is the browser data that the page collected where the
    merchant sent none. No card number is in it.
    """

    id: str
    version: int = 0
    stage: AuthenticationStage
    server_id: str
    secret: str
    message_version: str
    has_method: bool = False
    is_method_done: bool = False
    acs_id: str = ""
    ds_id: str = ""
    acs_url: str = ""
    answered: str = ""
    code: str = ""
    returned: str = ""
    browser: Mapping[str, str] = {}
    due: datetime | None = None


class Range(NamedTuple):
    """What the directory server says of a card: the versions its range takes, and the address of
    the issuer's method, or none.
    """

    versions: tuple[str, ...]
    method_url: str


class AuthenticationResult(NamedTuple):
    """What an ARes came to: what is shown of it, and how the payment ends by it, or where the
    shopper is asked. Neither: he is authenticated.
    """

    shown: Mapping[str, str]
    ended: Ended | None = None
    acs_url: str = ""


def range_in(answer: bytes) -> Range | None:
    """What a lookup answered; None where the range of the card takes no part."""
    document = read_message(answer)
    if isinstance(document, Wrong) or document.get("enrolled") is not True:
        return None
    versions = tuple(each for each in document.get("messageVersions") or () if each in VERSIONS)
    method = document.get("threeDSMethodURL")
    return Range(versions, method if isinstance(method, str) else "")


def version_for(channel: Channel, brand: str | None, versions: tuple[str, ...]) -> str | None:
    """The newest version that both the channel and the range of the card take; None: there is
    none.
    """
    newest = channel.three_d_secure.get(brand or "", "")
    return max((each for each in versions if each <= newest), default=None)


def verdict_on(
    answer: bytes, authentication: Authentication, signed: Mapping[str, Any] | None
) -> AuthenticationResult:
    """What an ARes came to. `signed` is the content of its acsSignedContent, where its signature
    holds.
    """
    document = read_message(answer)
    if isinstance(document, Wrong):
        return AuthenticationResult({}, WRONG_MESSAGE)
    if document.get("messageType") == "Erro":
        return AuthenticationResult({}, TECHNICAL)
    if wrong_with(document, "ARes") is not None:
        return AuthenticationResult({}, WRONG_MESSAGE)
    if not _names(document, authentication):
        return AuthenticationResult({}, WRONG_DATA)
    shown = shown_of(document, is_challenge=document["transStatus"] == CHALLENGE)
    if document["transStatus"] != CHALLENGE:
        return AuthenticationResult(shown, end_in(document))
    if signed is None or not _same(signed, document):
        return AuthenticationResult(shown, TECHNICAL)
    return AuthenticationResult(shown, acs_url=document["acsURL"])


def end_in(document: Document) -> Ended | None:
    """How a payment ends by a final status, of an ARes or an RReq; None: he is authenticated."""
    status = document["transStatus"]
    if status in AUTHENTICATED:
        return None
    if document.get("challengeCancel") in CANCELLED_BY_SHOPPER:
        return CANCELLED
    return end_of_status(status, document.get("transStatusReason", ""))


# fmt: off
SHOWN = (
    #  in the answer                        of the message
    ("threeDSecure.eci",                     "eci"),
    ("threeDSecure.verificationId",          "authenticationValue"),
    ("threeDSecure.version",                 "messageVersion"),
    ("threeDSecure.dsTransactionId",         "dsTransID"),
    ("threeDSecure.acsTransactionId",        "acsTransID"),
    ("threeDSecure.authenticationStatus",    "transStatus"),
    ("threeDSecure.transactionStatusReason", "transStatusReason"),
    ("threeDSecure.authType",                "authenticationType"),
    ("threeDSecure.challengeMandatedIndicator", "acsChallengeMandated"),
    ("threeDSecure.cardHolderInfo",          "cardholderInfo"),
)
# fmt: on
# What a field of these messages may hold is wider than what the parameter of the same meaning may.
FITS = {
    row.name: acceptance_of(row.format) for row in (*THREE_D_SECURE.rows, *AUTHENTICATION_SHOWN)
}


def shown_of(document: Document, *, is_challenge: bool) -> dict[str, str]:
    """What answers show of an authentication, by the names of parameters, in their formats.
    Source: public facts 8.3; TDS-08. Choice: D-675.
    """
    found = {name: str(document[field]) for name, field in SHOWN if field in document}
    shown = {name: value for name, value in found.items() if FITS[name](value)}
    shown[ENROLLMENT] = _enrollment_of(document)
    shown[FLOW] = "challenge" if is_challenge else "frictionless"
    return shown


def shown_after(payment: Payment, results: Document) -> dict[str, str]:
    """What answers show once the results of a challenge have come, in place of those before."""
    kept = {name: value for name, value in payment.shown.items() if name not in OF_RESULTS}
    return {**kept, **shown_of(results, is_challenge=True)}


def _enrollment_of(document: Document) -> str:
    """Whether the card takes part: its issuer said so, or could not say. Choice: D-675."""
    if document.get("transStatusReason") == NOT_ENROLLED:
        return "N"
    return "U" if document["transStatus"] == "U" else "Y"


def onward_of(payment: Payment) -> dict[str, str]:
    """What is sent to the acquirer of the authentication of a payment: its liability rests on
    it.
    """
    return {name: value for name, value in payment.shown.items() if name in SENT_TO_ACQUIRER}


def outcome_of(payment: Payment, ended: Ended | None, *, is_challenge: bool = False) -> Outcome:
    """How a payment ends by an authentication, or an authentication alone. Choice: D-195."""
    is_alone = payment.type is PaymentType.TD
    if ended is not None:
        return Outcome(code=ended.alone if is_alone else ended.payment, decided_by=WORD)
    code = SUCCESS_CODES[payment.test_mode] if is_challenge else FRICTIONLESS
    return Outcome(code=code, decided_by=WORD)


def judged_results(
    body: bytes, secret: str, authentication: Authentication | None
) -> Document | Wrong:
    """The RReq that a body is, or what is wrong with it: form, ids, or that it comes again."""
    document = read_message(body)
    if isinstance(document, Wrong):
        return document
    wrong = wrong_with(document, "RReq")
    if wrong is not None:
        return wrong
    if authentication is None or not has_secret(secret, authentication):
        return Wrong("301", "threeDSServerTransID")
    if authentication.stage is not AuthenticationStage.CHALLENGE:
        return Wrong("301", "threeDSServerTransID: no challenge waits for a result")
    if not _names(document, authentication) or not _is_of(document, authentication):
        return Wrong("301", "threeDSServerTransID, acsTransID, dsTransID")
    return document


def judged_return(text: str, authentication: Authentication) -> Ended | str | None:
    """What a browser brings back: a transStatus, how the payment ends at once, or None where it is
    about another authentication.
    """
    raw = unpacked(text)
    document = Wrong("101", "") if raw is None else read_message(raw)
    if isinstance(document, Wrong) or not _names(document, authentication):
        return None
    if document.get("messageType") == "Erro":
        return TECHNICAL
    if wrong_with(document, "CRes") is not None:
        return WRONG_MESSAGE
    if document["acsTransID"] != authentication.acs_id:
        return WRONG_DATA
    return str(document["transStatus"])


def is_out_of_time(document: Document) -> bool:
    """Whether an RReq says that the shopper let the time of his challenge pass."""
    return document.get("challengeCancel") in OUT_OF_TIME


def has_secret(secret: str, authentication: Authentication | None) -> bool:
    """Whether `secret` allows to send the result of this authentication."""
    if authentication is None:
        return False
    return compare_digest(secret.encode(), authentication.secret.encode())


def agree(authentication: Authentication) -> bool:
    """Whether the result and what the browser brought say the same."""
    return authentication.returned == ("Y" if authentication.answered in AUTHENTICATED else "N")


def is_method_of(text: str, authentication: Authentication) -> bool:
    """Whether threeDSMethodData says that the method of this authentication was called."""
    raw = unpacked(text)
    document = Wrong("101", "") if raw is None else read_message(raw)
    return not isinstance(document, Wrong) and _names(document, authentication)


def unpacked(text: str) -> bytes | None:
    """The bytes that Base64url writes, padded or not; None where it writes none."""
    bare = text.rstrip("=")
    try:
        return urlsafe_b64decode(bare.encode("ascii") + b"=" * (-len(bare) % 4))
    except ValueError:
        return None


def uuid_of(digits: str) -> str:
    """An id of a message, made of the first of these hex digits."""
    parts, start = [], 0
    for count in UUID_PARTS:
        parts.append(digits[start : start + count])
        start += count
    return "-".join(parts)


def packed(document: Document) -> str:
    """A message as browsers carry it: Base64url of its JSON, without padding."""
    return urlsafe_b64encode(msgspec.json.encode(document)).rstrip(b"=").decode()


def _names(document: Document, authentication: Authentication) -> bool:
    return bool(document.get("threeDSServerTransID") == authentication.server_id)


def _is_of(document: Document, authentication: Authentication) -> bool:
    ids = (document["acsTransID"], document["dsTransID"])
    is_ours = ids == (authentication.acs_id, authentication.ds_id)
    return is_ours and document["messageVersion"] == authentication.message_version


def _same(signed: Mapping[str, Any], document: Document) -> bool:
    """Whether the signed content is about this ARes: a replayed one names other ids."""
    names = ("acsURL", "threeDSServerTransID", "acsTransID", "dsTransID")
    return all(signed.get(name) == document[name] for name in names)
