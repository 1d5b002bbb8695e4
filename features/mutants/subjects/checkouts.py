"""Mutants of checkouts, registrations and recurring payments."""

from features.mutants.changes import (
    accept_parameters,
    claim_success,
    claim_success_for,
    refuse_parameters,
    replace_at,
    replace_code,
    replace_members,
    report_not_found,
)
from features.mutants.mutant import mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from simulator.client import Answer

REGISTRATIONS = "v1/registrations/"


@mutant(
    "SVC-09",
    "END-03",
    killed_by=("A checkout is prepared with and without the version prefix",),
)
def prepares_nothing_without_a_version(
    request: ProxiedRequest, original: OriginalGateway
) -> Answer:
    """A checkout can be prepared with the version prefix only."""
    answer = original.forward(request)
    return report_not_found(answer) if request.path == "checkouts" else answer


@mutant("RSP-01", killed_by=("A checkout is prepared with and without the version prefix",))
def shortens_checkout_ids(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A checkout id has 31 characters."""
    answer = original.forward(request)
    prepared = request.path.endswith("checkouts") and bool(answer.id)
    return replace_members(answer, id=answer.id[:31]) if prepared else answer


@mutant("FORM-06", killed_by=("A checkout is paid once",))
def takes_a_second_payment(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A paid checkout can be paid again."""
    answer = original.forward(request)
    return (
        claim_success(answer) if answer.status == 404 and is_checkout_payment(request) else answer
    )


@mutant(
    "FORM-05",
    "FORM-06",
    killed_by=("A shopper may pay with another brand after a decline",),
)
def ends_a_checkout_with_a_decline(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """After a decline the shopper cannot try again."""
    if not is_checkout_payment(request):
        return original.forward(request)
    tried = request.path in original.memory
    original.memory[request.path] = True
    answer = original.forward(request)
    return report_not_found(answer) if tried else answer


@mutant("END-04", killed_by=("The shopper cannot overwrite the amount of a checkout",))
def lets_the_form_change_the_price(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An amount from the shopper replaces the amount of the checkout."""
    return accept_parameters(
        original.forward(request), "amount", when="checkouts/" in request.target
    )


@mutant("PAY-06", killed_by=("A payment type set for one brand applies to that brand only",))
def overrides_the_type_of_every_brand(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment type set for one brand applies to all brands."""
    fixed = request.parameters.get("overridePaymentType[VISA]", "")
    prepares = request.path.endswith("checkouts") and bool(fixed)
    return original.forward(request.change(paymentType=fixed) if prepares else request)


@mutant("END-05", killed_by=("An unpaid checkout is pending and has no payment",))
def ends_unpaid_checkouts_in_success(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An unpaid checkout is shown as paid."""
    return claim_success_for(
        original.forward(request), "000.200.000", when="checkouts/" in request.target
    )


@mutant("END-05", killed_by=("The result of a checkout may be read twice",))
def reads_an_outcome_once(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The result of a checkout can be read once."""
    if request.method != "GET" or "checkouts/" not in request.path:
        return original.forward(request)
    again = request.path in original.memory
    original.memory[request.path] = True
    answer = original.forward(request)
    return report_not_found(answer) if again else answer


@mutant("END-05", killed_by=("The merchant reads the payment of a checkout",))
def hides_the_payment_of_a_checkout(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The result of a checkout has no payment id."""
    answer = original.forward(request)
    reads = request.method == "GET" and "checkouts/" in request.path
    return replace_members(answer, id=None) if reads else answer


@mutant(
    "FORM-12", killed_by=("Custom parameters from the payment form require the SHOPPER_ prefix",)
)
def takes_any_name_from_the_form(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The form may send any parameter."""
    by_form = request.headers.get("authorization", "").startswith("Checkout ")
    return accept_parameters(original.forward(request), "customParameters", when=by_form)


@mutant("END-04", killed_by=("The credentials of a payment form are valid once",))
def lets_a_form_post_for_ever(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The credentials of a form can be used again."""
    by_form = request.headers.get("authorization", "").startswith("Checkout ")
    answer = original.forward(request)
    return claim_success(answer) if by_form and answer.status == 403 else answer


@mutant("SVC-10", "END-07", killed_by=("A checkout completes a registration instead of a payment",))
def registers_nothing(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A checkout that only registers stays pending."""
    answer = original.forward(request)
    reads = request.method == "GET" and request.path.endswith("/registration")
    return (
        replace_code(replace_members(answer, id=None, card=None), "000.200.000")
        if reads
        else answer
    )


@mutant("SVC-10", "END-06", killed_by=("A card is registered without the version prefix",))
def refuses_to_register(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A card cannot be registered in a checkout."""
    answer = original.forward(request)
    posts = request.method == "POST" and request.path.endswith("/registration")
    return report_not_found(answer) if posts else answer


@mutant("SVC-11", killed_by=("A registration is read as it was stored",))
def forgets_registrations(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A registration cannot be read."""
    answer = original.forward(request)
    reads = request.method == "GET" and request.path.startswith(REGISTRATIONS)
    return report_not_found(answer) if reads else answer


@mutant(
    "SVC-12", "TOK-01", killed_by=("A payment with createRegistration true creates a registration",)
)
def hides_registration_ids(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment creates a registration and does not show its id."""
    return replace_members(original.forward(request), registrationId=None)


@mutant("TOK-01", killed_by=("A payment with createRegistration false creates no registration",))
def registers_every_card(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Every payment creates a registration."""
    answer = original.forward(request)
    unasked = request.is_payment and request.parameters.get("createRegistration") != "true"
    return replace_members(answer, registrationId="8a" * 16) if unasked and answer.id else answer


@mutant("SVC-13", killed_by=("A deleted registration cannot be charged",))
def charges_what_was_removed(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A deleted registration can be charged."""
    return claim_success_for(original.forward(request), "100.150.202")


@mutant("SVC-13", killed_by=("A declined registration cannot be charged",))
def charges_what_was_declined(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A card whose registration was declined can be charged."""
    return claim_success_for(original.forward(request), "100.150.203")


@mutant("TOK-02", "TOK-03", killed_by=("A card holder fills an empty one for that payment only",))
def never_fills_a_holder(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A card holder sent for an empty one is ignored."""
    wished = request.parameters.get("overrideHolder") == "true"
    return original.forward(
        request.change(card__holder="", overrideHolder="") if wished else request
    )


@mutant("TOK-02", "TOK-03", killed_by=("A card holder fills an empty one for that payment only",))
def keeps_a_holder_for_good(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A card holder sent for one payment is stored."""
    key = request.path.removesuffix("/payments")
    if request.parameters.get("overrideHolder") == "true":
        original.memory[key] = request.parameters.get("card.holder")
    answer = original.forward(request)
    kept = original.memory.get(key) if request.method == "GET" else None
    return replace_at(answer, "card.holder", kept) if kept else answer


@mutant("SVC-14", "MIG-01", killed_by=("An agreement is migrated with its card",))
def brings_along_no_agreement(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A migrated card loses the data of its agreement."""
    return replace_members(original.forward(request), recurringMigration=None)


@mutant("MIG-02", killed_by=("Malformed migration data is refused",))
def takes_migrations_of_any_form(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The data of a migrated agreement may have any form."""
    return accept_parameters(
        original.forward(request),
        "recurringMigration.amount",
        "recurringMigration.requestTimestamp",
    )


@mutant("MIG-01", killed_by=("A migration requires the type of an initial payment",))
def migrates_any_payment(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A migrated agreement may have any payment type."""
    return accept_parameters(original.forward(request), "recurringMigration.paymentType")


@mutant("COF-02", killed_by=("No other payment of a series gets a reference",))
def gives_every_payment_a_reference(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment that begins no series has a reference."""
    answer = original.forward(request)
    began = isinstance(answer.at("standingInstruction"), dict)
    return replace_at(answer, "standingInstruction.initialTransactionId", "1") if began else answer


@mutant("COF-02", killed_by=("The first payment of a series by the shopper gets a reference",))
def gives_no_references(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment that begins a series has no reference."""
    answer = original.forward(request)
    given = answer.at("standingInstruction.initialTransactionId")
    return replace_at(answer, "standingInstruction.initialTransactionId", None) if given else answer


@mutant("COF-02", killed_by=("A reference that no acquirer of the merchant issued is refused",))
def takes_any_reference(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A reference that no acquirer issued is accepted."""
    return claim_success_for(original.forward(request), "600.200.501")


@mutant(
    "COF-03",
    killed_by=("An authenticated series requires expiry, frequency and number of installments",),
)
def authenticates_series_without_an_end(
    request: ProxiedRequest, original: OriginalGateway
) -> Answer:
    """An authenticated series needs no expiry and no frequency."""
    return accept_parameters(original.forward(request), "standingInstruction.")


@mutant("REC-01", killed_by=("A recurringType is accepted and echoed",))
def forgets_the_mark_of_a_series(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The recurring type is not echoed."""
    return replace_members(original.forward(request), recurringType=None)


@mutant("REC-02", killed_by=("A number of installments has up to three digits",))
def limits_installments_to_two_digits(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A number of installments may have two digits only."""
    many = len(request.parameters.get("recurring.numberOfInstallments", "")) > 2
    return refuse_parameters(original.forward(request), "recurring.numberOfInstallments", when=many)


def is_checkout_payment(request: ProxiedRequest) -> bool:
    """Whether a request pays a checkout."""
    is_end = request.path.endswith("/payment") and "checkouts/" in request.path
    return request.method == "POST" and is_end
