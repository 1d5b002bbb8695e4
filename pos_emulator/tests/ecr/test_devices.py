"""Texts of a till on the display, and what the customer answers to them."""

import json
import threading
from dataclasses import replace

import pytest

from pos_emulator.ecr.nexo.notifying import message_of
from pos_emulator.ecr.nexo.server import serve_nexo
from pos_emulator.ecr.nexo.settings import NexoSettings
from pos_emulator.ecr.ports import InputPrompt, InputSigns
from pos_emulator.terminal.records import CardInsertedError, DeskCanceledError, Notice
from pos_emulator.tests.ecr.conftest import ANY_PORT
from pos_emulator.tests.ecr.recording_terminal import AT
from pos_emulator.tests.ecr.till import Till
from simulator.client.listener import ListenerResponse, listening


def output(text, device="CustomerDisplay", **more):
    content = {"OutputFormat": "Text", "OutputText": [{"Text": text}]}
    return {"Device": device, "InfoQualify": "Display", "OutputContent": content, **more}


def asking(command, *labels, **data):
    entries = [{"OutputFormat": "Text", "OutputText": [{"Text": each}]} for each in labels]
    more = {"MenuEntry": entries} if labels else {}
    asked = {"Device": "CustomerInput", "InfoQualify": "Input", "InputCommand": command, **data}
    return {"DisplayOutput": output("A bag?", **more), "InputData": asked}


def test_a_text_is_shown_to_the_customer(desk_till, desk):
    answer = desk_till.ask("Display", {"DisplayOutput": [output("Hello")]})

    assert desk.shown == ["Hello"]
    assert answer["OutputResult"] == [
        {"Device": "CustomerDisplay", "InfoQualify": "Display", "Response": {"Result": "Success"}}
    ]


@pytest.mark.parametrize(
    ("body", "condition"),
    [
        ({"DisplayOutput": [output("Hello", "CashierDisplay")]}, "UnavailableDevice"),
        ({"DisplayOutput": []}, "MessageFormat"),
        ({}, "MessageFormat"),
        ({"DisplayOutput": [{"Device": "Wall"}]}, "MessageFormat"),
    ],
)
def test_a_text_for_another_display_is_refused(desk_till, desk, body, condition):
    (result, *_) = desk_till.ask("Display", body)["OutputResult"]

    assert result["Response"]["ErrorCondition"] == condition
    assert desk.shown == []


STEERING = "\x1b[2JA\x00\x9b31m\u202eb\u2028\r\nc\td\u200b"


def test_no_text_of_a_till_steers_the_window_that_shows_it(desk_till, desk):
    desk_till.ask("Display", {"DisplayOutput": [output(STEERING)]})
    menu = asking("GetMenuEntry", STEERING, STEERING)
    desk_till.ask("Input", {**menu, "DisplayOutput": {**menu["DisplayOutput"], **output(STEERING)}})
    desk.typed = "1"
    desk_till.ask("Input", {**asking("DigitString"), "DisplayOutput": output(STEERING)})

    seen = [*desk.shown, *(label for labels in desk.asked for label in labels),
            *(prompt.text for prompt in desk.prompts)]  # fmt: skip
    assert len(seen) == 5
    assert all(text.isprintable() and "A" in text and "d" in text for text in seen)


@pytest.mark.parametrize(("chosen", "confirmed"), [(0, True), (1, False)])
def test_the_customer_confirms_or_not(desk_till, desk, chosen, confirmed):
    desk.chosen = chosen

    result = desk_till.ask("Input", asking("GetConfirmation"))["InputResult"]

    assert result["Input"] == {"InputCommand": "GetConfirmation", "ConfirmedFlag": confirmed}
    assert (desk.shown, desk.asked) == (["A bag?"], [("Yes", "No")])


def test_the_customer_chooses_of_a_menu(desk_till, desk):
    desk.chosen = 1

    result = desk_till.ask("Input", asking("GetMenuEntry", "small", "large"))["InputResult"]

    assert result["Input"] == {"InputCommand": "GetMenuEntry", "MenuEntryNumber": 2}
    assert desk.asked == [("small", "large")]


