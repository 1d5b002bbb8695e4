"""`sandgate check-merchant`: test a merchant's webhook receiver and result page."""

import ssl
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, NoReturn

import typer
from rich.console import Console

from features.commands import check_merchant_options as options
from features.commands.ending import USAGE_ERROR
from features.conformance.progress import print_error
from features.merchant_side import option_values as choosing
from features.merchant_side.checks.table import CHECKS, MerchantCheck
from features.merchant_side.context import CheckContext
from features.merchant_side.execution import run_checks
from features.merchant_side.option_values import OptionValueError
from features.merchant_side.payment_states import state_reader
from features.merchant_side.progress import show_progress
from features.merchant_side.repeat_command import repeat_command_of
from features.merchant_side.restart_command import restart_by_command
from features.merchant_side.shop import MerchantShop
from features.merchant_side.stub_gateway import StubGateway, serving
from features.merchant_side.webhook_sender import TIME_LIMIT_S, WebhookSender
from reports.commands.output import FormatOption, OutputFormat, print_json, text_on_stderr
from reports.document import document_of
from reports.events import Event, RunEnded
from reports.files import FileOptionError, demand_writable_files
from reports.keeping import StreamFiles, StreamWriteError
from reports.run import read_run
from reports.writing import write_reports
from simulator.client.shown.known_secrets import KnownSecrets

WATCH_S = 65.0
FAILED, INCOMPLETE = 1, 3


class ShopPages(NamedTuple):
    """The pages of a shop as the options name them, and the text that one shows for an order that
    is paid.
    """

    result_url: str | None
    start_url: str | None
    paid_text: str

    def options(self) -> dict[str, str | None]:
        """The addresses by the options that name them."""
        return {"--shop-result-url": self.result_url, "--shop-start-url": self.start_url}


class _StreamOptions(NamedTuple):
    """Where the stream goes beside the reports, if anywhere, and the key that it may not have."""

    events: Path | None
    key: str


def main(
    call: typer.Context,
    *,
    webhook_url: options.WebhookUrl = "",
    key: options.Key = None,
    key_file: options.KeyFile = None,
    body_format: options.Forms = None,
    state_url: options.StateUrl = None,
    state_command: options.StateCommand = None,
    restart_command: options.RestartCommand = None,
    shop_result_url: options.ShopResultUrl = None,
    shop_start_url: options.ShopStartUrl = None,
    paid_text: options.PaidText = "thank you",
    only: options.Only = None,
    allow_remote: options.AllowRemote = None,
    listen: options.Listen = "127.0.0.1:18090",
    time_limit: options.TimeLimit = TIME_LIMIT_S,
    settle: options.Settle = 0.5,
    watch: options.Watch = WATCH_S,
    ca_file: options.CaFile = None,
    list_checks: options.ListChecks = False,
    json: options.Json = None,
    junit: options.Junit = None,
    html: options.Html = None,
    events: options.Events = None,
    output_format: FormatOption = "text",
) -> None:
    """Test a merchant's side of the integration: its webhook receiver, and its result page.

    Exit status 0: all checks passed; 1: a check failed; 2: usage error, or a report that could not
    be written; 3: not every check could be made.
    """
    if list_checks:
        _list_and_end(output_format)
    pages = ShopPages(shop_result_url, shop_start_url, paid_text)
    addresses = {"--webhook-url": webhook_url, "--state-url": state_url, **pages.options()}
    reports = {"json": json, "junit": junit, "html": html}
    files = {**{f"--{name}": path for name, path in reports.items()}, "--events": events}
    read = {"--key-file": key_file, "--ca-file": ca_file}
    times = {"--settle": settle, "--watch": watch, "--time-limit": time_limit}
    with ExitStack() as held:
        with _reporting_invalid_options():
            checks = choosing.select_checks(only or ())
            choosing.demand_own_hosts(addresses, allow_remote or ())
            demand_writable_files(files.items(), others=read.items())
            choosing.demand_durations(times)
            command = choosing.state_command_of(state_command, state_url)
            tls = choosing.tls_context_of(ca_file)
            context = CheckContext(
                choosing.read_key(key, key_file),
                choosing.forms_of(body_format or ()),
                WebhookSender(webhook_url, time_limit_s=time_limit, tls=tls),
                read_state=state_reader(state_url, command, tls),
                settle_s=settle,
                restart=restart_by_command(choosing.words_of("--restart-command", restart_command)),
                shop=held.enter_context(_open_shop(listen, pages, watch_s=watch, tls=tls)),
            )
        found = run_checks(context, checks, choosing.as_shown(webhook_url), repeat_command_of(call))
        stream = _StreamOptions(events, context.key.hex())
        raise typer.Exit(_reported(found, checks, stream, output_format, **reports))


