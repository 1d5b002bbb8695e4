"""Scenarios 19 to 28 of a training: false issuers, scripts, dates, offline, host away; taps."""

from dataclasses import replace
from datetime import datetime

import pytest

from pos_emulator.bits import Tvr, is_set
from pos_emulator.card.faults import CardFaultKind, Fault
from pos_emulator.kernel.contact import pay_with_chip
from pos_emulator.kernel.records import (
    ActionCodes,
    CardResult,
    SaleKind,
    TapLimits,
)
from pos_emulator.tests.bench import Bench
from pos_emulator.tests.issuer import expected_cryptogram, script

ONLINE_PIN, OFFLINE_PIN = 0x02, 0x01


def method(outcome) -> int:
    return outcome.values["9F34"][0] & 0x3F


def found(outcome, bit: Tvr) -> bool:
    return is_set(outcome.values["95"], bit)


@pytest.mark.parametrize("card", ["gold", "offline", "stolen", "online-only", "poor"])
def test_19_an_answer_that_is_not_the_issuers_is_reversed(card):
    bench = Bench(card)
    bench.holder.pins = [bench.profile.pin]
    bench.issuer.genuine = False

    outcome = bench.insert()

    assert (outcome.result, outcome.code) == (CardResult.DECLINED, "00")
    assert outcome.must_reverse
    if bench.profile.scheme == "1":
        assert found(outcome, Tvr.ISSUER_AUTHENTICATION_FAILED)


def test_19_a_card_that_takes_its_issuer_for_an_impostor_is_reversed():
    bench = Bench("gold", pins=["1234"], faults=[Fault(CardFaultKind.REFUSES_ISSUER)])

    assert bench.insert().must_reverse


def test_20_a_cryptogram_that_came_before_is_declined():
    bench = Bench("gold", pins=["1234"])
    bench.insert()

    again = bench.issuer(bench.issuer.requests[0])

    assert again.code == "05"


@pytest.mark.parametrize(("jump", "code"), [(99, "00"), (100, "05")])
def test_21_a_counter_that_jumps_is_declined(jump, code):
    bench = Bench("gold", pins=["1234"])
    bench.memory.save(bench.slot.chip, replace(bench.kept, atc=jump))

    assert bench.insert().code == code


def test_22_a_script_blocks_the_application():
    bench = Bench("gold", pins=["1234"])
    bench.issuer.code, bench.issuer.scripts = "05", script("841E0000")
    outcome = bench.insert()
    bench.issuer.code = bench.issuer.scripts = None

    after = bench.insert()

    assert outcome.values["9F5B"].hex() == "2000000001"
    assert after.result is CardResult.NOT_ACCEPTED


def test_23_a_script_unblocks_the_pin():
    bench = Bench("gold", pins=["1234"])
    bench.memory.save(bench.slot.chip, replace(bench.kept, pin_tries=0))
    bench.issuer.scripts = script("84240000")

    outcome = bench.insert()

    assert outcome.result is CardResult.APPROVED
    assert bench.kept.pin_tries == 3


def test_a_script_that_is_not_the_issuers_is_noted_and_changes_nothing():
    bench = Bench("gold", pins=["1234"])
    make = script("841E0000")
    bench.issuer.scripts = lambda *given: make(*given)[:-1] + b"\x00"

    outcome = bench.insert()

    assert found(outcome, Tvr.SCRIPT_PROCESSING_FAILED_AFTER_GEN_AC)
    assert outcome.values["9F5B"].hex() == "1100000001"
    assert bench.kept.blocked == ()


@pytest.mark.parametrize(
    ("day", "bit"),
    [
        (datetime(2032, 1, 1), Tvr.APPLICATION_EXPIRED),
        (datetime(2023, 12, 31), Tvr.APPLICATION_NOT_EFFECTIVE),
    ],
)
def test_24_an_application_outside_its_dates(day, bit):
    bench = Bench("gold", pins=["1234"])
    bench.rules(actions=ActionCodes(denial=bytes.fromhex("0060000000")))
    payment = replace(bench.payment(60_00, SaleKind.PURCHASE), at=day)

    outcome = pay_with_chip(bench.terminal, payment, bench.devices())

    assert found(outcome, bit)
    assert (outcome.result, outcome.code) == (CardResult.DECLINED, "Z1")
    assert bench.issuer.requests == []


@pytest.mark.parametrize(
    ("card", "bit"),
    [
        ("gold", Tvr.CDA_FAILED), ("wrong-pin-proof", Tvr.CDA_FAILED),
        ("offline", Tvr.DDA_FAILED), ("sign", Tvr.SDA_FAILED), ("stolen", Tvr.SDA_FAILED),
    ],
)  # fmt: skip
def test_25_data_that_no_known_authority_vouches_for(card, bit):
    bench = Bench(card)
    bench.holder.pins = [bench.profile.pin or "0000"]
    bench.terminal = replace(bench.terminal, authorities={})
    bench.rules(actions=ActionCodes(denial=bytes.fromhex("4C00000000")))

    outcome = bench.insert(10_00)

    assert found(outcome, bit)
    assert (outcome.result, outcome.code) == (CardResult.DECLINED, "Z1")


@pytest.mark.parametrize("card", ["offline", "sign"])
def test_26_a_payment_below_the_floor_limit_is_approved_offline(card):
    bench = Bench(card, pins=["1234"])
    bench.insert(60_00)
    bench.issuer.requests.clear()

    outcome = bench.insert(10_00)

    assert (outcome.result, outcome.code, outcome.is_offline) == (CardResult.APPROVED, "Y1", True)
    assert bench.issuer.requests == []
    assert outcome.values["9F26"] == expected_cryptogram(bench.profile, dict(outcome.values))
    assert outcome.values["9F27"] == b"\x40"


