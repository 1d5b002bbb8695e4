"""Whether a target answers and accepts its credentials, checked before any test case runs.

Otherwise a mistake in a target file would be reported as hundreds of failures of the gateway.
"""

from collections.abc import Sequence
from http.client import HTTPException

import msgspec

from features.conformance.recording import cut
from features.target.records import Target
from reports.words import readable
from simulator.client import Answer, Connection, form_of
from simulator.client.browser import BY_TARGET_FILE, BY_VARIABLE, failure_reason
from simulator.client.receiver import receiving
from simulator.client.shown.masking import Masking
from simulator.client.transport.sendable import UnsendableError

# A well-formed id of no payment: a gateway that accepts the credentials answers that it is unknown.
UNKNOWN_PAYMENT = "8a8294174b7ecb28014b9699220015ca"
REFUSED = (401, 403)
SAID_MAX = 200


class UnreachableTargetError(Exception):
    """Nothing answers at the target's address, or it does not accept the target's credentials."""


class RefusedCredentialsError(UnreachableTargetError):
    """What answers at `address` does not accept the target's credentials."""

    def __init__(self, names: str, address: str, refusal: str):
        expected = f"expected credentials that the gateway at {address} accepts"
        super().__init__(f"{names}: {expected}, got: {refusal}")
        self.address, self.refusal = address, refusal


class ListedEntity(msgspec.Struct, frozen=True):
    """A channel of a merchant, as a control API lists it."""

    id: str


class ListedMerchant(msgspec.Struct, frozen=True):
    """A merchant, as a control API lists it."""

    id: str
    channels: Sequence[ListedEntity]


class ListedSandbox(msgspec.Struct, frozen=True):
    """A sandbox, as a control API lists it."""

    profile: str
    merchants: Sequence[ListedMerchant]


class ListedSandboxes(msgspec.Struct, frozen=True):
    """Every sandbox of a control API."""

    sandboxes: Sequence[ListedSandbox]


def demand_reachable(target: Target) -> None:
    """Return if the merchant and the control API answer and take the target's credentials.

    Each gets one request; that of the merchant API reads an unknown payment. Where webhooks are
    tested, the suite has to be able to listen as well. Raises UnreachableTargetError.
    """
    demand_merchant_api(target)
    if target.control_url and target.control_key:
        _listed(target)
    if "webhooks" in target.offers:
        _listen(target.receiver.listen)


def demand_named_merchant(target: Target) -> None:
    """Return if the merchant API takes the token and the entity of a target of variables.

    Raises UnreachableTargetError, RefusedCredentialsError.
    """
    _asked(
        target, "base_url", _read_unknown(target), credentials=("token", "entity_id"),
        trust=BY_VARIABLE,
    )  # fmt: skip


def demand_merchant_api(target: Target) -> None:
    """Return if the merchant API answers, at each member, and takes the target's credentials.

    One request reads an unknown payment. Raises UnreachableTargetError.
    """
    read = _read_unknown(target)
    _asked(target, "base_url", read, credentials=("token", "entity_id"))
    for address in target.members:
        _asked(target, "members", read, credentials=("token", "entity_id"), address=address)


def _read_unknown(target: Target) -> str:
    return f"v1/payments/{UNKNOWN_PAYMENT}?{form_of({'entityId': target.entity_id}).decode()}"


def find_profile(target: Target) -> str:
    """The profile of the sandbox that has the target's entity, read from its control API.

    Empty where there is no control API, or no such sandbox. The target is one of variables. Raises
    UnreachableTargetError.
    """
    if not (target.control_url and target.control_key):
        return ""
    try:
        listed = msgspec.convert(_listed(target, trust=BY_VARIABLE).body, ListedSandboxes)
    except msgspec.ValidationError as error:
        raise _no_control_api(target, str(error)) from None
    found = (each for each in listed.sandboxes if target.entity_id in entities_of(each))
    return next((each.profile for each in found), "")


def entities_of(sandbox: ListedSandbox) -> set[str]:
    """Every id in a sandbox that a payment may name as its entity."""
    channels = {each.id for merchant in sandbox.merchants for each in merchant.channels}
    return {merchant.id for merchant in sandbox.merchants} | channels


def _listen(listen: str) -> None:
    try:
        with receiving(listen):
            return
    except OSError as error:
        expected = "expected a free address of this machine"
        raise UnreachableTargetError(
            f"receiver.listen: {expected}, got {listen}: {error.strerror or error}"
        ) from None


def _listed(target: Target, trust: str = BY_TARGET_FILE) -> Answer:
    answer = _asked(target, "control_url", "sandboxes", credentials=("control_key",), trust=trust)
    if answer.status != 200:
        raise _no_control_api(target, _said(answer))
    return answer


def _asked(
    target: Target,
    member: str,
    path: str,
    *,
    credentials: Sequence[str],
    address: str = "",
    trust: str = BY_TARGET_FILE,
) -> Answer:
    """The answer to the first of the credentials as bearer token, of the address that a member of
    the target file holds, or of `address`, one of several. `trust` is how its authority is named.
    """
    address = address or getattr(target, member)
    headers = {"Authorization": f"Bearer {getattr(target, credentials[0])}"}
    link = _link(address, target.ca_file)
    try:
        answer = link.ask("GET", path, headers=headers)
    except (OSError, HTTPException) as error:
        reason = _shown(target, failure_reason(error, trust=trust))
        raise UnreachableTargetError(
            f"{member}: expected a gateway at {address}, got: {reason}. "
            "Start it, or correct the address"
        ) from None
    finally:
        link.close()
    if answer.status in REFUSED or _says_it_is_no_entity(answer):
        names, refusal = ", ".join(credentials), _shown(target, _said(answer))
        raise RefusedCredentialsError(names, address, refusal)
    return answer


def _says_it_is_no_entity(answer: Answer) -> bool:
    """Whether the entity is refused for its form, as any parameter is."""
    errors = answer.at("result.parameterErrors")
    found = errors if isinstance(errors, list) else []
    return any(isinstance(each, dict) and each.get("name") == "entityId" for each in found)


def _link(address: str, ca_file: str) -> Connection:
    try:
        return Connection(address, ca_file=ca_file or None)
    except UnsendableError as error:
        raise UnreachableTargetError(str(error)) from None


def _no_control_api(target: Target, came: str) -> UnreachableTargetError:
    expected = f"expected a control API at {target.control_url}"
    return UnreachableTargetError(f"control_url: {expected}, got: {_shown(target, came)}")


def _said(answer: Answer) -> str:
    return f"status {answer.status} {answer.code} {answer.reason}"


def _shown(target: Target, text: str) -> str:
    """A text on one line, cut, without secrets and without control characters."""
    return cut(" ".join(readable(Masking(*target.secrets).text(text)).split()), SAID_MAX)
