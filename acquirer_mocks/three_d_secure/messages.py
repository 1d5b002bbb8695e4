"""The messages of directory server and ACS. Source: the EMV 3DS core protocol."""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

from acquirer_mocks.three_d_secure.cases import COURSES, eci_of
from acquirer_mocks.three_d_secure.challenges import Challenge
from simulator.catalogue.messages.three_d_secure import ERRORS, VERSIONS
from simulator.derive.schemas.three_d_secure import Wrong

DIRECTORY, ACS = "D", "A"
DS_REFERENCE, ACS_REFERENCE, ACS_OPERATOR = "SANDGATE-DS-0001", "SANDGATE-ACS-0001", "SANDGATE-ACS"
DYNAMIC = "02"
ONE_TIME_CODE = "02"
AUTHENTICATED = frozenset({"Y", "A"})
INFORMED = "Your bank declined to confirm this payment. Call the number on the back of your card."
IDS = ("threeDSServerTransID", "dsTransID", "acsTransID")
KINDS_SHOWN_MAX = 4
BASE64URL = re.compile("[A-Za-z0-9_-]+")

Document = Mapping[str, Any]


class MessageRefusedError(Exception):
    """A message that is answered by Erro. `document` is what came, as far as it could be read."""

    def __init__(self, wrong: Wrong, document: Document | None = None, *, component: str = ACS):
        super().__init__(f"{wrong.code}: {wrong.detail}")
        self.wrong = wrong
        self.document = document or {}
        self.component = component


def erro(refused: MessageRefusedError) -> dict[str, Any]:
    """The Erro of a refusal; of what came only ids and the kind are repeated."""
    came, wrong = refused.document, refused.wrong
    version, kind = came.get("messageVersion"), came.get("messageType")
    ids = {name: came[name] for name in IDS if _is_uuid(came.get(name))}
    return {
        "messageType": "Erro",
        "messageVersion": version if version in VERSIONS else VERSIONS[-1],
        **ids,
        "errorCode": wrong.code,
        "errorComponent": refused.component,
        "errorDescription": ERRORS[wrong.code],
        "errorDetail": wrong.detail,
        **({"errorMessageType": kind} if _is_kind(kind) else {}),
    }


def authenticated(
    areq: Document, course: str, *, ids: Mapping[str, str], brand: str | None, value: str
) -> dict[str, Any]:
    """The ARes of a course, without what only a challenge has. `value` is 28 characters."""
    status, reason = COURSES[course]
    made = {
        "messageType": "ARes",
        "messageVersion": areq["messageVersion"],
        "threeDSServerTransID": areq["threeDSServerTransID"],
        **ids,
        "acsReferenceNumber": ACS_REFERENCE,
        "acsOperatorID": ACS_OPERATOR,
        "dsReferenceNumber": DS_REFERENCE,
        "transStatus": status,
    }
    if reason:
        made["transStatusReason"] = reason
    if status == "R":
        made["cardholderInfo"] = INFORMED
    if status != "C":
        made["eci"] = eci_of(brand, status)
    if status in AUTHENTICATED:
        made["authenticationValue"] = value
    return made


def challenged(url: str, *, signed: str) -> dict[str, Any]:
    """What an ARes says beyond, where the shopper is to be asked."""
    return {
        "acsURL": url,
        "acsChallengeMandated": "Y",
        "authenticationType": DYNAMIC,
        "acsSignedContent": signed,
    }


def results(challenge: Challenge, acs_id: str) -> dict[str, Any]:
    """The RReq of a challenge that has ended."""
    assert challenge.end is not None
    status, reason, cancel = challenge.end
    made = {
        "messageType": "RReq",
        "messageVersion": challenge.version,
        "threeDSServerTransID": challenge.server_id,
        "dsTransID": challenge.ds_id,
        "acsTransID": acs_id,
        "messageCategory": "01",
        "transStatus": status,
        "authenticationType": DYNAMIC,
        "authenticationMethod": ONE_TIME_CODE,
        "interactionCounter": f"{challenge.interactions:02d}",
        "eci": eci_of(challenge.brand, status),
    }
    if status in AUTHENTICATED:
        made["authenticationValue"] = challenge.value
    if reason:
        made["transStatusReason"] = reason
    if cancel:
        made["challengeCancel"] = cancel
    return made


def last_word(challenge: Challenge, acs_id: str, status: str) -> dict[str, Any]:
    """The CRes that goes back with the browser."""
    return {
        "messageType": "CRes",
        "messageVersion": challenge.version,
        "threeDSServerTransID": challenge.server_id,
        "acsTransID": acs_id,
        "transStatus": status,
    }


def packed(document: Document) -> str:
    """A message as browsers carry it: Base64url of its JSON, without padding."""
    made = json.dumps(document, separators=(",", ":")).encode()
    return urlsafe_b64encode(made).rstrip(b"=").decode()


def unpacked(text: str) -> bytes:
    """The bytes that Base64url writes, padded or not. Raises Refused."""
    wanted = text.rstrip("=")
    if not BASE64URL.fullmatch(wanted):
        raise MessageRefusedError(Wrong("101", "expected Base64url"))
    try:
        return urlsafe_b64decode(wanted + "=" * (-len(wanted) % 4))
    except ValueError:
        raise MessageRefusedError(Wrong("101", "expected Base64url")) from None


def _is_uuid(value: object) -> bool:
    return isinstance(value, str) and len(value) == 36 and value.replace("-", "").isalnum()


def _is_kind(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= KINDS_SHOWN_MAX and value.isalpha()
