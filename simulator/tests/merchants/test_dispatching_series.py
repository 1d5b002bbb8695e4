"""What a payment has without having been sent it: the rules look at what the payment will be.

A payment of a schedule is REPEATED, whatever the schedule leaves out; a wallet token has a brand.
Choices: D-111, D-161, D-670.
"""

import pytest
from falcon.testing import Result
from msgspec.structs import replace

from simulator.domain.core.ports import unit_of
from simulator.domain.schedules.schedules import Schedule
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.merchants.test_dispatching import Shop, picked
from simulator.tests.merchants.test_dispatching_anew import (
    MONTHLY,
    TEN,
    change_rules,
    channel_named,
    code_of,
    executed,
    prepared,
    send,
)

WEB = {"channel": "Web", "recurring": "none"}
SUBS = {"channel": "Subs", "recurring": "repeated"}
FIRST = {"channel": "Web", "recurring": "initial"}
PLACE = "standingInstruction."
WHOLE = {f"{PLACE}type": "RECURRING", f"{PLACE}mode": "REPEATED", f"{PLACE}source": "MIT"}
PATHS = ("/scheduling/v1/schedules", "/v1/schedules")


def opened(gateway: Gateway, *rules: dict, profile: str = "specification") -> Shop:
    """A merchant with these rules."""
    return Shop(gateway, profile, channels=[{"name": "Web"}, {"name": "Subs"}], rules=rules)


def create(shop: Shop, path: str = PATHS[0], **sent: str) -> Result:
    """The answer to a new schedule, of a card that is stored by the channel Web."""
    entity = channel_named(shop, "Web")
    made = shop.gateway.post(
        who=Credentials(shop.who.token, entity), createRegistration="true", amount="9.00"
    ).json
    return send(shop, path, **{**MONTHLY, "registrationId": made["registrationId"], **sent})


@pytest.mark.parametrize("profile", ["specification", "field"])
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("sent", [{}, WHOLE, {f"{PLACE}expiry": "2034-01-01"}])
def test_a_schedule_is_dispatched_as_its_payments_are(
    gateway: Gateway, profile: str, path: str, sent: dict
) -> None:
    shop = opened(gateway, WEB, SUBS, profile=profile)
    assert create(shop, path, **sent).status_code == 200
    assert set(executed(shop)) == {("10.00", "Subs")}


def test_a_schedule_that_says_its_own_place_is_dispatched_by_it(gateway: Gateway) -> None:
    shop = opened(gateway, WEB, SUBS, FIRST)
    assert create(shop, recurringType="INITIAL").status_code == 200
    assert set(executed(shop)) == {("10.00", "Web")}


def test_a_schedule_is_refused_where_no_rule_takes_its_payments(gateway: Gateway) -> None:
    shop = opened(gateway, SUBS, FIRST)
    assert create(shop).status_code == 200
    change_rules(shop, WEB, FIRST)
    assert code_of(create(shop)) == (400, "800.160.120")


def test_a_reschedule_is_dispatched_as_its_payments_are(gateway: Gateway) -> None:
    shop = opened(gateway, {**SUBS, "amount_max": "50.00"}, {**WEB, "amount_max": "900.00"})
    path = f"{PATHS[0]}/{create(shop).json['id']}/reschedule"
    assert code_of(send(shop, path, **(TEN | {"amount": "500.00"}))) == (400, "800.160.130")
    assert send(shop, path, **(TEN | {"amount": "20.00"})).status_code == 200
    assert set(executed(shop)) == {("20.00", "Subs")}


def test_an_execution_is_dispatched_as_what_it_is(gateway: Gateway) -> None:
    """A schedule of an earlier build has the channel of the rule for what is of no series."""
    shop = opened(gateway, WEB, SUBS)
    identity = create(shop).json["id"]
    store = gateway.ports(shop.made["id"]).store
    stored = store.get(Schedule, identity)
    web = replace(stored.stamp, channel=channel_named(shop, "Web"))
    store.commit(unit_of(replace(stored, stamp=web)))
    assert set(executed(shop)) == {("10.00", "Subs")}


def test_a_reschedule_is_judged_by_the_channel_that_pays(gateway: Gateway) -> None:
    """Whichever channel is named."""
    channels = [{"name": "Web"}, {"name": "Masters", "brands": ["MASTER"]}]
    shop = Shop(gateway, channels=channels, rules=[])
    web, masters = (channel_named(shop, each["name"]) for each in channels)
    shop.who = Credentials(shop.who.token, web)
    path = f"{PATHS[0]}/{create(shop).json['id']}/reschedule"
    answer = send(shop, path, entity=masters, **(TEN | {"amount": "20.00"}))
    assert answer.status_code == 200, answer.text
    assert set(executed(shop)) == {("20.00", "Web")}


def test_a_reschedule_through_another_channel_is_refused_as_through_its_own(
    gateway: Gateway,
) -> None:
    channels = [{"name": "Web", "currencies": ["EUR"]}, {"name": "Any"}]
    shop = Shop(gateway, channels=channels, rules=[])
    web, other = (channel_named(shop, each["name"]) for each in channels)
    shop.who = Credentials(shop.who.token, web)
    path = f"{PATHS[0]}/{create(shop).json['id']}/reschedule"
    refused = send(shop, path, entity=other, **(TEN | {"currency": "USD"}))
    assert code_of(refused) == (400, "600.200.500")


@pytest.mark.parametrize("profile", ["specification", "field"])
@pytest.mark.parametrize("protocol", ["EC_v1", "ECv2"])
def test_a_wallet_token_is_dispatched_by_the_brand_of_its_card(
    gateway: Gateway, profile: str, protocol: str
) -> None:
    shop = opened(gateway, {"channel": "Subs", "brands": ["MASTER"]}, WEB, profile=profile)
    for number, channel in (("5454545454545454", "Subs"), ("4200000000000000", "Web")):
        token = token_of(shop, protocol=protocol, number=number)
        assert picked(send(shop, "/v1/payments", **TEN, **token).json) == channel
        path = prepared(shop)
        token = token_of(shop, protocol=protocol, number=number)
        assert picked(send(shop, f"{path}/payment", **token).json) == channel


def test_a_token_that_opens_nothing_is_refused_for_that(gateway: Gateway) -> None:
    shop = opened(gateway, {"channel": "Subs", "brands": ["MASTER"]}, WEB)
    wrong = send(shop, "/v1/payments", **TEN, **token_of(shop, fault="signature"))
    assert code_of(wrong) == (400, "200.100.602")


def token_of(shop: Shop, **order: str) -> dict[str, str]:
    """What a shop sends that a wallet gave a token to."""
    path = f"/sandboxes/{shop.made['id']}/wallet/tokens"
    made = shop.gateway.control("POST", path, order)
    assert made.status_code in (200, 201), made.text
    return {"mobileWallet.paymentToken": made.json["token"]}
