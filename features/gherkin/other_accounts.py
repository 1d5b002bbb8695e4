"""Cases that pay by another account than a card: what a target has to offer for them.

The specification names no brands but those of cards, so a target names its own for bank accounts,
wallets, virtual accounts and redirects, or has none. Whether a case pays by one is seen from the
words of what it is given and does, row by row, since one outline tries cards and bank accounts.
"""

import re
from collections.abc import Mapping
from functools import cache

from pytest_bdd.parser import ScenarioTemplate, render_string

NEED = "brands"
# The brands that the suite pays by and that are no cards.
OTHER_BRANDS = (
    "ACI_INSTANTPAY", "ALIPAY", "APPLEPAY", "APPLEPAYTKN", "BOLETO", "BRADESCO", "CHINAUNIONPAY",
    "CLICK_TO_PAY", "CLIQ", "DAOPAY", "DIRECTDEBIT_SEPA", "EPS", "GIROPAY", "GOOGLEPAY",
    "HYPERCASH", "IDEAL", "KLARNA_INSTALLMENTS", "KLARNA_INVOICE", "KLARNA_PAYMENTS_ONE",
    "KLARNA_PAYMENTS_PAYLATER", "KLARNA_PAYMENTS_PAYNOW", "KLARNA_PAYMENTS_SLICEIT",
    "MOBILE_WALLET", "MONEYBOOKERS", "PAYDIREKT", "PAYOLUTION_ELV", "PAYOLUTION_INS",
    "PAYOLUTION_INVOICE", "PAYPAL", "PAYSAFECARD", "PAYTRAIL", "PF_KARTE_DIRECT", "POLI",
    "PREPAYMENT", "PRZELEWY", "RATENKAUF", "SADAD", "SEPA", "SOFORTUEBERWEISUNG", "STC_PAY",
    "TABBY", "TAMARA", "TRUSTLY", "TRUSTPAY_VA", "UKASH", "URPAY", "VALU", "VIRTUAL_ACCOUNT",
    "VIRTUAL_REDIRECT", "YANDEX", "ZOODPAY",
)  # fmt: skip
_WORDS = ("direct debits?", "bank accounts?", "national account", "wallets?", "virtual accounts?",
          "transfers?")  # fmt: skip
_NAMED = re.compile(rf"\b({'|'.join((*_WORDS, *OTHER_BRANDS))})\b")


def names_other_account(text: str) -> bool:
    """Whether words of a step say that something is paid, or stored, by no card."""
    return _NAMED.search(text) is not None


def needs_in(scenario: ScenarioTemplate, example: Mapping[str, object]) -> tuple[str, ...]:
    """`("brands",)` for a case that pays by another account than a card, and nothing otherwise.

    `example` is its row, or empty.
    """
    text = _text_of(scenario)
    return (NEED,) if names_other_account(render_string(text, example)) else ()


@cache
def _text_of(scenario: ScenarioTemplate) -> str:
    """The steps before the first Then, with their tables."""
    before = [step for step in scenario.steps if step.type != "then"]
    tables = [step.datatable for step in before if step.datatable]
    cells = [cell.value for table in tables for row in table.rows for cell in row.cells]
    return "\n".join([*(step.name for step in before), *cells])
