"""Login and logout, the state of the terminal, its totals, and the end of the day."""

from collections.abc import Mapping
from decimal import Decimal
from importlib.metadata import version
from typing import Any

from pos_emulator.ecr.nexo.messages import Body, Header, instant
from pos_emulator.ecr.nexo.outcomes import Condition, NexoError, NexoOutcome, NexoResult
from pos_emulator.ecr.nexo.station import Station
from pos_emulator.kernel.models import MODELS, Model, short_name
from pos_emulator.terminal.records import CurrencyTotals, Totals

SOFTWARE = {"ManufacturerID": "Sandgate", "ApplicationName": "pos_emulator"}
CAPABILITIES: Mapping[str, str] = {
    "chip": "ICC", "tap": "EMVContactless", "magstripe": "MagStripe", "manual": "CustomerInput",
}  # fmt: skip
UNATTENDED = "UNATTENDED"


def log_in(station: Station, header: Header, body: Body) -> Body:
    """Begin a session: who the terminal is, and what it can do."""
    station.login(header.sale_id)
    identity = station.terminal.identity
    model = model_of(identity.model)
    terminal = {
        "TerminalEnvironment": "Unattended" if model.name == UNATTENDED else "Attended",
        "POICapabilities": _capabilities(model),
        "POISerialNumber": identity.device,
    }
    system = {
        "DateTime": instant(station.now()),
        "POISoftware": {
            **SOFTWARE, "SoftwareVersion": version("sandgate"), "CertificationCode": "none"
        },
        "POITerminalData": terminal,
        "POIStatus": _status(station),
    }  # fmt: skip
    return {"Response": station.response(), "POISystemData": system}


def log_out(station: Station, header: Header, body: Body) -> Body:
    """End a session. Raises NexoError where there is none."""
    if station.sessions.pop(header.sale_id, None) is None:
        raise NexoError(Condition.LOGGED_OUT, "Logout: expected a Login before, received none")
    return {"Response": station.response()}


def diagnose(station: Station, header: Header, body: Body) -> Body:
    """What works, and who is logged in; with HostDiagnosisFlag, whether the gateway is reached."""
    answer: dict[str, Any] = {
        "Response": station.response(),
        "POIStatus": _status(station),
    }
    if station.sessions:
        answer["LoggedSaleID"] = list(station.sessions)
    if body.get("HostDiagnosisFlag"):
        answer["HostStatus"] = [
            {"AcquirerID": "Sandgate", "IsReachableFlag": station.terminal.network_up}
        ]
    return answer


def read_totals(station: Station, header: Header, body: Body) -> Body:
    """The totals of the open batch."""
    totals = station.terminal.totals()
    return {
        "Response": station.response(),
        "POIReconciliationID": totals.batch,
        "TransactionTotals": _totals(totals),
    }


def reconcile(station: Station, header: Header, body: Body) -> Body:
    """Close the batch, or repeat the totals of one that was closed. Raises NexoError,
    OutOfOrderError.
    """
    kind = body["ReconciliationType"]
    if kind == "PreviousReconciliation":
        return _previous(station, body.get("POIReconciliationID", ""))
    if kind != "SaleReconciliation":
        text = f"ReconciliationType: expected SaleReconciliation, received {kind}"
        raise NexoError(Condition.UNAVAILABLE_SERVICE, text)
    return _closed(station, kind, station.terminal.close_batch())


def model_of(name: str) -> Model:
    """The row of a model, by its name with or without its prefix."""
    return MODELS[short_name(name)]


def _capabilities(model: Model) -> list[str]:
    printer = ["PrinterReceipt", "PrinterDocument"] if model.prints else []
    return ["CustomerDisplay", *(CAPABILITIES[name] for name in model.reads), *printer]


def _status(station: Station) -> Body:
    is_broken = bool(station.terminal.out_of_order)
    status: dict[str, Any] = {
        "GlobalStatus": "Maintenance" if is_broken else "OK",
        "SecurityOKFlag": not is_broken,
        "PEDOKFlag": not is_broken,
        "CardReaderOKFlag": True,
        "CommunicationOKFlag": station.terminal.network_up,
    }
    if station.is_busy():
        status["GlobalStatus"] = "Busy"
    if model_of(station.terminal.identity.model).prints:
        status["PrinterStatus"] = "OK"
    return status


def _previous(station: Station, batch: str) -> Body:
    totals = station.terminal.closed_batch(batch)
    if totals is None:
        text = "POIReconciliationID: expected that of one of the last ten batches, received another"
        raise NexoError(Condition.NOT_FOUND, text)
    return _closed(station, "PreviousReconciliation", totals)


def _closed(station: Station, kind: str, totals: Totals) -> Body:
    return {
        "Response": station.response(_outcome_of(totals)),
        "ReconciliationType": kind,
        "POIReconciliationID": totals.batch,
        "TransactionTotals": _totals(totals),
    }


def _outcome_of(totals: Totals) -> NexoOutcome:
    """A batch is closed with all that is open; what is open or differs makes the result partial."""
    partial = NexoResult.PARTIAL
    if totals.differences:
        differences = "; ".join(totals.differences)
        return NexoOutcome(partial, Condition.REFUSAL, "the gateway differs", differences)
    if totals.open_receipts:
        receipts = ", ".join(totals.open_receipts)
        return NexoOutcome(partial, Condition.IN_PROGRESS, "payments are open", receipts)
    return NexoOutcome()


def _totals(totals: Totals) -> list[Body]:
    return [
        {
            "PaymentInstrumentType": "Card",
            "PaymentCurrency": each.currency,
            "PaymentTotals": _counted(each),
        }
        for each in totals.currencies
    ]


def _counted(totals: CurrencyTotals) -> list[Body]:
    rows: tuple[tuple[str, int, Decimal], ...] = (
        ("Debit", totals.sales, totals.sales_amount),
        ("Credit", totals.refunds, totals.refunds_amount),
        ("ReverseDebit", totals.voids, totals.voids_amount),
        ("Declined", totals.declined, Decimal(0)),
    )
    return [
        {"TransactionType": name, "TransactionCount": count, "TransactionAmount": amount}
        for name, count, amount in rows
        if count
    ]
