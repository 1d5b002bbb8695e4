"""Texts of a till on the display, and what the customer at the terminal answers to them."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from threading import Timer
from typing import TypeVar

from pos_emulator.ecr.nexo.messages import Body, Header, checked_text, printable
from pos_emulator.ecr.nexo.outcomes import Condition, NexoError
from pos_emulator.ecr.nexo.station import Station
from pos_emulator.ecr.ports import INPUT_CHARACTERS_MAX, CustomerDesk, InputPrompt, InputSigns
from pos_emulator.terminal.records import (
    BusyError,
    CardInsertedError,
    DeskAbortedError,
    DeskCanceledError,
)

CUSTOMER = ("CustomerDisplay", "CustomerInput")
YES_NO = ("Yes", "No")
ANY_KEY = ("Continue",)
INPUT_S = 120
T = TypeVar("T")
# What is typed for a command, and the member of the answer that has it.
TYPED: Mapping[str, tuple[InputSigns, str]] = {
    "DigitString": (InputSigns.DIGITS, "DigitInput"),
    "DecimalString": (InputSigns.DECIMAL, "TextInput"),
    "TextString": (InputSigns.TEXT, "TextInput"),
}
ASKED = ("GetAnyKey", "GetConfirmation", "GetMenuEntry", *TYPED)


def display(station: Station, header: Header, body: Body) -> Body:
    """Show texts on the display of the customer. Raises NexoError."""
    desk = _free_desk(station)
    results = []
    for output in body["DisplayOutput"]:
        _check_device(output["Device"])
        desk.show(_text_of(output))
        results.append({**_place(output), "Response": station.response()})
    return {"OutputResult": results}


def read_input(station: Station, header: Header, body: Body) -> Body:
    """What the customer chooses, confirms or types. Raises NexoError."""
    data = body["InputData"]
    _check_device(data["Device"])
    desk = station.desk_of_customer()
    answered = _answer_of(desk, data, body.get("DisplayOutput", {}))
    written = {"InputCommand": data["InputCommand"], **answered}
    return {"InputResult": {**_place(data), "Response": station.response(), "Input": written}}


def _answer_of(desk: CustomerDesk, data: Body, output: Body) -> Body:
    command, shown = data["InputCommand"], _text_of(output)
    if command in TYPED:
        signs, member = TYPED[command]
        prompt = _prompt_of(data, shown, signs)
        return {member: _in_time(desk, data, lambda: desk.ask_text(prompt))}
    if command not in ASKED:
        text = f"InputCommand: expected one of {', '.join(ASKED)}, received {command}"
        raise NexoError(Condition.UNAVAILABLE_DEVICE, text)
    labels = {"GetConfirmation": YES_NO, "GetAnyKey": ANY_KEY}.get(command) or _labels_of(output)
    desk.show(shown)
    chosen = _in_time(desk, data, lambda: desk.choose(labels))
    if command == "GetConfirmation":
        return {"ConfirmedFlag": chosen == 0}
    return {"MenuEntryNumber": chosen + 1} if command == "GetMenuEntry" else {}


def _prompt_of(data: Body, text: str, signs: InputSigns) -> InputPrompt:
    shortest, longest = data.get("MinLength", 1), data.get("MaxLength", INPUT_CHARACTERS_MAX)
    if shortest > longest:
        where = "InputRequest.InputData.MaxLength"
        raise NexoError(Condition.MESSAGE_FORMAT, f"{where}: expected MinLength or more")
    return InputPrompt(
        text=text, signs=signs, shortest=shortest, longest=longest,
        decimals=data.get("MaxDecimalLength", 2),
        is_masked=data.get("MaskCharactersFlag", False),
    )  # fmt: skip


def enable(station: Station, header: Header, body: Body) -> Body:
    """Ask for a card before the till has its amount; or end what the terminal waits for, and give
    back a card that waits for its payment. Raises NexoError.
    """
    if body["TransactionAction"] == "StartTransaction":
        return _start(station, body.get("ServicesEnabled", []))
    if not station.terminal.abort(""):
        # A payment that the gateway decides goes on.
        with suppress(BusyError):
            station.terminal.release_card()
    return {"Response": station.response()}


def _start(station: Station, services: list[str]) -> Body:
    if not {"Payment", "CardAcquisition"}.intersection(services):
        text = "ServicesEnabled: expected Payment or CardAcquisition, received neither"
        raise NexoError(Condition.UNAVAILABLE_SERVICE, text)
    if station.is_busy():
        raise NexoError(Condition.BUSY, "expected an idle terminal, but a payment is under way")
    station.ahead.begin()
    return {"Response": station.response()}


def _free_desk(station: Station) -> CustomerDesk:
    if station.is_busy():
        raise NexoError(Condition.BUSY, "expected an idle terminal, but a payment is under way")
    return station.desk_of_customer()


def _in_time(desk: CustomerDesk, data: Body, ask: Callable[[], T]) -> T:
    """What the customer answers, in the time that the till gives; a card that is inserted in place
    of an answer ends it where the till wants to be notified of that. Raises NexoError. Choice:
    D-612.
    """
    timer = Timer(data.get("MaxInputTime") or INPUT_S, lambda: desk.abort(timed_out=True))
    timer.daemon = True
    timer.start()
    watching = desk.ending_at_card() if data.get("NotifyCardInputFlag") else nullcontext()
    try:
        with watching:
            return ask()
    except CardInsertedError as error:
        raise NexoError(Condition.INSERTED_CARD, str(error)) from None
    except DeskCanceledError:
        raise NexoError(Condition.CANCEL, "the customer canceled") from None
    except DeskAbortedError as error:
        condition = Condition.CANCEL if error.timed_out else Condition.ABORTED
        raise NexoError(condition, str(error)) from None
    finally:
        timer.cancel()


def _check_device(name: str) -> None:
    if name not in CUSTOMER:
        text = f"Device: expected one of {', '.join(CUSTOMER)}, received {name}"
        raise NexoError(Condition.UNAVAILABLE_DEVICE, text)


def _labels_of(output: Body) -> tuple[str, ...]:
    labels = tuple(
        checked_text(printable(each["OutputText"][0]["Text"]))
        for each in output.get("MenuEntry", [])
        if "OutputText" in each
    )
    if not labels:
        text = "DisplayOutput.MenuEntry: expected a text of each entry, received nothing"
        raise NexoError(Condition.MESSAGE_FORMAT, text)
    return labels


def _text_of(output: Body) -> str:
    content = output.get("OutputContent", {})
    texts = content.get("OutputText", [])
    return checked_text(" ".join(printable(each.get("Text", "")) for each in texts).strip())


def _place(sent: Body) -> Body:
    return {"Device": sent["Device"], "InfoQualify": sent["InfoQualify"]}
