"""Steps about time, which passes in the scenario's sandbox and nowhere else."""

import re

from pytest_bdd import given, parsers, when

from features.support.merchant import Merchant
from simulator.client import Answer, Control

SPAN = r"(?P<span>\d+ (?:second|minute|hour|day)s?(?: and \d+ (?:second|minute)s?)?)"


@given("the sandbox clock is frozen")
def clock_stands(control: Control, merchant: Merchant) -> None:
    control.set_clock(merchant.sandbox, "frozen")


@given(parsers.re(r'the sandbox clock is frozen at "(?P<instant>\S+)"'))
def clock_stands_at(control: Control, merchant: Merchant, instant: str) -> None:
    control.set_clock(merchant.sandbox, "frozen", at=instant)


@given(parsers.re(rf"{SPAN} pass(es)?"))
def time_has_passed(control: Control, merchant: Merchant, span: str) -> None:
    let_time_pass(control, merchant, by=span_of(span))


@when(parsers.re(rf"{SPAN} pass(es)?"))
def time_passes(control: Control, merchant: Merchant, span: str) -> None:
    let_time_pass(control, merchant, by=span_of(span))


@given("time passes until the next due job")
def time_has_passed_until_due(control: Control, merchant: Merchant) -> None:
    let_time_pass(control, merchant, until="next")


@given(parsers.re(r"the tester completes the payment with an? (?P<outcome>success|failure|expiry)"))
def pending_ended(control: Control, merchant: Merchant, payment: Answer, outcome: str) -> None:
    control.release_pending(merchant.sandbox, payment.id, outcome)


def let_time_pass(control: Control, merchant: Merchant, **how: str) -> None:
    """Move the clock once nothing is on its way any more: what has begun ends in its own time."""
    control.drain(merchant.sandbox)
    control.advance_clock(merchant.sandbox, **how)


def span_of(words: str) -> str:
    """The span a control API understands: `29m59s` for `29 minutes and 59 seconds`."""
    return "".join(f"{number}{unit}" for number, unit in re.findall(r"(\d+) (\w)", words))
