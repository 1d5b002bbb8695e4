"""The steps of the kernel one by one: lists of methods, restrictions, risk, actions, choice."""

from dataclasses import replace

import pytest

from pos_emulator.bits import Capability, Tvr, is_set, word_of
from pos_emulator.kernel.actions import CardAction, analyze, analyze_default
from pos_emulator.kernel.cvm import verify_holder
from pos_emulator.kernel.dialog import Dialog
from pos_emulator.kernel.models import MODELS, terminal_of
from pos_emulator.kernel.reading import entries_of
from pos_emulator.kernel.records import (
    ActionCodes,
    CardResult,
    EndError,
    EntryMode,
    PinStatus,
    SaleKind,
)
from pos_emulator.kernel.restrictions import check_restrictions
from pos_emulator.kernel.risk import manage_risk
from pos_emulator.tests.bench import Bench

ZEROS = "0000000000000000"


def dialog_of(
    bench: Bench,
    kind: SaleKind = SaleKind.PURCHASE,
    amount: int = 60_00,
    **values: str,
):
    """A dialog in which the card has said these values."""
    dialog = Dialog(bench.terminal, bench.payment(amount, kind), bench.devices(), EntryMode.ICC)
    dialog.application = bench.terminal.applications[0]
    dialog.values["82"] = bytes.fromhex("1800")
    dialog.values["9F42"] = bytes.fromhex("0978")
    dialog.values |= {tag.lstrip("_"): bytes.fromhex(value) for tag, value in values.items()}
    bench.slot.power()
    return dialog


# fmt: off
LISTS = [
    # rules     results    why                     bits
    ("1F00",     "1f0002",  "none is enough",       []),
    ("1E00",     "1e0000",  "signature",            []),
    ("0200",     "020000",  "online PIN",           [Tvr.ONLINE_CVM_CAPTURED]),
    ("0000",     "000001",  "fail",                 [Tvr.CVM_FAILED]),
    ("00001F00", "000001",  "fail ends the list",   [Tvr.CVM_FAILED]),
    ("40001F00", "400001",  "fail has no next",     [Tvr.CVM_FAILED]),
    ("20001F00", "200001",  "no next",              [Tvr.CVM_UNRECOGNIZED, Tvr.CVM_FAILED]),
    ("60001F00", "1f0002",  "next after unknown",   [Tvr.CVM_UNRECOGNIZED]),
    ("02011F00", "1f0002",  "not unattended cash",  []),
    ("02041F00", "1f0002",  "not manual cash",      []),
    ("02051F00", "1f0002",  "no cashback",          []),
    ("02021F00", "020200",  "a purchase",           [Tvr.ONLINE_CVM_CAPTURED]),
    ("02061F00", "1f0002",  "60.00 not under 0",    []),
    ("1F06",     "3f0001",  "no rule applied",      [Tvr.CVM_FAILED]),
    ("1F0A",     "3f0001",  "unknown condition",    [Tvr.CVM_FAILED]),
]
# fmt: on


@pytest.mark.parametrize(("rules", "results", "why", "bits"), LISTS)
def test_a_list_of_methods_is_tried_in_its_order(rules, results, why, bits):
    dialog = dialog_of(Bench("gold"), _8E=ZEROS + rules)

    verify_holder(dialog)

    assert dialog.values["9F34"].hex() == results, why
    assert dialog.values["95"] == word_of(5, *bits), why


@pytest.mark.parametrize(
    ("x", "amount", "applies"),
    [("000009C4", 24_99, True), ("000009C4", 25_00, False), ("000009C4", 25_01, False)],
)
def test_an_amount_under_x_is_under_it_by_a_cent(x, amount, applies):
    dialog = dialog_of(Bench("gold"), amount=amount, _8E=x + "00000000" + "1F061E00")

    verify_holder(dialog)

    assert (dialog.values["9F34"][0] == 0x1F) is applies


def test_an_amount_in_another_currency_is_compared_with_neither_x_nor_y():
    dialog = dialog_of(Bench("gold"), _8E="FFFFFFFFFFFFFFFF" + "1F061F081E00", _9F42="0840")

    verify_holder(dialog)

    assert dialog.values["9F34"][0] == 0x1E


