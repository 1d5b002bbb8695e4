"""What is asked of an acquirer and what it answers, whatever link lies between."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import msgspec
from msgspec.structs import replace

from simulator.domain.acquiring.terminal_data import TerminalData
from simulator.domain.core.hosts import TEST, Host
from simulator.domain.core.money import Money
from simulator.domain.core.records import Look, Outcome, PaymentType, Script


class AcquirerRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One request to the acquirer. `number` and `cvv` are secrets: never logged, never stored in
    the clear.

    `parameters` are the merchant's flat parameters that travel onward (merchantInvoiceId does not).
    `live` is an ask of the live host that no test mode keeps from being one. Where it `redirects`
    the shopper is asked as well, on other pages, before the answer counts. `by_link` is an ask that
    came to a card host over a line. `terminal` is what a terminal read of the card. `institute`
    settles it: none named, that of the channel. `host` is that of the gateway at which the payment
    came.
    """

    type: PaymentType
    payment: str
    entity: str
    institute: str = ""
    trace: int
    money: Money | None = None
    brand: str | None = None
    number: str | None = None
    cvv: str | None = None
    parameters: Mapping[str, str] = {}
    original: str | None = None
    live: bool = False
    host: Host = TEST
    redirects: bool = False
    by_link: bool = False
    terminal: TerminalData | None = None

    def __repr__(self) -> str:
        return f"Ask({self.type} {self.payment} trace {self.trace})"


class Visit(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the shopper does as soon as the redirect page is asked for: pay, cancel, fail or
    leave.
    """

    choice: str
    decided_by: str


class AcquirerResponse(msgspec.Struct, frozen=True, kw_only=True):
    """How the acquirer answers a request: its outcome, after a delay, and the scripts that
    counted it.

    A pending outcome may be followed by `then`, `then_after` of sandbox time later. Where the
    side `redirects` the shopper, `paid` is the outcome once he pays there, and `visit` what a
    script lets him do. `scripts` are records to store in the same unit of work as the attempt, so
    that a script armed for N times answers N times; `near_misses` say why other scripts did not
    decide. `link` is what a script lets happen to the answer on its line; `books` are the
    issuer's records, stored with it likewise.
    """

    outcome: Outcome
    delay: timedelta = timedelta(0)
    then: Outcome | None = None
    then_after: timedelta = timedelta(0)
    redirects: bool = False
    paid: Outcome | None = None
    visit: Visit | None = None
    scripts: tuple[Script | Look, ...] = ()
    near_misses: tuple[str, ...] = ()
    link: str | None = None
    books: tuple[Any, ...] = ()


def with_score(response: AcquirerResponse, score: int | None) -> AcquirerResponse:
    """The response with the score of the gateway's own risk check, however the payment ends."""
    if score is None:
        return response
    then, paid = (
        None if each is None else replace(each, risk_score=score)
        for each in (response.then, response.paid)
    )
    return replace(
        response, outcome=replace(response.outcome, risk_score=score), then=then, paid=paid
    )
