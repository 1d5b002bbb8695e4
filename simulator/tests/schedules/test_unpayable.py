"""A schedule of which no execution could be paid is refused when it is made."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import Outcome
from simulator.domain.recurring import ISSUED
from simulator.domain.schedules.schedules import Schedule
from simulator.service.payments.pipeline import take_payment
from simulator.tests.kit.making import APPROVED, CARD, new_ids
from simulator.tests.kit.serial import INSTALLMENTS, in_series
from simulator.tests.kit.shops import Shop

ONE = {**INSTALLMENTS, "standingInstruction.numberOfInstallments": "1"}


def refusal_of(shop: Shop, **more: str) -> str:
    """The code of the refusal, which leaves no schedule."""
    with pytest.raises(Refusal) as caught:
        shop.schedule(**more)
    assert shop.store.find(Schedule, "registration", shop.registration) == []
    return caught.value.code


def begin_series(shop: Shop, **terms: str) -> None:
    """The shopper's first payment of a series, whose card is charged from now on."""
    reference = f"reference-{len(shop.acquirer.asks)}"
    shop.acquirer.outcomes = [Outcome(code="000.100.110", details={ISSUED: reference})]
    order = {**CARD, "paymentType": "DB", "amount": "1.00", "currency": "EUR"}
    sent = {**order, **in_series("INITIAL", "CIT"), "createRegistration": "true", **terms}
    made = take_payment(shop.context, sent, new_ids(shop.context))
    assert made.registration is not None
    shop.registration = made.registration


def with_channel(shop: Shop, **fields: object) -> None:
    ports = shop.context.ports
    merchant = ports.sandbox.merchants[0]
    channel = replace(shop.context.channel, **fields)
    sandbox = replace(ports.sandbox, merchants=(replace(merchant, channels=(channel,)),))
    ports = replace(ports, sandbox=sandbox)
    shop.context = replace(shop.context, ports=ports, channel=channel)


def test_a_brand_that_the_channel_does_not_take() -> None:
    shop = Shop()
    with_channel(shop, brands=("MASTER",))
    assert refusal_of(shop) == "600.200.201"


def test_a_type_that_the_brand_is_not_made_for() -> None:
    shop = Shop()
    account = {
        "paymentBrand": "DIRECTDEBIT_SEPA",
        "bankAccount.holder": "Jane Jones",
        "bankAccount.iban": "DE89370400440532013000",
    }
    sent = {"paymentType": "RG", "amount": "0.00", "currency": "EUR", **account}
    made = take_payment(shop.context, sent, new_ids(shop.context))
    shop.registration = made.registration or ""
    assert refusal_of(shop, paymentType="CD") == "600.200.310"
    shop.schedule()


def test_a_card_that_has_expired() -> None:
    shop = Shop()
    month, year = CARD["card.expiryMonth"], CARD["card.expiryYear"]
    shop.clock.advance(timedelta(days=366 * (int(year) - 2026)))
    assert f"{shop.clock.now():%Y-%m}" > f"{year}-{month}"
    assert refusal_of(shop) == "100.100.303"


def test_an_agreement_that_the_channel_requires() -> None:
    shop = Shop()
    with_channel(shop, agreements="required")
    assert refusal_of(shop) == "600.200.501"
    begin_series(shop)
    shop.schedule()


def test_an_agreement_that_is_used_up() -> None:
    shop = Shop()
    begin_series(shop, **ONE)
    assert refusal_of(shop) == "600.200.501"


def test_an_expiry_before_the_first_execution() -> None:
    shop = Shop()
    begin_series(shop, **{**INSTALLMENTS, "standingInstruction.expiry": "2026-12-04"})
    assert refusal_of(shop) == "600.200.501"
    begin_series(shop, **{**INSTALLMENTS, "standingInstruction.expiry": "2026-12-05"})
    shop.schedule()


ENROLLED = {"three_d_secure": {"VISA": "2.2.0"}}
PARTS = [
    {"type": "INSTALLMENT", "numberOfInstallments": "12"},
    {"type": "RECURRING"},
    {"mode": "REPEATED"},
    {"source": "MIT"},
    {"numberOfInstallments": "12"},
]


def placed(**parts: str) -> dict[str, str]:
    return {f"standingInstruction.{name}": value for name, value in parts.items()}


@pytest.mark.parametrize("parts", PARTS)
@pytest.mark.parametrize("settings", [ENROLLED, {"cvv": "required"}])
def test_a_part_of_a_standing_instruction_is_paid_by_the_merchant_all_the_same(
    parts: dict, settings: dict
) -> None:
    shop = Shop()
    with_channel(shop, **settings)
    schedule = shop.schedule(**placed(**parts))
    shop.go("2027-02-01 12:00:00")
    assert shop.read(schedule).last.code == APPROVED.code
    assert len(shop.payments) == 2


@pytest.mark.parametrize("parts", PARTS)
def test_a_part_of_a_standing_instruction_needs_the_agreement(parts: dict) -> None:
    shop = Shop()
    with_channel(shop, agreements="required")
    assert refusal_of(shop, **placed(**parts)) == "600.200.501"
    begin_series(shop)
    shop.schedule(**placed(**parts))
    shop.go("2027-01-01 12:00:00")
    (payment,) = shop.payments
    assert payment.sent["standingInstruction.initialTransactionId"].startswith("reference-")


def test_a_code_that_no_execution_could_have() -> None:
    shop = Shop()
    with_channel(shop, cvv="required")
    assert refusal_of(shop, **placed(source="CIT")) == "100.100.600"
    assert refusal_of(shop, recurringType="INITIAL") == "100.100.600"


def test_a_schedule_runs_without_3_d_secure_and_owes_it_nothing() -> None:
    shop = Shop()
    with_channel(shop, **ENROLLED)
    schedule = shop.schedule(**placed(source="CIT", type="RECURRING"))
    shop.go("2027-02-01 12:00:00")
    assert shop.read(schedule).last.code == APPROVED.code


def test_a_schedule_in_the_place_of_another() -> None:
    shop = Shop()
    schedule = shop.read(shop.schedule())
    with_channel(shop, brands=("MASTER",))
    with pytest.raises(Refusal) as caught:
        shop.reschedule(schedule, amount="9.00", currency="EUR")
    assert caught.value.code == "600.200.201"
    assert shop.read(schedule) == schedule
