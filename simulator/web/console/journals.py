"""The journal of a sandbox: its newest exchanges as they come, and one of them."""

from simulator.domain.journal.search import Search
from simulator.domain.masking.masking import shown_text
from simulator.domain.masking.openings import cut_beginning
from simulator.service.console.lists import payments_among, whole_id
from simulator.service.journal import read_entry, search_journal
from simulator.web.console.rendering import Part, ShownPage, as_json
from simulator.web.console.resources import drawn_for, frame_of
from simulator.web.console.views import ENTRIES_SHOWN, curl_in, number_in
from simulator.web.console.visits import ConsoleVisit

WAIT_S = 15.0
PATH_SHOWN = 100


def show_journal(visit: ConsoleVisit) -> ShownPage:
    """The newest exchanges of a sandbox, or those before a number."""
    before = number_in(visit.asked("before"), 0) or None
    return ShownPage("journal.html", _values(visit, before))


def show_journal_now(visit: ConsoleVisit) -> Part:
    """The newest exchanges, as soon as there is one that the page which asks does not have. Many
    look at once: it is drawn a few times a second for all of them.
    """
    after = number_in(visit.asked("after"), -1)
    journal = visit.ports().journal
    if journal.newest == after:
        journal.wait_for_entry(after, WAIT_S)
    path, code = _filter_in(visit)
    place = f"{visit.sandbox().id} journal {visit.only_reads} {path}\0{code}"
    draw = visit.console.stages.drawn_lately
    return Part(draw(place, lambda: _draw(visit)))


def _draw(visit: ConsoleVisit) -> str:
    return drawn_for(visit, ShownPage("journal_now.html", _values(visit, None)))


def show_exchange(visit: ConsoleVisit) -> ShownPage:
    """One exchange, and all that belongs to it."""
    ports = visit.ports()
    ndc = whole_id(ports, visit.sandbox(), visit.ids["ndc"])
    entry = read_entry(ports.journal, ndc, number_in(visit.asked("number"), 0) or None)
    curl = curl_in(visit, entry) if entry.get("request") and entry.get("method") else ""
    payments = payments_among(ports, entry.get("payments") or ())
    values = {"entry": entry, "payments": payments, "shown": as_json, "curl": curl}
    return ShownPage("exchange.html", {"sandbox": visit.sandbox(), **values})


def _values(visit: ConsoleVisit, before: int | None) -> dict[str, object]:
    sandbox, (path, code) = visit.sandbox(), _filter_in(visit)
    search = Search(path=path or None, code=code or None, cut=visit.only_reads)
    found = search_journal(visit.ports().journal, search, limit=ENTRIES_SHOWN, before=before)
    return {
        "sandbox": sandbox,
        "frame": frame_of(visit, sandbox),
        "found": found,
        "path": path,
        "code": code,
        "is_newest": before is None,
    }


def _filter_in(visit: ConsoleVisit) -> tuple[str, str]:
    # As the journal has it: what is masked there is found masked.
    path = shown_text(visit.asked("path")[:PATH_SHOWN], PATH_SHOWN)
    return cut_beginning(path) if visit.only_reads else path, visit.asked("code")[:11]
