"""The scenarios of a training, each played by card, kernel and issuer with real keys.

Numbers in the names are those of the training plan.
"""

import msgspec
import pytest

from pos_emulator.bits import Tvr, is_set
from pos_emulator.card.faults import CardFaultKind, Fault
from pos_emulator.kernel.magstripe import Tries, advise
from pos_emulator.kernel.records import CardResult, EntryMode, PinStatus
from pos_emulator.tests.bench import Bench

ONLINE_PIN, OFFLINE_PIN = 0x02, 0x01


def method(outcome) -> int:
    return outcome.values["9F34"][0] & 0x3F


def found(outcome, bit: Tvr) -> bool:
    return is_set(outcome.values["95"], bit)


@pytest.mark.parametrize("card", ["gold", "online-only", "wrong-pin-proof", "stolen", "poor"])
def test_01_a_chip_and_a_pin_that_the_issuer_verifies(card):
    bench = Bench(card)
    bench.holder.pins = [bench.profile.pin]

    outcome = bench.insert()

    assert (outcome.result, outcome.code, method(outcome)) == (
        CardResult.APPROVED,
        "00",
        ONLINE_PIN,
    )
    assert outcome.authorization == "123456"
    assert bench.issuer.requests[0].pin == f"online:{bench.profile.pin}".encode()
    assert not outcome.must_reverse and not outcome.is_offline


def test_02_a_chip_and_a_pin_that_the_card_verifies():
    bench = Bench("offline", pins=["1234"])

    outcome = bench.insert()

    assert (outcome.result, method(outcome)) == (CardResult.APPROVED, 0x04)
    assert bench.issuer.requests[0].pin is None
    assert not bench.holder.prompts[0].is_online


def test_03_a_signature():
    outcome = Bench("sign").insert()

    assert (outcome.result, method(outcome), outcome.needs_signature) == (
        CardResult.APPROVED, 0x1E, True,
    )  # fmt: skip


def test_04_no_verification_of_a_small_amount():
    bench = Bench("offline")

    small, large = bench.insert(24_99), bench.insert(25_00)

    assert (small.values["9F34"].hex(), method(large)) == ("1f0602", 0x04)


@pytest.mark.parametrize("card", ["gold", "online-only", "stolen", "tap", "tap-old"])
def test_05_a_tap_under_the_limit_needs_no_pin(card):
    bench = Bench(card)

    outcome = bench.tap(50_00)

    assert outcome.result is CardResult.APPROVED
    assert bench.holder.prompts == []
    mode = EntryMode.NFC_MAGSTRIPE if card == "tap-old" else EntryMode.NFC_ICC
    assert bench.issuer.requests[0].entry_mode is outcome.entry_mode is mode


def test_06_a_tap_over_the_limit_needs_a_pin():
    bench = Bench("gold", pins=["1234"])

    outcome = bench.tap(50_01)

    assert (outcome.result, method(outcome)) == (CardResult.APPROVED, ONLINE_PIN)
    assert bench.issuer.requests[0].pin


@pytest.mark.parametrize("code", ["65", "1A"])
def test_07_a_tap_that_the_issuer_wants_inserted(code):
    bench = Bench("gold", pins=["1234"])
    bench.issuer.code = code

    tapped = bench.tap()
    bench.issuer.code = None
    inserted = bench.insert()

    assert (tapped.result, tapped.code) == (CardResult.INSERT_CARD, code)
    assert inserted.result is CardResult.APPROVED


def test_08_a_phone_over_the_limit_has_verified_its_holder():
    bench = Bench("tap")

    outcome = bench.tap(400_00)

    assert outcome.result is CardResult.APPROVED
    assert bench.holder.prompts == []


def test_09_a_swipe_of_a_card_without_a_chip():
    bench = Bench("gold", pins=["1234"])
    bench.profile = msgspec.structs.replace(bench.profile, service_code="101")

    outcome = bench.swipe()

    assert outcome.result is CardResult.APPROVED
    assert bench.issuer.requests[0].entry_mode is EntryMode.MAGSTRIPE
    assert outcome.needs_signature


def test_10_a_chip_that_failed_three_times_is_swiped():
    bench, tries, results = Bench("dead-chip", pins=["1234"]), Tries(), []
    for _ in range(3):
        outcome = bench.insert()
        tries = tries.after(outcome)
        results.append(advise(outcome, tries, bench.terminal).result)

    swiped = bench.swipe(tries=tries)

    assert results == [CardResult.CARD_ERROR, CardResult.CARD_ERROR, CardResult.USE_MAGSTRIPE]
    assert swiped.result is CardResult.APPROVED
    assert bench.issuer.requests[0].entry_mode is EntryMode.MAGSTRIPE_AS_FALLBACK


