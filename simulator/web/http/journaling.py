"""Append every exchange of the merchant API to the journal of its sandbox, when answered."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime

import msgspec
from falcon import Request, Response
from msgspec.structs import replace

from simulator.domain.core.errors import Refusal, Violations
from simulator.domain.journal.entries import ExchangeEntry, Party, milliseconds
from simulator.domain.journal.exchanges import (
    AcquirerExchange,
    MaskedExchange,
    complete_entry,
    is_clean,
    masked_accounts,
    masked_redirects,
)
from simulator.domain.journal.stored import encode_entry
from simulator.domain.masking.masking import (
    FOUND_ANYWHERE_LENGTH,
    SHOWN_LENGTH_MAX,
    cut_text,
    glance,
    hidden_in,
    mask_explanation,
    mask_text,
    shown_text,
)
from simulator.domain.masking.shown_parameters import masked_parameters
from simulator.domain.ports.journal import Journal
from simulator.domain.ports.server import ServerPorts
from simulator.domain.transport import InterruptedRequestError
from simulator.grammar.violations import Violation
from simulator.web.http.answers import CONTENT_TYPE
from simulator.web.http.context import Exchange

CONTROL = "/_sandbox"
RECORD_ID = re.compile(r"(?<![0-9a-z])8[0-9a-f]{31}(?![0-9a-z])")
# Longer answers are not kept, so that a journal is bounded in bytes as well.
WHOLE_BYTES_MAX = 16 * 1024
RULES_MAX = 200
NOTHING = b"null"
DOCUMENT = msgspec.json.Decoder(msgspec.Raw)
# No path of the gateway is longer; masking takes a microsecond a sign.
PATH_LENGTH_MAX = 500
# A path up to this length contains no card number.
PATH_LENGTH_SAFE = 12
# No secret stands behind its name here, for no sign can.
PLAIN_PATH = re.compile(rf"[A-Za-z0-9_./-]{{,{PATH_LENGTH_MAX}}}")


class JournalMiddleware:
    """Appends each exchange. Requests refused before their sandbox is known go into the journal of
    the server.
    """

    def __init__(self, server: ServerPorts):
        self._now = server.clock.now
        self._server_journal = server.journal

    def process_response(
        self, req: Request, resp: Response, resource: object, req_succeeded: bool
    ) -> None:
        """Append the exchange, except for pages without a token and the control API."""
        exchange: Exchange = req.context.exchange
        journal = exchange.journal
        if journal is None and exchange.error is not None and not req.path.startswith(CONTROL):
            journal = self._server_journal
        if journal is not None:
            append_exchange(journal, exchange, req, resp, now=self._now())
        # An error references its frames, and these the request with its body: a reference cycle
        # that only the garbage collector would free.
        exchange.error = None


def append_exchange(
    journal: Journal, exchange: Exchange, req: Request, resp: Response, *, now: datetime
) -> None:
    """Append the exchange, with that of the acquirer in its course. `now` is wire time."""
    sent, left_out = exchange.sent, exchange.left_out
    secrets = _credential_of(req)
    if left_out:
        secrets += exchange.work(len(left_out), _secrets_in, left_out)
    shown = exchange.work(len(sent), masked_parameters, sent, secrets)
    # An entry is a JSON document, and so is all that it repeats: no page, no script, no picture.
    is_long = len(resp.data or b"") > WHOLE_BYTES_MAX
    answer = NOTHING if is_long else document_in(resp)
    answer = masked_accounts(masked_redirects(answer))
    entry = entry_of(exchange, req, resp, answer, now=now, is_cut=shown.is_cut or is_long)
    acquirer = _acquirer_exchange_in(journal, exchange)
    # What was sent to a card host came with this request, or earlier, as with a checkout.
    if acquirer is not None and acquirer.sent:
        passed = exchange.work(len(acquirer.sent), _passed, acquirer.sent, shown.secrets)
        acquirer = replace(acquirer, sent=passed)
    has_more = acquirer is not None and not is_clean(acquirer)
    # The response of the acquirer goes into the answer: if that is clean, so is the response. An
    # error or the path may repeat a value elsewhere.
    path = entry.path
    is_repeated = path != req.path or any(secret in path for secret in shown.secrets)
    is_short = not (is_repeated or has_more or exchange.error is not None or entry.cut)
    if is_short and shown.is_clean and glance(answer) is answer:
        journal.append_exchange(MaskedExchange(entry, shown.names, shown.values, acquirer))
        return
    whole = complete_entry(entry, shown.parameters, acquirer)
    # The acquirer may have got more than this request sent, as with a checkout.
    count = max(len(sent), acquirer.count if acquirer is not None else 0)
    journal.append_encoded(whole, exchange.work(count, encode_entry, whole, shown.secrets))


def _passed(sent: Mapping[str, str], secrets: Iterable[str]) -> dict[str, str]:
    """The parameters that were passed on to a card host, with nothing left to mask."""
    return masked_parameters(sent, secrets).wholly


def _acquirer_exchange_in(journal: Journal, exchange: Exchange) -> AcquirerExchange | None:
    """What was said to the acquirer about the payment that the request made."""
    ticket = exchange.ticket
    return None if ticket is None else journal.take_acquirer_exchange(ticket.id)


def document_in(resp: Response) -> bytes:
    """The answer if it is one JSON document, else null."""
    data: bytes | None = resp.data
    if not data or resp.content_type != CONTENT_TYPE:
        return NOTHING
    try:
        DOCUMENT.decode(data)
    except msgspec.DecodeError:
        return NOTHING
    return data


def entry_of(
    exchange: Exchange,
    req: Request,
    resp: Response,
    answer: bytes,
    *,
    now: datetime,
    is_cut: bool,
) -> ExchangeEntry:
    """The exchange as an entry, without its parameters and without the acquirer's messages."""
    ticket, until, path = exchange.ticket, exchange.answered_at or exchange.present(), req.path
    rules, error = reasons_of(exchange)
    return ExchangeEntry(
        ndc=exchange.ndc,
        at=until if ticket is None else ticket.now,
        until=until,
        real=exchange.began,
        duration_ms=milliseconds(now - exchange.began),
        payments=_records_in(path, exchange),
        listed=() if answer == NOTHING else tuple(exchange.listed),
        checkout=mask_explanation(exchange.checkout) if exchange.checkout else "",
        sender=Party.SHOPPER if exchange.is_form else Party.MERCHANT,
        entity=exchange.entity,
        method=req.method,
        path=shown_path(path),
        status=resp.status_code,
        answer=msgspec.Raw(answer),
        code=exchange.code or "",
        rules=rules,
        error=error,
        transport=exchange.transport,
        cut=is_cut,
    )


