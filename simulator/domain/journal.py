"""The journal of a sandbox: what was asked, what was answered, and who decided it.

Three kinds of entries, in the order in which they happened. Each names the ndc of the exchange it belongs
to and the payments it is about; what came later (a webhook, an answer after days) has the ndc of the
exchange that caused it. Entries are made masked: see masking.py.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

import msgspec


class Party(StrEnum):
    """Who may talk to whom; the order is that of the columns of a trace."""

    SHOPPER = "shopper"
    MERCHANT = "merchant"
    TERMINAL = "terminal"
    GATEWAY = "gateway"
    ACQUIRER = "acquirer"
    DIRECTORY_SERVER = "directory server"
    ACS = "ACS"
    BANK = "bank"
    WEBHOOK = "webhook endpoint"


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message between two parties, in world time; `body` is masked."""

    at: datetime
    sender: Party
    receiver: Party
    label: str
    body: Mapping[str, object] = {}


class ExchangeEntry(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="exchange", tag_field="kind"
):
    """One request and its answer. `at` and `until` are world time, `real` is the time of this machine.

    `rules` name what the request broke (rule and parameter), `error` is what refused it; `cut` says
    that parts were too long to be kept.
    """

    ndc: str
    at: datetime
    until: datetime
    real: datetime
    duration_ms: float
    payments: tuple[str, ...] = ()
    entity: str | None = None
    method: str
    path: str
    request: Mapping[str, str] = {}
    status: int
    answer: msgspec.Raw = msgspec.Raw(b"null")
    code: str = ""
    rules: tuple[str, ...] = ()
    error: str = ""
    cut: bool = False


class FarSideEntry(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="far side", tag_field="kind"
):
    """What was said to the far side and what it answered; `near_misses` are scripts that almost decided."""

    ndc: str
    at: datetime
    real: datetime
    payments: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
    code: str = ""
    decided_by: str = ""
    near_misses: tuple[str, ...] = ()


class WebhookEntry(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="webhook", tag_field="kind"
):
    """One attempt to deliver a webhook: `status` is what the endpoint answered, or `error` says why not."""

    ndc: str
    at: datetime
    real: datetime
    duration_ms: float = 0.0
    payments: tuple[str, ...] = ()
    event: str
    event_id: str
    number: int
    url: str
    status: int | None = None
    error: str = ""


Entry = ExchangeEntry | FarSideEntry | WebhookEntry
