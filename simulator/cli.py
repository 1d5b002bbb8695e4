"""The command line. Each command imports what it needs when it runs, so that all start fast."""

import importlib
import json
import os
import sys
from typing import Annotated, Any

import typer

from simulator.commands.options import with_settings
from simulator.settings import ORDER, SettingsError, Source, read_settings

MOUNTED = {
    #  command       application       help
    "behaviours": ("scenarios.cli", "List, show and check behaviours: how the acquirer answers."),
    "webhooks": (
        "simulator.commands.webhooks",
        "Receive, list, replay and decrypt webhook events.",
    ),
    "reconcile": ("simulator.commands.reconcile", "Compare the ledgers of gateway and card host."),
    "throttles": ("simulator.commands.throttles", "List and show throttle tables."),
    "wallet": ("simulator.commands.wallet", "Make wallet tokens."),
    "journal": ("simulator.commands.journal", "Follow the journal, or show one exchange."),
}

COMMANDS = {
    #  command   module                   help
    "run":      ("simulator.commands.run", "Run a command with a gateway of its own."),
    "demo":     ("simulator.commands.demo", "Tell a story on the terminal, message by message."),
    "trace":    ("simulator.commands.trace", "Print every message about a payment, in order."),
    "books":    ("simulator.commands.reconcile", "Deprecated: sandgate reconcile ledger."),
    "wait":     ("simulator.commands.wait", "Return when a gateway is ready."),
    "doctor":   ("simulator.commands.doctor", "Say whether a gateway can start here, or why not."),
    "check":    ("features.commands.check", "Test a gateway against the specification."),
    "check-merchant": (
        "features.commands.check_merchant", "Test a webhook receiver and a result page."
    ),
    "steps":    ("features.commands.steps", "List the steps that features are written in."),
    "target":   ("features.commands.target", "Print the target file of a running gateway."),
    "load":     ("load.cli", "Run a load test against a gateway and check its ledger afterwards."),
    "report":   ("reports.commands.report", "Make reports of a stream of verdicts."),
    "coverage": ("features.commands.coverage", "Show the state of each requirement."),
}  # fmt: skip
# Commands that pass something on: one where the other command begins, one what it does not know.
PASSING_ON = {
    "run":  {"allow_interspersed_args": False},
    "load": {"ignore_unknown_options": True},
}  # fmt: skip


def run() -> None:
    """Run the command that the arguments name; a wrong setting ends it with one line, status 2."""
    app = command_line(sys.argv[1:])
    try:
        app(prog_name="sandgate")
    except SettingsError as error:
        typer.echo(f"sandgate: {error}", err=True)
        raise SystemExit(2) from error


def command_line(arguments: list[str]) -> typer.Typer:
    """The application. Commands of another package are imported only when `arguments` name them."""
    app = typer.Typer(
        help="Sandgate, a sandbox payment gateway.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    app.command("serve")(with_settings(serve))
    app.command("config")(with_settings(config))
    for command in OWN:
        app.command()(command)
    for name, (module, meaning) in MOUNTED.items():
        if arguments[:1] == [name]:
            app.add_typer(importlib.import_module(module).app, name=name)
        else:
            app.command(name, help=meaning)(_mounted)
    for name, (module, meaning) in COMMANDS.items():
        called = arguments[:1] == [name]
        main = importlib.import_module(module).main if called else _mounted
        settings = PASSING_ON.get(name)
        app.command(name, help=None if called else meaning, context_settings=settings)(main)
    return app


def serve(**given: object) -> None:
    """Start the gateway and serve until it is stopped."""
    settings, _ = read_settings(given, os.environ)
    from simulator.serving import CannotStartError, serve

    try:
        serve(settings)
    except CannotStartError as error:
        typer.echo(f"sandgate: {error}", err=True)
        raise typer.Exit(1) from error


def config(**given: object) -> None:
    """Print every setting, its value, and where the value came from."""
    from simulator.throttle_tables import read_throttle_tables

    settings, sources = read_settings(given, os.environ)
    read_throttle_tables(settings)
    typer.echo(f"Read in this order, the first that names a setting wins: {ORDER}.\n")
    for line in _aligned(sources):
        typer.echo(line)


def explain(
    name: Annotated[
        str,
        typer.Argument(
            help="Such as billing.houseNumber2, 800.120, RF, D-84, PAY-08, E09, a test card, "
            "insufficient-funds, check or exit-codes."
        ),
    ],
    profile: Annotated[str, typer.Option(help="Profile whose rules are shown.")] = "specification",
) -> None:
    """Explain a parameter, result code, payment type, decision, test card or other name.

    An unknown name ends the command with status 2 and shows the nearest known ones.
    """
    from simulator.commands.explain import print_explanation

    print_explanation(name, _choices(profile), _helps())


def catalogue(
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON array.")] = False,
) -> None:
    """Print every parameter and field of the specification."""
    from simulator.derive.documents.export import catalogue_as_json

    rows = catalogue_as_json()
    if not as_json:
        for row in rows:
            typer.echo(f"{row['name']}  {row['format']}  {row['need']}")
        return
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    typer.echo(f"[\n{lines}\n]")


def openapi(
    profile: Annotated[str, typer.Option(help="Whose rules are meant.")] = "specification",
) -> None:
    """Print the OpenAPI document."""
    from simulator.derive.openapi.merchant import openapi_document

    typer.echo(json.dumps(openapi_document(_choices(profile)), indent=2, ensure_ascii=False))


def reference() -> None:
    """Print every parameter and field as Markdown, as in docs/reference/parameters.md."""
    from simulator.derive.documents.reference import reference_markdown

    typer.echo(reference_markdown(), nl=False)


def decisions(
    records: Annotated[
        bool, typer.Option("--records", help="Print docs/adr/README.md instead.")
    ] = False,
) -> None:
    """Print every decision as Markdown: what DECISIONS.md holds."""
    from simulator.derive.documents.decisions import decisions_markdown, records_markdown

    typer.echo(records_markdown() if records else decisions_markdown(), nl=False)


def states() -> None:
    """Print the states of a payment as a diagram (Mermaid)."""
    from simulator.domain.payments.diagram import states_diagram

    typer.echo(states_diagram(), nl=False)


def version() -> None:
    """Print the version."""
    from simulator.grammar.version import __version__

    typer.echo(f"sandgate {__version__}")


def _helps() -> dict[str, str]:
    """Every command with what it does."""
    own = (serve, config, *OWN)
    texts = {command.__name__: (command.__doc__ or "").partition("\n")[0] for command in own}
    mounted = {name: meaning for name, (_, meaning) in (MOUNTED | COMMANDS).items()}
    return texts | mounted


def _mounted() -> None:
    """Stands in the list of commands; a call is answered by the application mounted instead."""


OWN = (explain, catalogue, openapi, reference, decisions, states, version)


def _choices(profile: str) -> Any:
    from simulator.catalogue.choices import CHOICES
    from simulator.grammar.choices import UnknownChoiceError, choose

    try:
        return choose(CHOICES, profile)
    except UnknownChoiceError as error:
        raise SettingsError(str(error)) from error


def _aligned(sources: list[Source]) -> list[str]:
    name_width = max(len(source.row.key) for source in sources)
    value_width = max(len(source.shown) for source in sources)
    return [
        f"{source.row.key:<{name_width}}  {source.shown:<{value_width}}  {source.origin}"
        for source in sources
    ]
