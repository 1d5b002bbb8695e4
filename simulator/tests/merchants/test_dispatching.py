"""Channel dispatching: a merchant's entity id, and the rules that pick one of its channels."""

from collections.abc import Sequence
from decimal import Decimal
from random import Random

import pytest
from falcon.testing import Result
from msgspec.structs import replace

from simulator.domain.checkouts.checkouts import Checkout
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.entities import DispatchRule
from simulator.domain.core.errors import Refusal
from simulator.domain.merchants.dispatching import channel_for
from simulator.service.payments.dispatched import brands_taken
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.kit.making import NOON, a_context

RULES = [
    {"channel": "Small", "currencies": ["EUR"], "amount_max": "50.00"},
    {"channel": "Large", "currencies": ["EUR"], "amount_min": 50, "brands": ["VISA", "MASTER"]},
    {"channel": "Series", "currencies": ["GBP"], "recurring": "repeated"},
]
CHANNELS = [{"name": "Small"}, {"name": "Large"}, {"name": "Series"}]


class Shop:
    """A merchant that dispatches."""

    def __init__(
        self,
        gateway: Gateway,
        profile: str = "specification",
        *,
        channels: Sequence[dict] = CHANNELS,
        rules: Sequence[dict] = RULES,
    ):
        merchants = [{"channels": channels, "dispatching": rules}, {}]
        asked = {"profile": profile, "merchants": merchants}
        self.gateway = gateway
        self.made = gateway.control("POST", "/sandboxes", asked).json
        self.merchant = self.made["entities"]["merchants"][0]
        self.who = Credentials(self.merchant["token"], self.merchant["id"])
        self.names = {each["id"]: each["name"] for each in self.merchant["channels"]}

    def pay(self, **sent: str) -> dict:
        """A payment that names the merchant."""
        return self.gateway.post(who=self.who, **sent).json

    def read(self, path: str, **asked: str) -> Result:
        """A report that names the merchant."""
        return self.gateway.client.simulate_get(
            path,
            params={"entityId": self.who.entity_id, **asked},
            headers={"Authorization": f"Bearer {self.who.token}"},
        )


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    """A merchant with three channels."""
    return Shop(gateway)


def picked(answer: dict) -> str:
    """The channel's name, which ends a generated descriptor."""
    return answer["descriptor"].split(" ", 1)[1]


@pytest.mark.parametrize(
    ("sent", "channel"),
    [
        ({"amount": "49.99"}, "Small"),
        ({"amount": "50.00"}, "Small"),
        ({"amount": "50.01"}, "Large"),
        ({"amount": "51.00", "paymentBrand": None}, "Large"),
        ({"currency": "GBP", "recurringType": "REPEATED"}, "Series"),
        ({"currency": "GBP", "standingInstruction.mode": "REPEATED"}, "Series"),
    ],
)
def test_the_first_rule_that_fits_picks_the_channel(shop: Shop, sent: dict, channel: str) -> None:
    assert picked(shop.pay(**sent)) == channel


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"currency": "USD"}, "800.160.110"),
        ({"currency": "GBP"}, "800.160.120"),
        ({"amount": "60.00", "paymentBrand": "AMEX", "card.number": "377777777777770",
          "card.cvv": "1234"}, "800.160.130"),
    ],
)  # fmt: skip
def test_data_that_selects_no_channel_is_refused_with_its_code(
    shop: Shop, sent: dict, code: str
) -> None:
    answer = shop.gateway.post(who=shop.who, **sent)
    assert (answer.status_code, answer.json["result"]["code"]) == (400, code)


def test_a_country_that_selects_no_channel_has_the_code_of_the_shopper() -> None:
    rules = [DispatchRule(channel="8a", countries=("DE",))]
    assert channel_for(rules, {"billing.country": "DE"}) == "8a"
    with pytest.raises(Refusal, match=r"800\.160\.100"):
        channel_for(rules, {"billing.country": "FR"})


def test_no_amount_is_none_that_fits() -> None:
    rules = [DispatchRule(channel="8a", amount_min=Decimal(1))]
    with pytest.raises(Refusal, match=r"800\.160\.130"):
        channel_for(rules, {})


def test_what_refers_to_a_payment_goes_to_its_channel(shop: Shop) -> None:
    paid = shop.pay(amount="60.00", paymentType="PA")["id"]
    sent = {"entityId": shop.who.entity_id, "paymentType": "CP"}
    sent |= {"amount": "1.00", "currency": "EUR"}

    captured = shop.gateway.send(f"/v1/payments/{paid}", sent, shop.who)

    assert picked(captured.json) == "Large"
    assert shop.gateway.read(paid, shop.who).status_code == 200
    assert shop.gateway.read("8" + "0" * 31, shop.who).status_code == 404


def test_the_ndc_and_the_checks_are_those_of_the_entity_that_was_sent(shop: Shop) -> None:
    assert shop.pay()["ndc"].startswith(f"{shop.who.entity_id}-")
    wrong = shop.pay(currency="USD", amount="92,00")
    assert wrong["result"]["code"] == "200.300.404"


