"""Mutants of messages to the acquirer, as the journal shows them, and of 3-D Secure."""

from typing import Any

from features.mutants.changes import (
    accept_parameters,
    change_acquirer_messages,
    claim_success,
    claim_success_for,
    replace_at,
    replace_code,
    replace_members,
    replace_message_parameters,
)
from features.mutants.mutant import ALL_INTERFACES, mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from simulator.client import Answer

Message = dict[str, Any]
KIND = "message type"


@mutant(
    "PAY-09",
    killed_by=("The invoice number is not sent to the acquirer",),
    interfaces=ALL_INTERFACES,
)
def forwards_invoice_numbers(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The invoice number is sent to the acquirer."""
    return change_acquirer_messages(
        request,
        original.forward(request),
        lambda each: replace_message_parameters(each, merchantInvoiceId="invoice"),
    )


@mutant(
    "MERCH-03",
    killed_by=("A submerchant is sent only to the scheme with facilitators",),
    interfaces=ALL_INTERFACES,
)
def sends_submerchants_to_every_scheme(
    request: ProxiedRequest, original: OriginalGateway
) -> Answer:
    """A submerchant is sent to every scheme."""
    answer = original.forward(request)
    return change_acquirer_messages(
        request,
        answer,
        lambda each: replace_message_parameters(each, merchant__submerchantId="4711"),
    )


@mutant(
    "MERCH-01",
    killed_by=("The merchant's city on the statement is sent to the acquirer",),
    interfaces=ALL_INTERFACES,
)
def hides_the_statement_from_the_acquirer(
    request: ProxiedRequest, original: OriginalGateway
) -> Answer:
    """The merchant's city on the statement is not sent to the acquirer."""
    return change_acquirer_messages(
        request,
        original.forward(request),
        lambda each: replace_message_parameters(each, merchant__city=None),
    )


@mutant(
    "SVC-15",
    killed_by=("Card on file data is sent to the acquirer",),
    interfaces=ALL_INTERFACES,
)
def hides_the_card_on_file_from_the_acquirer(
    request: ProxiedRequest, original: OriginalGateway
) -> Answer:
    """The mode of a standing instruction is not sent to the acquirer."""
    answer = original.forward(request)
    return change_acquirer_messages(
        request,
        answer,
        lambda each: replace_message_parameters(each, standingInstruction__mode=None),
    )


@mutant(
    "SVC-18",
    killed_by=("External authentication data is sent to the card host unchanged",),
    interfaces=ALL_INTERFACES,
)
def loses_the_proof(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The authentication value is sent to the acquirer in lower case."""

    def change_proof(message: Message) -> Message:
        proof = message["body"].get("parameters", {}).get("threeDSecure.verificationId", "")
        return replace_message_parameters(
            message, threeDSecure__verificationId=proof.lower() or None
        )

    return change_acquirer_messages(request, original.forward(request), change_proof)


@mutant(
    "TDS-01",
    killed_by=("A payment with an external authentication is not authenticated again",),
    interfaces=ALL_INTERFACES,
)
def loses_the_indicator(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The ECI is not sent to the acquirer."""
    return change_acquirer_messages(
        request,
        original.forward(request),
        lambda each: replace_message_parameters(each, threeDSecure__eci=None),
    )


@mutant(
    "MODE-03",
    killed_by=("A payment with testMode EXTERNAL is sent as a card message",),
    interfaces=ALL_INTERFACES,
)
def never_calls_the_test_system(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """testMode EXTERNAL never calls the card host."""
    return change_acquirer_messages(
        request, original.forward(request), lambda each: None if KIND in each["body"] else each
    )


@mutant("MODE-03", killed_by=("A reversal is sent as a card message",), interfaces=ALL_INTERFACES)
def never_reverses_at_the_test_system(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A reversal is not sent to the card host."""

    def kept(message: Message) -> Message | None:
        return None if message["body"].get(KIND) == "0400" else message

    return change_acquirer_messages(request, original.forward(request), kept)


@mutant(
    "MODE-02",
    "MODE-03",
    killed_by=("A payment without a test mode is not sent to the card host",),
    interfaces=ALL_INTERFACES,
)
def calls_the_test_system_unasked(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment without a test mode is sent to the card host."""

    def outside(message: Message) -> Message:
        return {**message, "body": {KIND: "0200", **message["body"]}}

    return change_acquirer_messages(request, original.forward(request), outside)


@mutant(
    "MODE-04",
    "MODE-03",
    killed_by=("A script match is counted once in both test modes",),
    interfaces=ALL_INTERFACES,
)
def counts_a_script_twice(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A script that decided at the card host is counted twice."""
    answer = original.forward(request)
    reads = (
        request.method == "GET" and "/scripts/" in request.path and isinstance(answer.body, dict)
    )
    return replace_members(answer, matched=answer.body["matched"] * 2) if reads else answer


@mutant("SVC-01", killed_by=("The newest script decides",))
def ignores_scripts(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Scripts of the acquirer are ignored."""
    answer = original.forward(request)
    steered = answer.status == 400 and answer.code.startswith("800.100.15")
    return claim_success(answer) if steered else answer


@mutant("TDS-05", killed_by=("The authenticated amount is risk.amount where it is sent",))
def authenticates_another_amount(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """3-D Secure ignores risk.amount."""
    return original.forward(request.change(risk__amount=""))


@mutant("TDS-03", killed_by=("The issuer receives the requestor id of the scheme",))
def knows_one_name_of_the_merchant(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The requestor id of a scheme is not sent to the issuer."""
    return original.forward(request.change_parameters({"threeDSecure.v2.visa.requestorId": ""}))


@mutant("TDS-04", "TDS-07", killed_by=("The merchant may request a challenge or an exemption",))
def ignores_wishes_for_a_challenge(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The challenge indicator is not sent to the issuer."""
    return original.forward(request.change_parameters({"threeDSecure.challengeIndicator": ""}))


@mutant("TDS-07", killed_by=("A card that its issuer does not authenticate is declined",))
def charges_unauthenticated_cards(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A card that its issuer does not authenticate is charged."""
    return claim_success_for(
        original.forward(request), "100.390.112", "100.390.109", "100.380.401", "100.390.124"
    )


@mutant("TDS-07", killed_by=("A faulty ACS response never charges the card",))
def charges_unsigned_results(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An unsigned authentication result is accepted."""
    return claim_success_for(original.forward(request), "100.390.117", "100.390.118")


@mutant(
    "TDS-07",
    killed_by=("An authentication result that arrives twice charges the card once",),
    interfaces=ALL_INTERFACES,
)
def charges_every_result(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An authentication result that arrives twice charges the card twice."""
    answer = original.forward(request)
    if not request.path.endswith("/trace"):
        return answer
    text = bytes(answer.body).decode()
    line = next((each for each in text.splitlines() if "gateway -> acquirer" in each), "")
    return Answer(answer.status, answer.headers, f"{text}\n{line}\n".encode())


@mutant(
    "TDS-07", killed_by=("A card whose issuer requires a challenge leaves the payment pending",)
)
def never_challenges(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A card whose issuer requires a challenge is charged without one."""
    answer = original.forward(request)
    asks = answer.at("threeDSecure") is not None and answer.code == "000.200.000"
    return claim_success(replace_members(answer, redirect=None)) if asks else answer


@mutant("TDS-07", killed_by=("A payment without a challenge is final at once",))
def shows_no_flow(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The authentication flow is not shown."""
    answer = original.forward(request)
    return (
        replace_at(answer, "threeDSecure.flow", None) if answer.at("threeDSecure.flow") else answer
    )


@mutant("TDS-07", killed_by=("An authentication without a payment shows its result",))
def authenticates_every_card(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A standalone authentication always succeeds."""
    answer = original.forward(request)
    return replace_code(answer, "000.400.110") if request.path == "v1/threeDSecure" else answer


@mutant("CUST-04", killed_by=("Version 2 of 3-D Secure requires browser data",))
def never_asks_for_the_browser(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """3-D Secure 2 needs no browser data."""
    return accept_parameters(original.forward(request), "customer.browser.")


@mutant("ADDR-04", killed_by=("Version 2 of 3-D Secure requires the billing address",))
def never_asks_for_the_address(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """3-D Secure 2 needs no billing address."""
    secured = "customer.browser.language" in request.parameters
    return accept_parameters(original.forward(request), "billing.", when=secured)
