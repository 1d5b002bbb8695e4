"""What the pages of a sandbox show: its payments, one of them, where a search leads."""

import re
from itertools import islice
from urllib.parse import quote

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.catalogue.results import RESULTS
from simulator.domain.console.recording import Deed
from simulator.domain.core.entities import Merchant, Sandbox
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.records import Payment, State
from simulator.domain.journal.diagram import trace_svg
from simulator.domain.journal.search import Search
from simulator.domain.masking.shown_parameters import masked_parameters
from simulator.service.console.lists import find_by_digits, list_of_merchant
from simulator.service.console.payments import act_on_payment, doable_to, payment_with
from simulator.service.console.recording import note_deed
from simulator.service.journal import payment_tree, search_journal, trace_payment
from simulator.service.merchants.entities import one_of
from simulator.web.console.rendering import Drawing, Moved, ShownPage
from simulator.web.console.texts import say
from simulator.web.console.visits import ConsoleVisit

ENTRIES_SHOWN = 50
SANDBOXES_SHOWN = 100
LAST_DIGITS = re.compile("[0-9]{4}")


def show_home(visit: ConsoleVisit) -> ShownPage:
    """The sandboxes that the person may see, the oldest first."""
    registry, own = visit.console.server.registry, visit.signed.person.sandbox
    if own:
        one = registry.sandbox(own)
        return ShownPage("home.html", {"sandboxes": [one] if one else [], "page": 1, "pages": 1})
    pages = max(1, -(-registry.count() // SANDBOXES_SHOWN))
    page = min(max(1, number_in(visit.asked("page", "1"))), pages)
    start = (page - 1) * SANDBOXES_SHOWN
    found = list(islice(registry.sandboxes(), start, start + SANDBOXES_SHOWN))
    return ShownPage("home.html", {"sandboxes": found, "page": page, "pages": pages})


def show_payments(visit: ConsoleVisit) -> ShownPage:
    """The payments of a merchant, newest first."""
    sandbox = visit.sandbox()
    merchant = merchant_of(visit, sandbox)
    reference, page = visit.asked("reference")[:255], number_in(visit.asked("page", "1"))
    found = list_of_merchant(visit.ports(), Payment, merchant.id, page, reference=reference)
    values = {"sandbox": sandbox, "merchant": merchant, "found": found, "reference": reference}
    return ShownPage("payments.html", {**values, "describe": describe})


def show_by_digits(visit: ConsoleVisit) -> ShownPage:
    """The payments of a merchant by cards that end with four digits."""
    sandbox, digits = visit.sandbox(), visit.asked("digits")
    if not LAST_DIGITS.fullmatch(digits):
        raise InvalidInputError("digits", "the last four digits of a card", digits[:10])
    merchant = merchant_of(visit, sandbox)
    below = visit.asked("below")
    found = find_by_digits(visit.ports(), merchant.id, digits, number_in(below) if below else None)
    values = {"sandbox": sandbox, "merchant": merchant, "found": found, "digits": digits}
    return ShownPage("digits.html", {**values, "describe": describe})


def find_anything(visit: ConsoleVisit) -> Moved:
    """Go on to what has an id, an ndc, a merchantTransactionId, which has more than four digits, or
    to the cards with these last four; payments come first.
    """
    asked, ports, root = visit.asked("q").strip()[:255], visit.ports(), _root(visit)
    if ports.store.get(Payment, asked) is not None:
        return Moved(f"{root}/payments/{asked}")
    if asked and ports.journal.find_entries(asked):
        return Moved(f"{root}/journal/{_quoted(asked)}")
    if LAST_DIGITS.fullmatch(asked):
        return Moved(f"{root}/cards?digits={asked}")
    return Moved(f"{root}/payments?reference={_quoted(asked)}")


def show_payment(visit: ConsoleVisit) -> ShownPage:
    """One payment with its tree, what was asked and answered, and the trace."""
    ports, identity = visit.ports(), visit.ids["payment"]
    payment = payment_with(ports, identity)
    found = search_journal(ports.journal, Search(ndc=payment.ndc), limit=ENTRIES_SHOWN).entries
    asked = next((each["request"] for each in found if each.get("request")), None)
    values = {
        "sandbox": visit.sandbox(),
        "payment": payment,
        "tree": payment_tree(ports, identity),
        "sent": asked or masked_parameters(payment.sent).parameters,
        "actions": doable_to(payment),
        "describe": describe,
        "is_traced": bool(ports.journal.find_entries(identity)),
    }
    return ShownPage("payment.html", values)


def act(visit: ConsoleVisit) -> Moved:
    """Capture, refund or reverse it, and show what came of it."""
    form, identity = visit.form, visit.ids["payment"]
    made = act_on_payment(visit.ports(), identity, form.get("type", ""), form.get("amount", ""))
    note_deed(visit.console, visit.sandbox().id, _deed_of(visit, identity, made))
    return Moved(f"{_root(visit)}/payments/{made.id}")


def _deed_of(visit: ConsoleVisit, identity: str, made: Payment) -> Deed:
    """What the merchant would have sent, and what came of it."""
    assert made.money is not None and made.outcome is not None, "it captures, refunds or reverses"
    effect = PAYMENT_TYPES[made.type.value].effect.value
    form = {"paymentType": made.type.value}
    if "amount" in visit.form:
        form |= {"amount": str(made.money.amount), "currency": made.money.currency}
    return Deed(
        at=visit.ports().clock.now(),
        by=visit.name,
        say=str(say("recording.acted", effect=effect)),
        method="POST",
        path=f"v1/payments/{identity}",
        form=form,
        status=400 if made.state is State.FAILED else 200,
        code=made.outcome.code,
        found={"id": made.id},
    )


def draw_trace(visit: ConsoleVisit) -> Drawing:
    """The trace of a payment as a picture."""
    trace = trace_payment(visit.ports(), visit.ids["payment"])
    return Drawing(visit.console.server.aside(trace_svg, trace))


def describe(code: str) -> str:
    """What a result code says."""
    row = RESULTS.get(code)
    return "" if row is None else row.text


def merchant_of(visit: ConsoleVisit, sandbox: Sandbox) -> Merchant:
    """The merchant that a list was asked for; else the first. Raises UnknownEntityError."""
    asked = visit.asked("merchant")
    return one_of(sandbox.merchants, asked) if asked else sandbox.merchants[0]


def number_in(text: str, default: int = 1) -> int:
    """A number that was asked for, as digits; else `default`."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else default


def _root(visit: ConsoleVisit) -> str:
    return f"/console/{visit.ids['sandbox']}"


def _quoted(text: str) -> str:
    return quote(text, safe="")
