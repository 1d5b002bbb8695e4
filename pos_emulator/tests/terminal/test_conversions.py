"""A holder pays in the currency of the card: what the gateway gets, what the till and paper say.

The cards are of EUR. Choices: D-613, D-614.
"""

import tomllib
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace

import pytest

from pos_emulator.card.faults import CardFaultKind, Fault
from pos_emulator.ecr.nexo.payment_answers import payment_answer
from pos_emulator.receipts.conversion import ConversionRates
from pos_emulator.receipts.document import ReceiptCopy, document_of
from pos_emulator.receipts.text import render_text
from pos_emulator.terminal.conversion.rates_file import RatesError, read_rates
from pos_emulator.terminal.records import CurrencyOffer, Ending, OrderKind, Stage, TerminalEntry
from pos_emulator.tests.terminal.shop import SALE, Shop, ended, net

RATES = ConversionRates(rates={"EUR": Decimal(1), "USD": Decimal("1.2"), "JPY": Decimal(160)})
OFFER = CurrencyOffer("USD 60.00", "EUR 51.75", "1 USD = 0.8625 EUR, WITH 3.5 % MARKUP")
PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "terminal-page.md"


@pytest.fixture
def counter(shop: Shop) -> Shop:
    """A shop whose terminal has rates, and a holder who pays in the card's currency."""
    shop.options["rates"] = RATES
    shop.restart()
    return shop


def pay(shop: Shop, *faults: Fault, card: str = "gold", amount: str = "60.00", **more: object):
    return shop.order(amount, cards=[shop.insert(card, *faults)], currency="USD", **more)


def at_gateway(shop: Shop, entry: TerminalEntry) -> tuple[Decimal, str]:
    (found,) = shop.gateway.find(entry.transaction)
    return found.amount, found.currency


def is_balanced(shop: Shop) -> None:
    """Nothing is open, and terminal and gateway name no difference."""
    assert shop.terminal.work() == 0
    assert shop.books()["agree"] and shop.terminal.close_batch().differences == ()


def test_the_holder_sees_both_amounts_and_pays_in_the_cards_currency(counter: Shop):
    entry = pay(counter)

    assert counter.desk.currencies == [OFFER]
    assert ended(entry) == (Stage.APPROVED, Ending.APPROVED)
    assert at_gateway(counter, entry) == (Decimal("51.75"), "EUR")
    assert (entry.approved, entry.order.currency) == (Decimal("60.00"), "USD")
    (totals,) = counter.terminal.totals().currencies
    assert (totals.currency, totals.sales_amount) == ("USD", Decimal("60.00"))
    is_balanced(counter)


def test_paper_and_till_say_what_was_charged(counter: Shop):
    entry = pay(counter)

    paper = render_text(document_of(entry.printed, ReceiptCopy.CARDHOLDER))
    for words in ("USD 60.00", "CHARGED", "EUR 51.75", "1 USD =", "0.8625 EUR", "3.5 %"):
        assert words in paper
    assert "I CHOSE TO PAY IN EUR" in paper
    station = SimpleNamespace(response=lambda outcome: {"Result": outcome.result.value})
    result = payment_answer(station, entry, {})["PaymentResult"]
    assert result["AmountsResp"] == {"Currency": "USD", "AuthorizedAmount": Decimal("60.00")}
    assert result["CurrencyConversion"] == [{
        "CustomerApprovedFlag": True, "Rate": Decimal("0.8625"), "Markup": Decimal("3.5"),
        "ConvertedAmount": {"AmountValue": Decimal("51.75"), "Currency": "EUR"},
    }]  # fmt: skip


def test_the_holder_may_keep_the_tills_currency(counter: Shop):
    counter.desk.pays_in = "USD"

    entry = pay(counter)

    assert at_gateway(counter, entry) == (Decimal("60.00"), "USD")
    assert entry.conversion is None and "CHARGED" not in str(entry.printed)
    is_balanced(counter)