@pytest.mark.parametrize(
    ("model", "rules", "results", "bits"),
    [
        ("UNATTENDED", "1E031F00", "1f0002", []),
        ("UNATTENDED", "5E001F00", "1f0002", []),
        ("UNATTENDED", "1E00", "1e0001", [Tvr.CVM_FAILED]),
        ("COUNTERTOP", "1E031F00", "1e0300", []),
    ],
)
def test_a_method_needs_a_terminal_that_has_it(model, rules, results, bits):
    dialog = dialog_of(Bench("gold", model=model), _8E=ZEROS + rules)

    verify_holder(dialog)

    assert dialog.values["9F34"].hex() == results
    assert dialog.values["95"] == word_of(5, *bits)


def test_a_terminal_without_a_pin_pad_notes_it():
    bench = Bench("gold")
    capabilities = word_of(3, Capability.NO_CVM)
    bench.terminal = replace(bench.terminal, capabilities=capabilities)
    dialog = dialog_of(bench, _8E=ZEROS + "42001F00")

    verify_holder(dialog)

    assert dialog.found(Tvr.PIN_PAD_FAILED)
    assert dialog.values["9F34"].hex() == "1f0002"


@pytest.mark.parametrize("listed", ["", ZEROS, ZEROS + "1F"])
def test_a_list_that_is_missing_or_cut_off_is_noted(listed):
    dialog = dialog_of(Bench("gold"), _8E=listed)

    verify_holder(dialog)

    assert dialog.found(Tvr.ICC_DATA_MISSING)
    assert dialog.values["9F34"].hex() == "3f0000"


def test_a_bypassed_pin_bypasses_every_pin_of_the_list():
    bench = Bench("gold", pins=[PinStatus.BYPASSED])
    dialog = dialog_of(bench, _8E=ZEROS + "4200410044001F00")

    verify_holder(dialog)

    assert len(bench.holder.prompts) == 1
    assert dialog.values["9F34"].hex() == "1f0002"


# fmt: off
RESTRICTIONS = [
    # country kind             values                          bit
    ("0276", SaleKind.PURCHASE, {"_9F08": "0096"},                 None),
    ("0276", SaleKind.PURCHASE, {"_9F08": "0097"}, Tvr.APPLICATION_VERSIONS_DIFFERENT),
    ("0276", SaleKind.PURCHASE, {"_9F07": "FF80"},                 None),
    ("0276", SaleKind.PURCHASE, {"_9F07": "FE80"},                 Tvr.SERVICE_NOT_ALLOWED),
    ("0276", SaleKind.PURCHASE, {"_9F07": "2100"},                 None),
    ("0840", SaleKind.PURCHASE, {"_9F07": "2100"},                 Tvr.SERVICE_NOT_ALLOWED),
    ("0840", SaleKind.PURCHASE, {"_9F07": "1100"},                 None),
    ("0276", SaleKind.CASH,     {"_9F07": "2100"},                 Tvr.SERVICE_NOT_ALLOWED),
    ("0276", SaleKind.CASH,     {"_9F07": "8100"},                 None),
    ("0276", SaleKind.CASHBACK, {"_9F07": "2100"},                 Tvr.SERVICE_NOT_ALLOWED),
    ("0276", SaleKind.CASHBACK, {"_9F07": "2180"},                 None),
    ("0276", SaleKind.PURCHASE, {"_5F25": "261123"},               None),
    ("0276", SaleKind.PURCHASE, {"_5F25": "261124"},               Tvr.APPLICATION_NOT_EFFECTIVE),
    ("0276", SaleKind.PURCHASE, {"_5F24": "261123"},               None),
    ("0276", SaleKind.PURCHASE, {"_5F24": "261122"},               Tvr.APPLICATION_EXPIRED),
    ("0276", SaleKind.PURCHASE, {"_5F24": "991231"},               Tvr.APPLICATION_EXPIRED),
    ("0276", SaleKind.PURCHASE, {"_5F24": "261331"},               Tvr.APPLICATION_EXPIRED),
]
# fmt: on


@pytest.mark.parametrize(("country", "kind", "values", "bit"), RESTRICTIONS)
def test_a_restriction_is_noted_where_it_holds_and_nowhere_else(country, kind, values, bit):
    bench = Bench("gold")
    bench.terminal = replace(bench.terminal, country=bytes.fromhex(country))
    dialog = dialog_of(bench, kind, **({"_5F24": "311231", "_5F28": "0276"} | values))

    check_restrictions(dialog)

    assert dialog.values["95"] == word_of(5, *([bit] if bit else []))


