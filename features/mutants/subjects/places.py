"""Mutants of what is seen in one place and not in another: lists, brands, parties, last seconds."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from features.mutants.changes import (
    change_acquirer_messages,
    change_at,
    change_entries,
    change_notifications,
    claim_success,
    claim_success_for,
    replace_at,
    replace_code,
    replace_members,
)
from features.mutants.mutant import mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from simulator.client import Answer

REPORT = "v1/query"
LONG_CART = "Every item of a long cart is there, in its place"
PARTS = "The acquirer receives a part of a payment with the id it gave the payment"


@mutant("CART-01", "TRN-06", killed_by=(LONG_CART,))
def keeps_ten_cart_items(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The eleventh item of a cart is lost."""
    return change_at(original.forward(request), "cart.items", lambda items: items[:10])


@mutant("CART-01", "TRN-06", killed_by=(LONG_CART,))
def sorts_cart_items_as_text(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The tenth item of a cart stands before the second."""

    def as_text(items: Sequence[Any]) -> list[Any]:
        return [items[index] for index in sorted(range(len(items)), key=str)]

    return change_at(original.forward(request), "cart.items", as_text)


@mutant("CART-03", killed_by=("Three payments of a cart are shown with all their members",))
def keeps_two_cart_payments(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The third payment of a cart is lost."""
    return change_at(original.forward(request), "cart.payments", lambda paid: paid[:2])


@mutant("AIR-01", killed_by=("Two passengers are shown with their legs",))
def keeps_one_leg(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A passenger has one leg."""

    def first_leg(people: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**each, "legs": each.get("legs", [])[:1]} for each in people]

    return change_at(original.forward(request), "airline.passengers", first_leg)


@mutant("CUSTOM-01", killed_by=("Twelve custom parameters are shown, each with its value",))
def keeps_ten_custom_parameters(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The eleventh custom parameter is lost."""
    answer = original.forward(request)
    return change_at(answer, "customParameters", lambda all_: dict(islice(all_.items(), 10)))


@mutant("CUSTOM-02", killed_by=("The longest value comes back whole",))
def cuts_long_values(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A custom parameter is cut after 2000 characters."""
    answer = original.forward(request)
    return change_at(
        answer, "customParameters", lambda all_: {name: text[:2000] for name, text in all_.items()}
    )


@mutant("LIM-04", killed_by=("FIELD:billing.city:longest",))
def cuts_long_cities(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A city is accepted with 48 characters and kept with 40."""
    return change_at(original.forward(request), "billing.city", lambda city: city[:40])


@mutant(
    "SVC-08",
    "PAY-04",
    killed_by=("A brand is detected from the first to the last number of its ranges",),
)
def knows_older_ranges_alone(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A number of the newer range of MASTER is taken for VISA."""
    is_newer = request.parameters.get("card.number", "").startswith("2")
    answer = original.forward(request)
    return replace_members(answer, paymentBrand="VISA") if is_newer else answer


@mutant("CARD-02", killed_by=("A card is charged in its last month and not in the next",))
def compares_months_alone(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A card is expired when its month is past, whatever its year."""
    is_late = request.parameters.get("card.expiryMonth", "") == "12"
    return claim_success_for(original.forward(request), "100.100.303", when=is_late)


@mutant("CARD-01", killed_by=("A security code has the length of its brand",))
def takes_short_codes(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A security code of three digits is accepted for every brand."""
    is_short = len(request.parameters.get("card.cvv", "")) == 3
    return claim_success_for(original.forward(request), "100.100.601", when=is_short)


@mutant("PAY-04", "CARD-02", killed_by=("A number of another brand is refused",))
def takes_any_brand_but_the_common(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A number of another brand is refused for the two most common brands alone."""
    is_rare = request.parameters.get("paymentBrand") not in {"VISA", "MASTER"}
    return claim_success_for(original.forward(request), "100.100.700", when=is_rare)


@mutant("END-08", "SVC-01", killed_by=(PARTS,), interfaces=("control",))
def sends_the_whole_amount(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The acquirer receives the amount of the payment with a capture of a part."""

    def whole(message: dict[str, Any]) -> dict[str, Any]:
        kind, _, rest = message["label"].partition(" ")
        currency = rest.rpartition(" ")[2]
        return {**message, "label": f"CP 92.00 {currency}"} if kind == "CP" else message

    return change_acquirer_messages(request, original.forward(request), whole)


@mutant("END-08", killed_by=(PARTS,), interfaces=("control",))
def refers_to_nothing(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A refund does not name its payment to the acquirer."""

    def bare(message: dict[str, Any]) -> dict[str, Any]:
        return {**message, "body": {**message["body"], "original": ""}}

    return change_acquirer_messages(request, original.forward(request), bare)


@mutant(
    "MODE-03",
    "PAY-03",
    killed_by=("A card message has amount, currency and type of the payment",),
    interfaces=("control",),
)
def sends_euros_alone(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A card message always has the currency EUR."""

    def in_euros(message: dict[str, Any]) -> dict[str, Any]:
        body = {
            name: "978" if name.startswith("49 ") else value
            for name, value in message["body"].items()
        }
        return {**message, "body": body}

    return change_acquirer_messages(request, original.forward(request), in_euros)


@mutant("MODE-03", killed_by=("What refers to a payment goes the way of the payment",))
def captures_at_the_simulators(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A capture of a payment in the test mode EXTERNAL is answered by the simulators."""
    answer = original.forward(request)
    is_capture = request.parameters.get("paymentType") == "CP"
    return replace_code(answer, "000.100.110") if is_capture and answer.status == 200 else answer


@mutant(
    "REP-01",
    "SVC-21",
    killed_by=("A time frame contains the first and the last second of its days",),
)
def ends_a_day_early(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The last second of a day is in no report of it."""
    answer = original.forward(request)
    if not request.path.startswith(REPORT):
        return answer
    return change_entries(
        answer, "payments", lambda each: None if "23:59:59" in each["timestamp"] else each
    )


@mutant("END-10", killed_by=("A report is read page by page",))
def repeats_the_first_page(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Every page of a report is the first."""
    is_report = request.path.startswith(REPORT)
    first = request.target.replace("pageNo=2", "pageNo=1")
    return original.forward(replace(request, target=first) if is_report else request)


@mutant("END-10", killed_by=("A report that goes on says how many pages there are",))
def hides_further_pages(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A report stops after a page without a sign that there are more."""
    answer = original.forward(request)
    return replace_members(answer, pages=None) if request.path.startswith(REPORT) else answer


@mutant(
    "END-10",
    "SVC-21",
    killed_by=("A report contains the transactions of the types and methods it asks for",),
)
def reports_every_method(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A report of one method of payment contains all of them."""
    target = request.target
    for method in ("CC", "DD", "VA"):
        target = target.replace(f"&paymentMethods={method}", "")
    return original.forward(replace(request, target=target))


@mutant(
    "EVT-01",
    "RSP-07",
    killed_by=("Two parts of a payment are notified with their own amounts",),
    interfaces=("control",),
)
def notifies_the_whole_amount(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A notification of a part shows the amount of the whole payment."""

    def whole(notice: dict[str, Any]) -> dict[str, Any]:
        return {**notice, "payload": {**notice["payload"], "presentationAmount": "92.00"}}

    return change_notifications(request, original.forward(request), whole)


@mutant(
    "EVT-02",
    killed_by=("A registration that is changed is notified as UPDATED",),
    interfaces=("control",),
)
def notifies_every_change_as_new(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A registration that is changed is notified as a new one."""
    return change_notifications(
        request, original.forward(request), lambda notice: {**notice, "action": "CREATED"}
    )


@mutant(
    "AUTH-01", "AUTH-03", killed_by=("The credentials of a form open nothing but its checkout",)
)
def lets_a_form_read_results(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The credentials of a form open every request about its checkout."""
    answer = original.forward(request)
    is_form = request.headers.get("authorization", "").startswith("Checkout ")
    return claim_success(answer) if is_form and answer.status == 401 else answer


@mutant("AUTH-06", "SVC-22", killed_by=("A payment belongs to its merchant",))
def lets_others_charge_back(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A merchant charges back the payment of another."""
    return claim_success_for(original.forward(request), "700.400.550")


@mutant("ADDR-05", "RSP-05", killed_by=("A street alone and a postcode alone are compared",))
def needs_a_whole_address(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A postcode without a street is not compared."""
    sent = request.parameters
    is_alone = bool(sent.get("billing.postcode")) and not sent.get("billing.street1")
    answer = original.forward(request)
    return replace_at(answer, "result.avsResponse", "U") if is_alone else answer


@mutant("PAY-07", "SVC-09", killed_by=("A checkout keeps the name on the statement",))
def forgets_the_statement(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The descriptor of a checkout is lost."""
    answer = original.forward(request)
    is_checkout = "checkouts/" in request.path
    return replace_members(answer, descriptor="4711 Shop") if is_checkout else answer


@mutant("PAY-06", killed_by=("Each brand of a checkout has its own type",))
def keeps_the_first_type(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Of two brands with types of their own, the second has the type of the checkout."""
    answer = original.forward(request)
    is_second = answer.at("paymentBrand") == "MASTER" and "checkouts/" in request.path
    return replace_members(answer, paymentType="DB") if is_second else answer
