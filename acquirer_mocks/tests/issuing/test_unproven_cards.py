"""What no card has proven at a terminal chooses no counter of its issuer, and checks no PIN."""

import pytest

from acquirer_mocks.tests.issuing.cards import SmallCard
from acquirer_mocks.tests.issuing.counters import Answer, Till
from simulator.domain.acquiring.chip_cards import ChipCard
from simulator.domain.core.records import PaymentType

SWIPED = ("80", "90")
TYPED = "01"
UNPROVEN = [
    (TYPED, PaymentType.DB, {}),
    (TYPED, PaymentType.PA, {}),
    (TYPED, PaymentType.CD, {}),
    (TYPED, PaymentType.DB, {"chip": SmallCard("gold").chip()}),
    (TYPED, PaymentType.DB, {"track": SmallCard("gold").track()}),
    ("05", PaymentType.CD, {"chip": None}),
    ("07", PaymentType.CD, {"chip": None}),
]


def known_cards(till: Till) -> list[str]:
    return [each.id for each in till.counter.store.find(ChipCard, "all", "yes")]


@pytest.mark.parametrize("read", SWIPED)
def test_a_swiped_card_has_the_tries_of_its_profile_whatever_sequence_is_sent(
    till: Till, read: str
) -> None:
    card = SmallCard("gold")

    def swipe(pin: str, sequence: str) -> str:
        return till.sell(card, read=read, pin=pin, sequence=sequence).response

    assert [swipe("9999", f"0{each}") for each in ("02", "50", "99")] == ["55", "55", "75"]
    assert [swipe("1234", f"0{each}") for each in ("01", "02", "07", "51")] == ["75"] * 4
    assert till.sell(card, pin="1234").response == "75"
    assert known_cards(till) == ["gold.01"]


@pytest.mark.parametrize(("read", "kind", "more"), UNPROVEN)
def test_no_pin_is_checked_of_a_card_that_has_proven_nothing(
    till: Till, read: str, kind: PaymentType, more: dict[str, str | None]
) -> None:
    card = SmallCard("gold")

    def enter(pin: str, sequence: str) -> Answer:
        return till.sell(card, read=read, kind=kind, pin=pin, **{"sequence": sequence, **more})

    answers = [enter(pin, each) for pin in ("9999", "1234") for each in ("001", "001", "002")]
    assert {(each.response, each.outcome.code) for each in answers} == {("86", "800.100.166")}
    assert len({each.reason for each in answers}) == 1
    assert known_cards(till) == []
    assert till.sell(card, pin="1234").response == "00"


def test_a_card_that_has_proven_nothing_pays_without_a_pin(till: Till) -> None:
    assert till.sell(SmallCard("gold"), read=TYPED).response == "00"
    assert till.sell(SmallCard("gold"), read="05", kind=PaymentType.CD, chip=None).response == "00"


def test_forged_taps_that_are_reported_count_for_no_card(till: Till) -> None:
    card = SmallCard("gold")
    for _ in range(6):
        till.sell(card, "1.00", read="07", chip=SmallCard("dead-chip").chip(), is_offline=True)
    assert till.sell(card, "1.00", read="07").response == "00"


def test_a_forged_pin_at_the_card_that_is_reported_begins_no_new_row(till: Till) -> None:
    card = SmallCard("gold")
    for _ in range(5):
        till.sell(card, "1.00", read="07")
    forged = SmallCard("dead-chip").chip(**{"9F34": "410302"})
    till.sell(card, "1.00", chip=forged, is_offline=True)
    assert till.sell(card, "1.00", read="07").response == "65"


def test_a_reported_tap_counts_whatever_pin_came_with_it(till: Till) -> None:
    card = SmallCard("gold")
    till.sell(card, "1.00", read="07", pin="9999", is_offline=True)
    assert till.known(card).taps == 1
