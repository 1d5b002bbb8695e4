"""Texts of a till on the display, and what the person at the terminal answers to them."""

from threading import Timer
from typing import Any

from pos_emulator.ecr.nexo.messages import Body, Header
from pos_emulator.ecr.nexo.outcomes import Condition, NexoError
from pos_emulator.ecr.nexo.station import Station
from pos_emulator.terminal.records import DeskAbortedError, DeskCanceledError, PaymentDesk

CUSTOMER = ("CustomerDisplay", "CustomerInput")
YES_NO = ("Yes", "No")
INPUT_S = 120


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
    """What the customer chooses of a menu, or whether the customer confirms. Raises NexoError."""
    data = body["InputData"]
    _check_device(data["Device"])
    desk = station.desk_of_customer()
    command = data["InputCommand"]
    output = body.get("DisplayOutput", {})
    if command == "GetConfirmation":
        chosen = _choose(desk, output, YES_NO, data)
        answered: dict[str, Any] = {"ConfirmedFlag": chosen == 0}
    elif command == "GetMenuEntry":
        chosen = _choose(desk, output, _labels_of(output), data)
        answered = {"MenuEntryNumber": chosen + 1}
    else:
        text = f"InputCommand: expected GetConfirmation or GetMenuEntry, received {command}"
        raise NexoError(Condition.UNAVAILABLE_DEVICE, text)
    written = {"InputCommand": command, **answered}
    return {"InputResult": {**_place(data), "Response": station.response(), "Input": written}}


def enable(station: Station, header: Header, body: Body) -> Body:
    """End what the terminal waits for; nothing is begun before its payment. Raises NexoError."""
    if body["TransactionAction"] != "AbortTransaction":
        text = "TransactionAction: expected AbortTransaction, received StartTransaction"
        raise NexoError(Condition.UNAVAILABLE_SERVICE, text)
    station.terminal.abort("")
    return {"Response": station.response()}


def _free_desk(station: Station) -> PaymentDesk:
    if station.is_busy():
        raise NexoError(Condition.BUSY, "expected an idle terminal, but a payment is under way")
    return station.desk_of_customer()


def _choose(desk: PaymentDesk, output: Body, labels: tuple[str, ...], data: Body) -> int:
    """The place of the label that the customer chose, in time."""
    desk.show(_text_of(output))
    timer = Timer(data.get("MaxInputTime") or INPUT_S, lambda: desk.abort(timed_out=True))
    timer.daemon = True
    timer.start()
    try:
        return desk.choose(labels)
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
        each["OutputText"][0]["Text"]
        for each in output.get("MenuEntry", [])
        if "OutputText" in each
    )
    if not labels:
        text = "DisplayOutput.MenuEntry: expected a text of each entry, received nothing"
        raise NexoError(Condition.MESSAGE_FORMAT, text)
    return labels


def _text_of(output: Body) -> str:
    content = output.get("OutputContent", {})
    return " ".join(each.get("Text", "") for each in content.get("OutputText", [])).strip()


def _place(sent: Body) -> Body:
    return {"Device": sent["Device"], "InfoQualify": sent["InfoQualify"]}
