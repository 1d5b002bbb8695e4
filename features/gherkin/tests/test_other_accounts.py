"""What is paid by no card is seen from the words of a case, in every table of accounts and rows."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import pytest

from features.conformance.cases import SuiteCase, load_cases
from features.gherkin.other_accounts import NEED, OTHER_BRANDS, names_other_account
from features.spec.companions import Sent
from features.steps.merchants.every_request import KINDS
from features.steps.payments import registrations, settlement
from features.steps.requests import lists
from features.support.merchant import Merchant
from simulator.client import Answer

ID = "8" * 32


class NotingClient:
    """Answers every request alike, and notes the brands that are sent."""

    entity_id = token = ID

    def __init__(self) -> None:
        self.brands: set[str] = set()

    def post(self, _: str, parameters: Sent) -> Answer:
        """Note what is posted."""
        self.brands |= {parameters.get("paymentBrand", "")}
        return Answer(200, {}, {"id": ID, "registrationId": ID})


def pay(account: Sent, merchant: Merchant) -> Answer:
    return merchant.pay(account)


def ways_to_pay() -> Iterator[tuple[str, Callable[[Merchant], object]]]:
    """Every wording of an account, and what is done where a step has it."""
    for kind, send in KINDS.items():
        yield kind, partial(lambda send, merchant: send(merchant, {}), send)
    yield from settlement.MOVEMENTS.items()
    tables: tuple[Mapping[str, Sent], ...] = (lists.ACCOUNTS, registrations.OTHERS)
    for name, account in (row for table in tables for row in table.items()):
        yield name, partial(pay, account)


WAYS = list(ways_to_pay())


@pytest.mark.parametrize(("wording", "does"), WAYS, ids=[wording for wording, _ in WAYS])
def test_the_words_of_an_account_say_whether_it_is_a_card(
    wording: str, does: Callable[[Merchant], object]
) -> None:
    client = NotingClient()
    does(Merchant(client))  # type: ignore[arg-type]
    assert names_other_account(wording) == bool(client.brands & {*OTHER_BRANDS})


def test_a_brand_that_a_row_names_is_seen_and_no_part_of_a_word() -> None:
    assert names_other_account("the merchant debits 92.00 EUR through EPS")
    assert not names_other_account("the merchant debits 92.00 EUR in 3 STEPS")


@pytest.fixture(scope="module")
def rows() -> list[SuiteCase]:
    found = [each for each in load_cases() if each.example.get("kind")]
    assert len(found) > 500
    return found


def test_each_row_of_an_outline_has_needs_of_its_own(rows: list[SuiteCase]) -> None:
    (title,) = {each.title for each in rows if each.title.startswith("Every payment is read as")}
    needs = {each.example["kind"]: each.needs for each in rows if each.title == title}
    assert (needs["a debit"], needs["a direct debit"]) == ([], [NEED])


def test_every_row_with_such_a_kind_needs_brands_and_is_found_by_the_tag(
    rows: list[SuiteCase],
) -> None:
    for each in rows:
        if names_other_account(each.example["kind"]):
            assert NEED in each.needs and f"needs:{NEED}" in each.tags, each.id
