"""Card messages in the journal: every field by its name, secrets masked, and the parameters that a
request carries in its private fields.
"""

from collections.abc import Mapping
from datetime import datetime

from simulator.domain.acquiring.fields import KIND, shown
from simulator.domain.acquiring.messages import Message as CardMessage
from simulator.domain.acquiring.unmatched import UnmatchedAnswer
from simulator.domain.journal.entries import Message, Party, SimulatorEntry


def create_card_request_entry(
    about: tuple[str, str],
    message: CardMessage,
    at: datetime,
    parameters: Mapping[str, str] | None = None,
) -> SimulatorEntry:
    """A request sent to the card host (`about`: ndc and id of a payment), with the parameters in
    its private fields.
    """
    more = {} if parameters is None else {"parameters": parameters}
    return _entry(about, {**shown(message), **more}, at, way=(Party.GATEWAY, Party.ACQUIRER))


def create_card_response_entry(
    about: tuple[str, str], message: CardMessage, at: datetime
) -> SimulatorEntry:
    """A response of the card host."""
    return _entry(about, {**shown(message)}, at, way=(Party.ACQUIRER, Party.GATEWAY))


def create_unmatched_entry(
    about: tuple[str, str], unmatched: UnmatchedAnswer, at: datetime
) -> SimulatorEntry:
    """A response of the card host that was not matched to its request, and why."""
    body = {**shown(unmatched.answer), "not matched": list(unmatched.problems)}
    label = f"{body[KIND]} not matched, {'; '.join(unmatched.problems)}"
    return _entry(about, {**body, KIND: label}, at, way=(Party.ACQUIRER, Party.GATEWAY))


def _entry(
    about: tuple[str, str],
    body: dict[str, object],
    at: datetime,
    *,
    way: tuple[Party, Party],
) -> SimulatorEntry:
    ndc, payment = about
    label = str(body[KIND])
    sent = Message(at=at, sender=way[0], receiver=way[1], label=label, body=body)
    return SimulatorEntry(ndc=ndc, at=at, payments=(payment,), messages=(sent,))