def test_no_currency_is_offered_in_which_the_amount_has_too_many_digits(counter: Shop):
    rates = {"EUR": Decimal(999_999), "USD": Decimal("0.1")}
    counter.options["rates"] = ConversionRates(rates=rates)
    counter.restart()

    entry = pay(counter, amount="6000.00")

    assert (counter.desk.currencies, entry.conversion) == ([], None)
    is_balanced(counter)


def test_red_ends_the_payment_at_the_choice(counter: Shop):
    counter.desk.pays_in = None

    entry = pay(counter)

    assert ended(entry) == (Stage.FAILED, Ending.CANCELED)
    assert counter.books()["lines"] == []


@pytest.mark.parametrize(
    ("currency", "operation", "reader", "more"),
    [
        ("EUR", OrderKind.SALE, "insert", {}),
        ("CHF", OrderKind.SALE, "insert", {}),
        ("USD", OrderKind.PRE_AUTHORIZATION, "insert", {}),
        ("USD", OrderKind.REFUND, "insert", {}),
        ("EUR", OrderKind.SALE, "tap", {}),
        ("CHF", OrderKind.SALE, "tap", {}),
        ("USD", OrderKind.PRE_AUTHORIZATION, "tap", {}),
        ("USD", OrderKind.REFUND, "tap", {}),
        ("USD", OrderKind.SALE, "insert", {"cashback": Decimal(10)}),
        ("USD", OrderKind.SALE, "swipe", {}),
        ("USD", OrderKind.SALE, "key", {}),
    ],
)
def test_what_is_not_offered(counter: Shop, currency, operation, reader, more):
    card = getattr(counter, reader)("gold")

    entry = counter.order("60.00", operation, cards=[card], currency=currency, **more)

    assert counter.desk.currencies == [] and entry.conversion is None


def test_a_terminal_without_rates_offers_nothing(shop: Shop):
    entry = pay(shop)

    assert shop.desk.currencies == [] and at_gateway(shop, entry) == (Decimal("60.00"), "USD")


def test_a_wrong_pin_does_not_ask_for_the_currency_again(counter: Shop):
    entry = pay(counter, pins=["9999", "1234"])

    assert len(counter.desk.currencies) == 1 and entry.ending is Ending.APPROVED
    assert at_gateway(counter, entry) == (Decimal("51.75"), "EUR")


def test_an_answer_that_is_lost_is_taken_back_as_it_was_charged(counter: Shop):
    counter.sandbox.arm("connection-reset", times=1, match=SALE)

    entry = pay(counter)

    assert ended(entry) == (Stage.REVERSED, Ending.UNREACHABLE)
    is_balanced(counter)
    assert net(counter.terminal.closed_batch()) == 0


def test_a_card_pulled_after_the_approval_is_given_it_back(counter: Shop):
    entry = pay(counter, Fault(CardFaultKind.REMOVED, "AC2"))

    assert ended(entry) == (Stage.REVERSED, Ending.CARD_REMOVED)
    is_balanced(counter)


def test_a_void_is_of_the_whole(counter: Shop):
    paid = pay(counter)

    back = counter.order(None, OrderKind.VOID, receipt=paid.receipt)

    assert (back.stage, back.approved) == (Stage.APPROVED, Decimal("60.00"))
    assert back.printed.conversion.amount == Decimal("51.75")
    is_balanced(counter)


def test_parts_have_the_rate_of_their_payment_and_the_last_what_is_left(counter: Shop):
    paid = pay(counter, amount="10.00")
    assert paid.conversion.amount == Decimal("8.63")
    charged = []
    for amount in ("3.33", "3.33", None):
        back = counter.order(amount, OrderKind.REFUND, receipt=paid.receipt, currency="USD")
        assert back.stage is Stage.APPROVED, back.reason
        charged.append(at_gateway(counter, back)[0])

    assert charged == [Decimal("2.87"), Decimal("2.87"), Decimal("2.89")]
    above = counter.order("0.01", OrderKind.REFUND, receipt=paid.receipt, currency="USD")
    assert above.stage is Stage.DECLINED
    is_balanced(counter)


