"""Steps about the setup of a merchant: its channels and merchant accounts."""

import re
from collections.abc import Mapping, Sequence

from pytest_bdd import given, parsers, then, when

from features.steps.phrases import MONEY, TYPES, several
from features.steps.simulators.parties import messages_to
from features.support.assertions import Judge
from features.support.merchant import Merchant
from features.support.sandboxes import OpenChannel, OpenShops
from simulator.client import Answer, Control

PAYS = rf"the merchant (?P<verb>authorizes|debits|credits) {MONEY}"
# The criteria of a rule of dispatching that are lists.
LISTS = {"currencies", "brands", "countries"}
SETUPS: Mapping[str, Mapping[str, object]] = {
    "whose channel checks the risk": {},
    "whose channel checks the risk by the country": {"risk": ["risk-country"]},
    "whose channel checks the amount": {"risk": ["risk-amount"], "screening": ["risk-amount"]},
    "whose channel checks the amount and requires 3-D Secure": {
        "risk": ["risk-amount"],
        "three_d_secure": {"VISA": "2.2.0"},
    },
    "whose channel has a risk system that denies everything": {"risk": ["risk-denied"]},
    "whose channel has a screening service that denies everything": {"screening": ["risk-denied"]},
    "whose channel detects brands": {"brand_detection": True},
    "whose channel detects no brands": {"brand_detection": False},
    "whose channel requires the security code": {"cvv": "required"},
    "whose channel requires a merchant reference": {"requires_merchant_transaction_id": True},
    "whose channel refuses a merchant reference again": {
        "repeated_merchant_transaction_id": "refuse"
    },
    "whose channel answers a merchant reference again": {
        "repeated_merchant_transaction_id": "repeat"
    },
    "whose channel refuses a sequence number again": {"repeated_sequence_number": "refuse"},
    "whose channel leaves chargebacks to the platform": {"chargebacks": False},
    "whose channel requires 3-D Secure version 2": {"three_d_secure": {"VISA": "2.2.0"}},
    "whose channel requires 3-D Secure version 2.1": {"three_d_secure": {"VISA": "2.1.0"}},
    "whose channel requires 3-D Secure of every scheme": {
        "three_d_secure": dict.fromkeys(("VISA", "MASTER", "MAESTRO", "AMEX", "DISCOVER"), "2.2.0")
    },
    "whose channel requires 3-D Secure version 1": {"three_d_secure": {"VISA": "1.0.2"}},
    "whose channel accepts references of any gateway": {"agreements": "any"},
    "whose channel requires the reference of a series": {"agreements": "required"},
    "whose channel takes a part of a payment": {"partial_approvals": True},
    "whose channel offers brands by rules": {
        "form_brands": [
            {"brands": ["MASTER"], "override": True, "amount_max": "10.00"},
            {"brands": ["AMEX"], "override": True, "currencies": ["USD"]},
            {"brands": ["VISA", "MASTER"], "override": True, "amount_min": "100.00"},
            {"brands": ["DISCOVER"], "override": True, "countries": ["FR", "US"]},
            {"brands": ["VISA"], "override": True},
        ]
    },
    "whose channel offers brands by the profile of the shopper": {
        "form_brands": [
            {"brands": ["MASTER"], "override": True, "risk_profiles": ["new"]},
            {"brands": ["VISA", "MASTER"], "override": True, "risk_profiles": ["known", "old"]},
            {"brands": ["VISA"], "override": True},
        ]
    },
    "whose channel takes VISA and AMEX alone": {"brands": ["VISA", "AMEX"]},
    "whose channel takes EUR and USD alone": {"currencies": ["EUR", "USD"]},
    "whose merchant account has a fixed descriptor": {"descriptor_use": "fixed"},
}


@given(parsers.re(f"a merchant (?P<setup>{'|'.join(SETUPS)})$"), target_fixture="merchant")
def open_merchant(open_channel: OpenChannel, setup: str) -> Merchant:
    return open_channel(channel_name(setup), SETUPS[setup])


@given(
    parsers.re(r"a merchant with the channels (?P<first>\w+) and (?P<second>\w+)"),
    target_fixture="merchant",
)
def open_merchant_with_channels(open_shops: OpenShops, first: str, second: str) -> Merchant:
    channels = [{"name": first}, {"name": second}]
    return open_shops(merchants=[{"name": "Jones Books", "channels": channels}])[0]


@given("a merchant whose payments are dispatched by", target_fixture="merchant")
def open_dispatching_merchant(
    open_shops: OpenShops, datatable: Sequence[Sequence[str]]
) -> Merchant:
    rules = [dispatch_rule(channel, criterion, value) for channel, criterion, value in datatable]
    channels = [{"name": name} for name in dict.fromkeys(rule["channel"] for rule in rules)]
    shop = {"name": "Jones Books", "channels": channels, "dispatching": rules}
    return open_shops(merchants=[shop])[0]


@given("the merchant names its own entity", target_fixture="merchant")
def name_own_entity(merchant: Merchant) -> Merchant:
    return merchant.naming(merchant.entity)


@when(parsers.re(rf"{PAYS} for its own entity"), target_fixture="answer")
def pay_for_own_entity(merchant: Merchant, verb: str, amount: str, currency: str) -> Answer:
    return merchant.naming(merchant.entity).pay_by_card(TYPES[verb], amount, currency)


@when(parsers.re(rf"{PAYS} for its own entity with"), target_fixture="answer")
def pay_for_own_entity_with(
    merchant: Merchant,
    verb: str,
    amount: str,
    currency: str,
    *,
    datatable: Sequence[Sequence[str]],
) -> Answer:
    own = merchant.naming(merchant.entity)
    return own.pay_by_card(TYPES[verb], amount, currency, several(datatable))


@when(parsers.re(rf"the merchant debits {MONEY} on the channel (?P<channel>\w+)"),
      target_fixture="answer")  # fmt: skip
def pay_on_channel(merchant: Merchant, amount: str, currency: str, *, channel: str) -> Answer:
    return merchant.on_channel(channel).pay_by_card("DB", amount, currency)


@then(parsers.re(r"the acquirer received it from the channel (?P<channel>\w+)"))
def received_from_channel(
    control: Control, merchant: Merchant, answer: Answer, judge: Judge, *, channel: str
) -> None:
    names = {entity: name for name, entity in (merchant.channels or {}).items()}
    found = messages_to("acquirer", control, merchant, answer)
    came = [names.get(each["body"].get("entity"), "another") for each in found]
    judge.same("channels of the messages", answer, expected=[channel], came=came)


def channel_name(setup: str) -> str:
    """What a target file calls a channel of a set-up: `[entities.detects-no-brands]`."""
    return re.sub("whose (channel|merchant account) ", "", setup).lower().replace(" ", "-")


def dispatch_rule(channel: str, criterion: str, value: str) -> dict[str, object]:
    """A rule with one criterion; one without a criterion takes everything."""
    named: dict[str, object] = {"channel": channel}
    return named | ({criterion: value.split(" ") if criterion in LISTS else value} if value else {})