@pytest.mark.parametrize("failures", [0, 1, 2])
def test_11_a_swipe_of_a_card_with_a_chip_is_refused(failures):
    bench = Bench("gold")

    outcome = bench.swipe(tries=Tries(failures))

    assert outcome.result is CardResult.USE_CHIP
    assert bench.issuer.requests == []


def test_a_chip_that_worked_in_between_ends_the_fallback():
    bench = Bench("gold", pins=["1234"])
    tries = Tries(2).after(bench.insert())

    assert tries == Tries()
    bench.faulty(Fault(CardFaultKind.REMOVED, "GPO"))
    assert Tries(2).after(bench.insert()) == Tries(2)


def test_a_terminal_without_a_reader_for_it_never_advises_the_magstripe():
    bench = Bench("dead-chip", model="MOBILE")

    outcome = advise(bench.insert(), Tries(3), bench.terminal)

    assert outcome.result is CardResult.CARD_ERROR


def test_13_an_incorrect_pin_twice_and_then_the_right_one():
    bench = Bench("gold", pins=["1111", "2222", "1234"])

    outcomes = [bench.insert() for _ in range(3)]

    assert [outcome.code for outcome in outcomes] == ["55", "55", "00"]
    assert [outcome.pin_was_wrong for outcome in outcomes] == [True, True, False]
    assert outcomes[2].result is CardResult.APPROVED


def test_14_three_incorrect_pins():
    bench = Bench("gold", pins=["1111"])

    outcomes = [bench.insert() for _ in range(4)]

    assert [outcome.code for outcome in outcomes] == ["55", "55", "75", "75"]


def test_14_three_incorrect_pins_at_the_card_and_the_next_method():
    bench = Bench("offline", pins=["1111"])

    outcome = bench.insert()

    assert [prompt.tries_left for prompt in bench.holder.prompts] == [None, 2, 1]
    assert found(outcome, Tvr.PIN_TRY_LIMIT_EXCEEDED)
    assert method(outcome) == 0x1E
    assert bench.kept.pin_tries == 0


def test_15_a_pin_that_is_bypassed_is_not_asked_for_again():
    bench = Bench("gold", pins=[PinStatus.BYPASSED])

    outcome = bench.insert()

    assert len(bench.holder.prompts) == 1
    assert found(outcome, Tvr.PIN_NOT_ENTERED)
    assert (outcome.result, method(outcome)) == (CardResult.APPROVED, 0x1E)


@pytest.mark.parametrize("card", ["gold", "offline"])
def test_16_the_holder_cancels_at_the_pin(card):
    bench = Bench(card, pins=[PinStatus.CANCELED])

    outcome = bench.insert()

    assert outcome.result is CardResult.CANCELED
    assert bench.issuer.requests == []


def test_a_pin_pad_that_does_not_work_is_noted():
    outcome = Bench("gold", pins=[PinStatus.FAILED]).insert()

    assert found(outcome, Tvr.PIN_PAD_FAILED)


def test_17_a_card_pulled_before_its_first_cryptogram_costs_nothing():
    bench = Bench("gold", pins=["1234"], faults=[Fault(CardFaultKind.REMOVED, "AC1")])

    outcome = bench.insert()

    assert (outcome.result, outcome.must_reverse) == (CardResult.CARD_REMOVED, False)
    assert bench.issuer.requests == []


@pytest.mark.parametrize("kind", [CardFaultKind.REMOVED, CardFaultKind.MUTE, CardFaultKind.TORN])
@pytest.mark.parametrize("step", ["EXTERNAL AUTHENTICATE", "AC2"])
def test_18_a_card_lost_after_the_approval_is_reversed(kind, step):
    bench = Bench("gold", pins=["1234"], faults=[Fault(kind, step)])

    outcome = bench.insert()

    assert outcome.result in (CardResult.CARD_REMOVED, CardResult.CARD_ERROR)
    assert outcome.must_reverse and outcome.code == "00"


def test_18_a_card_lost_after_a_decline_has_nothing_to_reverse():
    bench = Bench("gold", pins=["1234"], faults=[Fault(CardFaultKind.REMOVED, "AC2")])
    bench.issuer.code = "51"

    assert not bench.insert().must_reverse
