"""Mutants of formats: they accept an invalid value, or refuse a valid one."""

from features.mutants.changes import accept_parameters, change_at, refuse_parameters
from features.mutants.mutant import mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from simulator.client import Answer

NAMES = ("customer.givenName", "customer.surname")


@mutant("CUST-02", killed_by=("A name longer than 48 characters is cut and not refused",))
def refuses_long_names(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A name over 48 characters is refused instead of cut."""
    sent = request.parameters
    return refuse_parameters(
        original.forward(request), *[name for name in NAMES if len(sent.get(name, "")) > 48]
    )


@mutant("CUST-02", killed_by=("A name longer than 48 characters is cut and not refused",))
def keeps_long_names(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A name over 48 characters is shown in full."""
    name = request.parameters.get("customer.givenName", "")
    return change_at(original.forward(request), "customer.givenName", lambda _: name)


@mutant(
    "CUST-01",
    killed_by=("A customer requires a given name and a surname",),
)
def knows_customers_without_names(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A customer needs no name."""
    return accept_parameters(original.forward(request), *NAMES)


@mutant("CUST-03", killed_by=("An identification document requires type and number",))
def takes_documents_without_a_kind(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The number of a document needs no kind of it, and no kind a number."""
    return accept_parameters(original.forward(request), "customer.identificationDoc")


@mutant("CUST-05", killed_by=("A shipping customer has no fingerprint and no device",))
def takes_devices_of_recipients(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A shipping customer may have browser data."""
    return accept_parameters(original.forward(request), "shipping.customer.browser")


@mutant("CUST-05", "CUST-06", killed_by=("Every field of a shipping customer may be sent alone",))
def demands_names_of_recipients(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A shipping customer requires a surname."""
    sent = request.parameters
    known = any(name.startswith("shipping.customer.") for name in sent)
    return refuse_parameters(original.forward(request), "shipping.customer.surname", when=known)


@mutant("CUST-07", killed_by=("A malformed phone number is refused",))
def takes_letters_in_phones(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A phone number may have letters."""
    return accept_parameters(original.forward(request), "customer.phone")


@mutant("STATE-02", killed_by=("A customer is new or existing",))
def takes_old_customers(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A customer may have any status."""
    return accept_parameters(original.forward(request), "customer.status")


@mutant("ADDR-01", killed_by=("A street of digits is refused without a second line",))
def takes_streets_of_digits(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A street may consist of digits."""
    return accept_parameters(original.forward(request), "billing.street1")


@mutant(
    "ADDR-01",
    "ADDR-02",
    killed_by=("A street of digits is refused where the second line is ignored",),
)
def looks_at_ignored_streets(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A second line that is ignored makes a street of digits valid."""
    ignored = {"billing.street2", "billing.houseNumber1"} <= set(request.parameters)
    return accept_parameters(original.forward(request), "billing.street1", when=ignored)


@mutant("ADDR-03", killed_by=("A second house number requires a first",))
def takes_second_house_numbers_alone(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A second house number needs no first."""
    return accept_parameters(
        original.forward(request), "billing.houseNumber1", "shipping.houseNumber1"
    )


@mutant("SHIP-01", killed_by=("An unlisted shipping method or preference is refused",))
def ships_by_any_method(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A shipping method may have any value."""
    return accept_parameters(original.forward(request), "shipping.method")


@mutant(
    "MERCH-02",
    killed_by=("Merchant data has names of 3 to 64 letters, digits, dots and underscores",),
)
def takes_short_keys(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A key of the merchant's data may have two characters."""
    return accept_parameters(original.forward(request), "merchant.data[ab]")


@mutant("CART-01", killed_by=("A cart refuses more than a thousand items",))
def takes_a_thousand_and_one(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A cart may hold 1001 items."""
    return accept_parameters(original.forward(request), "cart.items[1000]")


@mutant("CART-03", "STATE-02", killed_by=("A cart payment in another state is refused",))
def takes_refunded_cart_payments(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment of a cart may have any status."""
    return accept_parameters(original.forward(request), "cart.payments[0].status")


@mutant("CART-04", killed_by=("Other prices, taxes and quantities are refused",))
def takes_prices_without_decimals(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A price may have no decimals."""
    whole = request.parameters.get("cart.items[0].price", "").isdecimal()
    return accept_parameters(original.forward(request), "cart.items[0].price", when=whole)


@mutant(
    "CART-04",
    killed_by=("Prices have two decimals, taxes up to two and quantities up to three",),
)
def refuses_quantities_with_decimals(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A quantity with decimals is refused."""
    part = "." in request.parameters.get("cart.items[0].quantity", "")
    return refuse_parameters(original.forward(request), "cart.items[0].quantity", when=part)


@mutant("CUSTOM-02", killed_by=("A custom parameter of 2049 characters is refused",))
def takes_longer_custom_parameters(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A custom parameter may have any length."""
    return accept_parameters(original.forward(request), "customParameters[order.number]")


@mutant("GIFT-01", killed_by=("An unlisted gift card type is refused",))
def takes_any_occasion(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A gift card is for any occasion."""
    return accept_parameters(original.forward(request), "giftCard.type")


@mutant("POS-01", killed_by=("A terminal payment requires entry mode and terminal id",))
def takes_terminals_without_an_entry_mode(
    request: ProxiedRequest, original: OriginalGateway
) -> Answer:
    """A terminal payment needs no entry mode."""
    return accept_parameters(
        original.forward(request), "pos.entryMode", when="pos.entryMode" not in request.parameters
    )


@mutant("POS-06", killed_by=("Unlisted terminal data is refused",))
def takes_any_entry_mode(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A terminal payment may have any entry mode."""
    return accept_parameters(
        original.forward(request), "pos.entryMode", when="pos.entryMode" in request.parameters
    )


@mutant("TDS-02", killed_by=("Four results of an external authentication require each other",))
def takes_half_an_authentication(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """One result of an external authentication is enough."""
    return accept_parameters(
        original.forward(request), "threeDSecure.enrollmentStatus", "threeDSecure.eci"
    )


@mutant("TDS-03", killed_by=("Each scheme may have its own requestor id",))
def knows_no_requestors(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The requestor id of a scheme is refused."""
    sent = request.parameters
    names = [name for name in sent if name.startswith(("threeDSecure.v1.", "threeDSecure.v2."))]
    return refuse_parameters(original.forward(request), *names)


@mutant("TDS-04", killed_by=("Later 3-D Secure indicators require version 2.2",))
def takes_later_indicators_early(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An indicator of version 2.2 is taken with any version."""
    return accept_parameters(original.forward(request), "threeDSecure.challengeIndicator")


@mutant("TDS-08", killed_by=("Data of an external authentication is accepted",))
def knows_no_directory_ids(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The directory server's transaction id is refused."""
    sent = request.parameters
    named = [name for name in ("threeDSecure.dsTransactionId",) if name in sent]
    return refuse_parameters(original.forward(request), *named)


@mutant("REC-01", killed_by=("An unknown recurringType is refused",))
def takes_any_recurring_type(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A recurring type may have any value."""
    return accept_parameters(original.forward(request), "recurringType")


@mutant("REC-02", killed_by=("A number of installments of four digits is refused",))
def takes_a_thousand_installments(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A number of installments may have four digits."""
    return accept_parameters(original.forward(request), "recurring.numberOfInstallments")


@mutant("COF-01", killed_by=("A standing instruction with an unlisted value is refused",))
def takes_any_instruction(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A standing instruction may have any type."""
    return accept_parameters(original.forward(request), "standingInstruction.type")


@mutant("ASYNC-02", killed_by=("An address for a result requires at least 6 characters",))
def takes_any_way_back(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An address for the result may have five characters."""
    return accept_parameters(original.forward(request), "shopperResultUrl", "notificationUrl")


@mutant("LIM-04", killed_by=("FIELD:billing.street1:too-long",))
def takes_longer_streets(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A street may have any length."""
    return original.forward(
        request.change(billing__street1=request.parameters.get("billing.street1", "")[:95])
    )


@mutant("LIM-04", killed_by=("FIELD:pos.terminalId:longest",))
def fails_on_terminals(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A terminal payment is answered with status 500."""
    answer = original.forward(request)
    at_terminal = "pos.terminalId" in request.parameters
    return Answer(500, answer.headers, answer.body) if at_terminal else answer


@mutant("RISK-01", killed_by=("The screening service has shorter limits",))
def has_one_limit_for_channels(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The screening service accepts longer channel ids."""
    return accept_parameters(original.forward(request), "risk.channelId")


@mutant("AIR-01", "TRN-06", killed_by=("Passengers and their legs are counted from 0",))
def counts_passengers_from_one(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Passengers may be counted from 1."""
    return accept_parameters(original.forward(request), "airline.passengers[1]")
