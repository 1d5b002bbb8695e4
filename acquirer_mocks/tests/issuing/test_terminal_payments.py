"""Payments at a terminal as the issuer of the card answers them, alike in both test modes."""

from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from acquirer_mocks.issuing.cryptograms import issuer_authentication
from acquirer_mocks.tests.issuing.cards import FILE, SmallCard
from acquirer_mocks.tests.issuing.counters import InternalCounter, Till
from acquirer_mocks.tests.issuing.test_tracks import tapped
from simulator.domain.acquiring.chip_cards import ChipCard
from simulator.domain.acquiring.terminal_data import TerminalData
from simulator.domain.core.money import ZERO
from simulator.domain.core.records import PaymentType

APPROVED = ("00", "00")
PENDING = ["pending", "pending-then-approved", "pending-then-declined"]
BAD_CHIP = "9F2701809F3602000195050000000000"


@pytest.mark.parametrize("name", ["gold", "sign", "offline", "online-only", "wrong-pin-proof"])
def test_a_chip_with_its_pin_is_approved_and_answered(till: Till, name: str) -> None:
    card = SmallCard(name)
    answer = till.sell(card, pin=card.profile.pin)
    assert (answer.response, answer.chip["8A"]) == ("00", b"00")
    objects = SmallCard(name).signed(amount=9200)
    expected = issuer_authentication(card.keys, objects, response="00", approves=True)
    assert answer.chip["91"] == expected
    assert till.charged(card) == "92.00"
    assert till.known(card).counter == 1
    assert till.findings() == []


def test_wrong_pins_count_and_the_third_blocks(till: Till) -> None:
    card = SmallCard("gold")
    answers = [till.sell(card, pin=pin) for pin in ("9999", "12345", "0000", "1234")]
    assert [each.response for each in answers] == ["55", "55", "75", "75"]
    assert [each.outcome.code for each in answers[1:3]] == ["800.100.166", "800.100.178"]
    assert [each.reason for each in answers] == [
        "issuer: PIN not valid, 2 tries left",
        "issuer: PIN not valid, 1 try left",
        "issuer: PIN not valid, no try left: the PIN is blocked",
        "issuer: the PIN is blocked",
    ]
    assert till.charged(card) == "0.00"
    assert answers[0].chip["8A"] == b"55"


def test_a_right_pin_begins_the_tries_anew(till: Till) -> None:
    card = SmallCard("gold")
    answers = [till.sell(card, pin=pin).response for pin in ("9999", "9999", "1234", "9999")]
    assert answers == ["55", "55", "00", "55"]
    assert till.known(card).wrong_pins == 1


def test_a_pin_block_that_cannot_be_read_is_a_wrong_pin_like_any_other(till: Till) -> None:
    card = SmallCard("gold")
    answers = [
        till.sell(card, pin_block="00" * 8),
        till.sell(card, pin_block=SmallCard("dead-chip").pin_block("1234")),
    ]
    assert [each.response for each in answers] == ["55", "55"]
    assert till.known(card).wrong_pins == 2


def test_the_card_for_wrong_pins_has_fifteen_tries(till: Till) -> None:
    card = SmallCard("wrong-pin-proof")
    answers = [till.sell(card, pin="0000").response for _ in range(15)]
    assert answers == ["55"] * 14 + ["75"]


def test_a_pin_for_a_card_without_one_cannot_be_checked(till: Till) -> None:
    assert till.sell(SmallCard("sign"), pin="1234").response == "86"


def test_a_wrong_cryptogram_is_declined_and_stands_in_the_ledger_as_88(till: Till) -> None:
    card = SmallCard("gold")
    answer = till.sell(card, chip=SmallCard("dead-chip").chip())
    assert (answer.response, answer.outcome.code) == ("05", "800.100.183")
    assert "91" not in answer.chip
    (finding,) = till.findings()
    assert (finding.response, finding.card) == ("88", "gold.01")
    assert not finding.may_be_charged_back
    assert answer.reason == f"issuer: {finding.reason}"


@pytest.mark.parametrize("chip", [BAD_CHIP, None, "9F26"])
def test_a_chip_payment_without_its_data_is_not_authentic(till: Till, chip: str | None) -> None:
    assert till.sell(SmallCard("gold"), chip=chip).response == "05"
    assert till.findings()[0].reason.startswith("chip data lacks 9F26")


def test_a_profile_may_answer_a_wrong_cryptogram_with_88(till: Till) -> None:
    answer = till.sell(SmallCard("tap-old"), chip=SmallCard("gold").chip())
    assert (answer.response, answer.outcome.code) == ("88", "800.100.152")


def test_a_repeated_payment_is_declined(till: Till) -> None:
    card = SmallCard("gold")
    chip = card.chip()
    assert [till.sell(card, chip=chip).response for _ in range(2)] == ["00", "05"]
    (finding,) = till.findings()
    assert finding.reason == "ATC 1 after 1: a payment is repeated"


