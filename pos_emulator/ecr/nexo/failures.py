"""Responses that say no, with the members that a response of their category always has."""

from typing import Any

from pos_emulator.ecr.nexo.exchanges import PAYING
from pos_emulator.ecr.nexo.messages import Body, Header
from pos_emulator.ecr.nexo.outcomes import Condition, NexoOutcome
from pos_emulator.ecr.nexo.payment_answers import failed_answer
from pos_emulator.ecr.nexo.payments import remembered_of
from pos_emulator.ecr.nexo.station import Station


def failed_body(station: Station, header: Header, sent: object, *, outcome: NexoOutcome) -> Body:
    """The body of a response; `sent` is that of the request, which may be invalid."""
    is_valid = isinstance(sent, dict) and outcome.condition is not Condition.MESSAGE_FORMAT
    request: Any = sent if is_valid else {}
    if header.category in (*PAYING, "CardAcquisition"):
        named = {"MessageHeader": header.as_json("Request"), **remembered_of(request)}
        return failed_answer(station, header.category, outcome, named)
    response = station.response(outcome)
    if header.category == "Display":
        return {"OutputResult": [_result(response, each) for each in _outputs(request)]}
    if header.category == "Input":
        return {"InputResult": _result(response, request.get("InputData", {}))}
    return {"Response": response, **_always(station, header.category, request)}


def _outputs(request: Body) -> list[Body]:
    return list(request.get("DisplayOutput", [{}]))


def _result(response: Body, sent: Body) -> Body:
    """A result of a device; what the till did not say is what tills mostly use."""
    return {
        "Device": sent.get("Device", "CustomerDisplay"),
        "InfoQualify": sent.get("InfoQualify", "Display"),
        "Response": response,
    }


def _always(station: Station, category: str, request: Body) -> Body:
    if category == "GetTotals":
        return {"POIReconciliationID": station.terminal.totals().batch}
    if category == "Reconciliation":
        return {"ReconciliationType": request.get("ReconciliationType", "SaleReconciliation")}
    if category == "Print":
        output = request.get("PrintOutput", {})
        return {"DocumentQualifier": output.get("DocumentQualifier", "Document")}
    return {}
