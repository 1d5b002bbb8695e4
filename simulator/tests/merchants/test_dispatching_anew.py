"""What is charged later than it was dispatched: a checkout that is updated or paid, a schedule that
is replaced or executed. The rules look at the whole each time. Choice: D-111.
"""

from urllib.parse import urlencode

import pytest
from falcon.testing import Result

from simulator.tests.kit.checkout_shop import CARD
from simulator.tests.kit.gateway import FORM, Credentials, Gateway
from simulator.tests.merchants.test_dispatching import Shop, picked

TILL = {"channel": "Till", "amount_max": "50.00", "currencies": ["EUR"]}
WEB = {"channel": "Web", "amount_min": "50.01", "currencies": ["EUR"]}
MASTERS = {"channel": "Masters", "brands": ["MASTER"]}
TEN = {"paymentType": "DB", "amount": "10.00", "currency": "EUR"}
MASTER = {"paymentBrand": "MASTER", "card.number": "5454545454545454"}
MONTHLY = {**TEN, "job.dayOfMonth": "05", "job.hour": "07"}


def opened(gateway: Gateway, *rules: dict) -> Shop:
    """A merchant with these rules."""
    channels = [{"name": name} for name in ("Till", "Web", "Masters")]
    return Shop(gateway, channels=channels, rules=rules)


def send(shop: Shop, path: str, *, entity: str | None = None, **sent: str) -> Result:
    """A request that names the merchant, or a channel."""
    return shop.gateway.send(path, {"entityId": entity or shop.who.entity_id, **sent}, shop.who)


def prepared(shop: Shop, *, entity: str | None = None, **sent: str) -> str:
    """The path of a checkout."""
    answer = send(shop, "/v1/checkouts", entity=entity, **(TEN | sent))
    assert answer.status_code == 200, answer.text
    return f"/v1/checkouts/{answer.json['id']}"


def channel_named(shop: Shop, name: str) -> str:
    """The id of a channel."""
    return next(each for each, known in shop.names.items() if known == name)


def code_of(answer: Result) -> tuple[int, str]:
    """Status and result code."""
    return answer.status_code, answer.json["result"]["code"]


REFUSED = [
    ({"amount": "500.00"}, "800.160.130"),
    ({"currency": "USD"}, "800.160.110"),
]


@pytest.mark.parametrize(("sent", "code"), REFUSED)
@pytest.mark.parametrize("named", ["merchant", "Till", "Web"])
def test_an_update_that_no_rule_takes_is_refused(
    gateway: Gateway, sent: dict, code: str, named: str
) -> None:
    shop = opened(gateway, TILL)
    path = prepared(shop)
    entity = None if named == "merchant" else channel_named(shop, named)
    assert code_of(send(shop, path, entity=entity, **sent)) == (400, code)
    paid = send(shop, f"{path}/payment", **CARD).json
    assert (paid["amount"], paid["currency"], picked(paid)) == ("10.00", "EUR", "Till")


def test_an_update_is_paid_on_the_channel_of_what_is_there_in_the_end(gateway: Gateway) -> None:
    shop = opened(gateway, TILL, WEB)
    path = prepared(shop)
    assert send(shop, path, amount="500.00").status_code == 200
    assert picked(send(shop, f"{path}/payment", **CARD).json) == "Web"


def test_a_checkout_of_a_channel_stays_there(gateway: Gateway) -> None:
    shop = opened(gateway, TILL)
    path = prepared(shop, entity=channel_named(shop, "Web"))
    assert send(shop, path, amount="500.00").status_code == 200
    assert picked(send(shop, f"{path}/payment", **CARD).json) == "Web"


def test_an_update_is_judged_by_the_channel_that_is_paid(gateway: Gateway) -> None:
    """Whichever is named."""
    channels = [
        {"name": "Euros", "currencies": ["EUR"]},
        {"name": "Dollars", "currencies": ["USD"]},
    ]
    shop = Shop(gateway, channels=channels, rules=[])
    euros, dollars = (channel_named(shop, each["name"]) for each in channels)
    path = prepared(shop, entity=euros)
    assert code_of(send(shop, path, entity=dollars, currency="USD")) == (400, "600.200.500")
    assert send(shop, path, entity=dollars, amount="20.00").status_code == 200
    paid = send(shop, f"{path}/payment", entity=dollars, **CARD).json
    assert (paid["amount"], paid["currency"], picked(paid)) == ("20.00", "EUR", "Euros")


@pytest.mark.parametrize(("card", "channel"), [({}, "Till"), (MASTER, "Masters")])
def test_what_the_shopper_adds_chooses_the_channel(
    gateway: Gateway, card: dict, channel: str
) -> None:
    shop = opened(gateway, MASTERS, TILL)
    path = prepared(shop)
    assert picked(send(shop, f"{path}/payment", **(CARD | card)).json) == channel


def test_what_the_shopper_adds_and_no_rule_takes_is_refused(gateway: Gateway) -> None:
    shop = opened(gateway, {"channel": "Till"})
    path = prepared(shop)
    change_rules(shop, MASTERS)
    refused = send(shop, f"{path}/payment", **CARD)
    assert code_of(refused) == (400, "800.160.110")
    assert picked(send(shop, f"{path}/payment", **(CARD | MASTER)).json) == "Masters"


