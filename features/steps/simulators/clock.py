"""Steps about the clock of the scenario's sandbox."""

import re
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import wait as wait_for

from pytest_bdd import given, parsers, when

from features.support.merchant import Merchant
from simulator.client import Answer, Control

PATIENCE_S = 0.5
SPAN = r"(?P<span>\d+ (?:second|minute|hour|day)s?(?: and \d+ (?:second|minute)s?)?)"


@given("the sandbox clock is frozen")
def freeze_clock(control: Control, merchant: Merchant) -> None:
    control.set_clock(merchant.sandbox, "frozen")


@given(parsers.re(r'the sandbox clock is frozen at "(?P<instant>\S+)"'))
def freeze_clock_at(control: Control, merchant: Merchant, instant: str) -> None:
    control.set_clock(merchant.sandbox, "frozen", at=instant)
    # What the instant made due is done beside the answer, which may take as long as the next one.
    assert control.drain(merchant.sandbox), "what the instant made due is not done"


@given(parsers.re(rf"{SPAN} pass(es)?"))
def advance_clock_before(control: Control, merchant: Merchant, span: str) -> None:
    drain_and_advance(control, merchant, by=parse_span(span))


@when(parsers.re(rf"{SPAN} pass(es)?"))
def advance_clock(control: Control, merchant: Merchant, span: str) -> None:
    drain_and_advance(control, merchant, by=parse_span(span))


@when(parsers.parse("the merchant waits {seconds:d} seconds"))
def wait(let_pass: Callable[[int], None], seconds: int) -> None:
    let_pass(seconds)


@given("time passes until the next due job")
def advance_to_next_job(control: Control, merchant: Merchant) -> None:
    drain_and_advance(control, merchant, until="next")


@given(parsers.re(r"the tester completes the payment with an? (?P<outcome>success|failure|expiry)"))
def complete_pending(control: Control, merchant: Merchant, payment: Answer, outcome: str) -> None:
    control.release_pending(merchant.sandbox, payment.id, outcome)


def drain_and_advance(control: Control, merchant: Merchant, **how: str) -> None:
    """Advance the clock after all work in progress has ended."""
    control.drain(merchant.sandbox)
    control.advance_clock(merchant.sandbox, **how)


def advance_until_done(
    control: Control, merchant: Merchant, begun: Sequence[Future[Answer]], *, by: str
) -> list[Answer]:
    """The answers to requests that wait for the clock: it is moved as often as one is left, since
    nothing shows that a request has come to where it waits.
    """
    while wait_for(begun, timeout=PATIENCE_S).not_done:
        control.advance_clock(merchant.sandbox, by=by)
    return [each.result() for each in begun]


def parse_span(words: str) -> str:
    """The span in the control API's form: `29m59s` for `29 minutes and 59 seconds`."""
    return "".join(f"{number}{unit}" for number, unit in re.findall(r"(\d+) (\w)", words))
