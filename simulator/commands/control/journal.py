"""`sandgate journal`: follow what happens in a sandbox, or show one exchange."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from simulator.client import Control
from simulator.commands.control.connection import (
    fail,
    unless_unknown,
    with_sandbox,
)
from simulator.commands.surface.output import FormatOption, print_json
from simulator.domain.journal.trace import shortened
from simulator.grammar.characters import escaped_document

app = typer.Typer(no_args_is_help=True)
FOLLOWED = "30s"
PAGE_MAX = 500
SHARING = "requests with this ndc (--number shows one)"
Entry = Mapping[str, Any]


@app.command("tail")
@with_sandbox
def tail(
    control: Control,
    sandbox: str,
    *,
    lines: Annotated[
        int, typer.Option(metavar="COUNT", help="How many of the last entries to begin with.")
    ] = 10,
    count: Annotated[
        int, typer.Option(metavar="COUNT", help="End after so many entries; 0 never ends.")
    ] = 0,
    follow: Annotated[bool, typer.Option(help="Go on with new entries.")] = True,
    output_format: FormatOption = "text",
) -> None:
    """Print one line for each entry, the oldest first, and go on with new entries."""
    console = _console()
    with suppress(KeyboardInterrupt):
        for number, entry in enumerate(_entries(control, sandbox, lines, follow=follow), 1):
            if output_format == "json":
                typer.echo(json.dumps(entry, ensure_ascii=False))
            else:
                console.print(line_of(entry), soft_wrap=True)
            if number == count:
                return


@app.command("show")
@with_sandbox
def show(
    control: Control,
    sandbox: str,
    ndc: Annotated[str, typer.Argument(metavar="NDC", help="The ndc of an answer.")],
    *,
    number: Annotated[
        int | None, typer.Option(help="Which of the requests that share the ndc; else the newest.")
    ] = None,
    output_format: FormatOption = "text",
) -> None:
    """Show an exchange: request, answer, who decided, near misses, messages, webhook events."""
    found = unless_unknown(control, lambda: control.journal_entry(sandbox, ndc, number))
    # Without a known entity it was refused before it came to a sandbox.
    if found is None and len(ndc) == 32 and number is None:
        found = unless_unknown(control, lambda: control.unattributed(ndc))
    if found is None:
        got = (ndc or "nothing") + ("" if number is None else f" with number {number}")
        fail(f"expected an ndc of the journal of sandbox {sandbox}, got {got}")
    if output_format == "json":
        print_json(found)
        return
    console = _console()
    for line in page_of(found):
        console.print(line, soft_wrap=True)


def line_of(entry: Entry) -> Text:
    """An entry in one line: world time, what, the result, who decided or why not, the ndc."""
    entry = escaped_document(entry)
    time = entry["at"][11:23].rstrip("Z").ljust(12)
    what, result, why, bad = _summary_of(entry)
    style = "red" if bad else "green"
    return Text.assemble(
        (time, "dim"), "  ", f"{what:<40}", "  ", (f"{result:<15}", style), "  ", why,
        "  " if why else "", (entry["ndc"], "dim"),
    )  # fmt: skip


def page_of(entry: Entry) -> Iterator[Text]:
    """An exchange on a page."""
    entry = escaped_document(entry)
    if "method" in entry:
        yield from _exchange(entry)
    for title, rows in (
        ("decided by", [entry["decided_by"]] if entry["decided_by"] else []),
        ("near misses", entry["near_misses"]),
        ("messages", [_message(each) for each in entry["messages"]]),
        ("webhooks", [_webhook(each) for each in entry["webhooks"]]),
        (SHARING, [_brief(each) for each in entry.get("exchanges", [])]),
    ):
        yield from _section(title, rows)


def _console() -> Console:
    return Console(highlight=False, markup=False)


def _entries(control: Control, sandbox: str, lines: int, *, follow: bool) -> Iterator[Entry]:
    """The last `lines` entries, oldest first, then what happens until it is interrupted."""
    page = control.journal(sandbox, limit=max(1, min(lines, PAGE_MAX)))
    yield from reversed(page["entries"][:lines])
    while follow:
        after = page["newest"]
        page = control.journal(sandbox, after=after, follow=FOLLOWED, limit=PAGE_MAX)
        older = list(_pages_before(control, sandbox, page, after))
        for each in (*reversed(older), page):
            yield from reversed(each["entries"])


def _pages_before(control: Control, sandbox: str, page: Entry, after: int) -> Iterator[Entry]:
    """The pages with what came after an entry and did not fit on a page, newest first."""
    while page["entries"] and page.get("next"):
        page = control.journal(sandbox, after=after, before=page["next"], limit=PAGE_MAX)
        yield page


def _summary_of(entry: Entry) -> tuple[str, str, str, bool]:
    """What an entry is about, its result, who decided or what was wrong, and whether it is bad."""
    if entry["kind"] == "exchange":
        broken = entry.get("transport", "")
        why = ", ".join(entry.get("rules", [])) or entry.get("error", "") or _decided(entry)
        result = f"{entry['status']} {entry.get('code', '')}"
        return _request(entry), result, broken or why, bool(broken) or entry["status"] >= 400
    if entry["kind"] == "webhook":
        result = str(entry.get("status", "")) or "no answer"
        what = f"  webhook {entry['event']}, {entry['number']}"
        return what, result, entry.get("error", ""), not result.startswith("2")
    asked = entry["messages"][0]["label"] if entry.get("messages") else ""
    if entry["kind"] == "browser":
        return f"  browser {asked}", "", "", False
    return f"  simulator {asked}", entry.get("code", ""), _decided(entry), False


def _decided(entry: Entry) -> str:
    return f"by {entry['decided_by']}" if entry.get("decided_by") else ""


def _request(entry: Entry) -> str:
    sent = entry.get("request", {})
    money = " ".join(sent[name] for name in ("amount", "currency") if name in sent)
    words = (entry["method"], shortened(entry["path"]), sent.get("paymentType"), money)
    return " ".join(filter(None, words))


def _exchange(entry: Entry) -> Iterator[Text]:
    style = "bold red" if entry["status"] >= 400 else "bold green"
    result = f"{entry['status']} {entry.get('code', '')}"
    yield Text.assemble((f"{entry['method']} {entry['path']}", "bold"), "  ", (result, style))
    yield from _section("ndc", [entry["ndc"]])
    yield from _section("time", [f"{entry['at']}, {entry['duration_ms']} ms"])
    yield from _section("payments", entry.get("payments", []))
    request = entry.get("request", {})
    yield from _section("request", [f"{name} = {value}" for name, value in request.items()])
    answer = json.dumps(entry.get("answer"), ensure_ascii=False, indent=2)
    yield from _section("answer", answer.splitlines())
    yield from _section("rules", entry.get("rules", []))
    yield from _section("error", [entry["error"]] if entry.get("error") else [])
    yield from _section("connection", [entry["transport"]] if entry.get("transport") else [])


def _section(title: str, rows: Sequence[str]) -> Iterator[Text]:
    if rows:
        yield Text(title, "bold")
        yield from (Text(f"  {row}") for row in rows)


def _message(message: Entry) -> str:
    body = json.dumps(message.get("body", {}), ensure_ascii=False)
    return f"{message['sender']} -> {message['receiver']}: {message['label']}  {body}"


def _brief(each: Entry) -> str:
    why = ", ".join(each["rules"]) or each["error"]
    request = f"{each['method']} {shortened(each['path'])}"
    return f"{each['number']:>6}  {request}  {each['status']} {each['code']}  {why}".rstrip()


def _webhook(entry: Entry) -> str:
    result = entry.get("status") or f"no answer: {entry.get('error', '')}"
    return f"{entry['at']}  {entry['event']} to {entry['url']}, attempt {entry['number']}: {result}"