def test_a_stored_account_pays_where_its_brand_belongs(gateway: Gateway) -> None:
    shop = opened(gateway, MASTERS, TILL)
    stored = shop.pay(createRegistration="true", amount="9.00", **MASTER)["registrationId"]
    path = prepared(shop, **{"registrations[0].id": stored})
    assert picked(submitted(shop, path, registrationId=stored).json) == "Masters"


def test_what_a_form_adds_is_looked_at_too(gateway: Gateway) -> None:
    shop = opened(gateway, {"channel": "Till"})
    path = prepared(shop)
    change_rules(shop, MASTERS)
    assert code_of(submitted(shop, path, **CARD)) == (400, "800.160.110")
    assert picked(submitted(shop, path, **(CARD | MASTER)).json) == "Masters"


def submitted(shop: Shop, path: str, **sent: str) -> Result:
    """The answer to a form, without an entity."""
    issued = f"/sandboxes/{shop.made['id']}{path.removeprefix('/v1')}/capability"
    capability = shop.gateway.control("POST", issued).json["capability"]
    return shop.gateway.client.simulate_post(
        f"{path}/payment",
        headers={"Authorization": f"Checkout {capability}"},
        body=urlencode(sent),
        content_type=FORM,
    )


def test_a_registration_in_a_checkout_moves_no_money_and_stays(gateway: Gateway) -> None:
    shop = opened(gateway, TILL)
    path = prepared(shop, createRegistration="true")
    assert send(shop, f"{path}/registration", **CARD).status_code == 200


def scheduled(shop: Shop, *, entity: str | None = None, **stored: str) -> str:
    """The path of a schedule."""
    made = shop.pay(createRegistration="true", amount="9.00", **stored)
    asked = {**MONTHLY, "registrationId": made["registrationId"]}
    answer = send(shop, "/scheduling/v1/schedules", entity=entity, **asked)
    assert answer.status_code == 200, answer.text
    return f"/scheduling/v1/schedules/{answer.json['id']}"


def executed(shop: Shop) -> list[tuple[str, str]]:
    """Amounts and channels of what the schedules of a month have paid."""
    shop.gateway.control("POST", f"/sandboxes/{shop.made['id']}/clock/advance", {"by": "31d"})
    span = {"date.from": "2020-01-01", "date.to": "2099-12-31"}
    found = shop.read("/v3/query", **span).json["records"]
    return [(each["amount"], picked(each)) for each in found if each["amount"] != "9.00"]


@pytest.mark.parametrize(("sent", "code"), REFUSED)
def test_a_reschedule_that_no_rule_takes_is_refused(
    gateway: Gateway, sent: dict, code: str
) -> None:
    shop = opened(gateway, TILL)
    path = scheduled(shop)
    refused = send(shop, f"{path}/reschedule", **(TEN | sent))
    assert code_of(refused) == (400, code)
    assert set(executed(shop)) == {("10.00", "Till")}


def test_a_reschedule_is_paid_on_the_channel_of_what_is_there_in_the_end(gateway: Gateway) -> None:
    shop = opened(gateway, TILL, WEB)
    path = scheduled(shop)
    assert send(shop, f"{path}/reschedule", **(TEN | {"amount": "500.00"})).status_code == 200
    assert set(executed(shop)) == {("500.00", "Web")}


def test_a_schedule_of_a_channel_stays_there(gateway: Gateway) -> None:
    shop = opened(gateway, TILL)
    path = scheduled(shop, entity=channel_named(shop, "Web"))
    assert send(shop, f"{path}/reschedule", **(TEN | {"amount": "500.00"})).status_code == 200
    assert set(executed(shop)) == {("500.00", "Web")}


def test_an_execution_follows_the_rules_of_its_day(gateway: Gateway) -> None:
    shop = opened(gateway, TILL)
    scheduled(shop)
    change_rules(shop, {"channel": channel_named(shop, "Web")})
    assert set(executed(shop)) == {("10.00", "Web")}


def test_an_execution_that_no_rule_takes_any_more_is_not_paid(gateway: Gateway) -> None:
    shop = opened(gateway, TILL)
    path = scheduled(shop)
    change_rules(shop, MASTERS)
    assert executed(shop) == []
    read = shop.read(path).json
    assert "800.160.110" in str(read)


def test_without_rules_a_schedule_keeps_its_channel(gateway: Gateway) -> None:
    shop = opened(gateway, TILL)
    scheduled(shop)
    change_rules(shop)
    shop.who = Credentials(shop.who.token, channel_named(shop, "Till"))
    assert set(executed(shop)) == {("10.00", "Till")}


def test_a_removed_registration_ends_its_schedule_as_before(gateway: Gateway) -> None:
    shop = opened(gateway, TILL)
    path = scheduled(shop)
    registration = shop.read(path).json["registrationId"]
    gateway.client.simulate_delete(
        f"/v1/registrations/{registration}",
        params={"entityId": shop.who.entity_id},
        headers={"Authorization": f"Bearer {shop.who.token}"},
    )
    assert executed(shop) == []
    assert "100.150." in str(shop.read(path).json)


def change_rules(shop: Shop, *rules: dict) -> None:
    path = f"/sandboxes/{shop.made['id']}/merchants/{shop.merchant['id']}"
    answer = shop.gateway.control("PATCH", path, {"dispatching": list(rules)})
    assert answer.status_code == 200, answer.text