@pytest.mark.parametrize(("amount", "exceeded"), [(49_99, False), (50_00, True)])
def test_an_amount_that_reaches_the_floor_limit_goes_online(amount, exceeded):
    dialog = dialog_of(Bench("gold"), amount=amount)

    manage_risk(dialog)

    assert dialog.found(Tvr.FLOOR_LIMIT_EXCEEDED) is exceeded


@pytest.mark.parametrize(
    ("percent", "most", "amount", "low", "high"),
    [(0, 0, 10_00, 0, 0), (50, 50, 10_00, 170, 230), (99, 99, 10_00, 400, 400),
     (0, 99, 49_99, 380, 400), (0, 99, 20_00, 0, 0), (0, 50, 35_00, 70, 130)],
)  # fmt: skip
def test_chance_sends_the_stated_share_online(percent, most, amount, low, high):
    bench = Bench("gold")
    bench.rules(random_percent=percent, random_percent_max=most)
    selected = 0
    for _ in range(400):
        dialog = dialog_of(bench, amount=amount)
        manage_risk(dialog)
        selected += dialog.found(Tvr.RANDOM_SELECTED_ONLINE)

    assert low <= selected <= high


# fmt: off
LOWER, UPPER = (
    Tvr.LOWER_CONSECUTIVE_OFFLINE_LIMIT_EXCEEDED, Tvr.UPPER_CONSECUTIVE_OFFLINE_LIMIT_EXCEEDED,
)
VELOCITY = [
    # counter last online bits                        why
    (5,       4,          [],                         "one in a row"),
    (7,       4,          [],                         "as many as the lower limit"),
    (8,       4,          [LOWER],                    "one more"),
    (9,       4,          [LOWER],                    "as many as the upper limit"),
    (10,      4,          [LOWER, UPPER],             "one more"),
    (4,       4,          [LOWER, UPPER],             "a counter that does not go up"),
    (1,       0,          [Tvr.NEW_CARD],             "a card that was never online"),
]
# fmt: on


@pytest.mark.parametrize(("counter", "last", "bits", "why"), VELOCITY)
def test_payments_offline_in_a_row_are_counted(counter, last, bits, why):
    bench = Bench("offline")
    memory = replace(bench.kept, atc=counter, last_online_atc=last)
    bench.memory.save(bench.slot.chip, memory)
    dialog = dialog_of(bench, amount=10_00, _9F14="03", _9F23="05")
    bench.slot.transmit(bytes.fromhex("00A4040007A000000004101000"))

    manage_risk(dialog)

    assert dialog.values["95"] == word_of(5, *bits), why


def test_a_card_that_hides_its_counters_goes_online():
    dialog = dialog_of(Bench("offline"), amount=10_00, _9F14="03", _9F23="05")

    manage_risk(dialog)

    assert dialog.found(LOWER) and dialog.found(UPPER)


def test_a_merchant_may_force_a_payment_online_and_a_listed_card_is_noted():
    bench = Bench("gold")
    bench.terminal = replace(bench.terminal, exception_file=frozenset({bench.profile.number}))
    dialog = dialog_of(bench, amount=1, _5A=bench.profile.number)
    dialog.payment = replace(dialog.payment, forced_online=True)

    manage_risk(dialog)

    assert dialog.found(Tvr.MERCHANT_FORCED_ONLINE)
    assert dialog.found(Tvr.CARD_ON_EXCEPTION_FILE)


# fmt: off
ACTIONS = [
    # model        found                    issuer's codes                       action
    ("COUNTERTOP", [], {}, CardAction.APPROVE),
    ("COUNTERTOP", [Tvr.SERVICE_NOT_ALLOWED], {}, CardAction.DECLINE),
    ("COUNTERTOP", [Tvr.CVM_FAILED], {"_9F0E": "0000800000"}, CardAction.DECLINE),
    ("COUNTERTOP", [Tvr.CVM_FAILED], {"_9F0F": "0000000000"}, CardAction.GO_ONLINE),
    ("COUNTERTOP", [Tvr.NEW_CARD], {"_9F0F": "0008000000"}, CardAction.GO_ONLINE),
    ("COUNTERTOP", [Tvr.DEFAULT_TDOL], {"_9F0F": "0000000000"}, CardAction.APPROVE),
    ("COUNTERTOP", [Tvr.DEFAULT_TDOL], {}, CardAction.GO_ONLINE),
    ("MOBILE", [], {}, CardAction.GO_ONLINE),
    ("MOBILE", [Tvr.SERVICE_NOT_ALLOWED], {}, CardAction.DECLINE),
]
# fmt: on


