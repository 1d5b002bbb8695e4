"""`sandgate hold`: messages that wait at a party until they are let go on."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from simulator.client import Control
from simulator.commands.control.connection import fail, with_sandbox
from simulator.commands.surface.output import FormatOption, OutputFormat, print_result

app = typer.Typer(no_args_is_help=True)
PARTIES = ("shopper", "risk", "directory-server", "acs", "acquirer", "bank", "webhooks")
HeldId = Annotated[
    str | None, typer.Option("--id", metavar="ID", help="Which one; else the one held longest.")
]


@app.command("at")
@with_sandbox
def hold_at(
    control: Control,
    sandbox: str,
    parties: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PARTY...",
            help=f"Of {', '.join(PARTIES)}; none: hold nothing any more.",
            autocompletion=lambda: list(PARTIES),
        ),
    ] = None,
    *,
    output_format: FormatOption = "text",
) -> None:
    """Hold messages at these parties of a sandbox, and at no other."""
    found = control.set_breakpoints(sandbox, *(parties or ()))
    said = f"messages are held at: {', '.join(found)}" if found else _said_of_none(control, sandbox)
    print_result(found, [said], output_format)


def _said_of_none(control: Control, sandbox: str) -> str:
    held = len(control.held(sandbox))
    if not held:
        return "no message is held any more"
    waiting = "1 is still held" if held == 1 else f"{held} are still held"
    return f"no further message is held; {waiting}: `sandgate hold list`"


@app.command("list")
@with_sandbox
def list_held(control: Control, sandbox: str, *, output_format: FormatOption = "text") -> None:
    """List what is held, the oldest first."""
    found = control.held(sandbox)
    lines = [_line_of(each) for each in found]
    print_result(found, lines or ["nothing is held"], output_format)


@app.command("release")
@with_sandbox
def release(
    control: Control, sandbox: str, *, held: HeldId = None, output_format: FormatOption = "text"
) -> None:
    """Let a message go on as it is."""
    _let_go(control, sandbox, held, "release", output_format=output_format)


@app.command("drop")
@with_sandbox
def drop(
    control: Control, sandbox: str, *, held: HeldId = None, output_format: FormatOption = "text"
) -> None:
    """Drop a message: its party never receives it."""
    _let_go(control, sandbox, held, "drop", output_format=output_format)


@app.command("answer")
@with_sandbox
def answer_held(
    control: Control,
    sandbox: str,
    answer: Annotated[
        str,
        typer.Argument(metavar="ANSWER", help="A behaviour, a word or a code, as its list shows."),
    ],
    *,
    held: HeldId = None,
    output_format: FormatOption = "text",
) -> None:
    """Have the party of a message answer otherwise."""
    _let_go(control, sandbox, held, "answer", answer=answer, output_format=output_format)


def _let_go(
    control: Control,
    sandbox: str,
    held: str | None,
    action: str,
    *,
    answer: str = "",
    output_format: OutputFormat,
) -> None:
    found = control.held(sandbox)
    if held is None and not found:
        fail("expected a message that is held, got none: `sandgate hold list`")
    identity = str(found[0]["id"]) if held is None else held
    gone = control.let_go(sandbox, identity, action, answer)
    print_result(gone, [f"{_line_of(gone)}: {answer or action}"], output_format)


def _line_of(held: Mapping[str, Any]) -> str:
    return f"{held['id']}  {held['sender']} -> {held['receiver']}  {held['label']}"
