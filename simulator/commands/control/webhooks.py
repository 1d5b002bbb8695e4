"""`sandgate webhooks`: endpoints of a sandbox, and the webhook events sent to them."""

import json
import re
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from simulator.catalogue.events import EVENT_NAMES
from simulator.client import Control, ControlError
from simulator.client.files.bounded import read_stream_within, read_within
from simulator.client.shown.known_secrets import showing_credentials
from simulator.commands.control.connection import (
    CaOption,
    KeyOption,
    SandboxOption,
    UrlOption,
    asking,
    fail,
    sandbox_in,
    with_sandbox,
)
from simulator.commands.control.documents import given
from simulator.commands.control.receiver import Receiver
from simulator.commands.surface.output import FormatOption, aligned, print_json, print_result
from simulator.commands.surface.shown import masked_for_use
from simulator.derive.documents.events import events_markdown
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.webhooks.envelopes import (
    IV_HEADER,
    TAG_HEADER,
    UnreadableEnvelopeError,
    open_envelope,
)
from simulator.domain.webhooks.targets import WebhookUrl, parse_webhook_url
from simulator.grammar.characters import escape_controls
from simulator.settings import SettingsError

app = typer.Typer(no_args_is_help=True)
FEWER = 3
HEX = re.compile(r"[0-9A-Fa-f]*")
# The cipher takes initialization vectors of other lengths too, from 8 to 128 bytes.
IV_FORM = re.compile(r"(?:[0-9A-Fa-f]{2}){8,128}")
TAG_FORM, SECRET_FORM = re.compile(r"[0-9A-Fa-f]{32}"), re.compile(r"[0-9A-Fa-f]{64}")
COLUMNS = ("id", "event", "payment", "endpoint", "state", "attempts", "last answer")
BodyFormat = Literal["hex", "wrapped"]
EndpointArgument = Annotated[str, typer.Argument(metavar="ID", help="The id of an endpoint.")]


@app.command("add")
@with_sandbox
def add_endpoint(
    control: Control,
    sandbox: str,
    url: Annotated[
        str, typer.Argument(metavar="URL", help="Address of the receiver, or inbox for the inbox.")
    ],
    *,
    types: Annotated[
        list[str] | None,
        typer.Option("--type", metavar="TYPE", help="PAYMENT, REGISTRATION, ...; may be repeated."),
    ] = None,
    entity: Annotated[
        str | None, typer.Option(metavar="ID", help="Only events of this entity and below.")
    ] = None,
    fields: Annotated[
        str | None, typer.Option(metavar="WHICH", help="Fields sent, such as ALL.")
    ] = None,
    body_format: Annotated[
        BodyFormat | None, typer.Option(metavar="FORM", help="Body: hex or wrapped.")
    ] = None,
    secret: Annotated[
        str | None, typer.Option(metavar="HEX", help="64 hex digits; else one is generated.")
    ] = None,
    skip_activation: Annotated[
        bool, typer.Option("--skip-activation", help="Do not call the endpoint first.")
    ] = False,
    output_format: FormatOption = "text",
) -> None:
    """Add an endpoint, activate it, and print its id and secret."""
    asked = given(types=types, entity=entity, fields=fields, format=body_format, secret=secret)
    made = control.create_webhook(sandbox, url, skip_activation=skip_activation, **asked)
    rows = (("endpoint", made["id"]), ("secret", made["secret"]), *_state_of(made))
    with showing_credentials():
        print_result(made, aligned(rows), output_format)


@app.command("activate")
@with_sandbox
def activate_endpoint(
    control: Control,
    sandbox: str,
    endpoint: EndpointArgument,
    *,
    output_format: FormatOption = "text",
) -> None:
    """Call an endpoint once more; it is active if it answers 2xx, else the status is 1."""
    found = control.activate_webhook(sandbox, endpoint)
    print_result(found, aligned((("endpoint", found["id"]), *_state_of(found))), output_format)
    if not found["active"]:
        raise typer.Exit(1)


@app.command("endpoints")
@with_sandbox
def list_endpoints(control: Control, sandbox: str, *, output_format: FormatOption = "text") -> None:
    """List the endpoints: id, state, types, URL."""
    found = control.webhooks(sandbox)
    rows = [
        (each["id"], "active" if each["active"] else "not active", ",".join(each["types"]),
         each["url"])
        for each in found
    ]  # fmt: skip
    print_result(found, aligned(rows) or ["no endpoint is set up"], output_format)