def shown_path(path: str) -> str:
    """The path of a request as a journal repeats it. Most have a record's id at most."""
    encoded = path.encode()
    if len(path) <= PATH_LENGTH_SAFE or PLAIN_PATH.fullmatch(path) and glance(encoded) is encoded:
        return path
    return shown_text(path, PATH_LENGTH_MAX)


def reasons_of(exchange: Exchange) -> tuple[tuple[str, ...], str]:
    """The violations of the request, or the refusal or fault that ended it."""
    error = exchange.error
    if error is None or isinstance(error, InterruptedRequestError):
        return (), ""
    if isinstance(error, Violations):
        return tuple([_rule_of(each) for each in error.violations[:RULES_MAX]]), ""
    if isinstance(error, Refusal):
        return (), mask_text(error.detail)
    kind, text = type(error).__name__.removesuffix("Error"), mask_text(str(error))
    return (), f"{kind}: {text}" if text else kind


def _rule_of(violation: Violation) -> str:
    """The rule and the parameter that violates it; the rule of a row is the row itself."""
    rule, name = violation.rule, violation.name
    name = cut_text(name, SHOWN_LENGTH_MAX)
    return name if rule == violation.name else f"{rule} {name}"


def _records_in(path: str, exchange: Exchange) -> tuple[str, ...]:
    """The ids of the records the exchange is about: those in its path, the one it showed, and the
    one it created.
    """
    found = tuple(RECORD_ID.findall(path)) if len(path) > RECORD_ID_LENGTH else ()
    if exchange.read:
        found = (*found, exchange.read)
    return found if exchange.ticket is None else (*found, exchange.ticket.id)


RECORD_ID_LENGTH = 32


def _secrets_in(left_out: Mapping[str, str]) -> list[str]:
    """The secrets among ignored parameters: another may repeat them."""
    return [*hidden_in(left_out)]


def _credential_of(req: Request) -> list[str]:
    credential = (req.env.get("HTTP_AUTHORIZATION") or "").rpartition(" ")[2]
    return [credential] if len(credential) >= FOUND_ANYWHERE_LENGTH else []