def test_a_channel_may_still_be_named(shop: Shop) -> None:
    series = next(each for each, name in shop.names.items() if name == "Series")
    who = Credentials(shop.who.token, series)
    assert picked(shop.gateway.post(who=who).json) == "Series"


def test_without_rules_a_merchants_id_is_no_entity(shop: Shop) -> None:
    other = shop.made["entities"]["merchants"][1]
    answer = shop.gateway.post(who=Credentials(other["token"], other["id"]))
    assert answer.status_code == 403
    foreign = shop.gateway.post(who=Credentials(other["token"], shop.merchant["id"]))
    assert foreign.status_code == 403


def test_rules_may_come_and_go(shop: Shop) -> None:
    path = f"/sandboxes/{shop.made['id']}/merchants/{shop.merchant['id']}"
    everything = [{"channel": shop.merchant["channels"][2]["id"]}]
    assert shop.gateway.control("PATCH", path, {"dispatching": everything}).status_code == 200
    assert picked(shop.pay(currency="USD")) == "Series"
    shop.gateway.control("PATCH", path, {"dispatching": []})
    assert shop.gateway.post(who=shop.who).status_code == 403


@pytest.mark.parametrize(
    ("rule", "lacking", "code"),
    [
        ({"brands": ("VISA",)}, "paymentBrand", "800.160.110"),
        ({"countries": ("DE",)}, "billing.country", "800.160.100"),
        ({"countries": ("DE",), "brands": ("VISA",)}, "billing.country", "800.160.100"),
        ({"brands": ("VISA",), "amount_min": Decimal(1)}, "paymentBrand", "800.160.110"),
    ],
)
def test_what_is_not_sent_and_would_select_a_channel_is_named(
    rule: dict, lacking: str, code: str
) -> None:
    rules = [DispatchRule(channel="8a", amount_max=Decimal(50)), DispatchRule(channel="8b", **rule)]
    with pytest.raises(Refusal, match=f"^{code}: {lacking}: ") as refused:
        channel_for(rules, {"amount": "60.00", "currency": "EUR"})
    assert "the id of a channel as entityId" in str(refused.value)


def test_what_selects_no_channel_either_is_not_asked_for() -> None:
    rules = [DispatchRule(channel="8b", brands=("VISA",), currencies=("USD",))]
    with pytest.raises(Refusal, match="no channel of the merchant takes the currency and brand"):
        channel_for(rules, {"amount": "60.00", "currency": "EUR"})


def test_a_checkout_without_a_brand_is_refused_for_that_alone(gateway: Gateway) -> None:
    rules = [{"channel": name, "brands": [name]} for name in ("VISA", "MASTER")]
    merchant = {"channels": [{"name": "VISA"}, {"name": "MASTER"}], "dispatching": rules}
    made = gateway.control("POST", "/sandboxes", {"merchants": [merchant]}).json
    (known,) = made["entities"]["merchants"]
    who = Credentials(known["token"], known["id"])
    sent = {"entityId": who.entity_id, "paymentType": "DB", "amount": "60.00", "currency": "EUR"}
    refused = gateway.send("/v1/checkouts", sent, who).json
    assert refused["result"]["code"] == "800.160.110"
    assert refused["resultDetails"]["ExtendedDescription"].startswith("paymentBrand: ")
    for more in ({"paymentBrand": "VISA"}, {"entityId": known["channels"][0]["id"]}):
        answer = gateway.send("/v1/checkouts", {**sent, **more}, who)
        assert answer.status_code == 200, answer.text


YEAR = {"date.from": "2026-01-01", "date.to": "2026-12-31"}
AGREED = {"standingInstruction.type": "RECURRING", "standingInstruction.source": "CIT"}


@pytest.mark.parametrize("profile", ["specification", "field"])
@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("/v1/query", YEAR),
        ("/v3/query", YEAR),
        ("/v1/query", {"merchantTransactionId": "order-0001"}),
        ("/reports/v1/reconciliations/aggregations", YEAR),
        ("/scheduling/v1/schedules", {"registrationId": "REGISTRATION"}),
    ],
)
def test_a_report_needs_no_channel(
    gateway: Gateway, profile: str, path: str, asked: dict[str, str]
) -> None:
    shop = Shop(gateway, profile)
    paid = shop.pay(createRegistration="true", merchantTransactionId="order-0001")
    asked = {name: paid["registrationId"] if name == "registrationId" else value
             for name, value in asked.items()}  # fmt: skip
    answer = shop.read(path, **asked)
    assert answer.status_code == 200, answer.text
    if path.startswith(("/v1/query", "/v3/query")):
        found = answer.json.get("payments") or answer.json["records"]
        assert [each["id"] for each in found] == [paid["id"]]


def pay_again(shop: Shop, registration: str, **sent: str) -> Result:
    """A payment with a registration, that names the merchant."""
    asked = {"entityId": shop.who.entity_id, "paymentType": "DB", "currency": "EUR"}
    return shop.gateway.send(f"/v1/registrations/{registration}/payments", asked | sent, shop.who)