@app.command("remove")
@with_sandbox
def remove_endpoint(control: Control, sandbox: str, endpoint: EndpointArgument) -> None:
    """Remove an endpoint."""
    control.delete_webhook(sandbox, endpoint)
    typer.echo(f"{endpoint} is removed")


@app.command("inbox")
@with_sandbox
def read_inbox(
    control: Control,
    sandbox: str,
    *,
    count: Annotated[
        int, typer.Option(metavar="COUNT", help="Wait until so many events have arrived.")
    ] = 0,
    wait: Annotated[
        str, typer.Option(metavar="SPAN", help="How long to wait, in real time.")
    ] = "5s",
    output_format: FormatOption = "text",
) -> None:
    """Print what arrived in the inbox of the sandbox, decrypted, the oldest first.

    Exit status 3: fewer than --count have arrived.
    """
    arrived = control.inbox(sandbox, count=count, wait=wait)
    lines = (json.dumps(each, ensure_ascii=False) for each in arrived)
    print_result(arrived, lines, output_format)
    if len(arrived) < count:
        typer.echo(f"sandgate: events: expected {count} after {wait}, got {len(arrived)}", err=True)
        raise typer.Exit(FEWER)


@app.command("listen")
def listen(
    *,
    port: Annotated[
        int, typer.Option(metavar="PORT", help="Port to listen on; 0 takes a free one.")
    ] = 0,
    secret: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="Secret of an endpoint of yours; then none is added."),
    ] = None,
    forward_to: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Forward what arrives to this address, unchanged."),
    ] = None,
    count: Annotated[
        int, typer.Option(metavar="COUNT", help="End after so many events; 0 never ends.")
    ] = 0,
    sandbox: SandboxOption = None,
    control_url: UrlOption = "",
    control_key: KeyOption = "",
    ca_file: CaOption = None,
) -> None:
    """Receive webhook events and print one JSON line for each.

    Unless a secret is given, an endpoint of the sandbox leads here while the command runs.
    """
    if secret is not None:
        _check_digits("--secret", secret, SECRET_FORM, "64 hex digits")
    passed_to = None if forward_to is None else _target(forward_to)
    try:
        receiver = Receiver(port, forward_to=passed_to, count=count, show=_print)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        fail(f"--port: expected a free port from 0 to 65535, got {port}: {reason}")
    if secret is not None:
        receiver.secrets.append(secret)
        _receive(receiver)
        return
    with asking(control_url, control_key, ca_file) as control:
        _receive_as_endpoint(control, sandbox_in(control, sandbox), receiver)


@app.command("list")
@with_sandbox
def list_events(
    control: Control,
    sandbox: str,
    *,
    failed: Annotated[
        bool, typer.Option("--failed", help="Only events that are not delivered.")
    ] = False,
    output_format: FormatOption = "text",
) -> None:
    """List webhook events, the newest first: id, event, payment, endpoint, state, attempts."""
    found = control.notices(sandbox, failed=failed)
    lines = [_line(each, delivery) for each in found for delivery in each["deliveries"] or [{}]]
    none = "every event was delivered, or none was sent" if failed else "no event was sent"
    shown = ["\t".join(COLUMNS), *lines] if lines else [none]
    print_result(found, shown, output_format)


@app.command("resend")
@with_sandbox
def resend(
    control: Control,
    sandbox: str,
    identity: Annotated[str, typer.Argument(metavar="ID", help="The id of a webhook event.")],
    *,
    output_format: FormatOption = "text",
) -> None:
    """Deliver a webhook event again, under the same event id."""
    found = control.resend_notice(sandbox, identity)
    print_result(found, [f"{found['id']} is delivered again"], output_format)


@app.command("trigger")
@with_sandbox
def trigger(
    control: Control,
    sandbox: str,
    event: Annotated[
        str,
        typer.Argument(
            metavar="EVENT",
            help="Such as payment.updated.",
            autocompletion=lambda: [*EVENT_NAMES],
        ),
    ],
    *,
    payment: Annotated[str, typer.Option(metavar="ID", help="The payment it is about.")],
    output_format: FormatOption = "text",
) -> None:
    """Send a webhook event about a payment though nothing happened to it."""
    found = control.trigger(sandbox, event, payment)
    print_result(found, [f"{found['id']} {found['type']} is sent"], output_format)


