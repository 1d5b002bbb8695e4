"""`sandgate explain`: everything that has a name, and the exit statuses of the commands."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Annotated, Any

import typer

from simulator.commands.catalogue import ProfileOption, choices_of
from simulator.commands.explained_behaviours import BEHAVIOURS, CARDS
from simulator.commands.surface.output import FormatOption, print_result
from simulator.derive.explain.lines import explanations_in, labeled
from simulator.derive.explain.lookup import SUBJECTS, explain
from simulator.derive.explain.subject import Subject
from simulator.domain.masking.masking import mask_text
from simulator.grammar.choices import Choices

ALL_COMMANDS = "exit-codes"
# fmt: off
EVERY_COMMAND = (
    # status  meaning
    ("0",     "done"),
    ("1",     "the command ran and the result is negative: a start failed, a check failed, a test "
              "case failed"),
    ("2",     "the call is invalid: an unknown option, profile or throttle table, a missing file"),
    ("141",   "the reader of the output ended first, such as `head`"),
)
MORE: Mapping[str, tuple[tuple[str, str], ...]] = {
    # command            status           meaning
    "run":            (("COMMAND's",      "the exit status of the command, 128 plus the number of "
                                          "the signal if a signal ended it"),
                       ("125",            "the gateway could not start"),
                       ("126",            "the command cannot be executed"),
                       ("127",            "there is no such command")),
    "check":          (("3",              "no case failed, and not every case could be checked"),
                       ("130",            "interrupted")),
    "check-merchant": (("3",              "no check failed, and not every check could be done"),),
    "load":           (("3",              "there is no throughput figure, or it is in doubt; the "
                                          "last line says why"),),
    "reconcile":      (("3",              "ledger: the ledgers differ; file: the file breaks a "
                                          "rule; check: a fault was not found, or an alarm was "
                                          "false"),),
    "settle":         (("3",              "run: a file was refused, or more bank days are over "
                                          "than are settled at once; show: lines, payout and "
                                          "ledger of a run differ, or its file was refused"),),
    "webhooks":       (("3",              "inbox: fewer events came than were waited for"),),
    "books":          (("3",              "the ledgers differ"),),
    "report":         (("0",              "the reports are written, whatever the verdict"),),
}
# fmt: on


def main(
    call: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="Such as billing.houseNumber2, 800.120, RF, D-84, PAY-08, E09, a test card, "
            "insufficient-funds, check or exit-codes.",
        ),
    ],
    profile: ProfileOption = "specification",
    output_format: FormatOption = "text",
) -> None:
    """Explain a parameter, result code, payment type, decision, test card or other name.

    Exit status 2: the name is unknown; the nearest known names are shown.
    """
    subjects = (*SUBJECTS, CARDS, BEHAVIOURS, exit_statuses(_commands_of(call)))
    lines, is_known = explain(name, choices_of(profile), subjects)
    if not is_known:
        # A token or a card number, perhaps.
        name, lines = mask_text(name), [mask_text(line) for line in lines]
    document = {"name": name, "is_known": is_known, "explanations": explanations_in(lines)}
    print_result(document, lines, output_format)
    if not is_known:
        raise typer.Exit(2)


def _commands_of(call: typer.Context) -> dict[str, str]:
    """Every command of the command line with what it does."""
    root: Any = call.find_root().command
    return {name: command.help for name, command in root.commands.items()}


def exit_statuses(commands: Mapping[str, str]) -> Subject:
    """The commands, each with what it does, and the exit statuses of all of them."""
    return Subject(
        kind="a command",
        example=f"check, or {ALL_COMMANDS} for all",
        page="docs/reference/commands.md",
        names=lambda: (ALL_COMMANDS, *commands),
        explain=partial(_explain, commands),
    )


def _explain(commands: Mapping[str, str], name: str, _choices: Choices) -> Iterator[str]:
    if name == ALL_COMMANDS:
        yield f"{ALL_COMMANDS}  (exit statuses of the commands)"
        yield from _statuses(EVERY_COMMAND)
        for command, rows in MORE.items():
            yield f"  {command}"
            yield from _statuses(rows)
    elif name in commands:
        yield f"{name}  (command)"
        yield from labeled("does", commands[name])
        yield "  exit status"
        special = {status for status, _ in MORE.get(name, ())}
        yield from _statuses([row for row in EVERY_COMMAND if row[0] not in special])
        yield from _statuses(MORE.get(name, ()))
        yield f"  options     sandgate {name} --help"


def _statuses(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    for status, meaning in rows:
        yield from labeled(f"  {status}", meaning)
