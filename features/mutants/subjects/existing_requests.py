"""Mutants of what existing clients send, and of the brands and texts they know."""

from collections import Counter
from dataclasses import replace
from urllib.parse import parse_qsl

from features.mutants.changes import (
    change_at,
    claim_success_for,
    refuse,
    refuse_parameters,
    replace_at,
)
from features.mutants.mutant import mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from simulator.client import Answer

BRAND = "paymentBrand"
CHECKOUTS = "v1/checkouts"
REGISTRATIONS = "v1/registrations"
NAMED_CARDS = frozenset({"ASYACARD", "AXESS", "BONUS", "WORLD", "POSTEPAY"})
FREE_TEXTS = ("billing.state", "shipping.state", "shipping.city", "shipping.method")


@mutant(
    "E51",
    killed_by=(
        "An invalid card number is described by the text of its code alone",
        "A capture of an unknown payment is described by the text of its code alone",
        "Unknown credentials are described by the text of their code alone",
        "An unknown checkout is described by the whole text",
        "A description contains nothing but the text of its code",
        "An invalid parameter is explained beside the description",
    ),
)
def explains_in_the_description(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An explanation follows the text of the code in its description."""
    answer = original.forward(request)
    return change_at(answer, "result.description", lambda text: f"{text} - see the log")


@mutant("E52", killed_by=("An unknown payment method is named so",))
def describes_another_method(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The description of 600.200.100 has other words."""
    answer = original.forward(request)
    unknown = answer.code == "600.200.100"
    return replace_at(answer, "result.description", "method unknown") if unknown else answer


@mutant("E53", killed_by=("A customer parameter is accepted without the names of the customer",))
def demands_names_of_customers(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A customer of a payment requires a surname."""
    answer = original.forward(request)
    return refuse_parameters(
        answer, "customer.surname", when=request.is_payment and has_nameless_customer(request)
    )


@mutant("E53", killed_by=("A checkout is prepared for a customer without names",))
def prepares_for_named_customers(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A customer of a checkout requires a surname."""
    prepared = request.path == CHECKOUTS and has_nameless_customer(request)
    return refuse_parameters(original.forward(request), "customer.surname", when=prepared)


@mutant("E53", killed_by=("A checkout is paid for a customer without names",))
def forgets_nameless_customers(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The result of a checkout for a customer without names cannot be read."""
    if request.path == CHECKOUTS:
        original.memory["nameless"] = has_nameless_customer(request)
    answer = original.forward(request)
    is_read = request.method == "GET" and request.path.endswith("/payment")
    is_lost = is_read and original.memory.get("nameless")
    return refuse(answer, 400, "200.300.404") if is_lost else answer


@mutant(
    "E54",
    "E55",
    killed_by=(
        "A brand of a provider redirects with any part of a bank account",
        "A brand of a shop integration redirects",
    ),
)
def knows_no_providers(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Only the neutral brands redirect."""
    answer = original.forward(request)
    redirects = request.is_payment and answer.at("redirect") is not None
    return refuse(answer, 400, "100.100.501") if redirects else answer


@mutant("E54", killed_by=("A bank transfer may be a debit, and an authorization as ever",))
def debits_no_transfers(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A bank transfer cannot be a debit in any profile."""
    answer = original.forward(request)
    transfer = request.parameters.get(BRAND) == "PREPAYMENT"
    return refuse(answer, 400, "600.200.310") if transfer else answer


@mutant("E55", killed_by=("A brand of a wallet takes its decrypted data",))
def knows_one_wallet(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Only the neutral brand is that of a wallet."""
    answer = original.forward(request)
    other = "mobileWallet.source" in request.parameters
    return refuse(answer, 400, "100.100.501") if other else answer


@mutant("E56", killed_by=("A named card brand takes numbers of any range",))
def checks_ranges_of_named_cards(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A card brand that is only named has a range of numbers."""
    answer = original.forward(request)
    named = request.parameters.get(BRAND) in NAMED_CARDS
    return refuse(answer, 400, "100.100.700") if named else answer


@mutant("E57", killed_by=("An account with a provider is registered without an account",))
def registers_accounts_only(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A registration requires the number of an account."""
    sent = request.parameters
    lacks = request.path == REGISTRATIONS and not any("ccount." in name for name in sent)
    lacks = lacks and "card.number" not in sent
    return refuse_parameters(original.forward(request), "bankAccount.iban", when=lacks)


@mutant(
    "E58",
    killed_by=(
        "A name sent twice with one value counts once",
        "A custom parameter sent twice with two values is accepted",
    ),
)
def refuses_every_repetition(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A name may be sent once, whatever its values."""
    answer = original.forward(request)
    return refuse_parameters(answer, *repeated_names(request), when=request.is_payment)


@mutant("E58", killed_by=("A name sent twice with two values is refused",))
def takes_the_last_of_two_values(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Of a name with two values the last counts."""
    if not (request.is_payment and repeated_names(request)):
        return original.forward(request)
    return original.forward(replace(request, target=request.path).change(descriptor="once"))


@mutant(
    "E60",
    "TDS-07",
    killed_by=(
        "An authentication on a channel without 3-D Secure is refused",
        "An authentication on a channel without 3-D Secure is refused in profile field",
    ),
)
def authenticates_on_every_channel(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A channel that is not set up for 3-D Secure authenticates shoppers."""
    return claim_success_for(original.forward(request), "000.400.104")


@mutant("E67", killed_by=("Addresses contain any text",))
def checks_texts_of_addresses(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """States, cities and shipping methods contain what the specification lists."""
    sent = request.parameters
    return refuse_parameters(
        original.forward(request), *[name for name in FREE_TEXTS if name in sent]
    )


@mutant("E67", killed_by=("A risk amount is a whole number or has decimals",))
def demands_decimals_of_risk(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A risk amount requires two decimals."""
    is_whole = request.parameters.get("risk.amount", "").isdecimal()
    return refuse_parameters(original.forward(request), "risk.amount", when=is_whole)


def has_nameless_customer(request: ProxiedRequest) -> bool:
    """Whether parameters of a customer were sent, without given name and surname together."""
    names = {name for name in request.parameters if name.startswith("customer.")}
    return bool(names) and not {"customer.givenName", "customer.surname"} <= names


def repeated_names(request: ProxiedRequest) -> list[str]:
    """The names that stand more than once in query and body together."""
    query = request.target.partition("?")[2]
    pairs = [*parse_qsl(query), *parse_qsl(request.body.decode())]
    return [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
