"""Mutants of responses: their members, their form, and data they must not show."""

from dataclasses import replace

from features.mutants.changes import (
    change_at,
    change_entries,
    refuse_parameters,
    replace_at,
    replace_members,
)
from features.mutants.mutant import mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from simulator.client import Answer


@mutant(
    "ERR-03",
    "RSP-02",
    killed_by=("Every response has result code, build number, timestamp and request id",),
)
def forgets_the_ndc(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Responses have no request id."""
    return replace_members(original.forward(request), ndc=None)


@mutant("RSP-02", killed_by=("Two responses have two request ids",))
def repeats_the_ndc(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Every response has the same request id."""
    return replace_members(original.forward(request), ndc="8a" * 16)


@mutant("RSP-02", killed_by=("A request id has up to 69 letters, digits and hyphens",))
def writes_long_request_ids(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A request id has 70 characters."""
    return change_at(original.forward(request), "ndc", lambda ndc: str(ndc).ljust(70, "0"))


@mutant(
    "ERR-03",
    "TRN-04",
    killed_by=(
        "Every response has result code, build number, timestamp and request id",
        "Every response is JSON, whatever its status",
    ),
)
def writes_codes_in_words(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A result code is a word."""
    return change_at(original.forward(request), "result.code", lambda _: "OK")


@mutant("RSP-01", killed_by=("A payment id has exactly 32 letters and digits",))
def shortens_ids(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment id has 31 characters."""
    return change_at(original.forward(request), "id", lambda identity: identity[:31])


@mutant("RSP-01", killed_by=("Two payments have two ids",))
def uses_an_id_twice(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Two payments have one id."""
    answer = original.forward(request)
    first = original.memory.setdefault("id", answer.id) if request.is_payment else ""
    return replace_members(answer, id=first) if first and answer.id else answer


@mutant("RSP-03", killed_by=("Neither the card number nor its security code is ever returned",))
def shows_card_numbers(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A success shows the whole card number."""
    answer = original.forward(request)
    number = request.parameters.get("card.number")
    return replace_at(answer, "card.number", number) if number and answer.at("card.bin") else answer


@mutant("RSP-03", killed_by=("A card is shown with its first six digits and its expiry",))
def shows_no_expiry(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A card is shown without its expiry."""
    return change_at(original.forward(request), "card", lambda card: {"bin": card.get("bin")})


@mutant("ERR-06", killed_by=("The value of a secret is never repeated",))
def repeats_secrets(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A refusal shows the invalid card number."""
    answer = original.forward(request)
    for error in answer.parameter_errors:
        error["value"] = request.parameters.get(str(error["name"]))  # type: ignore[index]
    return answer


@mutant("ERR-06", killed_by=("An invalid parameter is named with its value",))
def hides_what_was_wrong(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A refusal names a parameter without its value."""
    answer = original.forward(request)
    errors = [{**error, "value": None} for error in answer.parameter_errors]
    return replace_at(answer, "result.parameterErrors", errors) if errors else answer


@mutant("ERR-06", killed_by=("Every invalid parameter is named",))
def names_one_fault_at_a_time(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Only the first invalid parameter is named."""
    answer = original.forward(request)
    return refuse_parameters(answer, *[str(error["name"]) for error in answer.parameter_errors[:1]])


@mutant("ERR-06", killed_by=("A refused request stores nothing",))
def gives_refusals_an_id(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A refused request has a payment id."""
    answer = original.forward(request)
    return replace_members(answer, id="8a" * 16) if answer.parameter_errors else answer


@mutant("RSP-07", killed_by=("Amounts are shown with two decimals",))
def shows_whole_amounts(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Amounts are shown without decimals where they are zero."""
    return change_at(original.forward(request), "amount", lambda amount: amount.removesuffix(".00"))


@mutant("RSP-08", killed_by=("Structures of the request are echoed",))
def echoes_no_address(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Addresses are not echoed."""
    return replace_members(original.forward(request), billing=None, shipping=None)


@mutant("RSP-08", killed_by=("A structure is echoed as it was sent",))
def echoes_no_structures(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Gift card, airline and corporate data are not echoed."""
    return replace_members(original.forward(request), giftCard=None, airline=None, corporate=None)


@mutant("CUSTOM-01", "TRN-07", killed_by=("Custom parameters are echoed",))
def forgets_custom_parameters(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Custom parameters are not echoed."""
    return replace_members(original.forward(request), customParameters=None)


@mutant("RSP-10", killed_by=("A timestamp has a date, a time and a zone",))
def shows_the_time_without_a_zone(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A timestamp has no time zone."""
    return change_at(original.forward(request), "timestamp", lambda instant: instant[:19])


@mutant("E29", killed_by=("A successful payment has its members in order, each in its format",))
def reverses_the_order_of_members(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The members of a response are in another order."""
    answer = original.forward(request)
    if not isinstance(answer.body, dict):
        return answer
    return replace(answer, body=dict(reversed(answer.body.items())))


@mutant("ERR-01", killed_by=("A declined payment shows its brand and no amount",))
def shows_the_amount_of_declines(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A declined payment shows its amount."""
    answer = original.forward(request)
    declined = answer.status == 400 and answer.at("card") is not None
    return replace_members(answer, amount="92.00") if declined else answer


@mutant("RSP-04", killed_by=("The result details show the acquirer's response code",))
def hides_the_acquirers_code(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The acquirer's response code is not shown."""
    return replace_members(original.forward(request), resultDetails=None)


@mutant("MODE-04", "RSP-04", killed_by=("A decline is the same in both test modes",))
def hides_the_acquirers_code_of_test_systems(
    request: ProxiedRequest, original: OriginalGateway
) -> Answer:
    """The card host's response code is not shown."""
    answer = original.forward(request)
    outside = request.parameters.get("testMode") == "EXTERNAL"
    return replace_members(answer, resultDetails=None) if outside else answer


@mutant(
    "ADDR-05",
    "RSP-05",
    killed_by=("The results of the address and security code checks are shown",),
)
def hides_the_address_check(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The result of the address check is not shown."""
    return change_at(original.forward(request), "result.avsResponse", lambda _: None)


@mutant("ADDR-05", killed_by=("A payment without an address has no address check",))
def finds_every_address_right(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Every address check is a full match."""
    return change_at(original.forward(request), "result.avsResponse", lambda _: "F")


@mutant(
    "SVC-07", "RSP-06", killed_by=("A bank transfer shows the merchant's bank account to pay to",)
)
def names_no_account_to_pay_to(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The merchant's bank account is not shown."""
    return replace_members(original.forward(request), merchant=None)


@mutant("CART-02", killed_by=("Cart items have the unit COUNT by default",))
def counts_without_a_unit(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Cart items have no default unit."""
    if "cart.items[0].quantityUnit" in request.parameters:
        return original.forward(request)
    answer = original.forward(request)
    if not isinstance(answer.at("cart"), dict):
        return answer

    def bare(item: dict[str, object]) -> dict[str, object]:
        return {name: text for name, text in item.items() if text != "COUNT"}

    cart = change_entries(Answer(0, {}, answer.at("cart")), "items", bare)
    return replace_members(answer, cart=cart.body)


@mutant("TRN-05", killed_by=("Dotted names become nested objects",))
def writes_names_flat(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Dotted names are not nested in the response."""
    answer = original.forward(request)
    billing = answer.at("billing")
    if not isinstance(billing, dict):
        return answer
    flat = {f"billing.{name}": text for name, text in billing.items()}
    return replace_members(answer, billing=None, **flat)


@mutant("ADDR-02", killed_by=("With a house number the second line of a street is ignored",))
def keeps_the_second_line(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The second line of a street is kept beside a house number."""
    answer, sent = original.forward(request), request.parameters
    for address in ("billing", "shipping"):
        if street := sent.get(f"{address}.street2"):
            answer = replace_at(answer, f"{address}.street2", street)
    return answer


@mutant("RSP-10", killed_by=("A timestamp is the time of the response",))
def shows_the_build_time(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Every response has the same timestamp."""
    return change_at(original.forward(request), "timestamp", lambda _: "2026-01-31 12:00:00+0000")


@mutant("VER-02", killed_by=("Responses keep the members of an earlier release",))
def renames_a_member(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """card.last4Digits has another name than in release 0.1.0."""
    answer = original.forward(request)
    digits = answer.at("card.last4Digits")
    if digits is None:
        return answer
    return replace_at(replace_at(answer, "card.lastFour", digits), "card.last4Digits", None)


@mutant("CUSTOM-02", killed_by=("A custom parameter of 2048 characters is accepted",))
def truncates_custom_parameters(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A custom parameter is cut to 255 characters."""

    def cut(sent: dict[str, str]) -> dict[str, str]:
        return {name: text[:255] for name, text in sent.items()}

    return change_at(original.forward(request), "customParameters", cut)