@pytest.mark.parametrize(("jump", "response"), [(100, "00"), (101, "05")])
def test_a_counter_may_go_on_by_a_hundred(till: Till, jump: int, response: str) -> None:
    card = SmallCard("gold", counter=4)
    till.sell(card)
    card.counter += jump - 1
    assert till.sell(card).response == response
    assert till.sell(card).response == "00"


def test_another_sequence_of_a_card_has_a_counter_and_pin_tries_of_its_own(till: Till) -> None:
    first, second = SmallCard("gold", counter=50), SmallCard("gold", sequence="07")
    assert till.sell(first, pin="9999").response == "55"
    assert till.sell(second, pin="1234").response == "00"
    assert till.known(first).wrong_pins == 1
    assert till.known(second).counter == 1


@pytest.mark.parametrize(
    ("name", "response", "code"),
    [("blocked", "75", "800.100.178"), ("stolen", "43", "800.100.159")],
)
def test_a_card_that_is_refused_is_refused_however_it_is_read(
    till: Till, name: str, response: str, code: str
) -> None:
    for read in ("01", "05", "07", "90"):
        answer = till.sell(SmallCard(name, counter=till.sales), read=read, pin="1234")
        assert (answer.response, answer.outcome.code) == (response, code)


def test_the_sixth_tap_asks_for_the_chip_and_a_pin_begins_anew(till: Till) -> None:
    card = SmallCard("gold")
    answers = [till.sell(card, "10.00", read="07") for _ in range(6)]
    assert [each.response for each in answers] == ["00"] * 5 + ["65"]
    assert answers[5].outcome.code == "300.100.100"
    assert answers[5].reason == "issuer: tap 6 since the last PIN, at most 5"
    assert list(answers[0].chip) == ["8A"]
    assert till.sell(card, "10.00", pin="1234").response == "00"
    assert till.sell(card, "10.00", read="07").response == "00"


def test_taps_above_150_ask_for_the_chip(till: Till) -> None:
    card = SmallCard("gold")
    amounts = ("100.00", "50.00", "0.01")
    assert [till.sell(card, each, read="07").response for each in amounts] == ["00", "00", "65"]
    assert till.known(card).taps_amount == Decimal("150.00")


def test_a_tap_with_a_pin_or_by_a_phone_is_not_counted(till: Till) -> None:
    gold, phone = SmallCard("gold"), SmallCard("tap")
    for _ in range(7):
        assert till.sell(gold, "100.00", read="07", pin="1234").response == "00"
        assert till.sell(phone, "100.00", read="07").response == "00"
    assert till.known(gold).taps == 0


def test_a_pin_that_the_card_checked_begins_a_new_row_of_taps(till: Till) -> None:
    card = SmallCard("gold")
    for _ in range(5):
        till.sell(card, "1.00", read="07")
    till.sell(card, "1.00", chip=card.chip(amount=100, **{"9F34": "410302"}))
    assert till.sell(card, "1.00", read="07").response == "00"


def test_a_failed_pin_at_the_card_begins_no_new_row(till: Till) -> None:
    card = SmallCard("gold")
    for _ in range(5):
        till.sell(card, "1.00", read="07")
    for result in ("410301", "1E0302", "4103"):
        till.sell(card, "1.00", chip=card.chip(amount=100, **{"9F34": result}))
    assert till.sell(card, "1.00", read="07").response == "65"


def test_a_tap_in_magstripe_mode_has_a_code_for_once(till: Till) -> None:
    card = SmallCard("tap-old")
    tracks = (tapped(1), tapped(2), tapped(2), tapped(3)[:-4] + "0000")
    answers = [till.sell(card, "10.00", read="91", track=track) for track in tracks]
    assert [each.response for each in answers] == ["00", "00", "88", "88"]
    assert till.known(card).counter == 2


def test_the_sixth_tap_in_magstripe_mode_is_answered_as_its_profile_says(till: Till) -> None:
    card = SmallCard("tap-old")
    answers = [till.sell(card, "1.00", read="91", track=tapped(n)) for n in range(1, 7)]
    assert (answers[5].response, answers[5].outcome.code) == ("1A", "300.100.100")


@pytest.mark.parametrize("read", ["80", "90"])
def test_a_magstripe_is_approved_by_its_code_alone(till: Till, read: str) -> None:
    card = SmallCard("dead-chip")
    assert till.sell(card, read=read, pin="1234").response == "00"
    in_chip = card.track()[:-13] + card.profile.discretionary.chip
    assert till.sell(card, read=read, track=in_chip).response == "05"
    assert till.findings()[0].reason == "the code on the magstripe is not valid"
    assert till.findings()[0].response == "88"


def test_an_expiry_date_that_is_not_the_cards_is_declined(till: Till) -> None:
    card = SmallCard("gold")
    track = card.track().replace("D3112", "D3212")
    assert till.sell(card, track=track).response == "54"


def test_an_expired_card_is_declined() -> None:
    counter = InternalCounter()
    counter.clock.advance(timedelta(days=2000))
    assert Till(counter).sell(SmallCard("gold")).response == "54"


def test_the_account_decides_after_all_checks(till: Till) -> None:
    answer = till.sell(SmallCard("gold"), "10000.01", pin="1234")
    assert (answer.response, answer.outcome.code) == ("61", "800.100.162")
    assert answer.reason == "issuer: more than the card may pay at once"


