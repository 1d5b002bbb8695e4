"""The page of magic values: everything a request may hold to get a certain outcome."""

from collections.abc import Iterable, Mapping, Sequence

from scenarios.amounts import AMOUNTS
from scenarios.cards import OUTCOME_CARDS
from scenarios.records import (
    AcquirerSteps,
    Approve,
    Attempts,
    BankReturn,
    Behaviour,
    BehaviourAnswer,
    Decline,
    IssuerSteps,
    Latency,
    Pending,
    TransportSteps,
    WebhookSteps,
    is_silent,
    pending_in,
    said,
)
from simulator.catalogue.results import RESULTS
from simulator.catalogue.test_cards import TEST_CARDS
from simulator.domain.steering.connection_faults import describe_fault
from simulator.domain.steering.order import ORDER

INTRODUCTION = """# Magic values

Printed by `sandgate behaviours magic-values`, so edits here are lost. The first of these
that applies decides how a payment is answered:
"""

HOLDERS = """A holder of the form `ddd.ddd.ddd` forces that result code on PA, DB and CD by card.
`customParameters[forceResultCode]` does the same for every payment type and also takes codes of
success. Any code of the catalogue works that is the final answer to a payment; an unknown one is
refused with `600.200.810` and the nearest known one. Codes that begin with `000` cannot be forced
by the holder."""

CARDS = (
    """Any expiry date in the future, and any security code of the right length. These decide:"""
)

CATALOGUE_CARDS = (
    """These decide nothing while a channel has no 3-D Secure: amount and channel do."""
)

AMOUNTS_TEXT = """Off, until the channel has `amount_behaviours` switched on. Then the two
decimals of the amount of a PA, DB or CD decide; decimals that are not listed do nothing."""

BEHAVIOURS = """To be armed as a script, or set as the default of a channel. A behaviour that fails
some times and then succeeds counts its answers, so it can only be armed as a script."""


LINES = {
    "timeout": "the card host does not answer",
    "late": "the card host answers after the reversal",
    "silent": "the card host answers neither the payment nor two reversals",
    "duplicate": "the card host answers twice",
    "wrong_stan": "the card host answers with another trace number",
    "garble": "a field of the card host's answer cannot be read",
    "drop": "the line to the card host is closed in the middle of the answer",
    "sign_off": "the card host signs off and takes no payment",
    "slow_start": "the card host answers, then takes 20 s to let anybody sign on",
}
AUTHENTICATION = {
    "wrong": "does not prove itself to the card",
    "none": "leaves the cryptogram of the card without an answer",
}
SHOPPER = {"pay": "pays on", "cancel": "cancels on", "fail": "fails on", "leave": "leaves"}


def magic_values_markdown(behaviours: Mapping[str, Behaviour]) -> str:
    """The page as Markdown: order, result codes, test cards, amounts, behaviours."""
    parts = [INTRODUCTION, _numbered(f"**{level.name}**: {level.means}" for level in ORDER)]
    sections = (
        ("Result codes as card holder", HOLDERS, _codes(behaviours)),
        ("Test cards", CARDS, _cards(behaviours)),
        ("Amounts", AMOUNTS_TEXT, _amounts(behaviours)),
        ("Behaviours", BEHAVIOURS, _behaviours(behaviours)),
    )
    parts += [f"\n## {title}\n\n{text}\n\n{table}" for title, text, table in sections]
    return "\n".join(parts) + "\n"


def in_words(behaviour: Behaviour) -> str:
    """What the acquirer and the shopper do, and the faults of deliveries and connections, on one
    line.
    """
    steps = behaviour.steps
    words = [_steps_in_words(steps.acquirer)] if steps.acquirer else []
    words += [f"the shopper {SHOPPER[steps.bank]} the redirect page"] if steps.bank else []
    words += [LINES[steps.link]] if steps.link else []
    words += [_issuer_in_words(steps.issuer)] if steps.issuer else []
    words += [_webhooks_in_words(steps.webhooks)] if steps.webhooks else []
    words += [_transport_in_words(steps.transport)] if steps.transport else []
    return "; ".join(words)


def _issuer_in_words(steps: IssuerSteps) -> str:
    words = [f"answers {steps.response}"] if steps.response else []
    words += [f"sends the card {', '.join(steps.commands)}"] if steps.commands else []
    words += [AUTHENTICATION[steps.authentication]] if steps.authentication else []
    return f"the issuer {', '.join(words)}"