@pytest.mark.parametrize(
    ("command", "typed", "member", "signs"),
    [
        ("DigitString", "0170123", "DigitInput", InputSigns.DIGITS),
        ("DecimalString", "12.5", "TextInput", InputSigns.DECIMAL),
        ("TextString", "a@b.example", "TextInput", InputSigns.TEXT),
    ],
)
def test_the_customer_types_what_is_kept_nowhere(
    desk_till, desk, tmp_path, command, typed, member, signs
):
    desk.typed = typed
    asked = asking(command, MinLength=2, MaxLength=12, MaxDecimalLength=1, MaskCharactersFlag=True)

    result = desk_till.ask("Input", asked)["InputResult"]

    assert result["Input"] == {"InputCommand": command, member: typed}
    assert desk.prompts == [
        InputPrompt(text="A bag?", signs=signs, shortest=2, longest=12, decimals=1, is_masked=True)
    ]
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("exchanges*"))
    assert typed.encode() not in kept


def test_the_customer_presses_any_key(desk_till, desk):
    result = desk_till.ask("Input", asking("GetAnyKey"))["InputResult"]

    assert result["Input"] == {"InputCommand": "GetAnyKey"}
    assert desk.asked == [("Continue",)]


@pytest.mark.parametrize(
    ("typed", "signs", "complaint"),
    [
        ("12", InputSigns.DIGITS, ""),
        ("1", InputSigns.DIGITS, "expected digits, 2 to 20 characters"),
        ("1" * 21, InputSigns.DIGITS, "expected digits, 2 to 20 characters"),
        ("1a", InputSigns.DIGITS, "expected digits, 2 to 20 characters"),
        ("1.25", InputSigns.DECIMAL, ""),
        ("1.255", InputSigns.DECIMAL, "expected a decimal number, 2 to 20 characters"),
        ("a\nb", InputSigns.TEXT, "expected characters, 2 to 20 characters"),
        ("4111 1111 1111 1111", InputSigns.TEXT, "expected no number of a card"),
    ],
)
def test_what_is_typed_is_what_was_asked_for(typed, signs, complaint):
    prompt = InputPrompt(text="", signs=signs, shortest=2, longest=20)

    assert prompt.complaint_about(typed) == complaint


def test_a_decimal_number_may_be_asked_for_without_decimals():
    prompt = InputPrompt(text="", signs=InputSigns.DECIMAL, decimals=0)

    assert prompt.complaint_about("12") == ""
    assert prompt.complaint_about("12.5").startswith("expected a decimal number")


def printing(qualifier="Document", output_format="Text", **more):
    texts = [
        {"Text": "Tea house", "Alignment": "Centred"},
        {"Text": "One "},
        {"Text": "tea\x1b", "CharacterStyle": "Bold", "EndOfLineFlag": True},
        {},
    ]
    texts[1]["EndOfLineFlag"] = False
    content = {"OutputFormat": output_format, "OutputText": texts}
    output = {"DocumentQualifier": qualifier, "ResponseMode": "PrintEnd", "OutputContent": content}
    return {"PrintOutput": {**output, **more}}


@pytest.mark.parametrize(
    ("qualifier", "name"),
    [
        ("SaleReceipt", "SALE RECEIPT"),
        ("CashierReceipt", "CASHIER RECEIPT"),
        ("CustomerReceipt", "CUSTOMER RECEIPT"),
        ("Document", "DOCUMENT"),
        ("Voucher", "VOUCHER"),
        ("Journal", "JOURNAL"),
    ],
)
def test_a_till_prints_at_the_terminal(desk_till, desk, qualifier, name):
    answer = desk_till.ask("Print", printing(qualifier))

    assert answer == {"DocumentQualifier": qualifier, "Response": {"Result": "Success"}}
    assert desk.printed == [(name, "               Tea house\nOne tea\n\n")]


