"""The scenarios of a training, at a whole terminal: machine, card, gateway, host and issuer.

Numbers in the names are those of the training plan. After each the ledgers agree.
"""

import pytest

from pos_emulator.card.magstripe import Magstripe
from pos_emulator.receipts.document import ReceiptCopy, Verification
from pos_emulator.terminal.records import Ending, Stage, Swiped
from pos_emulator.tests.terminal.desk import RED_KEY
from pos_emulator.tests.terminal.shop import Shop, ended

APPROVED = (Stage.APPROVED, Ending.APPROVED)


def test_01_a_chip_and_a_pin_that_the_issuer_verifies(shop: Shop):
    entry = shop.order("60.00", cards=[shop.insert()], reference="till-1")

    assert ended(entry) == APPROVED
    assert (entry.code, entry.result_code) == ("00", "000.100.112")
    assert [copy for _, copy in shop.desk.printed] == list(ReceiptCopy)
    assert entry.printed.verification is Verification.PIN
    assert entry.printed.status == "APPROVED"
    assert entry.printed.card == "0009"
    assert shop.terminal.entry_of("till-1") == entry == shop.terminal.entry("000001")
    shop.agree()


@pytest.mark.parametrize(
    ("number", "card", "amount", "verification"),
    [
        (2, "offline", "60.00", Verification.PIN),
        (3, "sign", "60.00", Verification.SIGNATURE),
        (4, "offline", "12.00", Verification.NONE),
    ],
)
def test_02_to_04_verifications_of_a_chip(shop: Shop, number, card, amount, verification):
    entry = shop.order(amount, cards=[shop.insert(card)])

    assert ended(entry)[1] is Ending.APPROVED
    assert entry.printed.verification is verification
    shop.agree()


def test_05_to_08_taps(shop: Shop):
    below = shop.order("20.00", cards=[shop.tap()])
    above = shop.order("60.00", cards=[shop.tap()], pins=["1234"])
    phone = shop.order("400.00", cards=[shop.tap("tap")])

    assert [ended(each) for each in (below, above, phone)] == [APPROVED] * 3
    assert [each.printed.verification for each in (below, above, phone)] == [
        Verification.NONE, Verification.PIN, Verification.ON_DEVICE,
    ]  # fmt: skip
    shop.agree()


@pytest.mark.parametrize(("card", "pin"), [("offline", "1234"), ("wrong-pin-proof", "4321")])
def test_05_and_06_taps_whose_cryptogram_is_asked_for(shop: Shop, card, pin):
    below = shop.order("20.00", cards=[shop.tap(card)])
    above = shop.order("60.00", cards=[shop.tap(card)], pins=[pin])

    assert [ended(each) for each in (below, above)] == [APPROVED] * 2
    verified = [each.printed.verification for each in (below, above)]
    assert verified == [Verification.NONE, Verification.PIN]
    shop.agree()


def test_07_the_sixth_tap_goes_on_with_the_chip(shop: Shop):
    for _ in range(5):
        assert ended(shop.order("5.00", cards=[shop.tap()])) == APPROVED

    sixth = shop.order("5.00", cards=[shop.tap(), shop.insert()], reference="sixth")

    assert ended(sixth) == APPROVED
    assert shop.desk.prompts[-1].readers == {"chip"}
    assert shop.desk.prompts[-1].text == "INSERT CARD"
    assert sixth.printed.entry_mode == "CHIP"
    assert len(shop.terminal.entries()) == 6
    shop.agree()


def test_10_a_dead_chip_is_swiped_after_three_tries(shop: Shop):
    cards = [shop.insert("dead-chip")] * 3 + [shop.swipe("dead-chip")]

    entry = shop.order("60.00", cards=cards)

    assert ended(entry) == APPROVED
    assert shop.desk.prompts[-1].readers == {"magstripe"}
    assert entry.printed.entry_mode == "SWIPED, FALLBACK"
    shop.agree()


def test_11_a_swipe_of_a_card_with_a_chip_is_refused(shop: Shop):
    entry = shop.order("60.00", cards=[shop.swipe("gold"), shop.insert()])

    assert ended(entry) == APPROVED
    assert [each.text for each in shop.desk.prompts] == ["PRESENT CARD", "INSERT CARD"]
    shop.agree()


def test_12_a_card_that_is_typed_in(shop: Shop):
    entry = shop.order("60.00", cards=[shop.key()])

    assert ended(entry) == APPROVED
    assert (entry.printed.entry_mode, entry.printed.verification) == (
        "KEYED", Verification.SIGNATURE,
    )  # fmt: skip
    shop.agree()


def test_the_code_of_a_card_that_is_typed_in_is_sent_and_its_length_is_judged(shop: Shop):
    right = shop.order("60.00", cards=[shop.key(code="917")])
    wrong = shop.order("60.00", cards=[shop.key(code="9171")])
    short = shop.order("60.00", cards=[shop.key(code="91"), shop.key()])

    assert ended(right) == ended(short) == APPROVED
    assert (wrong.result_code, wrong.stage) == ("100.100.601", Stage.DECLINED)
    assert "expected 3 digits" in wrong.reason
    assert shop.desk.prompts[-1].text == "CODE HAS 3 OR 4 DIGITS"


def test_13_two_wrong_pins_and_the_right_one_with_the_card_still_in(shop: Shop):
    entry = shop.order("60.00", cards=[shop.insert()], pins=["9999", "9998", "1234"])

    assert ended(entry) == APPROVED
    assert len(shop.desk.prompts) == 1
    assert [each.tries_left for each in shop.desk.pin_prompts] == [None, 2, 1]
    shop.agree()


