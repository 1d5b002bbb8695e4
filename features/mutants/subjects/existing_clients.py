"""Mutants of what existing clients expect beyond the specification."""

from dataclasses import replace

from features.merchant_side.webhook_encryption import encrypt_notification
from features.mutants.changes import (
    accept_parameters,
    change_at,
    change_notifications,
    claim_success_for,
    refuse,
    refuse_parameters,
    replace_at,
    replace_members,
    report_not_found,
)
from features.mutants.mutant import ALL_INTERFACES, mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from features.mutants.subjects.webhooks import replace_payload
from features.spec.envelopes import opened
from features.support.sandboxes import SECRET
from simulator.client import Answer

BROWSER = "customer.browser.userAgent"
RECORDS = "v3/query"
INTEGRITY = "v1/fastcheckout/integrity"


@mutant(
    "E59",
    killed_by=(
        "A card that is not enrolled is declined without data of the shopper",
        "An enrolled card requires nothing but a shopperResultUrl",
        "An enrolled card is pending with a redirect",
        "An authentication alone requires no browser data",
    ),
)
def demands_browser_data(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment without browser data is refused for the lack of it."""
    lacks = "card.number" in request.parameters and BROWSER not in request.parameters
    return refuse_parameters(original.forward(request), BROWSER, when=lacks)


@mutant("E59", killed_by=("A shopper whose data the page collected pays by his challenge",))
def declines_without_browser_data(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment whose browser data the page collected is declined."""
    answer = original.forward(request)
    if request.is_payment and BROWSER not in request.parameters:
        original.memory[answer.id] = True
    reads = request.method == "GET" and request.path.rpartition("/")[2] in original.memory
    return refuse(answer, 400, "100.390.112") if reads else answer


@mutant("E61", killed_by=("A response to a reference shows the id it refers to",))
def hides_the_reference(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A response to a capture, refund or reversal does not show referencedId."""
    answer = original.forward(request)
    return replace_members(answer, referencedId=None) if request.method == "POST" else answer


@mutant("E62", killed_by=("A captured authorization is refunded by its own id",))
def refunds_captures_only(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A refund must name the capture."""
    answer = original.forward(request)
    refunds = request.parameters.get("paymentType") == "RF"
    return refuse(answer, 400, "700.400.520") if refunds else answer


@mutant(
    "E62",
    killed_by=("An authorization that was not captured cannot be refunded",),
)
def refunds_the_uncaptured(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An authorization can be refunded before it is captured."""
    return claim_success_for(original.forward(request), "700.400.520")


@mutant("E63", killed_by=("A receipt may refer to any payment that takes money",))
def receives_for_authorizations_only(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A receipt must name an authorization."""
    answer = original.forward(request)
    if request.is_payment and request.parameters.get("paymentType") == "PA":
        original.memory[answer.id] = True
    receives = request.parameters.get("paymentType") == "RC"
    is_allowed = request.path.rpartition("/")[2] in original.memory
    return refuse(answer, 400, "700.400.560") if receives and not is_allowed else answer


@mutant("E63", killed_by=("Receipts never exceed the debit they are for",))
def receives_more_than_was_debited(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A receipt may exceed the debit it is for."""
    receives = request.parameters.get("paymentType") == "RC"
    return claim_success_for(original.forward(request), "700.400.100", when=receives)


@mutant(
    "E64",
    killed_by=(
        "A report of one transaction is a page of records",
        "A report of a time frame without an end contains the newest payment",
    ),
)
def lists_payments_in_pages(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A page of a report has its list in `payments`."""
    answer = original.forward(request)
    if not request.path.startswith(RECORDS):
        return answer
    return replace_members(answer, records=None, payments=answer.at("records"))


@mutant("E64", killed_by=("A report of one unknown transaction finds none",))
def reports_the_unknown_as_empty(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A report of an unknown transaction has another result code."""
    answer = original.forward(request)
    unknown = request.path.startswith(RECORDS) and answer.status >= 400
    return report_not_found(answer) if unknown else answer


@mutant("E65", killed_by=("A deletion ends a schedule",))
def keeps_a_deleted_schedule(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A schedule that was deleted is still active."""
    answer = original.forward(request)
    if request.method != "DELETE" or "schedules/" not in request.path:
        return answer
    return change_at(answer, "plan.active", lambda active: True)


@mutant("E66", killed_by=("The integrity of the script is read without a checkout",))
def hashes_another_script(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The integrity without a checkout is that of another script."""
    answer = original.forward(request)
    return replace_members(answer, integrity="sha384-") if request.path == INTEGRITY else answer


@mutant("E68", killed_by=("A form cannot send again what the merchant fixed",))
def accepts_what_was_fixed(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A form may send an amount again that the merchant fixed."""
    return accept_parameters(original.forward(request), "amount", when=is_form(request))


@mutant("E68", killed_by=("A card holder of the merchant only prefills the form",))
def keeps_the_first_holder(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The card holder of the merchant counts, not that of the form."""
    answer = original.forward(request)
    if is_form(request):
        return replace_at(answer, "card.holder", original.memory.get("holder"))
    original.memory["holder"] = request.parameters.get("card.holder")
    return answer


@mutant(
    "E69",
    killed_by=("The source of a payment through a checkout is its form",),
    interfaces=ALL_INTERFACES,
)
def hides_the_form(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The source of every payment is the API."""
    return change_notifications(
        request, original.forward(request), lambda each: replace_payload(each, source="OPP")
    )


@mutant(
    "E69",
    killed_by=("The source of any other payment is the API",),
    interfaces=ALL_INTERFACES,
)
def claims_the_form(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The source of every payment is the form of a checkout."""
    return change_notifications(
        request, original.forward(request), lambda each: replace_payload(each, source="OPPUI")
    )


@mutant(
    "E69",
    killed_by=("The activation message carries a success of the simulator",),
    interfaces=ALL_INTERFACES,
)
def activates_with_another_code(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The activation message has the success code of the live host."""
    if request.interface != "receiver" or request.method != "POST":
        return original.forward(request)
    wrapper = opened(request.headers, request.body, SECRET)
    payload = {**wrapper["payload"], "result": {"code": "000.000.000"}}
    made = encrypt_notification({**wrapper, "payload": payload}, bytes.fromhex(SECRET))
    headers = {name.lower(): value for name, value in made.headers().items()}
    return original.forward(
        replace(request, headers={**request.headers, **headers}, body=made.content())
    )


def is_form(request: ProxiedRequest) -> bool:
    """Whether a shopper pays in a checkout."""
    return request.method == "POST" and request.path.endswith("/payment")
