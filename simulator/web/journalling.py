"""Writes every exchange of the merchant API into the journal of its sandbox, when answered."""

import re
from datetime import datetime
from typing import NamedTuple

import msgspec
from falcon import Request, Response

from simulator.domain.errors import Refusal, Violations
from simulator.domain.journal import ExchangeEntry, FarSideEntry, milliseconds
from simulator.domain.masking import (
    FOUND_ANYWHERE_LENGTH,
    glance,
    mask_text,
    masked_free_members,
    masked_parameters,
)
from simulator.domain.server_ports import ServerPorts
from simulator.grammar.violations import Violation
from simulator.web.context import Exchange, exchange_of

CONTROL = "/_sandbox"
RECORD_ID = re.compile(r"(?<![0-9a-z])8[0-9a-f]{31}(?![0-9a-z])")
# What is longer is cut, so that a journal is bounded in bytes as well.
WHOLE_BYTES_MAX = 16 * 1024
VALUE_LENGTH_MAX = 200
PARAMETERS_MAX = 200
NOTHING = b"null"
SILENCE = FarSideEntry(ndc="", at=datetime.min)
# A path that is no longer holds no card number.
PATH_LENGTH_SAFE = 12


class Journalling:
    """The middleware. What was refused before it came to a sandbox goes into a journal as well."""

    def __init__(self, server: ServerPorts):
        self._now = server.clock.now
        self._of_strangers = server.journal

    def process_response(
        self, req: Request, resp: Response, resource: object, req_succeeded: bool
    ) -> None:
        """Keep the exchange. Pages that need no token, and the control API, are no exchanges."""
        exchange = exchange_of(req)
        journal = exchange.journal
        if journal is None:
            if exchange.error is None or req.path.startswith(CONTROL):
                return
            journal = self._of_strangers
        talk = journal.take(exchange.ndc)
        made = entry_of(req, resp, talk, now=self._now())
        journal.keep(made.entry, made.secrets, is_masked=made.is_masked)


class Made(NamedTuple):
    """An entry, what may stand nowhere in it, and whether all of it has been looked through."""

    entry: ExchangeEntry
    secrets: list[str]
    is_masked: bool


def entry_of(req: Request, resp: Response, talk: FarSideEntry | None, *, now: datetime) -> Made:
    """The exchange as an entry, with what was said to the far side in its course. `now` is that of
    this machine.
    """
    exchange = exchange_of(req)
    request, secrets, is_made_up, is_clean = masked_parameters(exchange.sent, _credential_of(req))
    answer = resp.data or NOTHING
    if is_made_up or "paymentType" not in request:
        answer = masked_free_members(answer)
    ticket, until, path = exchange.ticket, exchange.now(), req.path
    rules, error = reasons_of(exchange)
    talk = talk or SILENCE
    cut = (req.content_length or 0) > WHOLE_BYTES_MAX or len(answer) > WHOLE_BYTES_MAX
    entry = ExchangeEntry(
        ndc=exchange.ndc,
        at=until if ticket is None else ticket.now,
        until=until,
        real=exchange.began,
        duration_ms=milliseconds(now - exchange.began),
        payments=_records_in(path, exchange),
        entity=exchange.entity,
        method=req.method,
        path=path,
        request=_shortened(request) if cut else request,
        status=resp.status_code,
        answer=msgspec.Raw(NOTHING if len(answer) > WHOLE_BYTES_MAX else answer),
        code=exchange.code or "",
        rules=rules,
        error=error,
        cut=cut,
        messages=talk.messages,
        decided_by=talk.decided_by,
        near_misses=talk.near_misses,
    )
    # What is said to the far side comes from the request, what it says goes into the answer, and a
    # secret that stands nowhere else in the request has not come into the answer either.
    is_told_elsewhere = exchange.error is not None or len(path) > PATH_LENGTH_SAFE
    is_masked = is_clean and not is_told_elsewhere and glance(answer) is answer
    return Made(entry, secrets, is_masked)


def reasons_of(exchange: Exchange) -> tuple[tuple[str, ...], str]:
    """The rules the request broke, or the refusal or fault that ended it."""
    error = exchange.error
    if error is None:
        return (), ""
    if isinstance(error, Violations):
        return tuple([_rule_of(each) for each in error.violations]), ""
    if isinstance(error, Refusal):
        return (), mask_text(error.detail)
    kind, text = type(error).__name__, mask_text(str(error))
    return (), f"{kind}: {text}" if text else kind


def _rule_of(violation: Violation) -> str:
    """The rule and the parameter that broke it; the rule of a row is the row itself."""
    rule, name = violation.rule, violation.name
    return name if rule == name else f"{rule} {name}"


def _records_in(path: str, exchange: Exchange) -> tuple[str, ...]:
    """The ids of records that the exchange is about: those in its path, and what it made."""
    found = tuple(RECORD_ID.findall(path)) if len(path) > RECORD_ID_LENGTH else ()
    return found if exchange.ticket is None else (*found, exchange.ticket.id)


RECORD_ID_LENGTH = 32


def _credential_of(req: Request) -> list[str]:
    credential = (req.env.get("HTTP_AUTHORIZATION") or "").rpartition(" ")[2]
    return [credential] if len(credential) >= FOUND_ANYWHERE_LENGTH else []


def _shortened(request: dict[str, str]) -> dict[str, str]:
    few = list(request.items())[:PARAMETERS_MAX]
    return {name[:VALUE_LENGTH_MAX]: shortened(value) for name, value in few}


def shortened(value: str) -> str:
    """A long value without its rest, nor the digits at the cut, which may be part of a number."""
    if len(value) <= VALUE_LENGTH_MAX:
        return value
    return f"{value[:VALUE_LENGTH_MAX].rstrip('0123456789 -')}... ({len(value)} characters)"