def test_14_three_wrong_pins_end_the_payment(shop: Shop):
    entry = shop.order("60.00", cards=[shop.insert()], pins=["9999", "9998", "9997"])

    assert ended(entry) == (Stage.DECLINED, Ending.WRONG_PIN)
    assert (entry.code, entry.tries_left) == ("75", 0)
    shop.agree()


def test_16_the_red_key_at_the_pin(shop: Shop):
    entry = shop.order("60.00", cards=[shop.insert()], pins=[RED_KEY])

    assert ended(entry) == (Stage.FAILED, Ending.CANCELED)
    assert shop.books()["lines"] == []
    shop.agree()


def test_09_a_swipe_of_a_card_that_claims_to_have_no_chip(shop: Shop):
    swiped = shop.swipe("gold")
    tracks = swiped.magstripe
    plain = Magstripe(tracks.track1, tracks.track2.replace("=3112201", "=3112101"))

    entry = shop.order("60.00", cards=[Swiped(plain)])

    assert entry.printed.entry_mode == "SWIPED"
    assert ended(entry) == (Stage.DECLINED, Ending.DECLINED), "its code is for another service code"
    shop.agree()


def test_15_a_pin_that_the_holder_skips(shop: Shop):
    entry = shop.order("60.00", cards=[shop.insert()], pins=[""])

    assert ended(entry) == APPROVED
    assert entry.printed.verification is Verification.SIGNATURE
    shop.agree()


def test_22_and_23_commands_of_the_issuer_reach_the_card(shop: Shop):
    shop.sandbox.arm({"steps": {"issuer": {"commands": ["block-application"]}}}, times=1)

    first = shop.order("60.00", cards=[shop.insert()])
    blocked = shop.order("60.00", cards=[shop.insert()])

    assert ended(first) == APPROVED
    assert ended(blocked) == (Stage.FAILED, Ending.CARD_REFUSED)
    shop.agree()


def test_23_the_issuer_unblocks_a_pin_that_it_verifies(shop: Shop):
    shop.order("60.00", cards=[shop.insert()], pins=["9999", "9998", "9997"])
    refused = shop.order("60.00", cards=[shop.insert()], pins=["1234"])
    shop.sandbox.arm("unblock-pin", times=1)
    unblocking = shop.order("60.00", cards=[shop.insert()], pins=[""])

    paid = shop.order("60.00", cards=[shop.insert()], pins=["1234"])

    assert (refused.code, refused.tries_left) == ("75", 0)
    assert (ended(unblocking), ended(paid)) == (APPROVED, APPROVED)
    assert paid.printed.verification is Verification.PIN
    shop.agree()


def test_23_the_issuer_unblocks_a_pin_that_the_card_verifies(shop: Shop):
    wrong = shop.order("60.00", cards=[shop.insert("offline")], pins=["9999", "9998", "9997"])
    blocked = shop.order("60.00", cards=[shop.insert("offline")], pins=["1234"])
    shop.sandbox.arm("unblock-pin", times=1)
    shop.order("60.00", cards=[shop.insert("offline")], forced_online=True)

    paid = shop.order("60.00", cards=[shop.insert("offline")], pins=["1234"])

    by = [each.printed.verification for each in (wrong, blocked, paid)]
    assert by == [Verification.SIGNATURE, Verification.SIGNATURE, Verification.PIN]
    assert shop.desk.pin_prompts[-1].tries_left in (None, 3)
    shop.agree()


def test_a_holder_chooses_an_application(shop: Shop):
    shop.desk.choice = 1

    entry = shop.order("60.00", cards=[shop.insert("two-apps")])

    assert shop.desk.offered == [["VISA CREDIT", "VISA DEBIT", "VPAY"]]
    assert (entry.printed.label, entry.printed.aid) == ("VISA DEBIT", "A0000000032010")
    shop.agree()


def test_a_host_that_cannot_be_reached_lets_the_card_decide(shop: Shop):
    down = {"steps": {"acquirer": {"decline": {"code": "900.100.600"}}}}
    shop.sandbox.arm(down, times=2)

    small = shop.order("12.00", cards=[shop.insert()], forced_online=True)
    large = shop.order("60.00", cards=[shop.insert()])

    assert (small.code, small.stage) == ("Y3", Stage.STORED)
    assert ended(large) == (Stage.FAILED, Ending.UNREACHABLE)
    shop.agree()


@pytest.mark.parametrize("method", ["TDES", "AES"])
@pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])
def test_each_method_of_keys_pays_in_each_mode(sandgate_sandbox, tmp_path, method, mode):
    shop = Shop(sandgate_sandbox, tmp_path / "terminal", method=method, test_mode=mode)

    entries = [shop.order("60.00", cards=[shop.insert()]) for _ in range(2)]

    assert [ended(each) for each in entries] == [APPROVED] * 2
    assert shop.terminal.close_batch().differences == ()
    shop.close()


def test_a_gateway_that_says_nothing_within_the_limit_is_asked_later(sandgate_sandbox, tmp_path):
    shop = Shop(sandgate_sandbox, tmp_path / "terminal", timeout_s=0.3)
    silent = {"steps": {"transport": {"no_answer": {"seconds": 1}}}}
    shop.sandbox.arm(silent, times=1, match={"operation": "create_payment"})

    entry = shop.order("60.00", cards=[shop.insert()])

    assert ended(entry) == (Stage.REVERSED, Ending.UNREACHABLE)
    shop.agree()
    shop.close()
