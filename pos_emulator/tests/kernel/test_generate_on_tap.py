"""A tap whose cryptogram the terminal asks for: verification, limits, signature, offline."""

from dataclasses import replace

import pytest

from pos_emulator.bits import Aip, Tvr, is_set, word_of
from pos_emulator.card.faults import CardFaultKind, Fault
from pos_emulator.card.records import Options
from pos_emulator.kernel.records import CardResult, EntryMode, PinStatus, SaleKind, TapLimits
from pos_emulator.tests.bench import Bench

CARDS = ["offline", "wrong-pin-proof"]
CVM_LIMIT, TAP_LIMIT = 50_00, 5_000_00


def bench_of(card: str, **more) -> Bench:
    bench = Bench(card, **more)
    bench.holder.pins = bench.holder.pins or [bench.profile.pin]
    return bench


def verified(outcome) -> str:
    return outcome.values["9F34"].hex()


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize(
    ("amount", "prompts", "method"),
    [(1, 0, "1f0302"), (CVM_LIMIT, 0, "1f0302"), (CVM_LIMIT + 1, 1, "420300")],
)
def test_a_pin_is_asked_for_above_the_limit_when_the_card_has_left(card, amount, prompts, method):
    bench = bench_of(card)

    outcome = bench.tap(amount)

    assert (outcome.result, outcome.code) == (CardResult.APPROVED, "00")
    assert (len(bench.holder.prompts), verified(outcome)) == (prompts, method)
    (request,) = bench.issuer.requests
    assert request.entry_mode is EntryMode.NFC_ICC
    assert (request.pin is not None) == bool(prompts)
    steps = [each.text for each in outcome.history if each.step in ("", "PIN pad")]
    assert steps == sorted(steps, key=lambda text: text.startswith("PIN")) or not prompts
    assert not bench.kept.online_pending


@pytest.mark.parametrize("model", ["UNATTENDED"])
def test_a_reader_without_signature_asks_for_the_pin(model):
    bench = bench_of("offline", model=model)
    assert bench.tap(25_01).result is CardResult.APPROVED
    assert len(bench.holder.prompts) == 1


def test_a_tap_above_the_limit_of_the_reader_is_inserted():
    bench = bench_of("offline")

    assert bench.tap(TAP_LIMIT + 1).result is CardResult.INSERT_CARD
    assert bench.issuer.requests == []


@pytest.mark.parametrize(
    ("status", "result"),
    [(PinStatus.BYPASSED, CardResult.DECLINED), (PinStatus.CANCELED, CardResult.CANCELED)],
)
def test_a_pin_that_is_not_entered_ends_the_tap(status, result):
    bench = bench_of("wrong-pin-proof", pins=[status])

    assert bench.tap(60_00).result is result
    assert bench.issuer.requests == []


def test_below_the_floor_the_card_approves_and_its_signature_is_checked():
    bench = bench_of("offline")
    bench.rules(tap=TapLimits(floor=20_00))

    outcome = bench.tap(20_00)

    assert (outcome.result, outcome.code, outcome.is_offline) == (CardResult.APPROVED, "Y1", True)
    assert outcome.values["9F27"] == b"\x40"
    assert bench.issuer.requests == []
    assert bench.kept.offline_in_a_row == 1
    assert bench.tap(20_01).code == "00"


def test_after_three_taps_offline_the_card_asks_its_issuer():
    bench = bench_of("offline")
    bench.rules(tap=TapLimits(floor=20_00))

    codes = [bench.tap(5_00).code for _ in range(4)]

    assert codes == ["Y1", "Y1", "Y1", "00"]


@pytest.mark.parametrize("floor", [0, 50_00])
def test_a_signature_that_does_not_hold_declines(floor):
    bench = bench_of("offline")
    other = Bench("wrong-pin-proof").slot.chip
    bench.slot.chip = replace(bench.slot.chip, rsa=other.rsa)
    bench.rules(tap=TapLimits(floor=floor))

    outcome = bench.tap(10_00)

    assert (outcome.result, outcome.code) == (CardResult.DECLINED, "Z1")
    assert bench.issuer.requests == []


def test_a_card_without_a_signature_goes_online():
    bench = bench_of("offline")
    options = bench.slot.chip.contactless
    assert isinstance(options, Options)
    aip = word_of(2, Aip.CVM_SUPPORTED, Aip.EMV_MODE_SUPPORTED)
    bench.slot.chip = replace(bench.slot.chip, contactless=replace(options, aip=aip))
    bench.rules(tap=TapLimits(floor=50_00))

    outcome = bench.tap(10_00)

    assert is_set(outcome.values["95"], Tvr.ODA_NOT_PERFORMED)
    assert (outcome.result, len(bench.issuer.requests)) == (CardResult.APPROVED, 1)


@pytest.mark.parametrize(("amount", "method"), [(50_00, "3f0002"), (50_01, "010002")])
def test_a_phone_has_verified_its_holder_above_the_limit(amount, method):
    bench = bench_of("wrong-pin-proof")
    options = bench.slot.chip.contactless
    assert isinstance(options, Options)
    aip = word_of(2, Aip.ON_DEVICE_VERIFICATION_SUPPORTED, Aip.EMV_MODE_SUPPORTED)
    bench.slot.chip = replace(bench.slot.chip, contactless=replace(options, aip=aip))

    outcome = bench.tap(amount)

    assert (outcome.result, verified(outcome)) == (CardResult.APPROVED, method)
    assert bench.holder.prompts == []


def test_a_refund_by_tap_goes_online_without_a_verification():
    bench = bench_of("offline")

    outcome = bench.tap(60_00, SaleKind.REFUND)

    assert (outcome.result, bench.holder.prompts) == (CardResult.APPROVED, [])
    assert is_set(outcome.values["95"], Tvr.MERCHANT_FORCED_ONLINE)


def test_without_the_host_the_tap_is_declined():
    bench = bench_of("offline")
    bench.issuer.away = True

    outcome = bench.tap(10_00)

    assert (outcome.result, outcome.code) == (CardResult.DECLINED, "Z3")


@pytest.mark.parametrize("kind", [CardFaultKind.REMOVED, CardFaultKind.MUTE, CardFaultKind.TORN])
def test_a_card_that_leaves_too_early_costs_nothing(kind):
    bench = bench_of("offline", faults=[Fault(kind, "AC1")])

    outcome = bench.tap(10_00)

    assert outcome.result in (CardResult.CARD_REMOVED, CardResult.CARD_ERROR)
    assert bench.issuer.requests == [] and not outcome.must_reverse