@pytest.mark.parametrize(
    ("sent", "channel"),
    [
        ({"amount": "49.99"}, "Small"),
        ({"amount": "60.00"}, "Large"),
        ({"amount": "9.00", "currency": "GBP", "recurringType": "REPEATED"}, "Series"),
    ],
)
def test_the_rules_choose_the_channel_of_what_a_registration_pays(
    shop: Shop, sent: dict[str, str], channel: str
) -> None:
    made = shop.pay(amount="9.00", createRegistration="true", recurringType="INITIAL")
    assert picked(made) == "Small"
    assert picked(pay_again(shop, made["registrationId"], **sent).json) == channel


def test_what_a_registration_pays_and_no_rule_takes_is_refused(shop: Shop) -> None:
    registration = shop.pay(amount="9.00", createRegistration="true")["registrationId"]
    refused = pay_again(shop, registration, amount="9.00", currency="USD")
    assert (refused.status_code, refused.json["result"]["code"]) == (400, "800.160.110")
    unknown = pay_again(shop, "8a" * 16, amount="9.00", currency="USD")
    assert unknown.json["result"]["code"] == "100.150.200"


def test_a_schedule_is_dispatched_by_the_brand_of_its_registration(shop: Shop) -> None:
    registration = shop.pay(amount="9.00", createRegistration="true")["registrationId"]
    asked = {"entityId": shop.who.entity_id, "registrationId": registration, "paymentType": "DB"}
    asked |= {"amount": "60.00", "currency": "EUR", "job.dayOfMonth": "05"}
    answer = shop.gateway.send("/scheduling/v1/schedules", asked, shop.who)
    assert answer.status_code == 200, answer.text


def test_the_country_of_a_registration_chooses_where_none_is_sent(gateway: Gateway) -> None:
    rules = [{"channel": "AT", "countries": ["AT"]}, {"channel": "DE", "countries": ["DE"]}]
    shop = Shop(gateway, channels=[{"name": "AT"}, {"name": "DE"}], rules=rules)
    made = shop.pay(createRegistration="true", **{"billing.country": "DE"})
    assert picked(pay_again(shop, made["registrationId"], amount="9.00").json) == "DE"
    sent = {"amount": "9.00", "billing.country": "AT"}
    assert picked(pay_again(shop, made["registrationId"], **sent).json) == "AT"


class SomeCountries:
    """Countries of rules, none of them that of the payment: how often they were looked at."""

    looks = 0

    def __contains__(self, country: object) -> bool:
        self.looks += 1
        return False


BRANDS = ("VISA", "MASTER", "AMEX", "EPS", "GIROPAY")
SENT = {"amount": "5.00", "currency": "EUR", "paymentType": "DB", "billing.country": "DE"}


def dispatching(random: Random, *rules: DispatchRule) -> ChannelContext:
    """A merchant with three channels and these rules."""
    context = a_context(channel={"brands": BRANDS})
    sandbox = context.ports.sandbox
    (merchant,) = sandbox.merchants
    channels = tuple(
        replace(merchant.channels[0], id=name, brands=tuple(random.sample(BRANDS, 3)))
        for name in ("one", "two", "three")
    )
    merchant = replace(merchant, channels=(*merchant.channels, *channels), dispatching=rules)
    ports = replace(context.ports, sandbox=replace(sandbox, merchants=(merchant,)))
    return replace(context, ports=ports)


def offered(context: ChannelContext) -> tuple[str, ...]:
    checkout = Checkout(id="1", stamp=context.stamp, created_at=NOON, sent=SENT, is_dispatched=True)
    return brands_taken(context.ports, checkout, checkout.sent)


def a_rule(random: Random) -> DispatchRule:
    return DispatchRule(
        channel=random.choice(["one", "two", "three"]),
        countries=random.choice([(), ("DE",), ("AT", "DE"), ("AT",)]),
        currencies=random.choice([(), ("EUR",), ("USD",)]),
        brands=tuple(random.sample(BRANDS, random.choice([0, 1, 3]))),
        recurring=random.choice([None, None, "none", "initial"]),
        amount_min=random.choice([None, None, Decimal("1.00"), Decimal("9.00")]),
    )


@pytest.mark.parametrize("seed", range(100))
def test_each_brand_is_offered_that_the_channel_takes_which_the_rules_pick_for_it(
    seed: int,
) -> None:
    random = Random(seed)
    rules = [a_rule(random) for _ in range(random.choice([1, 3, 10]))]
    context = dispatching(random, *rules)
    channels = {each.id: each for each in context.ports.sandbox.merchants[0].channels}

    def is_taken(brand: str) -> bool:
        try:
            return brand in channels[channel_for(rules, {**SENT, "paymentBrand": brand})].brands
        except Refusal:
            return False

    assert offered(context) == tuple(filter(is_taken, BRANDS))


def test_a_form_that_opens_looks_once_at_each_rule() -> None:
    far = SomeCountries()
    rules = [DispatchRule(channel="one", countries=far, brands=BRANDS[:3]) for _ in range(100)]
    context = dispatching(Random(1), *rules, DispatchRule(channel="two"))
    assert offered(context)
    assert far.looks <= len(rules)
