"""A refused POST to a checkout leaves the attempt at which the shopper is being asked; the next
attempt ends it. Choices: D-130, D-132.
"""

import gevent
import pytest
from msgspec.structs import replace

from simulator.domain.core.errors import Refusal, Violations
from simulator.domain.core.records import Origin, Payment
from simulator.domain.steering.order import WRONG_FORCED_CODE
from simulator.service.checkouts.checkouts import prepare_checkout, read_end
from simulator.tests.kit.authenticating import asking, pay, secured
from simulator.tests.kit.checkout_shop import DECLINE, SESSION, Shop, code_of
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.making import NOON, Answering, Breakpoint, Refusing
from simulator.tests.kit.twins import HandClock

ASKING, ENDED = "000.200.000", "100.396.104"
NOT_ASKED = {"paymentBrand": "DISCOVER", "card.number": "6011587918359498"}


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


def asked(shop: Shop, **prepared: str) -> tuple[str, str]:
    """A checkout at whose attempt the shopper is being asked, and that attempt."""
    identity = shop.prepare(shopperResultUrl="https://shop.example/back", **prepared)
    first = shop.post(f"/{identity}/payment", {"paymentBrand": "EPS"})
    assert code_of(first) == ASKING
    return identity, first.json["id"]


def test_a_post_that_the_acquirer_cannot_be_asked_about_ends_no_attempt(shop: Shop) -> None:
    identity, first = asked(shop)

    refused = shop.pay(identity, **{"card.holder": "000.100.110"})

    assert code_of(refused) == "600.200.810"
    assert code_of(shop.gateway.read(first, shop.who)) == ASKING
    assert shop.get(f"/{identity}/payment").json["id"] == first


def test_a_post_that_is_refused_at_a_breakpoint_ends_no_attempt() -> None:
    context = secured(asking(), Refusing())
    context = replace(context, ports=replace(context.ports, holds=Breakpoint()))
    checkout = prepare_checkout(context, SESSION)
    first = pay(context, Origin(checkout=checkout.id))

    with pytest.raises(Refusal, match=WRONG_FORCED_CODE):
        pay(context, Origin(checkout=checkout.id), **NOT_ASKED)

    assert context.ports.store.get(Payment, first.id).outcome.code == ASKING
    assert read_end(context, checkout.id).attempt.id == first.id


def test_a_post_that_is_refused_before_the_issuer_is_asked_ends_no_attempt() -> None:
    context = secured(asking())
    checkout = prepare_checkout(context, SESSION)
    first = pay(context, Origin(checkout=checkout.id))

    with pytest.raises(Violations, match="shopperResultUrl"):
        pay(context, Origin(checkout=checkout.id), shopperResultUrl=None)

    assert context.ports.store.get(Payment, first.id).outcome.code == ASKING
    assert read_end(context, checkout.id).attempt.id == first.id


def test_an_attempt_that_asks_at_the_issuer_ends_the_one_before() -> None:
    context = secured(asking())
    checkout = prepare_checkout(context, SESSION)

    first, second = (pay(context, Origin(checkout=checkout.id)) for _ in range(2))

    assert context.ports.store.get(Payment, first.id).outcome.code == ENDED
    assert read_end(context, checkout.id).attempt.id == second.id


@pytest.mark.parametrize("sent", [{}, DECLINE], ids=["paid", "declined"])
@pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])
def test_the_next_attempt_ends_the_one_that_asks(
    shop: Shop, sent: dict[str, str], mode: str
) -> None:
    identity, first = asked(shop, testMode=mode)

    following = shop.pay(identity, **sent)

    assert code_of(shop.gateway.read(first, shop.who)) == ENDED
    assert shop.get(f"/{identity}/payment").json["id"] == following.json["id"]


def test_an_attempt_that_waits_for_the_acquirer_has_ended_the_one_that_asks() -> None:
    context = secured(asking(), Answering(delay_s=30))
    context = replace(context, ports=replace(context.ports, clock=HandClock(NOON)))
    checkout = prepare_checkout(context, SESSION)
    first = pay(context, Origin(checkout=checkout.id))

    late = gevent.spawn(pay, context, Origin(checkout=checkout.id), **NOT_ASKED)
    gevent.idle()

    assert context.ports.store.get(Payment, first.id).outcome.code == ENDED
    assert read_end(context, checkout.id).attempt.id != first.id
    late.kill()