@pytest.mark.parametrize(
    ("till", "sale", "parts", "above"),
    [
        ("USD", "60.00", [], "70.00"),
        ("USD", "60.00", [], "60.01"),
        ("USD", "60.00", ["20.00"], "41.00"),
        # 0.65 EUR, as the whole is.
        ("JPY", "100", [], "101"),
    ],
)
def test_more_than_is_left_is_refused_as_without_conversion(
    counter: Shop, till: str, sale: str, parts: list[str], above: str
):
    paid = counter.order(sale, cards=[counter.insert()], currency=till)
    for amount in parts:
        counter.order(amount, OrderKind.REFUND, receipt=paid.receipt, currency=till)

    back = counter.order(above, OrderKind.REFUND, receipt=paid.receipt, currency=till)

    assert paid.conversion and ended(back) == (Stage.DECLINED, Ending.DECLINED)
    assert back.approved is None
    (totals,) = counter.terminal.totals().currencies
    assert totals.refunds_amount == sum(map(Decimal, parts))
    is_balanced(counter)


def test_an_offline_approval_is_uploaded_as_it_was_chosen(counter: Shop):
    counter.terminal.network_up = False
    entry = pay(counter, card="offline", amount="9.00")
    counter.terminal.network_up = True
    assert entry.stage is Stage.STORED

    assert counter.terminal.work() == 0

    now = counter.terminal.entry(entry.receipt)
    assert at_gateway(counter, now) == (Decimal("7.76"), "EUR")
    is_balanced(counter)


def test_a_payment_is_as_it_was_after_a_restart(counter: Shop):
    paid = pay(counter)

    counter.restart()

    assert counter.terminal.entry(paid.receipt) == paid


@pytest.mark.parametrize(
    ("amount", "till", "card", "charged"),
    [
        ("10.00", "USD", "EUR", "8.63"),
        ("10", "JPY", "EUR", "0.06"),
        ("10.00", "EUR", "JPY", "1656"),
        ("0.01", "JPY", "EUR", None),
        ("10.00", "EUR", "EUR", None),
        ("10.00", "EUR", "CHF", None),
        ("10.00", "CHF", "EUR", None),
    ],
)
def test_what_an_amount_is_in_another_currency(amount, till, card, charged):
    offer = RATES.offer(Decimal(amount), till, card)

    assert (None if offer is None else str(offer.amount)) == charged


def test_a_part_comes_back_in_the_tills_currency():
    offer = RATES.offer(Decimal("60.00"), "USD", "EUR")

    assert offer.back(Decimal("25.88"), 2) == Decimal("30.01")
    assert replace(offer, amount=Decimal(1)).of(Decimal("60.00")) == offer


def test_rates_are_read_as_the_page_shows_them(tmp_path: Path):
    shown = PAGE.read_text().partition("```toml\n")[2].partition("```")[0]
    file = tmp_path / "rates.toml"
    file.write_text(shown)

    read = read_rates(file)

    assert read.rates == {"EUR": Decimal(1), "USD": Decimal("1.2")}
    assert str(read.markup) == tomllib.loads(shown)["markup"]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("rates = 1", "rates"),
        ("markup = '101'", "0 to 100"),
        ("markup = '-1'", "0 to 100"),
        ("markup = 'NaN'", "0 to 100"),
        ("markup = 'sNaN'", "0 to 100"),
        ("[rates]\nXXQ = '1'", "ISO 4217"),
        ("[rates]\nUSD = '0'", "more than 0"),
        ("[rates]\nUSD = 'NaN'", "more than 0"),
        ("[rates]\nUSD = '1000000'", "below"),
        ("[rates]\nUSD = 'one'", "rates: expected values that are an amount"),
        ("rate = 1", "rate is unknown"),
        ("[", "expected TOML"),
        ("a = " + "9" * 5_000, "expected TOML"),
        ("x = 1\n" * 20_000, "expected at most 65536 bytes"),
        (None, "expected a TOML file"),
    ],
)
def test_a_file_that_holds_no_rates_is_refused(tmp_path: Path, written, expected):
    file = tmp_path / "rates.toml"
    if written is not None:
        file.write_text(written)

    with pytest.raises(RatesError, match=expected):
        read_rates(file)
