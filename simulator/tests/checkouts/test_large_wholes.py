"""What is added to is no larger in all than its kind may be. Choice: D-05."""

import pytest
from falcon.testing import Result

from simulator.catalogue.fields.limits import (
    MOST_BEFORE_REGISTRATION,
    MOST_OF_A_REQUEST,
    MOST_USED_AGAIN,
    Most,
)
from simulator.domain import registrations
from simulator.domain.schedules import schedules
from simulator.tests.checkouts.test_forms import open_form
from simulator.tests.kit.checkout_shop import CARD, SESSION, Shop, code_of
from simulator.tests.kit.gateway import Gateway
from simulator.tests.sandboxes.test_advance import schedule_of

VALUE = 2000
HALF = MOST_USED_AGAIN.parameters // 2 + 1


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


def custom(first: int, count: int) -> dict[str, str]:
    """So many parameters that no others have."""
    return {f"customParameters[key{number}]": "v" for number in range(first, first + count)}


def half_of(most: Most, letter: str) -> dict[str, str]:
    """Parameters of a little more than half of the characters."""
    count = most.characters // 2 // VALUE + 1
    return {f"customParameters[{letter}{number:04}]": "v" * VALUE for number in range(count)}


HALVES = pytest.mark.parametrize(
    ("there", "sent"),
    [
        (custom(0, HALF), custom(HALF, HALF)),
        (half_of(MOST_USED_AGAIN, "aaa"), half_of(MOST_USED_AGAIN, "bbb")),
    ],
    ids=["parameters", "characters"],
)


def register(shop: Shop, more: dict[str, str]) -> Result:
    """A registration with more parameters."""
    sent = {**CARD, **more, "entityId": shop.who.entity_id}
    return shop.gateway.send("/v1/registrations", sent, shop.who)


def post(shop: Shop, place: str, sent: dict[str, str]) -> Result:
    """A post of the merchant."""
    return shop.gateway.send(place, {"entityId": shop.who.entity_id, **sent}, shop.who)


def assert_too_large(answer: Result) -> None:
    assert (answer.status_code, code_of(answer)) == (400, "200.100.103"), answer.json


def test_a_checkout_that_is_updated_or_paid(shop: Shop) -> None:
    half = MOST_OF_A_REQUEST.parameters // 2
    made = shop.post("", {**SESSION, **custom(0, half)}).json["id"]
    assert_too_large(shop.post(f"/{made}", custom(half, half)))
    # What is there already may change.
    assert shop.post(f"/{made}", custom(0, half)).status_code == 200
    assert_too_large(shop.post(f"/{made}/payment", {**CARD, **custom(half, half)}))


def test_the_characters_of_a_checkout(shop: Shop) -> None:
    made = shop.post("", {**SESSION, **half_of(MOST_OF_A_REQUEST, "aaa")}).json["id"]
    assert_too_large(shop.post(f"/{made}", half_of(MOST_OF_A_REQUEST, "bbb")))
    assert shop.post(f"/{made}", half_of(MOST_OF_A_REQUEST, "aaa")).status_code == 200


def test_the_form_of_a_long_checkout(shop: Shop) -> None:
    """The frames of the form take messages of 65,536 characters: a longer one left it blank."""
    items = {
        f"cart.items[{number}].{field}": "1"
        for number in range(1000)
        for field in ("name", "quantity", "sku")
    }
    made = shop.prepare({**SESSION, **items, "billing.city": "Rome"})

    opened = open_form(shop, made)

    assert len(opened.text) < 65_536
    assert "billing.city" in opened.json["fixed"]


def test_a_registration(shop: Shop) -> None:
    account = {name for name in CARD if name != "entityId"}
    most = MOST_USED_AGAIN.parameters - len(account) - 1
    assert register(shop, custom(0, most)).status_code == 200
    assert_too_large(register(shop, custom(0, most + 1)))
    # The unit of each is a default, which was not sent.
    items = {f"cart.items[{number}].name": "tea" for number in range(400)}
    assert register(shop, items).status_code == 200
    assert_too_large(register(shop, half_of(Most(0, 2 * MOST_USED_AGAIN.characters), "aaa")))


def test_a_checkout_that_prepares_a_registration(shop: Shop) -> None:
    """The shopper, who could not correct it, is not the first to be refused."""
    most = MOST_BEFORE_REGISTRATION.parameters - 1
    asked = {"createRegistration": "true", **custom(0, most)}
    made = shop.prepare(asked)
    assert shop.post(f"/{made}/registration", CARD).status_code == 200
    assert_too_large(shop.post("", {**asked, **custom(most, 2)}))
    assert_too_large(shop.post(f"/{shop.prepare(asked)}", custom(most, 2)))


def test_what_an_earlier_build_took_may_change(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as earlier:
        for module in (registrations, schedules):
            earlier.setattr(module, "MOST_USED_AGAIN", MOST_OF_A_REQUEST)
        registered = register(shop, custom(0, 800)).json["id"]
        asked = {**schedule_of(registered, shop.who.entity_id), **custom(0, 800)}
        made = post(shop, "/scheduling/v1/schedules", asked).json["id"]

    dated = {"card.expiryMonth": "06", "card.expiryYear": "2036"}
    assert post(shop, f"/v1/registrations/{registered}", dated).status_code == 200
    assert_too_large(post(shop, f"/v1/registrations/{registered}", custom(900, 1)))
    place = f"/scheduling/v1/schedules/{made}/reschedule"
    assert_too_large(post(shop, place, custom(900, 1)))
    assert post(shop, place, {"amount": "19.99", "currency": "EUR"}).status_code == 200


@HALVES
def test_a_registration_that_is_updated(
    shop: Shop, there: dict[str, str], sent: dict[str, str]
) -> None:
    place = f"/v1/registrations/{register(shop, there).json['id']}"
    assert_too_large(post(shop, place, sent))
    assert post(shop, place, there).status_code == 200


@HALVES
def test_a_schedule(shop: Shop, there: dict[str, str], sent: dict[str, str]) -> None:
    asked = schedule_of(register(shop, {}).json["id"], shop.who.entity_id)
    assert_too_large(post(shop, "/scheduling/v1/schedules", {**asked, **there, **sent}))
    made = post(shop, "/scheduling/v1/schedules", {**asked, **there}).json["id"]
    place = f"/scheduling/v1/schedules/{made}/reschedule"
    assert_too_large(post(shop, place, sent))
    assert post(shop, place, there).status_code == 200
