"""What the pages of a sandbox show: its payments, one of them, where a search leads."""

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any
from urllib.parse import quote

from simulator.catalogue.console_words import plain, say
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.catalogue.results import RESULTS
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.console.marks import MARK_LENGTH
from simulator.domain.console.recording import Deed, storable
from simulator.domain.core.entities import Merchant, Sandbox
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.hosts import TOKEN_NAMES, Host
from simulator.domain.core.records import Payment, State
from simulator.domain.journal.diagram import trace_svg
from simulator.domain.journal.search import Search
from simulator.domain.journal.trace import trace_text
from simulator.domain.masking.masking import shown_text
from simulator.domain.masking.shown_parameters import masked_parameters
from simulator.domain.payments.repeats import RepeatedTransactionError
from simulator.service.console.bench.copies import curl_of
from simulator.service.console.lists import (
    PaymentFilter,
    find_newest,
    list_of_reference,
    whole_id,
)
from simulator.service.console.payments import (
    PaymentOrder,
    act_on_payment,
    amount_left,
    doable_to,
    payment_with,
)
from simulator.service.console.recording import note_deed
from simulator.service.console.rules import in_catalogue_order, rule_of
from simulator.service.journal import payment_tree, search_journal, trace_payment
from simulator.service.merchants.entities import one_of
from simulator.service.webhooks.deliveries import find_events
from simulator.web.console.rendering import Drawing, Moved, ShownPage, as_json
from simulator.web.console.visits import ConsoleVisit

ENTRIES_SHOWN = 50
SANDBOXES_SHOWN = 100
EVENTS_SHOWN = 20
# Of payments that belong together; the trace has all of them.
TREE_SHOWN = 200
LAST_DIGITS = re.compile("[0-9]{4}")
REFERENCE_SHOWN = 255
# How lists and titles show a payment, or more of it.
FIRST_DIGITS = re.compile("[0-9a-f]{8,31}")


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
    """The payments of a merchant, newest first: those of the host, or of them those that fit a
    filter; those of a reference on both.
    """
    reference = visit.asked("reference")[:REFERENCE_SHOWN] or _reference_as_of(visit)
    if reference:
        return _show_reference(visit, reference)
    values = _list_values(visit)
    wanted, merchant = values["wanted"], values["merchant"]
    if wanted.digits and not LAST_DIGITS.fullmatch(wanted.digits):
        raise InvalidInputError("digits", plain("errors.digits"), beginning_of(wanted.digits, 10))
    found = find_newest(
        visit.ports(),
        Payment,
        merchant.id,
        wanted.fits,
        host=visit.host,
        below=below_in(visit),
    )
    return ShownPage("payments.html", {**values, "found": found})


def _show_reference(visit: ConsoleVisit, reference: str) -> ShownPage:
    """The payments of a reference, which is not repeated where it may be a card number: its other
    pages are then those of the reference that one of the payments has.
    """
    values, page = _list_values(visit), number_in(visit.asked("page", "1"))
    listed = list_of_reference(visit.ports(), values["merchant"].id, reference, page)
    shown = shown_text(reference, REFERENCE_SHOWN)
    others = f"reference={_quoted(shown)}"
    if shown != reference and listed.records:
        others = f"as={listed.records[0].id}"
    shown_values = {**values, "reference": shown, "listed": listed, "others": others}
    return ShownPage("payments.html", shown_values)


def _reference_as_of(visit: ConsoleVisit) -> str:
    """The reference of the payment that was asked for, if any."""
    payment = visit.ports().store.get(Payment, visit.asked("as"))
    return payment.sent.get("merchantTransactionId", "") if payment else ""


def _list_values(visit: ConsoleVisit) -> dict[str, Any]:
    sandbox = visit.sandbox()
    return {
        "sandbox": sandbox,
        "merchant": merchant_of(visit, sandbox),
        "reference": "",
        "wanted": PaymentFilter(*(visit.asked(name)[:20] for name in PaymentFilter._fields)),
        "states": [each.value for each in State],
        "types": list(PAYMENT_TYPES),
        "describe": describe,
        "listed": None,
        "found": None,
    }


def find_anything(visit: ConsoleVisit) -> Moved | ShownPage:
    """Go on to what has an id, an ndc, a merchantTransactionId, which has more than four digits, or
    to the cards with these last four; payments come first. The beginning of an id is looked for
    among the newest payments.
    """
    asked, ports, root = visit.asked("q").strip()[:REFERENCE_SHOWN], visit.ports(), _root(visit)
    if ports.store.get(Payment, asked) is not None:
        return Moved(f"{root}/payments/{asked}")
    if asked and ports.journal.find_entries(whole_id(ports, visit.sandbox(), asked)):
        return Moved(f"{root}/journal/{_quoted(asked)}")
    if LAST_DIGITS.fullmatch(asked):
        return Moved(f"{root}/payments?digits={asked}")
    begun = _payment_begun(visit, asked) if FIRST_DIGITS.fullmatch(asked) else None
    if begun is not None:
        return Moved(f"{root}/payments/{begun.id}")
    if shown_text(asked, REFERENCE_SHOWN) != asked:
        # No address repeats what may be a card number.
        return _show_reference(visit, asked)
    return Moved(f"{root}/payments?reference={_quoted(asked)}")