def test_27_a_payment_is_declined_offline():
    bench = Bench("offline")
    bench.terminal = replace(bench.terminal, country=bytes.fromhex("0840"))
    bench.rules(actions=ActionCodes(denial=bytes.fromhex("0000008000")))

    outcome = bench.insert(60_00)

    assert (outcome.result, outcome.code, outcome.is_offline) == (CardResult.DECLINED, "Z1", True)


@pytest.mark.parametrize(
    ("card", "amount", "result", "code"),
    [
        ("offline", 10_00, CardResult.APPROVED, "Y3"),
        ("gold", 10_00, CardResult.APPROVED, "Y3"),
        ("offline", 60_00, CardResult.DECLINED, "Z3"),
        ("gold", 60_00, CardResult.DECLINED, "Z3"),
        ("poor", 10_00, CardResult.DECLINED, "Z3"),
        ("online-only", 10_00, CardResult.DECLINED, "Z3"),
    ],
)
def test_28_a_host_that_cannot_be_reached(card, amount, result, code):
    bench = Bench(card)
    bench.holder.pins = [bench.profile.pin]
    bench.issuer.away = True

    outcome = bench.insert(amount)

    assert (outcome.result, outcome.code, outcome.is_offline) == (result, code, True)
    if outcome.result is CardResult.APPROVED:
        values = dict(outcome.values)
        assert values["9F26"] == expected_cryptogram(bench.profile, values)


def test_a_terminal_that_may_only_pay_online_declines_without_its_host():
    bench = Bench("offline", model="MOBILE")
    bench.issuer.away = True

    assert bench.insert(60_00).code == "Z3"


def test_a_choice_of_two_applications_is_the_holders_and_a_blocked_one_is_no_choice():
    bench = Bench("two-apps", pins=["1234"])
    bench.holder.wants = ["VPAY", "VISA DEBIT"]

    outcome = bench.insert()

    assert bench.holder.offered == [
        ["VISA CREDIT", "VISA DEBIT", "VPAY"], ["VISA CREDIT", "VISA DEBIT"],
    ]  # fmt: skip
    assert outcome.values["84"].hex().upper() == "A0000000032010"
    bench.holder.wants = []
    assert bench.insert().result is CardResult.CANCELED


def test_a_tap_above_what_a_tap_may_pay_is_inserted():
    bench = Bench("gold")
    bench.rules(tap=TapLimits(most=100_00))

    assert bench.tap(100_01).result is CardResult.INSERT_CARD
    assert bench.kept.atc == 0


@pytest.mark.parametrize("model", ["COUNTERTOP", "PORTABLE", "MOBILE", "PINPAD", "INTEGRATED"])
def test_each_model_takes_taps_up_to_its_limits(model):
    assert limits_found("gold", model) == (50_00, 500_00)


def test_an_unattended_terminal_takes_taps_up_to_lower_limits():
    assert limits_found("gold", "UNATTENDED") == (25_00, 150_00)


def limits_found(card: str, model: str) -> tuple[int, int]:
    """The highest amounts of a tap without a PIN, and of any tap; each has another one above."""
    bench = Bench(card, model=model, pins=["1234"])
    (limits,) = {each.tap for each in bench.terminal.applications}
    for amount, prompts in ((limits.cvm, 0), (limits.cvm + 1, 1), (limits.most, 2)):
        assert bench.tap(amount).result is CardResult.APPROVED
        assert len(bench.holder.prompts) == prompts
    assert bench.tap(limits.most + 1).result is CardResult.INSERT_CARD
    return limits.cvm, limits.most


def test_a_tap_below_the_floor_limit_is_approved_offline_by_a_signature():
    bench = Bench("gold")
    bench.rules(tap=TapLimits(floor=30_00))

    outcome = bench.tap(30_00)

    assert (outcome.result, outcome.code) == (CardResult.APPROVED, "Y1")
    values = dict(outcome.values)
    assert values["9F26"] == expected_cryptogram(bench.profile, values)


def test_a_tap_whose_signature_does_not_hold_is_declined():
    bench = Bench("gold")
    bench.rules(tap=TapLimits(floor=30_00))
    bench.terminal = replace(bench.terminal, authorities={})

    outcome = bench.tap(30_00)

    assert (outcome.result, outcome.code) == (CardResult.DECLINED, "Z1")


def test_a_tap_without_a_host_is_declined():
    bench = Bench("gold")
    bench.issuer.away = True

    assert bench.tap().code == "Z3"


def test_an_error_of_the_chip_that_passes_is_over_with_the_next_try():
    bench = Bench("gold", pins=["1234"], faults=[Fault(CardFaultKind.ERROR, "READ")])

    assert bench.insert().result in (CardResult.CARD_ERROR, CardResult.APPROVED)
    assert bench.insert().result is CardResult.APPROVED


@pytest.mark.parametrize("number", range(1, 16))
@pytest.mark.parametrize("kind", [CardFaultKind.REMOVED, CardFaultKind.MUTE, CardFaultKind.TORN])
def test_a_card_lost_at_any_command_never_ends_in_an_approval_of_the_host_alone(kind, number):
    bench = Bench("gold", pins=["1234"], faults=[Fault(kind, number)])

    outcome = bench.insert()

    host_approved = bool(bench.issuer.requests)
    both = outcome.result is CardResult.APPROVED
    assert both or outcome.must_reverse == host_approved
