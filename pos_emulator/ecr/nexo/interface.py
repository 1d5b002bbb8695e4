"""The till interface: one message in, one message out.

A request is checked in this order: JSON, envelope and header; the terminal it is for; whether there
is such a service; its body, and that no number of a card is in it; the session; its ServiceID.
Choice: D-462, D-487.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import datetime

from pos_emulator.card_numbers import has_card_number_inside
from pos_emulator.ecr.nexo.acquisition import acquire
from pos_emulator.ecr.nexo.devices import display, enable, read_input
from pos_emulator.ecr.nexo.exchanges import PAYING, Exchanges, reference_of
from pos_emulator.ecr.nexo.failures import failed_body
from pos_emulator.ecr.nexo.messages import (
    Body,
    Header,
    TillRequest,
    notification,
    read_object,
    read_request,
    response_to,
    write_object,
)
from pos_emulator.ecr.nexo.outcomes import (
    CARD_NUMBER,
    CONDITIONS,
    Condition,
    NexoError,
    UnreadableMessageError,
    outcome_of_error,
)
from pos_emulator.ecr.nexo.payments import abort, pay, read_status, remembered_of, reverse
from pos_emulator.ecr.nexo.printing import print_document
from pos_emulator.ecr.nexo.schemas import CATEGORIES
from pos_emulator.ecr.nexo.sealing import is_sealed, seal, unseal
from pos_emulator.ecr.nexo.sessions import diagnose, log_in, log_out, read_totals, reconcile
from pos_emulator.ecr.nexo.settings import NexoSettings
from pos_emulator.ecr.nexo.station import WAITING, Station
from pos_emulator.ecr.ports import CustomerDesk, TillTerminal

LOG = logging.getLogger("sandgate.till")
Service = Callable[[Station, Header, Body], Body]
SERVICES: Mapping[str, Service] = {
    "Abort": abort,
    "CardAcquisition": acquire,
    "Diagnosis": diagnose,
    "Display": display,
    "EnableService": enable,
    "GetTotals": read_totals,
    "Input": read_input,
    "Login": log_in,
    "Logout": log_out,
    "Payment": pay,
    "Print": print_document,
    "Reconciliation": reconcile,
    "Reversal": reverse,
    "TransactionStatus": read_status,
}
# What a till may do before its Login, where it has to log in for payments.
BEFORE_LOGIN = ("Abort", "Diagnosis", "Login", "Logout", "TransactionStatus")
# What a customer types is kept nowhere.
KEPT = (*PAYING, "Reconciliation")
REPEATED = "Repeated Message"


class TillInterface:
    """Answers the messages of tills; each call may come from another thread."""

    def __init__(
        self,
        terminal: TillTerminal,
        settings: NexoSettings,
        *,
        now: Callable[[], datetime],
        desk: CustomerDesk | None = None,
    ) -> None:
        """Open what was kept in the folder of the settings. Raises OSError."""
        self.exchanges = Exchanges(settings.folder)
        self._settings = settings
        self._station = Station(terminal, settings, self.exchanges, now, desk)

    def answer(self, content: bytes) -> bytes:
        """The answer to a message; empty for an Abort.

        Raises UnreadableMessageError for what is no request, and for an Abort that is invalid, as
        there is no response to it: see `reject`.
        """
        message = read_object(content)
        sealing = self._settings.seal
        if is_sealed(message) != bool(sealing):
            expected = "an encrypted message" if sealing else "a message in plain JSON"
            raise UnreadableMessageError(f"expected {expected}, received the other kind")
        if sealing:
            message = read_object(unseal(message, sealing))
        request = read_request(message)
        header = request.header
        if has_card_number_inside(header.as_json("Request")):
            # No response, because it would repeat the header.
            raise UnreadableMessageError(f"MessageHeader: {CARD_NUMBER}")
        body = self._serve(request)
        if header.category == "Abort":
            return _nothing(body)
        answer = write_object(response_to(header, body))
        if not sealing:
            return answer
        return write_object(seal(answer, header.as_json("Response"), sealing))

    def reject(self, error: UnreadableMessageError) -> bytes:
        """The event that says why a message is no request."""
        station = self._station
        poi_id = self._settings.poi_id or station.terminal.identity.id
        return write_object(notification(poi_id, "Reject", at=station.now(), details=str(error)))

    def close(self) -> None:
        """Close the file of the exchanges."""
        self.exchanges.close()

    def _serve(self, request: TillRequest) -> Body:
        """The body of the response, also of one that says no."""
        header = request.header
        try:
            body = self._checked(request)
        except NexoError as error:
            outcome = outcome_of_error(error)
            LOG.info("%s of %s: %s", header.category, header.service_id, outcome.message)
            sent = request.members.get(CATEGORIES[header.category].member)
            return failed_body(self._station, header, sent, outcome=outcome)
        if header.category in (*KEPT, *WAITING):
            return self._serve_alone(header, body)
        return self._carry_out(header, body)

    def _serve_alone(self, header: Header, body: Body) -> Body:
        """A service that is under way until it is answered; the answer of a payment is kept, so
        that it is given once, and again on request.
        """
        try:
            answer = self._carry_out(header, body)
            if header.category in KEPT:
                self._keep(header, answer)
            return answer
        finally:
            self._station.end(reference_of(header.sale_id, header.service_id))

    def _keep(self, header: Header, answer: Body) -> None:
        """Keep an answer. Where the disk does not take it, it is sent all the same: the journal has
        the payment, and answers for it later.
        """
        try:
            sale, service = header.sale_id, header.service_id
            is_open = self._is_open(reference_of(sale, service), answer)
            self.exchanges.finish(sale, service, answer, is_open=is_open)
        except NexoError as error:
            LOG.error("the answer to %s is not kept: %s", header.service_id, error)

    def _is_open(self, reference: str, answer: Body) -> bool:
        """Whether the gateway may have been asked for a payment that an error of the terminal has
        broken off.
        """
        if answer["Response"].get("ErrorCondition") != Condition.DEVICE_OUT.value:
            return False
        entry = self._station.terminal.entry_of(reference)
        return entry is not None and entry.is_open

    def _carry_out(self, header: Header, body: Body) -> Body:
        try:
            return SERVICES[header.category](self._station, header, body)
        except CONDITIONS as error:
            outcome = outcome_of_error(error)
            LOG.info("%s of %s: %s", header.category, header.service_id, outcome.message)
            return failed_body(self._station, header, body, outcome=outcome)

    def _checked(self, request: TillRequest) -> Body:
        """The body of a request that may be served. Raises NexoError."""
        header = request.header
        identity = self._station.terminal.identity
        if header.poi_id not in (identity.id, self._settings.poi_id):
            expected = self._settings.poi_id or identity.id
            text = f"POIID: expected {expected}, received another"
            raise NexoError(Condition.MESSAGE_FORMAT, text)
        if header.category not in SERVICES:
            text = f"expected one of {', '.join(SERVICES)}, received {header.category}"
            raise NexoError(Condition.UNAVAILABLE_SERVICE, text)
        body = request.body()
        # Its two names are one at the terminal, and stand side by side in the file of exchanges.
        names = [reference_of(header.sale_id, header.service_id)] * (header.category in PAYING)
        if has_card_number_inside([_beside_cards(body), names]):
            raise NexoError(Condition.MESSAGE_FORMAT, CARD_NUMBER)
        self._refuse_without_login(header)
        repeated = remembered_of(body) if header.category in PAYING else {}
        remembered = {"MessageHeader": header.as_json("Request"), **repeated}
        if not self._station.begin(header, remembered):
            text = f"{REPEATED}: expected a new ServiceID, received one that was used"
            raise NexoError(Condition.MESSAGE_FORMAT, text)
        return body

    def _refuse_without_login(self, header: Header) -> None:
        category = CATEGORIES[header.category]
        is_needed = category.is_session or (
            self._settings.login_required and header.category not in BEFORE_LOGIN
        )
        if is_needed and header.sale_id not in self._station.sessions:
            text = f"{header.category}: expected a Login of {header.sale_id} before, received none"
            raise NexoError(Condition.LOGGED_OUT, text)


def _beside_cards(body: Body) -> Body:
    """A body without a card of the till, which is refused as such."""
    data = body.get("PaymentData")
    if not isinstance(data, dict):
        return body
    left = {name: data[name] for name in data if name != "PaymentInstrumentData"}
    return {**body, "PaymentData": left}


def _nothing(body: Body) -> bytes:
    """The answer to an Abort."""
    if body:
        raise UnreadableMessageError(body["Response"].get("AdditionalResponse", ""))
    return b""