def _payment_begun(visit: ConsoleVisit, asked: str) -> Payment | None:
    """The newest payment whose id begins so, unless the text is a merchantTransactionId."""
    ports, merchant = visit.ports(), merchant_of(visit, visit.sandbox()).id
    if list_of_reference(ports, merchant, asked, 1).in_all:
        return None
    fits = lambda payment: payment.id.startswith(asked)  # noqa: E731
    found = find_newest(ports, Payment, merchant, fits, host=visit.host).records
    return found[0] if found else None


def show_payment(visit: ConsoleVisit) -> ShownPage:
    """One payment with its tree, what was asked and answered, and the trace."""
    ports, identity = visit.ports(), visit.ids["payment"]
    payment = payment_with(ports, identity)
    found = search_journal(ports.journal, Search(ndc=payment.ndc), limit=ENTRIES_SHOWN).entries
    exchange = next((each for each in found if each.get("request")), None)
    asked = exchange["request"] if exchange else masked_parameters(payment.sent).wholly
    is_traced = bool(ports.journal.find_entries(identity))
    tree = payment_tree(ports, identity)
    values = {
        "sandbox": visit.sandbox(),
        "payment": payment,
        "tree": tree[:TREE_SHOWN],
        "left_out": max(0, len(tree) - TREE_SHOWN),
        "sent": {name: asked[name] for name in in_catalogue_order(asked)},
        "rules": {name: rule_of(name, ports.choices) for name in asked},
        "answer": as_json(exchange["answer"]) if exchange and exchange.get("answer") else "",
        "curl": "" if exchange is None else curl_in(visit, exchange),
        "events": list(islice(find_events(ports, failed=False, payment=identity), EVENTS_SHOWN)),
        "open": amount_left(payment),
        "mark": visit.console.server.ids.hex(MARK_LENGTH),
        "actions": doable_to(ports, payment)
        if visit.signed.sign_in.may_change(payment.host)
        else (),
        "describe": describe,
        "is_traced": is_traced,
        "trace": _trace_of(visit, identity) if is_traced else "",
    }
    return ShownPage("payment.html", values)


def _trace_of(visit: ConsoleVisit, identity: str) -> str:
    """The trace as text, which takes long where a client has read the payment again and again."""
    return trace_payment(visit.ports(), identity, trace_text, visit.aside)


def curl_in(visit: ConsoleVisit, exchange: Mapping[str, Any]) -> str:
    """A request of the journal as curl; what is masked there is replaced by test values."""
    host = _host_of(visit, exchange)
    path = quote(str(exchange.get("path", "")).lstrip("/"), safe="/")
    url, method = f"{visit.ports().addresses.base(host)}{path}", str(exchange.get("method", ""))
    return curl_of(url, method, storable(exchange["request"]), TOKEN_NAMES[host])


def _host_of(visit: ConsoleVisit, exchange: Mapping[str, Any]) -> Host:
    """The host of its payment; of what is about none that is known, the one that is shown."""
    store = visit.ports().store
    payments = (store.get(Payment, each) for each in exchange.get("payments", ()))
    return next((each.host for each in payments if each is not None), visit.host)


def act(visit: ConsoleVisit) -> Moved:
    """Capture, refund or reverse it, and show what came of it; a form that is sent again shows what
    came of it the first time. Choice: D-691.
    """
    identity = visit.ids["payment"]
    visit.refuse_changes(payment_with(visit.ports(), identity).host)
    order = PaymentOrder(*(visit.form.get(name, "") for name in ("type", "amount", "mark")))
    try:
        made = act_on_payment(visit.ports(), identity, order)
    except RepeatedTransactionError as repeated:
        return Moved(f"{_root(visit)}/payments/{repeated.payment.id}")
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
    return Drawing(trace_payment(visit.ports(), visit.ids["payment"], trace_svg, visit.aside))


def describe(code: str) -> str:
    """What a result code says."""
    row = RESULTS.get(code)
    return "" if row is None else row.text


def merchant_of(visit: ConsoleVisit, sandbox: Sandbox) -> Merchant:
    """The merchant that a list was asked for; else the first. Raises UnknownEntityError."""
    asked = visit.asked("merchant")
    return one_of(sandbox.merchants, asked) if asked else sandbox.merchants[0]


def below_in(visit: ConsoleVisit) -> int | None:
    """Below which number a list goes on, or None for its beginning."""
    asked = visit.asked("below")
    return number_in(asked) if asked else None


def number_in(text: str, default: int = 1) -> int:
    """A number that was asked for, as digits; else `default`."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else default


def _root(visit: ConsoleVisit) -> str:
    return f"/console/{visit.ids['sandbox']}"


def _quoted(text: str) -> str:
    return quote(text, safe="")