@app.command("decrypt")
def decrypt(
    iv: Annotated[str, typer.Option(metavar="HEX", help=f"Value of {IV_HEADER}.")],
    tag: Annotated[str, typer.Option(metavar="HEX", help=f"Value of {TAG_HEADER}.")],
    secret: Annotated[
        str,
        typer.Option(
            metavar="HEX",
            envvar="SANDGATE_WEBHOOK_SECRET",
            help="Secret of the endpoint, 64 hex digits.",
        ),
    ],
    body: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="File with the body; else standard input."),
    ] = None,
) -> None:
    """Decrypt the body of a webhook event, hex or wrapped, and print it as JSON."""
    _check_digits("--iv", iv, IV_FORM, "24 hex digits")
    _check_digits("--tag", tag, TAG_FORM, "32 hex digits")
    _check_digits("--secret", secret, SECRET_FORM, "64 hex digits")
    content = _content_of(body)
    try:
        event = open_envelope({IV_HEADER: iv, TAG_HEADER: tag}, content, [secret])
    except UnreadableEnvelopeError as error:
        fail(str(error))
    print_json(masked_for_use(event))


@app.command("events")
def events() -> None:
    """Print as Markdown which operation emits which event."""
    typer.echo(events_markdown(), nl=False)


def _state_of(endpoint: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Whether events are sent to an endpoint, and if not, why not and what to do."""
    if endpoint["active"]:
        yield "state", "active"
        return
    called = endpoint.get("activation", {})
    answered = f"status {called['status']}" if called.get("status") else called.get("error", "none")
    yield "state", f"not active: expected an answer of 2xx, got {answered}"
    yield "next", f"start the receiver, then: sandgate webhooks activate {endpoint['id']}"


def _check_digits(option: str, given: str, form: re.Pattern[str], expected: str) -> None:
    """Raises SettingsError, which does not repeat what may be a secret."""
    if not form.fullmatch(given):
        got = f"{len(given)} of them" if HEX.fullmatch(given) else "other characters"
        raise SettingsError(f"{option}: expected {expected}, got {got}")


def _content_of(path: Path | None) -> bytes:
    """The bytes of a file, or of standard input. Raises SettingsError."""
    try:
        if path is None:
            content: bytes = read_stream_within(sys.stdin.buffer)
            return content
        return read_within(path)
    except OSError as error:
        name = path or "standard input"
        raise SettingsError(f"{name}: expected a file to read, got: {error.strerror}") from error


def _target(url: str) -> WebhookUrl:
    """Where notifications are passed on to; another address ends the command."""
    try:
        return parse_webhook_url(url)
    except InvalidInputError as error:
        example = "such as http://127.0.0.1:3000/hook"
        raise typer.BadParameter(
            f"expected {error.expected}, {example}; got {error.got}", param_hint="--forward-to"
        ) from None


def _receive_as_endpoint(control: Control, sandbox: str, receiver: Receiver) -> None:
    made = control.create_webhook(sandbox, receiver.url, skip_activation=True)
    receiver.secrets.append(made["secret"])
    try:
        _receive(receiver)
    finally:
        with suppress(ControlError, OSError):
            control.delete_webhook(sandbox, made["id"])


def _receive(receiver: Receiver) -> None:
    # SIGTERM ends it as Ctrl-C does: the endpoint that leads here is removed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        _print({"listening": receiver.url})
        receiver.run()


def _print(document: Mapping[str, Any]) -> None:
    typer.echo(json.dumps(masked_for_use(document), ensure_ascii=False))


def _line(notice: Mapping[str, Any], delivery: Mapping[str, Any]) -> str:
    event = ".".join(filter(None, (notice["type"], notice["action"]))).lower()
    place = delivery.get("webhook") or delivery.get("url") or ""
    state = delivery.get("state", "not sent")
    why = delivery.get("error") or delivery.get("status") or ""
    # An event of a schedule or of a settlement is about no payment.
    about, attempts = notice["payment"] or "", str(delivery.get("attempts", 0))
    cells = (notice["id"], event, about, place, state, attempts, str(why))
    return "\t".join(map(escape_controls, cells))