def _steps_in_words(steps: AcquirerSteps) -> str:
    first = _answer_in_words(steps)
    if steps.fail_times is None or steps.then is None:
        return first
    return f"{first}, {steps.fail_times} times, then {_answer_in_words(steps.then)}"


def _pending_in_words(pending: Pending) -> str:
    if pending.then is None:
        return "pending"
    final = pending.then.decline
    then = f"decline with {final.code}" if final else "approve"
    return f"pending, after {pending.seconds:g} s {then}"


def _answer_in_words(answer: BehaviourAnswer | AcquirerSteps) -> str:
    pending = pending_in(answer)
    if pending is not None:
        return _pending_in_words(pending)
    if is_silent(answer):
        return "no response"
    what = said(answer)
    words = [f"decline with {what.code}" if isinstance(what, Decline) else "approve"]
    words += [f"AVS {what.avs}"] if what.avs else []
    words += [f"CVV {what.cvv}"] if what.cvv else []
    words += [f"risk score {what.risk_score}"] if what.risk_score is not None else []
    coming = what.returned if isinstance(what, Approve) else None
    words += [_return_in_words(coming)] if coming is not None else []
    words += [_latency_in_words(answer.latency)] if answer.latency else []
    return ", ".join(words)


def _return_in_words(coming: BankReturn) -> str:
    return f"charged back after {coming.days} days with {coming.code}"


def _latency_in_words(latency: Latency) -> str:
    if latency.fixed is not None:
        return f"after {latency.fixed.seconds:g} s"
    drawn = latency.lognormal
    if drawn is None:
        return "at once"
    shape = f"median {drawn.median_s:g} s, sigma {drawn.sigma:g}, seed {drawn.seed}"
    return f"after a drawn wait ({shape})"


def _webhooks_in_words(steps: WebhookSteps) -> str:
    words = [
        f"{done} {_attempts_in_words(each)}"
        for done, each in (
            ("lost at", steps.lose),
            ("corrupted at", steps.corrupt),
            ("encrypted with another key at", steps.wrong_key),
        )
        if each is not None
    ]
    words += [f"delayed by {steps.delay.seconds:g} s"] if steps.delay else []
    words += [f"delivered {steps.duplicate.times + 1} times"] if steps.duplicate else []
    words += ["delivered after the next one"] if steps.reorder else []
    return "notifications " + ", ".join(words)


def _transport_in_words(steps: TransportSteps) -> str:
    fault = describe_fault(steps)
    return f"{fault.what}, {fault.when}"


def _attempts_in_words(step: Attempts) -> str:
    if step.attempts is None:
        return "every attempt"
    return "the first attempt" if step.attempts == 1 else f"the first {step.attempts} attempts"


def _codes(behaviours: Mapping[str, Behaviour]) -> str:
    steps = [behaviour.steps.acquirer for behaviour in behaviours.values()]
    answers = [said(each) for each in steps if each is not None]
    codes = sorted({answer.code for answer in answers if isinstance(answer, Decline)})
    rows = [(f"`{code}`", RESULTS[code].text) for code in codes]
    return _table(("card.holder", "meaning"), rows)


def _cards(behaviours: Mapping[str, Behaviour]) -> str:
    rows = [
        (f"`{number}`", f"`{name}`", behaviours[name].title)
        for number, name in OUTCOME_CARDS.items()
    ]
    deciding = _table(("number", "behaviour", "meaning"), rows)
    return f"{deciding}\n\n{CATALOGUE_CARDS}\n\n{_catalogue_cards()}"


def _catalogue_cards() -> str:
    return _table(
        ("brand", "number", "meaning"),
        [(card.brand, f"`{card.number}`", card.meaning) for card in TEST_CARDS],
    )


def _amounts(behaviours: Mapping[str, Behaviour]) -> str:
    rows = [
        (f"`.{decimals}`", f"`{name}`", behaviours[name].title)
        for decimals, name in AMOUNTS.items()
    ]
    return _table(("amount ends in", "behaviour", "meaning"), rows)


def _behaviours(behaviours: Mapping[str, Behaviour]) -> str:
    rows = [(f"`{name}`", row.title, in_words(row)) for name, row in behaviours.items()]
    return _table(("name", "meaning", "what happens"), rows)


def _numbered(lines: Iterable[str]) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