@contextmanager
def _reporting_invalid_options() -> Iterator[None]:
    """Ends the command where an option is invalid."""
    try:
        yield
    except (OptionValueError, FileOptionError) as error:
        raise typer.BadParameter(str(error), param_hint=error.option) from None


def _list_and_end(output_format: OutputFormat) -> NoReturn:
    if output_format == "text":
        typer.echo(checks_markdown(), nl=False)
    else:
        rows = [(each.id, each.title, each.fix, list(each.rules)) for each in CHECKS]
        print_json([dict(zip(("id", "title", "fix", "rules"), row, strict=True)) for row in rows])
    raise typer.Exit


def checks_markdown() -> str:
    """Every check as a table: what docs/reference/receiver-checks.md holds."""
    rows = ["| check | what | how to fix it | rules |", "| --- | --- | --- | --- |"]
    rows += [
        f"| `{check.id}` | {check.title} | {check.fix} | {', '.join(check.rules)} |"
        for check in CHECKS
    ]
    return "\n".join(rows) + "\n"


def _reported(
    verdicts: Iterable[Event],
    checks: Sequence[MerchantCheck],
    stream: _StreamOptions,
    output_format: OutputFormat,
    **reports: Path | None,
) -> int:
    """Show each check as it is made, and write the reports; the exit status, which is 2 where
    nothing failed and a report could not be written.
    """
    # A receiver may repeat its key.
    hide = KnownSecrets(stream.key).hidden_in
    with (
        TemporaryDirectory() as folder,
        StreamFiles(Path(folder) / "events.jsonl", stream.events, hide) as kept,
    ):
        try:
            with text_on_stderr(output_format):
                status = _show(verdicts, checks, kept)
        except StreamWriteError as error:
            print_error(f"the run could not be completed: {error}")
            return INCOMPLETE
        faults = [f"--events: {kept.fault}"] if kept.fault else []
        faults += write_reports(kept.own, **reports, evidence=None, secrets=()).faults
        if output_format == "json":
            typer.echo(document_of(read_run(kept.own)), nl=False)
    for fault in faults:
        print_error(fault)
    return USAGE_ERROR if faults and status != FAILED else status


def _show(verdicts: Iterable[Event], checks: Sequence[MerchantCheck], kept: StreamFiles) -> int:
    """Show each check as it is made, and keep it; the exit status."""
    status = 0
    for event in show_progress(verdicts, checks, Console(highlight=False)):
        kept.put(event)
        if isinstance(event, RunEnded):
            status = event.exit_status
    return status


@contextmanager
def _open_shop(
    listen: str, pages: ShopPages, *, watch_s: float, tls: ssl.SSLContext | None
) -> Iterator[MerchantShop | None]:
    """The shop of a merchant with a result page, beside the gateway that it asks and another host
    that it must never ask. Raises OptionValueError.
    """
    result_url, start_url, paid_text = pages
    if result_url is None:
        yield None
        return
    host, port = choosing.address_of(listen)
    with ExitStack() as held:
        try:
            gateway = held.enter_context(serving(host, port, StubGateway()))
            elsewhere = held.enter_context(serving(host, 0, StubGateway(lying=True)))
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise OptionValueError("--listen", f"expected a free port, got: {reason}") from None
        yield MerchantShop(result_url, start_url, paid_text, watch_s, gateway, elsewhere, tls)
