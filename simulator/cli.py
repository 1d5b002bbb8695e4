"""The command line: every command in its section, and how a run of one ends."""

import os

import typer

from simulator.client.transport.sendable import UnsendableError
from simulator.commands.surface.application import CommandRow, application_of
from simulator.commands.surface.completion import COMPLETION_VARIABLE, enable_completion
from simulator.commands.surface.help import SandgateGroup
from simulator.commands.surface.pipes import guard_standard_streams
from simulator.settings import SettingsError

HELP = """Sandgate: a sandbox payment gateway, and a conformance harness.

Begin with `sandgate serve`. `sandgate COMMAND --help` describes a command, `sandgate explain NAME`
a parameter, result code, payment type, decision or command.
"""
Row = CommandRow
# Commands that pass arguments on: one where the other command begins, one what it does not know.
PASSES_COMMAND = {"allow_interspersed_args": False}
PASSES_OPTIONS = {"ignore_unknown_options": True}
RUN_TERMINAL = Row(
    "run", "pos_emulator.cli", "Run a terminal with a page: hold cards to it, type PINs, pay."
)
PLAY_TERMINAL = Row(
    "play", "pos_emulator.scripts.cli", "Play stories at a terminal: cards, PINs, faults."
)
LOAD_FLEET = Row("fleet", "pos_emulator.fleet", "Load many terminals, each into a folder.")
CHECK_RECONCILIATION = Row(
    "check",
    "features.commands.reconcile",
    "Measure your reconciliation against an answer key.",
    "check",
)
CHECK_FILE = Row(
    "file",
    "features.commands.reconcile",
    "Check a reconciliation file by the specification.",
    "file",
)
SECTIONS = {
    "Run a gateway": (
        Row("serve", "simulator.commands.serve", "Start the gateway and serve.", "serve_command"),
        Row("run", "simulator.commands.run", "Run a command with a gateway and a sandbox of its "
            "own.", settings=PASSES_COMMAND),
        Row("wait", "simulator.commands.wait", "Wait until a gateway is ready."),
        Row("doctor", "simulator.commands.doctor", "Check whether a gateway can start here."),
        Row("config", "simulator.commands.serve", "Print every setting and where it comes from.",
            "config_command"),
        Row("demo", "simulator.commands.demo", "Present a payment story, message by message."),
        Row("shop", "demo_shop.cli", "Open a demo shop that pays by the hosted form."),
    ),
    "Steer a running gateway": (
        Row("sandbox", "simulator.commands.control.sandbox", "Create, list, show, reset and delete "
            "sandboxes.", "app"),
        Row("clock", "simulator.commands.control.clock", "Show, set and advance the clock of a "
            "sandbox.", "app"),
        Row("script", "simulator.commands.control.script", "Arm, list and disarm scripts: what the "
            "simulators do next.", "app"),
        Row("hold", "simulator.commands.control.hold", "Hold messages at a party, let "
            "them go on, answer or drop them.", "app"),
        Row("webhooks", "simulator.commands.control.webhooks", "Add endpoints; receive, list, "
            "resend and decrypt webhook events.", "app"),
        Row("wallet", "simulator.commands.control.wallet", "Create tokens of mobile wallets.",
            "app"),
        Row("console", "simulator.commands.control.console", "Invite people to the console in the "
            "browser, list and remove them.", "app"),
        Row("terminal", "simulator.commands.control.terminal", "Run a terminal, play stories at "
            "it; create, list and show terminals at the point of sale.", "app",
            members=(RUN_TERMINAL, PLAY_TERMINAL, LOAD_FLEET)),
        Row("capability", "simulator.commands.control.capability", "Issue the capability of a "
            "payment form for a checkout."),
        Row("settle", "simulator.commands.control.settle", "Settle bank days, show the runs, plant "
            "faults in settlement files.", "app"),
        Row("form", "simulator.commands.control.form", "Choose the brands that the hosted form "
            "offers.", "app"),
    ),
    "Look into a running gateway": (
        Row("journal", "simulator.commands.control.journal", "Follow the journal, or show one "
            "exchange.", "app"),
        Row("trace", "simulator.commands.control.trace", "Print or draw every message about a "
            "payment."),
        Row("reconcile", "simulator.commands.control.reconcile", "Compare ledgers; print answer "
            "keys; measure a merchant's reconciliation.", "app",
            members=(CHECK_RECONCILIATION, CHECK_FILE)),
        Row("books", "simulator.commands.control.reconcile", "Deprecated: sandgate reconcile "
            "ledger.", is_hidden=True),
    ),
    "Look something up": (
        Row("explain", "simulator.commands.explain", "Explain a parameter, result code, payment "
            "type, decision or other name."),
        Row("catalogue", "simulator.commands.catalogue", "Print every parameter and field.",
            "catalogue"),
        Row("reference", "simulator.commands.catalogue", "Print the page of parameters and fields.",
            "reference"),
        Row("decisions", "simulator.commands.catalogue", "Print every decision.", "decisions"),
        Row("states", "simulator.commands.catalogue", "Print the states of a payment as a diagram.",
            "states"),
        Row("openapi", "simulator.commands.catalogue", "Print the OpenAPI document.", "openapi"),
        Row("behaviours", "simulator.commands.behaviours", "List, show and check behaviours of the "
            "simulators.", "app"),
        Row("throttles", "simulator.commands.throttles", "List and show throttle tables, also "
            "those of files.", "app"),
    ),
    "Test gateways and merchants": (
        Row("check", "features.commands.check", "Test a gateway against the specification."),
        Row("check-merchant", "features.commands.check_merchant", "Test a webhook receiver and a "
            "result page.", forms={"hex": "--body-format", "wrapped": "--body-format"}),
        Row("load", "load.cli", "Run a load test and check the ledger afterwards.",
            settings=PASSES_OPTIONS),
        Row("target", "features.commands.target", "Print the target file of a running gateway."),
        Row("steps", "features.commands.steps", "List the steps that scenarios are written in."),
        Row("coverage", "features.commands.coverage", "Print the state of each requirement."),
        Row("report", "reports.commands.report", "Make reports of a conformance run."),
    ),
    "This command line": (
        Row("member", "simulator.commands.member", "Print one member of a JSON document, such as "
            "id."),
        Row("completion", "simulator.commands.surface.completion", "Print the completion script of "
            "bash, zsh or fish."),
        Row("version", "simulator.commands.surface.application", "Print the version.", "version"),
    ),
}  # fmt: skip


def run() -> None:
    """Run the command that the arguments name; a wrong setting ends it with one line, status 2."""
    guard_standard_streams()
    if COMPLETION_VARIABLE in os.environ:
        enable_completion()
    try:
        command_line()(prog_name="sandgate")
    except (SettingsError, UnsendableError) as error:
        typer.echo(f"sandgate: {error}", err=True)
        raise SystemExit(2) from error


def command_line() -> SandgateGroup:
    """The application of every command."""
    return application_of(SECTIONS, HELP)