@pytest.mark.parametrize(
    ("body", "condition"),
    [
        (printing("Poem"), "MessageFormat"),
        (printing(ResponseMode=None), "MessageFormat"),
        (printing(output_format="XHTML"), "UnavailableDevice"),
        ({}, "MessageFormat"),
    ],
)
def test_what_cannot_be_printed_is_refused(desk_till, desk, body, condition):
    answer = desk_till.ask("Print", body)

    assert answer["Response"]["ErrorCondition"] == condition
    assert desk.printed == []


# Half of a number of a card, twice.
HALVES = [{"Text": "41111111", "EndOfLineFlag": False}, {"Text": "11111111"}]


@pytest.mark.parametrize("goes_on", [True, False])
def test_no_number_of_a_card_is_printed_out_of_its_parts(desk_till, desk, goes_on):
    body = printing("Voucher")
    texts = [{**HALVES[0], "EndOfLineFlag": not goes_on}, HALVES[1]]
    body["PrintOutput"]["OutputContent"]["OutputText"] = texts

    answer = desk_till.ask("Print", body)

    assert answer["Response"]["ErrorCondition"] == "MessageFormat"
    assert desk.printed == []


def test_no_number_of_a_card_is_shown_out_of_its_parts(desk_till, desk):
    shown = output("Hello")
    shown["OutputContent"]["OutputText"] = HALVES

    (result,) = desk_till.ask("Display", {"DisplayOutput": [shown]})["OutputResult"]
    typed = desk_till.ask("Input", {**asking("GetAnyKey"), "DisplayOutput": shown})

    assert result["Response"]["ErrorCondition"] == "MessageFormat"
    assert "number of a card" in json.dumps(typed)
    assert desk.shown == []


def test_a_terminal_without_a_printer_prints_nothing(desk_till, desk, terminal):
    terminal.identity = replace(terminal.identity, model="SANDGATE_MOBILE")

    answer = desk_till.ask("Print", printing("Voucher"))

    assert answer["DocumentQualifier"] == "Voucher"
    assert answer["Response"]["ErrorCondition"] == "UnavailableDevice"


@pytest.mark.parametrize(
    ("body", "condition"),
    [
        (asking("Password"), "UnavailableDevice"),
        (asking("GetFunctionKey"), "UnavailableDevice"),
        (asking("DigitString", MinLength=5, MaxLength=4), "MessageFormat"),
        (asking("DigitString", MaxLength=1000), "MessageFormat"),
        (asking("GetConfirmation", Device="CashierInput"), "UnavailableDevice"),
        (asking("GetMenuEntry"), "MessageFormat"),
        (
            {
                "InputData": asking("GetMenuEntry")["InputData"],
                "DisplayOutput": output("?", MenuEntry=[{"OutputText": [{}]}]),
            },
            "MessageFormat",
        ),
        (asking("Sing"), "MessageFormat"),
        ({}, "MessageFormat"),
    ],
)
def test_what_cannot_be_asked_is_refused(desk_till, desk, body, condition):
    result = desk_till.ask("Input", body)["InputResult"]

    assert result["Response"]["ErrorCondition"] == condition
    assert desk.asked == []


def test_a_customer_may_cancel(desk_till, desk):
    desk.chosen = DeskCanceledError()

    result = desk_till.ask("Input", asking("GetConfirmation"))["InputResult"]

    assert result["Response"]["ErrorCondition"] == "Cancel"


@pytest.mark.parametrize(
    ("flag", "condition"),
    [
        ({"NotifyCardInputFlag": True}, "InsertedCard"),
        ({"NotifyCardInputFlag": False}, None),
        ({}, None),
    ],
)
def test_a_card_in_place_of_an_answer_is_notified_where_asked(desk_till, desk, flag, condition):
    desk.chosen = CardInsertedError()

    result = desk_till.ask("Input", asking("GetConfirmation", **flag))["InputResult"]

    assert result["Response"].get("ErrorCondition") == condition
    assert ("Input" in result) == (condition is None)


