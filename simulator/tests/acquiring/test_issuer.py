"""Cards with a profile at the issuer: limits, balances, letters, advice; in both modes alike."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import gevent
import pytest
from stdnum import luhn

from scenarios.issuer_cards import ADVICE, BY_NAME, ROWS
from simulator.catalogue.results import RESULTS
from simulator.catalogue.test_cards import TEST_CARDS
from simulator.domain.acquiring.issuing import CardAccount, Movement
from simulator.service.acquiring.reconciliation import reconcile_ledgers
from simulator.tests.acquiring.test_external import FAST, LOST, Shop, code_of
from simulator.tests.kit.gateway import Gateway

FROZEN = {"mode": "frozen"}
BOTH = ("INTERNAL", "EXTERNAL")
CARD = BY_NAME["credit"]
ADDRESS = {"billing.street1": CARD.street, "billing.postcode": CARD.postcode}


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    made = Gateway(tmp_path)
    yield made
    made.close()


@pytest.fixture(params=BOTH)
def counter(gateway: Gateway, request: pytest.FixtureRequest) -> "Counter":
    return Counter(Shop(gateway, clock=FROZEN), request.param)


class Counter:
    """Payments of one card after another, in one mode."""

    def __init__(self, shop: Shop, mode: str):
        self.shop, self.mode = shop, mode

    def pay(self, amount: str = "92.00", card: str = "credit", **more: str) -> dict:
        number = {"card.number": BY_NAME[card].number}
        return self.shop.pay(self.mode, amount=amount, **number, **more)

    def refer(self, first: dict, kind: str, amount: str | None = None) -> str:
        more = {} if amount is None else {"amount": amount, "currency": "EUR"}
        return code_of(self.shop.refer(first["id"], kind, **more))

    def standing(self, card: str = "credit") -> tuple[str, str]:
        """What is held and what is taken on a card."""
        account = self.shop.ports.store.get(CardAccount, f"{card}.EUR")
        return str(account.held), str(account.taken)

    @property
    def success(self) -> str:
        return "000.100.110" if self.mode == "INTERNAL" else "000.100.112"


def test_every_card_is_one_that_nothing_else_means() -> None:
    numbers = {row.number for row in ROWS}
    assert all(luhn.is_valid(number) for number in numbers)
    assert numbers.isdisjoint(card.number for card in TEST_CARDS)
    assert ADVICE.keys() <= RESULTS.keys()


def test_a_card_without_a_profile_is_not_asked_about(counter: Counter) -> None:
    answer = counter.shop.pay(counter.mode, amount="99999.00", **ADDRESS)
    assert code_of(answer) == counter.success
    assert "avsResponse" not in answer["result"]


def test_an_authorization_holds_a_capture_takes_and_a_refund_gives_back(counter: Counter) -> None:
    first = counter.pay(paymentType="PA")
    assert counter.standing() == ("92.00", "0.00")
    assert counter.refer(first, "CP", "60.00") == counter.success
    assert counter.standing() == ("32.00", "60.00")
    assert counter.refer(first, "CP", "32.00") == counter.success
    assert counter.standing() == ("0.00", "92.00")
    debit = counter.pay(paymentType="DB", amount="10.00")
    assert counter.refer(debit, "RF", "4.00") == counter.success
    assert counter.standing() == ("0.00", "98.00")


def test_a_refund_of_a_credit_takes_from_the_card_what_it_was_given(counter: Counter) -> None:
    credit = counter.pay(paymentType="CD", amount="10.00")
    assert counter.standing() == ("0.00", "-10.00")
    assert counter.refer(credit, "RF", "4.00") == counter.success
    assert counter.standing() == ("0.00", "-6.00")


def test_a_reversal_frees_what_was_held(counter: Counter) -> None:
    first = counter.pay(paymentType="PA")
    assert counter.refer(first, "RV") == counter.success
    assert counter.standing() == ("0.00", "0.00")


def test_a_card_without_enough_money_is_declined_and_the_merchant_advised(counter: Counter) -> None:
    assert code_of(counter.pay("40.00", card="prepaid")) == counter.success
    declined = counter.pay("40.00", card="prepaid")
    assert code_of(declined) == "800.100.155"
    details = declined["resultDetails"]
    assert (details["AcquirerResponse"], details["MerchantAdviceCode"]) == ("51", "24")
    assert counter.standing("prepaid") == ("0.00", "40.00")


@pytest.mark.parametrize(
    ("card", "amount", "code", "advice"),
    [
        ("credit", "500.01", "800.100.162", "25"),
        ("closed", "1.00", "800.100.172", "03"),
        ("stopped", "1.00", "800.100.501", "21"),
    ],
)
def test_a_refusal_of_the_issuer_has_its_code_and_advice(
    counter: Counter, card: str, amount: str, code: str, advice: str
) -> None:
    answer = counter.pay(amount, card=card)
    assert code_of(answer) == code
    assert answer["resultDetails"]["MerchantAdviceCode"] == advice


@pytest.mark.parametrize(
    ("sent", "letter"),
    [
        (ADDRESS, "F"),
        ({**ADDRESS, "billing.postcode": "99999"}, "A"),
        ({**ADDRESS, "billing.street1": "Elsewhere"}, "Z"),
        ({"billing.street1": "Elsewhere", "billing.postcode": "99999"}, "N"),
        ({}, "U"),
        ({"billing.street1": "High Street", "billing.houseNumber1": "1"}, "A"),
    ],
)
def test_billing_data_feed_the_address_verification(
    counter: Counter, sent: dict, letter: str
) -> None:
    answer = counter.pay(**sent)
    assert (code_of(answer), answer["result"]["avsResponse"]) == (counter.success, letter)


@pytest.mark.parametrize(("cvv", "letter"), [("123", "M"), ("999", "N"), (None, "P")])
def test_the_code_of_the_card_is_verified(counter: Counter, cvv: str | None, letter: str) -> None:
    answer = counter.pay(**{"card.cvv": cvv})
    assert (code_of(answer), answer["result"]["cvvResponse"]) == (counter.success, letter)


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"card.cvv": "999", **ADDRESS}, "800.100.153"),
        ({"billing.street1": "Elsewhere", "billing.postcode": "9"}, "800.400.100"),
    ],
)
def test_a_strict_card_declines_what_does_not_fit(counter: Counter, sent: dict, code: str) -> None:
    assert code_of(counter.pay(card="strict", **sent)) == code


def test_an_authorization_lapses_after_seven_days(counter: Counter) -> None:
    first = counter.pay(paymentType="PA")
    path = f"/sandboxes/{counter.shop.identity}/clock/advance"
    assert counter.shop.gateway.control("POST", path, {"by": "7d"}).status_code == 200
    with gevent.Timeout(5):
        while counter.standing() != ("0.00", "0.00"):
            gevent.sleep(0.002)
    assert counter.refer(first, "CP", "92.00") == "800.100.167"


def test_what_is_scripted_comes_before_the_issuer(counter: Counter) -> None:
    counter.shop.arm({"acquirer": {"approve": {}}}, times=1)
    assert code_of(counter.pay(card="closed")) == counter.success


@pytest.mark.parametrize("fault", sorted(LOST))
def test_a_payment_without_an_answer_leaves_nothing_on_the_card(
    gateway: Gateway, fault: str
) -> None:
    counter = Counter(Shop(gateway, clock=FAST), "EXTERNAL")
    first = counter.pay(paymentType="PA")
    for kind in ("CP", "RV"):
        counter.shop.arm({"link": fault}, times=1)
        amount = "92.00" if kind == "CP" else None
        assert counter.refer(first, kind, amount) == "900.100.301"
        assert counter.standing() == ("92.00", "0.00")
    assert counter.shop.ports.store.get(Movement, first["id"]).rest == Decimal("92.00")
    assert not reconcile_ledgers(counter.shop.ports).differences
