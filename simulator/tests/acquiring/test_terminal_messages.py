"""What a terminal read of a card, in the fields of card messages: to the host and back."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from simulator.adapters.acquiring.codec import decoded, encoded
from simulator.domain.acquiring.answers import answer_of, answer_to, plan_in
from simulator.domain.acquiring.fields import shown
from simulator.domain.acquiring.messages import FORMS, OFFLINE, ask_in, message_of, route_in
from simulator.domain.acquiring.requests import AcquirerRequest, AcquirerResponse
from simulator.domain.acquiring.requirements import refuse_lacking, refuse_unfit
from simulator.domain.acquiring.terminal_data import TerminalData, expiry_in, number_in
from simulator.domain.core.money import Money
from simulator.domain.core.records import Outcome, PaymentType

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
NUMBER, SANDBOX = "4200000000000000", "8b" * 16
TRACK, PIN_BLOCK, CHIP = f"{NUMBER}D34052011000012345", "1B9C1845EB993A7A", "9F2701809F360200059505"
READ = TerminalData(
    entry_mode="051", terminal="10000042", sequence="001", track=TRACK, pin_block=PIN_BLOCK,
    pin_format="2001010100000000", chip=CHIP,
)  # fmt: skip


def ask(kind: PaymentType = PaymentType.DB, terminal: TerminalData = READ) -> AcquirerRequest:
    return AcquirerRequest(
        type=kind, payment="8a" * 16, entity="8c" * 16, trace=42, brand="VISA", number=NUMBER,
        money=Money(Decimal("92.00"), "EUR"), terminal=terminal, by_link=True,
        original="8d" * 16,
    )  # fmt: skip


def message(made: AcquirerRequest) -> dict[str, str]:
    return message_of(made, SANDBOX, at=NOON, currency="978")


@pytest.mark.parametrize("kind", [*FORMS])
@pytest.mark.parametrize("is_offline", [False, True])
def test_what_a_terminal_read_arrives_as_it_left(kind: PaymentType, is_offline: bool) -> None:
    offline = is_offline and FORMS[kind].message in OFFLINE
    made = ask(kind, TerminalData(entry_mode="072", terminal="10000042", is_offline=offline))
    for each in (made, ask(kind)):
        sent = decoded(encoded(message(each)))
        refuse_lacking(sent)
        assert ask_in(sent, route_in(sent), "EUR") == each


def test_track_2_takes_the_place_of_number_and_expiry() -> None:
    sent = message(ask())
    assert sent["35"] == TRACK
    assert "2" not in sent
    assert "14" not in sent
    refuse_unfit(sent, ask_in(sent, route_in(sent), "EUR"))


def test_a_number_that_was_typed_in_stands_in_its_own_field() -> None:
    sent = message(ask(terminal=TerminalData(entry_mode="012", terminal="10000042")))
    assert (sent["2"], sent["22"], sent["25"], sent["41"]) == (NUMBER, "012", "00", "10000042")


def test_a_payment_that_the_card_approved_is_reported_by_an_advice() -> None:
    offline = TerminalData(entry_mode="051", terminal="10000042", is_offline=True)
    assert message(ask(PaymentType.PA, offline))["t"] == "0120"
    assert message(ask(PaymentType.DB, offline))["t"] == "0220"


def test_a_log_shows_neither_track_nor_pin_nor_chip_data() -> None:
    logged = str(shown(message(ask())))
    for secret in (TRACK, NUMBER, PIN_BLOCK, CHIP):
        assert secret not in logged


@pytest.mark.parametrize("track", ["", NUMBER, "D3405", "=3405", "42x0=3405"])
def test_track_2_without_a_number_is_refused_by_its_field(track: str) -> None:
    with pytest.raises(ValueError, match="field 35"):
        number_in(track)


@pytest.mark.parametrize("track", [TRACK, TRACK.replace("D", "=")])
def test_both_separators_of_track_2_are_read(track: str) -> None:
    assert (number_in(track), expiry_in(track)) == (NUMBER, "3405")


def test_chip_data_of_the_issuer_comes_back_in_field_55() -> None:
    plan = AcquirerResponse(
        outcome=Outcome(code="000.100.112", chip="910A112233445566778830308A023030")
    )
    answer = decoded(encoded(answer_of(message(ask()), plan, "00")))
    assert answer["55"] == plan.outcome.chip
    assert plan.outcome.chip not in answer["63"]
    assert plan_in(answer).outcome.chip == plan.outcome.chip


def test_a_part_of_the_amount_comes_back_in_field_4() -> None:
    plan = AcquirerResponse(outcome=Outcome(code="900.100.202", approved=Decimal("20.50")))
    answer = decoded(encoded(answer_of(message(ask()), plan, "10")))
    assert answer["4"] == "000000002050"
    assert plan_in(answer).outcome.approved == Decimal("20.50")
    del answer["63"]
    assert plan_in(answer).outcome.approved == Decimal("20.50")
    assert plan_in({**answer, "39": "00"}).outcome.approved is None


def test_too_often_without_a_pin_means_insert_the_card_where_it_was_tapped() -> None:
    answer = answer_to(message(ask()), "65")
    assert plan_in(answer).outcome.code == "800.100.163"
    assert plan_in(answer, is_contactless=True).outcome.code == "300.100.100"
