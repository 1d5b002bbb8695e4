"""What the pages of a sandbox show: payments, one of them, exchanges."""

from urllib.parse import quote

from simulator.catalogue.results import RESULTS
from simulator.domain.core.entities import Merchant, Sandbox
from simulator.domain.core.records import Payment
from simulator.domain.journal.diagram import trace_svg
from simulator.domain.journal.search import Search
from simulator.domain.masking.shown_parameters import masked_parameters
from simulator.service.console.payments import (
    act_on_payment,
    doable_to,
    list_payments,
    payment_with,
)
from simulator.service.journal import payment_tree, read_entry, search_journal, trace_payment
from simulator.service.merchants.entities import one_of
from simulator.web.console.rendering import Drawing, Moved, ShownPage, as_json
from simulator.web.console.visits import ConsoleVisit

ENTRIES_SHOWN = 50


def show_home(visit: ConsoleVisit) -> ShownPage:
    """Every sandbox that the person may see."""
    own, known = visit.signed.person.sandbox, visit.console.server.registry.sandboxes()
    return ShownPage("home.html", {"sandboxes": [s for s in known if own in ("", s.id)]})


def show_payments(visit: ConsoleVisit) -> ShownPage:
    """The payments of a merchant, newest first."""
    sandbox = visit.sandbox()
    merchant = _merchant_of(visit, sandbox)
    reference, page = visit.asked("reference")[:255], _number(visit.asked("page", "1"))
    found = list_payments(visit.ports(), merchant.id, page, reference)
    values = {"sandbox": sandbox, "merchant": merchant, "found": found, "reference": reference}
    return ShownPage("payments.html", {**values, "describe": describe})


def find_anything(visit: ConsoleVisit) -> Moved:
    """Go on to what has an id, an ndc or a merchantTransactionId; payments come first."""
    asked, ports, root = visit.asked("q").strip()[:255], visit.ports(), _root(visit)
    if ports.store.get(Payment, asked) is not None:
        return Moved(f"{root}/payments/{asked}")
    if asked and ports.journal.find_entries(asked):
        return Moved(f"{root}/journal/{_quoted(asked)}")
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
    form = visit.form
    made = act_on_payment(
        visit.ports(), visit.ids["payment"], form.get("type", ""), form.get("amount", "")
    )
    return Moved(f"{_root(visit)}/payments/{made.id}")


def draw_trace(visit: ConsoleVisit) -> Drawing:
    """The trace of a payment as a picture."""
    trace = trace_payment(visit.ports(), visit.ids["payment"])
    return Drawing(visit.console.server.aside(trace_svg, trace))


def show_journal(visit: ConsoleVisit) -> ShownPage:
    """The newest exchanges of a sandbox; the page asks for them again and again."""
    return ShownPage("journal.html", _journal_values(visit))


def show_journal_now(visit: ConsoleVisit) -> ShownPage:
    """Its exchanges alone."""
    return ShownPage("journal_now.html", _journal_values(visit))


def _journal_values(visit: ConsoleVisit) -> dict[str, object]:
    before = _number(visit.asked("before"), 0) or None
    path, code = visit.asked("path")[:100], visit.asked("code")[:11]
    search = Search(path=path or None, code=code or None)
    found = search_journal(visit.ports().journal, search, limit=ENTRIES_SHOWN, before=before)
    return {
        "sandbox": visit.sandbox(),
        "found": found,
        "path": path,
        "code": code,
        "is_newest": before is None,
    }


def show_exchange(visit: ConsoleVisit) -> ShownPage:
    """One exchange, and all that belongs to it."""
    entry = read_entry(visit.ports().journal, visit.ids["ndc"])
    return ShownPage(
        "exchange.html", {"sandbox": visit.sandbox(), "entry": entry, "shown": as_json}
    )


def describe(code: str) -> str:
    """What a result code says."""
    row = RESULTS.get(code)
    return "" if row is None else row.text


def _merchant_of(visit: ConsoleVisit, sandbox: Sandbox) -> Merchant:
    asked = visit.asked("merchant")
    return one_of(sandbox.merchants, asked) if asked else sandbox.merchants[0]


def _number(text: str, default: int = 1) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else default


def _root(visit: ConsoleVisit) -> str:
    return f"/console/{visit.ids['sandbox']}"


def _quoted(text: str) -> str:
    return quote(text, safe="")
