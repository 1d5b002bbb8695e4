"""A till that knows nothing but nexo JSON, at a whole terminal: card, kernel, gateway and host."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from pos_emulator.card.faults import CardFaultKind, Fault
from pos_emulator.card.personalization import personalize
from pos_emulator.counter.tray import HeldCard
from pos_emulator.ecr.nexo.server import serve_nexo
from pos_emulator.ecr.nexo.settings import NexoSettings
from pos_emulator.terminal.records import CardPrompt, DeskAbortedError, Presented, Tapped
from pos_emulator.tests.ecr.conftest import ANY_PORT
from pos_emulator.tests.ecr.till import Till
from pos_emulator.tests.terminal.desk import RED_KEY
from pos_emulator.tests.terminal.shop import Shop

DEAD = Fault(CardFaultKind.DEAD)


@pytest.fixture
def counter(shop: Shop, tmp_path: Path) -> Iterator[Till]:
    """A till at the terminal of the shop."""
    with serve_nexo(shop.terminal, ANY_PORT, NexoSettings(folder=tmp_path / "till")) as url:
        yield Till(url, tmp_path / "till" / "ca.pem", poi=shop.terminal.identity.id)


@dataclass
class WaitingDesk:
    """Waits for a card until the till aborts."""

    texts: list[str] = field(default_factory=list)
    waiting: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)

    def present(self, prompt: CardPrompt) -> Presented:
        self.waiting.set()
        assert self.ended.wait(20)
        raise DeskAbortedError

    def show(self, text: str) -> None:
        self.texts.append(text)

    def abort(self, *, timed_out: bool = False) -> None:
        self.ended.set()


def named(answer):
    return answer["POIData"]["POITransactionID"]["TransactionID"]


def in_hand(shop: Shop, card: str) -> HeldCard:
    """A card that is tapped next, and that its holder can take away."""
    held = HeldCard(card, shop.tap(card).card)
    shop.desk.cards = [Tapped(held)]
    return held


def counter_of(shop: Shop, card: HeldCard) -> int:
    """The transaction counter of a card."""
    return shop.memory.load(personalize(card.name)).atc


def condition_of(answer):
    return answer["Response"].get("ErrorCondition", answer["Response"]["Result"])


@pytest.mark.parametrize("strings", [False, True], ids=["numbers", "texts"])
def test_a_till_takes_payments_for_a_day(shop: Shop, counter: Till, strings):
    counter.strings = strings
    counter.login()
    shop.desk.cards = [shop.insert()]

    paid = counter.pay("60.00")
    refunded = counter.pay("10.00", kind="Refund", original=named(paid))
    reversed_ = counter.reverse(named(counter.pay("20.00")))
    again = counter.status("0002")["RepeatedMessageResponse"]["RepeatedResponseMessageBody"]
    closed = counter.ask("Reconciliation", {"ReconciliationType": "SaleReconciliation"})

    assert [condition_of(each) for each in (paid, refunded, reversed_, closed)] == ["Success"] * 4
    result = paid["PaymentResult"]
    assert result["AmountsResp"] == {"Currency": "EUR", "AuthorizedAmount": "60.00"}
    assert result["PaymentInstrumentData"]["CardData"]["MaskedPan"] == "**** 0009"
    assert result["PaymentInstrumentData"]["CardData"]["EntryMode"] == ["ICC"]
    assert result["OnlineFlag"] is True
    assert again == {"PaymentResponse": paid}
    (euros,) = closed["TransactionTotals"]
    counted = {row["TransactionType"]: row["TransactionAmount"] for row in euros["PaymentTotals"]}
    assert counted["Credit"] == "10.00"
    assert shop.books()["agree"]


def test_a_payment_that_waits_for_a_card_is_aborted(shop: Shop, counter: Till):
    desk = WaitingDesk()
    shop.terminal.swap_desk(desk)
    answers = []
    payment = threading.Thread(target=lambda: answers.append(counter.pay("60.00")))
    payment.start()
    assert desk.waiting.wait(20)

    other = replace(counter, number=100)
    assert condition_of(other.status("0001")) == "InProgress"
    assert other.abort("0001") is None
    payment.join(20)

    assert condition_of(answers[0]) == "Aborted"
    again = other.status("0001")["RepeatedMessageResponse"]["RepeatedResponseMessageBody"]
    assert again == {"PaymentResponse": answers[0]}


def test_a_till_learns_why_a_payment_failed(shop: Shop, counter: Till):
    shop.desk.cards = [shop.insert("poor")]
    declined = counter.pay("60.00")
    shop.desk.cards = [RED_KEY]
    canceled = counter.pay("60.00")
    shop.desk.cards = []
    timed_out = counter.pay("60.00")
    shop.terminal.network_up = False
    shop.desk.cards = [shop.insert("online-only")]
    unreachable = counter.pay("60.00")

    assert [condition_of(each) for each in (declined, canceled, timed_out)] == [
        "Refusal", "Cancel", "Cancel"
    ]  # fmt: skip
    assert condition_of(unreachable) in ("UnreachableHost", "Refusal")
    assert "PaymentResult" in declined


def test_a_lost_answer_is_given_whole_after_a_power_cut(shop: Shop, counter: Till, tmp_path: Path):
    shop.desk.cards = [shop.insert()]
    paid = counter.pay("60.00")
    reversed_ = counter.reverse(named(paid))

    terminal = shop.restart()
    with serve_nexo(terminal, ANY_PORT, NexoSettings(folder=tmp_path / "till")) as url:
        till = replace(counter, url=url, number=100)
        first = till.status("0001")["RepeatedMessageResponse"]["RepeatedResponseMessageBody"]
        second = till.status("0002")["RepeatedMessageResponse"]["RepeatedResponseMessageBody"]

    assert first == {"PaymentResponse": paid}
    assert second == {"ReversalResponse": reversed_}


def test_a_tip_and_cash_are_charged_and_printed(shop: Shop, counter: Till):
    shop.desk.cards = [shop.insert()]

    paid = counter.pay("75.00", CashBackAmount="10.00", TipAmount="5.00")

    assert paid["PaymentResult"]["AmountsResp"] == {
        "Currency": "EUR", "AuthorizedAmount": "75.00", "CashBackAmount": "10.00",
        "TipAmount": "5.00",
    }  # fmt: skip
    rows = [
        " ".join(line.get("Text", "").split())
        for line in paid["PaymentReceipt"][0]["OutputContent"]["OutputText"]
    ]
    at = rows.index("GOODS EUR 60.00")
    assert rows[at : at + 4] == [
        "GOODS EUR 60.00", "TIP EUR 5.00", "PAID OUT IN CASH EUR 10.00", "SALE EUR 75.00"
    ]  # fmt: skip
    assert shop.books()["agree"]


def test_a_card_is_read_before_its_payment_and_pays_once(shop: Shop, counter: Till):
    notices = []
    shop.terminal.watch(notices.append)
    shop.desk.cards = [shop.insert()]

    read = counter.acquire()
    shop.desk.cards = []
    paid = counter.pay("60.00", acquired=named(read))
    again = counter.pay("60.00", acquired=named(read))

    assert read["Response"] == {"Result": "Success"}
    card = read["PaymentInstrumentData"]["CardData"]
    assert (card["MaskedPan"], card["EntryMode"]) == ("**** 0009", ["ICC"])
    assert read["SaleData"]["SaleTransactionID"]["TransactionID"] == "receipt 1"
    assert [condition_of(each) for each in (paid, again)] == ["Success", "NotAllowed"]
    assert paid["PaymentResult"]["PaymentInstrumentData"]["CardData"]["MaskedPan"] == "**** 0009"
    assert len(shop.desk.prompts) == 1
    assert [each.text for each in notices if each.kind == "slot"] == [
        "card inserted", "card removed"
    ]  # fmt: skip
    assert shop.books()["agree"]


def test_a_card_that_was_read_is_swiped_once_and_held_for_three_minutes(shop: Shop, counter: Till):
    shop.desk.cards = [shop.swipe("sign"), shop.insert()]
    swiped = counter.acquire()
    released = counter.ask("EnableService", {"TransactionAction": "AbortTransaction"})
    gone = counter.pay("60.00", acquired=named(swiped))
    read = counter.acquire()
    shop.clock.advance(minutes=4)
    late = counter.pay("60.00", acquired=named(read))

    assert swiped["PaymentInstrumentData"]["CardData"]["EntryMode"] == ["MagStripe"]
    assert [condition_of(each) for each in (released, gone, late)] == [
        "Success", "NotAllowed", "NotAllowed"
    ]  # fmt: skip


@pytest.mark.parametrize("card", ["gold", "offline", "tap-old"])
def test_a_tap_is_read_once_and_pays_when_the_card_has_left(shop: Shop, counter: Till, card):
    held = in_hand(shop, card)
    read = counter.acquire("20.00")
    held.pull()
    shop.desk.cards = []
    paid = counter.pay("20.00", acquired=named(read))
    again = counter.pay("20.00", acquired=named(read))

    data = read["PaymentInstrumentData"]["CardData"]
    assert (data["EntryMode"], len(data["MaskedPan"])) == (["Contactless"], len("**** 0009"))
    assert [condition_of(each) for each in (paid, again)] == ["Success", "NotAllowed"]
    assert [each.readers >= {"tap"} for each in shop.desk.prompts] == [True]
    assert counter_of(shop, held) == 1
    shop.agree()


@pytest.mark.parametrize("card", ["gold", "offline"])
def test_the_pin_of_a_tap_that_was_read_is_asked_for_by_its_payment(
    shop: Shop, counter: Till, card
):
    held = in_hand(shop, card)
    read = counter.acquire("60.00")
    held.pull()
    assert shop.desk.pin_prompts == []
    paid = counter.pay("60.00", acquired=named(read))

    assert condition_of(paid) == "Success"
    assert [each.amount for each in shop.desk.pin_prompts] == [60_00]
    shop.agree()


def test_a_wrong_pin_of_a_tap_that_was_read_asks_for_the_card_again(shop: Shop, counter: Till):
    held = in_hand(shop, "gold")
    read = counter.acquire("60.00")
    held.pull()
    shop.desk.cards, shop.desk.pins = [shop.tap()], ["9999", "1234"]
    paid = counter.pay("60.00", acquired=named(read))

    assert condition_of(paid) == "Success"
    assert [each.text for each in shop.desk.prompts][1:] == ["WRONG PIN, TAP AGAIN"]
    assert counter_of(shop, held) == 2
    shop.agree()


@pytest.mark.parametrize(
    ("amount", "more"),
    [
        ("20.01", {}),
        ("19.99", {}),
        ("20.00", {"currency": "USD"}),
        ("20.00", {"CashBackAmount": "5.00"}),
        ("25.00", {"TipAmount": "5.00"}),
        ("20.00", {"kind": "Refund"}),
    ],
)
def test_a_tap_pays_for_nothing_that_its_cryptogram_does_not_cover(
    shop: Shop, counter: Till, amount: str, more: dict[str, str]
):
    shop.desk.cards = [shop.tap()]
    read = counter.acquire("20.00")
    answer = counter.pay(amount, acquired=named(read), **more)

    assert condition_of(answer) == "NotAllowed"
    assert "20.00 EUR" in answer["Response"]["AdditionalResponse"]
    assert shop.terminal.entries() == ()


def test_a_tip_may_be_part_of_the_amount_that_was_tapped_for(shop: Shop, counter: Till):
    shop.desk.cards = [shop.tap()]
    read = counter.acquire("20.00")

    assert condition_of(counter.pay("20.00", acquired=named(read), TipAmount="2.00")) == "Success"


def test_a_card_that_cannot_be_tapped_is_to_be_inserted(shop: Shop, counter: Till):
    shop.desk.cards = [shop.tap(), shop.insert()]
    read = counter.acquire("600.00")

    assert read["PaymentInstrumentData"]["CardData"]["EntryMode"] == ["ICC"]
    assert [(each.text, "tap" in each.readers) for each in shop.desk.prompts] == [
        ("PRESENT CARD", True), ("INSERT CARD", False)
    ]  # fmt: skip


@pytest.mark.parametrize("amount", ["-1", "x", "1.001", "99999999999"])
def test_a_tap_is_not_read_for_an_amount_that_is_none(shop: Shop, counter: Till, amount):
    sale = {"SaleTransactionID": {"TransactionID": "r", "TimeStamp": "2026-11-23T09:00:00Z"}}
    body = {"SaleData": sale, "CardAcquisitionTransaction": {"TotalAmount": amount}}

    assert condition_of(counter.ask("CardAcquisition", body)) == "MessageFormat"
    assert shop.desk.prompts == []


def test_a_card_that_comes_before_the_amount_pays(shop: Shop, counter: Till):
    start = {"TransactionAction": "StartTransaction", "ServicesEnabled": ["Payment"]}
    shop.desk.cards = [shop.insert()]
    started = counter.ask("EnableService", start)
    for _ in range(200):
        if shop.desk.prompts:
            break
        threading.Event().wait(0.05)
    paid = counter.pay("60.00")

    assert [condition_of(each) for each in (started, paid)] == ["Success", "Success"]
    assert [each.text for each in shop.desk.prompts] == ["INSERT OR SWIPE CARD"]
    assert shop.books()["agree"]


def test_a_payment_does_not_wait_for_a_card_that_was_asked_for_before(shop: Shop, counter: Till):
    start = {"TransactionAction": "StartTransaction", "ServicesEnabled": ["Payment"]}
    desk = WaitingDesk()
    shop.terminal.swap_desk(desk)
    started = counter.ask("EnableService", start)
    assert desk.waiting.wait(20)
    again = counter.ask("EnableService", start)
    shop.desk.cards = [shop.insert()]
    shop.terminal.swap_desk(shop.desk)

    assert [condition_of(each) for each in (started, again)] == ["Success", "Success"]
    assert condition_of(counter.pay("60.00")) == "Success"


def test_a_till_learns_why_no_card_was_read(shop: Shop, counter: Till):
    shop.desk.cards = [shop.insert("gold", DEAD)]
    unread = counter.acquire()
    shop.desk.cards = [RED_KEY]
    canceled = counter.acquire()
    desk = WaitingDesk()
    shop.terminal.swap_desk(desk)
    answers = []
    waiting = threading.Thread(target=lambda: answers.append(counter.acquire()))
    waiting.start()
    assert desk.waiting.wait(20)
    other = replace(counter, number=100)
    busy = other.pay("1.00")
    other.abort(counter.service)
    waiting.join(20)

    assert [condition_of(each) for each in (unread, canceled, busy, *answers)] == [
        "InvalidCard", "Cancel", "Busy", "Aborted"
    ]  # fmt: skip
    assert "POIData" in answers[0]


@pytest.mark.parametrize("kind", ["Normal", "FirstReservation"])
def test_a_payment_that_can_refer_to_none_is_refused(shop: Shop, counter: Till, kind: str):
    shop.desk.cards, shop.desk.pins = [shop.insert()], ["1234"]
    paid = counter.ask("Payment", counter.payment("60.00"))

    second = counter.ask("Payment", counter.payment("10.00", kind=kind, original=named(paid)))

    assert condition_of(second) == "NotAllowed"
    assert "receipt: expected none" in second["Response"]["AdditionalResponse"]
    assert len(shop.terminal.entries()) == 1


def test_what_is_unknown_is_not_reversed_and_the_network_is_seen(shop: Shop, counter: Till):
    receipt = counter.reverse("000042")

    assert condition_of(receipt) == "NotFound"
    assert counter.ask("Diagnosis", {"HostDiagnosisFlag": True})["HostStatus"] == [
        {"AcquirerID": "Sandgate", "IsReachableFlag": True}
    ]
