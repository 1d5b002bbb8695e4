"""`sandgate journal`: follow what happens in a sandbox, or show one exchange."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from simulator.client import Control
from simulator.commands.asking import (
    CaOption,
    KeyOption,
    SandboxOption,
    UrlOption,
    asking,
    fail,
    sandbox_in,
    unless_unknown,
)

app = typer.Typer(
    name="journal", help="What was asked, what was answered, and why.", no_args_is_help=True
)
FOLLOWED = "30s"
PAGE_MAX = 500
Entry = Mapping[str, Any]


@app.command("tail")
def tail(
    *,
    sandbox: SandboxOption = None,
    lines: Annotated[int, typer.Option(help="How many of the last entries to begin with.")] = 10,
    count: Annotated[int, typer.Option(help="End after so many entries; 0 never ends.")] = 0,
    follow: Annotated[bool, typer.Option(help="Go on with what happens.")] = True,
    control_url: UrlOption = "",
    control_key: KeyOption = "",
    ca_file: CaOption = None,
) -> None:
    """Print one line an entry, the oldest first, and go on as things happen."""
    console = _console()
    with asking(control_url, control_key, ca_file) as control, suppress(KeyboardInterrupt):
        place = sandbox_in(control, sandbox)
        for number, entry in enumerate(_entries(control, place, lines, follow=follow), 1):
            console.print(line_of(entry), soft_wrap=True)
            if number == count:
                return


@app.command("show")
def show(
    ndc: Annotated[str, typer.Argument(help="The ndc of an answer.")],
    *,
    sandbox: SandboxOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="As the control API answers it.")] = False,
    control_url: UrlOption = "",
    control_key: KeyOption = "",
    ca_file: CaOption = None,
) -> None:
    """Show an exchange: request, answer, who decided, near misses, messages, webhooks."""
    with asking(control_url, control_key, ca_file) as control:
        place = sandbox_in(control, sandbox)
        found = unless_unknown(lambda: control.journal_entry(place, ndc))
        # Without an entity in front it was refused before it came to a sandbox.
        if found is None and len(ndc) == 32:
            found = unless_unknown(lambda: control.unattributed(ndc))
    if found is None:
        fail(f"expected an ndc of the journal of sandbox {place}, got {ndc}")
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    console = _console()
    for line in page_of(found):
        console.print(line, soft_wrap=True)


def line_of(entry: Entry) -> Text:
    """An entry in one line: world time, what, the result, who decided or why not, the ndc."""
    time = entry["at"][11:23].rstrip("Z").ljust(12)
    what, result, why, bad = _summary_of(entry)
    style = "red" if bad else "green"
    return Text.assemble(
        (time, "dim"), "  ", f"{what:<32}", "  ", (f"{result:<15}", style), "  ", why,
        "  " if why else "", (entry["ndc"], "dim"),
    )  # fmt: skip


def page_of(entry: Entry) -> Iterator[Text]:
    """An exchange on a page."""
    if "method" in entry:
        yield from _exchange(entry)
    for title, rows in (
        ("decided by", [entry["decided_by"]] if entry["decided_by"] else []),
        ("near misses", entry["near_misses"]),
        ("messages", [_message(each) for each in entry["messages"]]),
        ("webhooks", [_webhook(each) for each in entry["webhooks"]]),
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
        yield from reversed(page["entries"])


def _summary_of(entry: Entry) -> tuple[str, str, str, bool]:
    """What an entry is about, its result, who decided or what was wrong, and whether it is bad."""
    if entry["kind"] == "exchange":
        why = ", ".join(entry.get("rules", [])) or entry.get("error", "") or _decided(entry)
        result = f"{entry['status']} {entry.get('code', '')}"
        return _request(entry), result, why, entry["status"] >= 400
    if entry["kind"] == "webhook":
        result = str(entry.get("status", "")) or "no answer"
        what = f"  webhook {entry['event']}, {entry['number']}"
        return what, result, entry.get("error", ""), not result.startswith("2")
    asked = entry["messages"][0]["label"] if entry.get("messages") else ""
    return f"  simulator {asked}", entry.get("code", ""), _decided(entry), False


def _decided(entry: Entry) -> str:
    return f"by {entry['decided_by']}" if entry.get("decided_by") else ""


def _request(entry: Entry) -> str:
    sent = entry.get("request", {})
    money = " ".join(sent[name] for name in ("amount", "currency") if name in sent)
    words = (entry["method"], sent.get("paymentType") or entry["path"], money)
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


def _section(title: str, rows: Sequence[str]) -> Iterator[Text]:
    if rows:
        yield Text(title, "bold")
        yield from (Text(f"  {row}") for row in rows)


def _message(message: Entry) -> str:
    body = json.dumps(message.get("body", {}), ensure_ascii=False)
    return f"{message['sender']} -> {message['receiver']}: {message['label']}  {body}"


def _webhook(entry: Entry) -> str:
    result = entry.get("status") or f"no answer: {entry.get('error', '')}"
    return f"{entry['at']}  {entry['event']} to {entry['url']}, attempt {entry['number']}: {result}"