def test_an_input_is_aborted_by_the_till(desk_till, desk):
    desk.chosen = None
    answers = []
    thread = threading.Thread(
        target=lambda: answers.append(desk_till.ask("Input", asking("GetConfirmation")))
    )
    thread.start()
    assert desk.waiting.wait(20)

    other = replace(desk_till, number=100)
    busy = other.pay("1")
    other.abort("0001")
    thread.join(20)

    assert busy["Response"]["ErrorCondition"] == "Busy"
    assert answers[0]["InputResult"]["Response"]["ErrorCondition"] == "Aborted"


def test_a_terminal_without_a_person_shows_nothing(till):
    (result,) = till.ask("Display", {"DisplayOutput": [output("Hello")]})["OutputResult"]

    assert result["Response"]["ErrorCondition"] == "UnavailableDevice"


def test_what_waits_is_ended_by_enable_service(till, terminal):
    terminal.under_way = "of the page"

    answer = till.ask("EnableService", {"TransactionAction": "AbortTransaction"})
    started = till.ask("EnableService", {"TransactionAction": "StartTransaction"})
    loyalty = {"TransactionAction": "StartTransaction", "ServicesEnabled": ["Loyalty"]}
    other = till.ask("EnableService", loyalty)

    assert answer["Response"] == {"Result": "Success"}
    assert terminal.aborted
    for refused in (started, other):
        assert refused["Response"]["ErrorCondition"] == "UnavailableService"
        assert "ServicesEnabled" in refused["Response"]["AdditionalResponse"]


def test_a_till_takes_notifications(terminal, tmp_path):
    received, come = [], threading.Event()

    def take(request):
        received.append(json.loads(request.body))
        come.set()
        return ListenerResponse()

    with listening(take) as url:
        settings = NexoSettings(folder=tmp_path, events_url=url)
        with serve_nexo(terminal, ANY_PORT, settings, now=lambda: AT):
            terminal.notice("card", "SELECT")
            terminal.notice("display", "INSERT CARD")
            assert come.wait(10)
        assert terminal.callbacks == []

    (message,) = received
    header = message["SaleToPOIRequest"]["MessageHeader"]
    assert (header["MessageCategory"], header["POIID"]) == ("Display", "10291604")
    (shown,) = message["SaleToPOIRequest"]["DisplayRequest"]["DisplayOutput"]
    assert shown["Device"] == "CashierDisplay"
    assert shown["OutputContent"]["OutputText"] == [{"Text": "INSERT CARD"}]


def test_a_till_that_is_away_holds_up_nothing(terminal, tmp_path):
    settings = NexoSettings(folder=tmp_path, events_url="http://127.0.0.1:1/")
    with serve_nexo(terminal, ANY_PORT, settings, now=lambda: AT) as url:
        for _ in range(300):
            terminal.notice("display", "WELCOME")
        assert Till(url, tmp_path / "ca.pem").pay("1")["Response"] == {"Result": "Success"}


@pytest.mark.parametrize(
    ("kind", "text", "event"),
    [
        ("slot", "card inserted", "CardInserted"),
        ("slot", "card removed", "CardRemoved"),
        ("network", "unplugged", "NetworkDisconnected"),
        ("network", "plugged in", "NetworkConnected"),
        ("state", "out of order: no keys", "OutOfOrder"),
    ],
)
def test_a_notice_is_an_event_of_the_protocol(kind, text, event):
    message = message_of(Notice(kind, AT, text), "10291604")["SaleToPOIRequest"]

    assert message["EventNotification"]["EventToNotify"] == event
    assert message["MessageHeader"]["MessageType"] == "Notification"


@pytest.mark.parametrize(("kind", "text"), [("entry", "approved"), ("state", "batch 1 closed")])
def test_other_notices_are_for_no_till(kind, text):
    assert message_of(Notice(kind, AT, text), "10291604") is None