@pytest.mark.parametrize(("model", "bits", "values", "action"), ACTIONS)
def test_what_was_found_decides_by_the_codes_of_terminal_and_issuer(model, bits, values, action):
    dialog = dialog_of(Bench("gold", model=model), **values)
    for bit in bits:
        dialog.note(bit)

    assert analyze(dialog) is action


def test_without_a_host_the_default_codes_decide():
    dialog = dialog_of(Bench("gold"), _9F0D="0000000000")
    dialog.note(Tvr.NEW_CARD)
    assert analyze_default(dialog) is CardAction.APPROVE

    dialog.note(Tvr.FLOOR_LIMIT_EXCEEDED)
    assert ActionCodes().default.hex() == "fc5098a000"
    assert analyze_default(dialog) is CardAction.DECLINE


@pytest.mark.parametrize(
    "locator",
    ["", "08", "080101", "00010100", "09010100", "08000100", "08020100", "08010102", "F8010100"],
)
def test_a_damaged_file_locator_ends_the_payment(locator):
    with pytest.raises(EndError) as error:
        list(entries_of(bytes.fromhex(locator)))

    assert error.value.result is CardResult.CARD_ERROR


def test_the_terminals_own_values_are_not_overruled_by_the_card():
    dialog = dialog_of(Bench("gold"))
    before = dict(dialog.values)

    dialog.take([("9F02", bytes(6)), ("95", b"\xff" * 5), ("9F1A", b"\x08\x40"), ("50", b"VISA")])

    assert {tag for tag, value in dialog.values.items() if before.get(tag) != value} == {"50"}


@pytest.mark.parametrize("name", sorted(MODELS))
def test_each_model_says_what_it_can(name):
    model, terminal = MODELS[name], terminal_of(name, terminal_id="10000001")

    can = terminal.capabilities
    assert is_set(can, Capability.MAGSTRIPE) == ("magstripe" in model.reads)
    assert is_set(can, Capability.MANUAL_ENTRY) == ("manual" in model.reads)
    assert is_set(can, Capability.SIGNATURE) == (name != "UNATTENDED")
    assert terminal.is_unattended == (name == "UNATTENDED")
    assert terminal.is_online_only == (name in ("MOBILE", "PINPAD"))


def test_a_terminal_that_uses_no_directory_finds_the_same_applications():
    bench = Bench("two-apps", pins=["1234"])
    bench.holder.wants = ["VISA CREDIT"]
    bench.terminal = replace(bench.terminal, uses_directory=False)

    outcome = bench.insert()

    assert bench.holder.offered == [["VISA CREDIT", "VISA DEBIT"]]
    assert outcome.result is CardResult.APPROVED


def test_a_terminal_that_accepts_exact_names_takes_no_other():
    bench = Bench("two-apps", pins=["1234"])
    bench.holder.wants = ["VISA DEBIT"]
    bench.rules(is_partial=False, aid=bytes.fromhex("A0000000032010"))

    assert bench.insert().values["84"].hex().upper() == "A0000000032010"
    bench.rules(aid=bytes.fromhex("A0000000039999"))
    assert bench.insert().result is CardResult.NOT_ACCEPTED


def test_an_application_that_refuses_the_payment_is_taken_off_the_list():
    bench = Bench("two-apps", pins=["1234"])
    bench.holder.wants = ["VISA CREDIT", "VISA DEBIT"]
    bench.memory.save(bench.slot.chip, replace(bench.kept, blocked=("A0000000031010",)))

    assert bench.insert().values["84"].hex().upper() == "A0000000032010"


def test_a_blocked_card_is_not_accepted():
    for uses_directory in (True, False):
        bench = Bench("gold")
        bench.terminal = replace(bench.terminal, uses_directory=uses_directory)
        bench.memory.save(bench.slot.chip, replace(bench.kept, card_blocked=True))

        assert bench.insert().result is CardResult.NOT_ACCEPTED