@pytest.mark.parametrize(
    ("amount", "response", "part"),
    [("50.00", "00", None), ("100.00", "10", Decimal("50.00")), ("100.01", "51", None)],
)
def test_a_part_is_approved_where_the_account_has_half(
    till: Till, amount: str, response: str, part: Decimal | None
) -> None:
    card = SmallCard("poor")
    answer = till.sell(card, amount)
    assert (answer.response, answer.outcome.approved) == (response, part)
    assert till.charged(card) == ("50.00" if response in ("00", "10") else "0.00")


def test_a_card_without_money_approves_no_part(till: Till) -> None:
    card = SmallCard("poor")
    assert [till.sell(card, "50.00").response for _ in range(2)] == ["00", "51"]


def test_an_offline_approval_is_never_declined(till: Till) -> None:
    for name in ("stolen", "poor", "gold"):
        card = SmallCard(name)
        answer = till.sell(card, "900.00", is_offline=True)
        assert answer.response == "00"
        assert list(answer.chip) == ["8A"]
        assert till.charged(card) == "900.00"
    assert till.findings() == []


@pytest.mark.parametrize("number", [FILE.cards["offline"].number, "4200000000000000"])
@pytest.mark.parametrize("behaviour", PENDING)
def test_an_offline_approval_has_no_other_end_later(behaviour: str, number: str) -> None:
    counter = InternalCounter(default_behaviour=behaviour)
    till, card = Till(counter), SmallCard("offline")
    read = TerminalData(
        entry_mode="051", terminal="10000042", sequence="01", chip=card.chip(), is_offline=True
    )

    plan = counter.acquirer.plan(replace(till.request(card, "92.00", read), number=number))

    assert (plan.outcome.code, plan.then) == ("000.100.110", None)


@pytest.mark.parametrize("behaviour", PENDING)
def test_a_pending_payment_counts_on_its_card(behaviour: str) -> None:
    till, card = Till(InternalCounter(default_behaviour=behaviour)), SmallCard("gold")

    assert till.sell(card, pin="1234").outcome.code == "000.200.000"
    assert till.charged(card) == "92.00"


def test_an_offline_approval_with_a_wrong_cryptogram_may_be_charged_back(till: Till) -> None:
    card = SmallCard("offline")
    answer = till.sell(card, chip=SmallCard("gold").chip(), is_offline=True)
    assert answer.response == "00"
    (finding,) = till.findings()
    assert (finding.response, finding.may_be_charged_back) == ("88", True)
    assert finding.reason in answer.reason


def test_offline_approvals_that_come_late_do_not_turn_the_counter_back(till: Till) -> None:
    card = SmallCard("offline")
    stored = card.chip(amount=9200)
    assert till.sell(card).response == "00"
    assert till.sell(card, chip=stored, is_offline=True).response == "00"
    assert till.known(card).counter == 2
    assert till.findings() == []


def test_a_refund_needs_no_chip_and_gives_back(till: Till) -> None:
    card = SmallCard("gold")
    till.sell(card, pin="1234")
    assert till.sell(card, kind=PaymentType.CD, chip=None).response == "00"
    assert till.charged(card) == "0.00"


def test_a_foreign_currency_counts_as_a_tap_and_not_in_the_sum(till: Till) -> None:
    card = SmallCard("gold")
    till.sell(card, "900.00", read="07", currency="USD")
    assert (till.known(card).taps, till.known(card).taps_amount) == (1, Decimal("0.00"))


def test_a_card_without_a_profile_is_answered_by_its_response_alone(till: Till) -> None:
    read = TerminalData(entry_mode="051", terminal="10000042", chip=SmallCard("gold").chip())
    request = till.request(SmallCard("gold"), "92.00", read)
    answer = till.counter.ask(replace(request, number="4200000000000000"))
    assert answer.chip == {"8A": b"00"}
    assert till.findings() == []


@given(
    reads=st.lists(
        st.tuples(
            st.sampled_from(["05", "07", "80", "90", "91", "01"]),
            st.sampled_from([None, "1234", "9999"]),
            st.sampled_from(["1.00", "60.00", "20000.00"]),
            st.booleans(),
        ),
        max_size=12,
    ),
    name=st.sampled_from(list(FILE.cards)),
)
def test_after_any_payments_a_card_keeps_its_limits(reads: list, name: str) -> None:
    till, card = Till(InternalCounter()), SmallCard(name)
    rules = card.profile.issuer
    counter = 0
    for read, pin, amount, is_offline in reads:
        answer = till.sell(card, amount, read=read, pin=pin, is_offline=is_offline)
        assert answer.response == "00" or not is_offline
        known = till.counter.store.get(ChipCard, f"{name}.01") or ChipCard(id="none")
        assert 0 <= known.wrong_pins <= rules.pin_tries
        assert 0 <= known.taps <= rules.taps
        assert ZERO <= known.taps_amount <= rules.taps_amount
        assert (known.counter or 0) >= counter
        counter = known.counter or 0
