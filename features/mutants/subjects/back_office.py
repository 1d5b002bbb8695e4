"""Mutants of captures, refunds, reversals and chargebacks, and of reading a payment."""

from features.mutants.changes import (
    accept_parameters,
    claim_success,
    claim_success_for,
    refuse,
    refuse_parameters,
    replace_at,
    replace_members,
    report_not_found,
)
from features.mutants.mutant import mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from simulator.client import Answer

EXCEEDED = "700.400.100"


@mutant("END-08", killed_by=("A capture may not exceed the authorized amount",))
def takes_what_was_never_authorised(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A capture over the authorized amount succeeds."""
    return claim_success_for(original.forward(request), EXCEEDED)


@mutant("END-08", killed_by=("An authorized payment is captured in several parts",))
def captures_once(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment that was captured in part cannot be captured again."""
    again = request.parameters.get("paymentType") == "CP" and request.path in original.memory
    original.memory[request.path] = True
    return refuse(original.forward(request), 400, EXCEEDED) if again else original.forward(request)


@mutant("END-08", killed_by=("A refused capture does not reduce the open amount",))
def counts_refused_captures(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A refused capture reduces the open amount."""
    is_affected = request.parameters.get("paymentType") == "CP" and request.path in original.memory
    answer = original.forward(request)
    if answer.code == EXCEEDED:
        original.memory[request.path] = True
    return refuse(answer, 400, EXCEEDED) if is_affected else answer


@mutant("END-08", killed_by=("A refund may not exceed the debited amount",))
def refunds_more_than_was_paid(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A refund over the captured amount succeeds."""
    return claim_success_for(original.forward(request), "700.400.200")


@mutant("END-08", killed_by=("A payment that was never captured cannot be refunded",))
def refunds_what_was_never_captured(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An authorization that was never captured can be refunded."""
    return claim_success_for(original.forward(request), "700.400.520")


@mutant("END-08", killed_by=("A payment is reversed once",))
def reverses_as_often_as_asked(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A reversed payment can be reversed again."""
    answer = original.forward(request)
    again = request.parameters.get("paymentType") == "RV" and answer.status == 400
    return claim_success(answer) if again else answer


@mutant("END-08", killed_by=("A capture or refund in another currency is refused",))
def captures_in_any_currency(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A capture in another currency counts as one in the currency of the payment."""
    refers = len(request.path.rpartition("/")[2]) == 32 and "currency" in request.parameters
    return original.forward(request.change(currency="EUR") if refers else request)


@mutant("END-08", killed_by=("A capture without an amount is refused",))
def captures_everything_left(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A capture without an amount is for the open amount."""
    return accept_parameters(
        original.forward(request), "amount", when="amount" not in request.parameters
    )


@mutant("END-08", killed_by=("An unknown payment cannot be captured",))
def captures_unknown_payments(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A capture of a payment that does not exist succeeds."""
    answer = original.forward(request)
    is_capture = request.method == "POST" and request.parameters.get("paymentType") == "CP"
    return claim_success(answer) if is_capture and answer.status == 404 else answer


@mutant(
    "END-02",
    "END-09",
    killed_by=(
        "An unknown payment is not found",
        "An unknown payment id is answered with 404",
    ),
)
def finds_unknown_payments(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Reading a payment that does not exist succeeds."""
    answer = original.forward(request)
    is_read = request.method == "GET" and request.path.startswith("v1/payments/")
    return claim_success(answer) if is_read and answer.status == 404 else answer


@mutant("END-02", killed_by=("A payment is read by its id",))
def reads_without_the_amount(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment that is read has no amount."""
    answer = original.forward(request)
    is_read = request.method == "GET" and request.path.startswith("v1/payments/")
    return replace_members(answer, amount=None) if is_read else answer


@mutant("END-02", killed_by=("A payment is read under its id",))
def loses_payments(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment cannot be read."""
    answer = original.forward(request)
    is_read = request.method == "GET" and request.path.startswith("v1/payments/")
    return report_not_found(answer) if is_read else answer


@mutant("RSP-09", killed_by=("No response shows the id of the referenced payment",))
def shows_what_a_capture_refers_to(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The id of the earlier payment is in the response."""
    answer = original.forward(request)
    earlier = request.target.rpartition("/")[2]
    refers = request.method == "POST" and len(earlier) == 32
    return replace_members(answer, referencedId=earlier) if refers else answer


@mutant("END-08", killed_by=("A response to a capture shows no card",))
def shows_the_card_again(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A capture shows the card of the first payment."""
    answer = original.forward(request)
    captured = answer.at("paymentType") == "CP"
    return replace_members(answer, card={"bin": "420000"}) if captured else answer


@mutant("SVC-22", killed_by=("A payment is charged back once",))
def charges_back_twice(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A second chargeback of a payment succeeds."""
    return claim_success_for(original.forward(request), "700.300.500")


@mutant("CHB-01", killed_by=("A malformed chargeback reason is refused",))
def books_any_reason(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A chargeback may have any reason code."""
    return accept_parameters(original.forward(request), "chargebackResultCode")


@mutant("SVC-22", "CHB-01", killed_by=("A chargeback has its reason code",))
def forgets_the_reason(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A chargeback is stored without its reason."""
    answer = original.forward(request)
    booked = answer.at("paymentType") == "CB"
    return replace_at(answer, "result.code", "000.100.200") if booked else answer


@mutant("SVC-22", killed_by=("An amount that was charged back cannot be refunded",))
def refunds_what_was_charged_back(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment that was charged back can be refunded."""
    if request.parameters.get("paymentType") == "CB":
        original.memory[request.path] = True
        return original.forward(request)
    answer = original.forward(request)
    return claim_success_for(answer, "700.400.200") if request.path in original.memory else answer


@mutant("END-08", killed_by=("A reversal without an amount is for the whole amount",))
def demands_an_amount_to_reverse(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A reversal requires an amount."""
    lacks = request.parameters.get("paymentType") == "RV" and "amount" not in request.parameters
    return refuse_parameters(original.forward(request), "amount", when=lacks)


@mutant("END-08", killed_by=("A partial capture shows its own amount",))
def shows_the_whole_sum_of_a_part(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A partial capture shows the amount of the payment."""
    answer = original.forward(request)
    captured = answer.at("paymentType") == "CP" and answer.at("amount")
    return replace_members(answer, amount="92.00") if captured else answer


@mutant("END-08", killed_by=("A partial refund shows its own amount",))
def refunds_in_another_currency(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A refund is shown in another currency."""
    answer = original.forward(request)
    return replace_members(answer, currency="USD") if answer.at("paymentType") == "RF" else answer


@mutant("END-08", killed_by=("A declined payment cannot be refunded",))
def refunds_what_was_declined(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A declined payment can be refunded."""
    answer = original.forward(request)
    if answer.code.startswith("800.100.") and answer.id:
        original.memory[answer.id] = True
    declined = request.path.rpartition("/")[2] in original.memory
    return (
        claim_success(answer)
        if declined and request.parameters.get("paymentType") == "RF"
        else answer
    )


@mutant("END-08", killed_by=("What is under way at a slow acquirer is reserved",))
def captures_twice_at_once(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Two captures at the same moment both succeed, where the sum allows one."""
    if request.parameters.get("paymentType") != "CP":
        return original.forward(request)
    others = original.memory.setdefault(request.path, [])
    others.append(request)
    at_once = len(others) > 1
    answer = original.forward(request)
    others.remove(request)
    return claim_success_for(answer, EXCEEDED, when=at_once)
