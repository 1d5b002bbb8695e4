"""Who decides how an authentication runs: script, the merchant's wish, the list of test cards.

Choice: D-199.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from decimal import Context, Decimal
from typing import Any, NamedTuple

import msgspec

from acquirer_mocks.three_d_secure.cases import (
    ASKED,
    COURSES,
    FAULTS,
    FLOW,
    Case,
    case_of,
    forced_case,
)
from simulator.catalogue.messages.three_d_secure import FIELDS
from simulator.derive.checks.acceptance import acceptance_of
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.core.card_ranges import detected_brand
from simulator.domain.core.money import CENT, Money
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Look, PaymentType, Script
from simulator.domain.core.transact import transact
from simulator.domain.ports.sandbox import Ports
from simulator.domain.scripts import armed_scripts
from simulator.domain.steering.matching_scripts import match_scripts, steers_acs, steps_of

EXTENSION = "sandgate-sandbox"
UNNAMED = {"sandbox": "", "epoch": "", "payment": ""}
MONEY_FIELDS = ("purchaseAmount", "purchaseCurrency", "purchaseExponent")
# Who else counts a script that speaks for him as well; it must count once.
COUNTED_BY_OTHERS = ("acquirer", "link", "risk")

# A lookup is no message of the protocol: what it says of the money is read where it is well formed.
PURCHASE = {row.name: acceptance_of(row.format) for row in FIELDS if row.name in MONEY_FIELDS}
# An amount of 48 digits, with cents behind it.
EXACT = Context(prec=51)

Document = Mapping[str, Any]
WorldOf = Callable[[str], Ports | None]


class PaymentExtension(msgspec.Struct, frozen=True):
    """What the message extension of the gateway says of the payment behind an authentication;
    `epoch` is the id of that of the sandbox.
    """

    sandbox: str = ""
    epoch: str = ""
    entity: str = ""
    payment: str = ""
    type: str = "DB"
    brand: str | None = None
    parameters: Mapping[str, str] = {}


class Decided(NamedTuple):
    """How it runs: whether the card takes part and how, the word of a script, and who said so."""

    case: Case | None
    step: str
    decided_by: str


def extension_in(document: Document) -> PaymentExtension:
    """What the extension says; nothing where there is none that can be read."""
    found = document.get("messageExtension")
    for each in found if isinstance(found, list) else ():
        if isinstance(each, dict) and each.get("id") == EXTENSION:
            with suppress(msgspec.ValidationError):
                return msgspec.convert(each.get("data"), PaymentExtension)
    return PaymentExtension()


def without_sandbox(document: Document) -> Document:
    """The document of a caller that holds no key of its sandbox: it names none. Choice: D-297."""
    found = document.get("messageExtension")
    extensions = found if isinstance(found, list) else []
    return {**document, "messageExtension": [_unnamed(each) for each in extensions]}


def _unnamed(extension: Any) -> Any:
    if not isinstance(extension, dict) or not isinstance(extension.get("data"), dict):
        return extension
    return {**extension, "data": {**extension["data"], **UNNAMED}}


def brand_of(document: Document, extension: PaymentExtension) -> str | None:
    """The brand of the card, from the message extension, or detected by its number."""
    return extension.brand or detected_brand(str(document["acctNumber"]))


def decide(document: Document, world: Ports | None, *, counts: bool) -> Decided:
    """How the card of an AReq, or of a lookup, is taken. What `counts` is stored."""
    extension = extension_in(document)
    step, script = _said(_ask_of(document, extension), world, counts=counts)
    usual = forced_case(case_of(str(document["acctNumber"])), extension.parameters)
    if step:
        course = "challenge" if step in FAULTS else step
        has_method = usual is not None and usual.has_method
        case = Case(course if course in COURSES else "frictionless", has_method)
        return Decided(case, step, script)
    if usual is None:
        return Decided(None, "", "test cards")
    if FLOW in extension.parameters:
        return Decided(usual, "", "customParameters")
    asked = ASKED.get((str(document.get("threeDSRequestorChallengeInd")), usual.course))
    if asked is not None:
        return Decided(usual._replace(course=asked), "", "challengeIndicator")
    return Decided(usual, "", "test cards")


def _said(ask: AcquirerRequest, world: Ports | None, *, counts: bool) -> tuple[str, str]:
    """What a script of the sandbox says, and which; nothing where none fits."""
    if world is None:
        return "", ""
    script = transact(world.store, lambda: _match(ask, world, counts=counts))
    return ("", "") if script is None else (str(steps_of(script)["acs"]), f"script {script.id}")


def _match(ask: AcquirerRequest, world: Ports, *, counts: bool) -> Script | None:
    """The script that fits, counted where this `counts`. Raises ConflictError."""
    speaking = [each for each in armed_scripts(world.store) if steers_acs(each)]
    script_match = match_scripts(ask, speaking)
    matched = script_match.counted if counts else ()
    ours = [each for each in matched if _is_ours(each)]
    if ours:
        world.store.commit(unit_of(*ours))
    return script_match.answers


def _is_ours(counted: Script | Look) -> bool:
    script = counted.script if isinstance(counted, Look) else counted
    return steps_of(script).keys().isdisjoint(COUNTED_BY_OTHERS)


def _ask_of(document: Document, extension: PaymentExtension) -> AcquirerRequest:
    """The authentication as a match sees it."""
    return AcquirerRequest(
        type=PaymentType(extension.type) if extension.type in set(PaymentType) else PaymentType.DB,
        payment=extension.payment,
        entity=extension.entity,
        trace=0,
        money=money_of(document),
        brand=brand_of(document, extension),
        number=str(document["acctNumber"]),
        parameters=extension.parameters,
    )


def money_of(document: Document) -> Money | None:
    """The amount of an AReq or a lookup; None where there is none that can be read, or its currency
    has no such number.
    """
    # Imported when first asked for: it reads its data file at import.
    import iso4217

    texts = [
        str(document[name])
        for name, accepts in PURCHASE.items()
        if isinstance(document.get(name), str) and accepts(document[name])
    ]
    if len(texts) < len(PURCHASE):
        return None
    amount, number, exponent = map(int, texts)
    found = next((each for each in iso4217.Currency if each.number == number), None)
    if found is None:
        return None
    units = EXACT.scaleb(Decimal(amount), -exponent)
    return Money(EXACT.quantize(units, CENT), found.code)


def now_in(world: Ports | None, real: Callable[[], datetime]) -> datetime:
    """World time of a sandbox; without one the time of this machine."""
    return real() if world is None else world.clock.now()
