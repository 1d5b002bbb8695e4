"""What a movement costs."""

import pytest

from acquirer_mocks.settlement.institutes import institute_named
from acquirer_mocks.settlement.tariffs import NO_FEE, FeeParts, fee_of, fixed_fee, fixed_fees
from acquirer_mocks.tests.settlement.movements import INSTITUTES, movement
from simulator.domain.ports.clearing import UnknownInstituteError

CLEARING, ACQUIRING, BANK = map(institute_named, INSTITUTES)


# Computed by hand from the YAML files.
@pytest.mark.parametrize(
    ("institute", "more", "gross", "parts"),
    [
        # 0.20 % + 0.01; 0.02 % + 0.01; 0.50 % + 0.05 of 92.00
        (CLEARING, {}, 9200, FeeParts(19, 3, 51)),
        (CLEARING, {"entry_mode": "071"}, 9200, FeeParts(18, 3, 51)),
        (CLEARING, {"brand": "AMEX"}, 9200, FeeParts(92, 4, 51)),
        (CLEARING, {"region": "inter"}, 9200, FeeParts(138, 3, 51)),
        # 0.30 % of 1.00 rounds to 0; the minimum of 0.15 makes up the rest.
        (ACQUIRING, {}, 100, FeeParts(0, 1, 14)),
        (BANK, {"brand": "", "account": "bank"}, 10000, FeeParts(0, 0, 35)),
    ],
)
def test_a_sale_costs_what_the_tariff_says(institute, more, gross, parts) -> None:
    assert fee_of(institute, movement(1, **more), gross, "EUR") == parts


def test_a_refund_gets_its_interchange_back_where_the_tariff_says_so() -> None:
    refund = movement(1, "RF")

    assert fee_of(CLEARING, refund, 9200, "EUR") == FeeParts(-19, 3, 51)
    assert fee_of(ACQUIRING, refund, 9200, "EUR").interchange == 0


def test_what_a_refund_gets_back_is_at_most_its_fee() -> None:
    fee = fee_of(CLEARING, movement(1, "RF", brand="AMEX"), 100_000, "EUR")

    assert (fee.interchange, fee.total) == (-(fee.scheme + fee.markup), 0)


@pytest.mark.parametrize("kind", ["CB", "CR"])
def test_a_chargeback_costs_nothing(kind: str) -> None:
    assert fee_of(CLEARING, movement(1, kind), 9200, "EUR") == NO_FEE


def test_fixed_fees_belong_to_kinds_of_movements() -> None:
    found = {
        kind: [name for name, _ in fixed_fees(CLEARING, movement(1, kind), "EUR")]
        for kind in ("PA", "DB", "CP", "RV", "RF", "CB")
    }

    assert found == {
        "PA": ["AUTH_FEE"],
        "DB": [],
        "CP": ["CAPTURE_FEE"],
        "RV": ["CANCEL_FEE"],
        "RF": ["REFUND_FEE"],
        "CB": [],
    }


def test_a_sale_for_a_sub_merchant_by_a_facilitator_costs_both() -> None:
    sale = movement(1, sub_merchant="sub", facilitator="pf")

    names = [name for name, _ in fixed_fees(CLEARING, sale, "EUR")]

    assert names == ["SUBMERCHANT", "PAYMENT_FACILITATOR"]


def test_a_fixed_fee_is_in_units_of_the_settlement_currency() -> None:
    assert fixed_fee(CLEARING, "MONTHLY", "EUR") == 500
    assert fixed_fee(CLEARING, "MONTHLY", "JPY") == 5
    assert fixed_fee(CLEARING, "MONTHLY", "KWD") == 5000


def test_an_unknown_institute_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownInstituteError, match="Sandgate Bank.*received 'Nowhere'"):
        institute_named("Nowhere")
