"""`sandgate webhooks`: receive, list, resend, trigger and decrypt notifications."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from simulator.client import Control, ControlError
from simulator.commands.asking import (
    CaOption,
    KeyOption,
    SandboxOption,
    UrlOption,
    asking,
    fail,
    sandbox_in,
)
from simulator.commands.receiver import Receiver
from simulator.derive.documents.events import events_markdown
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.webhooks.envelopes import (
    IV_HEADER,
    TAG_HEADER,
    UnreadableEnvelopeError,
    open_envelope,
)
from simulator.domain.webhooks.targets import WebhookUrl, parse_webhook_url
from simulator.settings import SettingsError

app = typer.Typer(name="webhooks", no_args_is_help=True)


class ControlTarget(NamedTuple):
    """The control API that commands speak to, and the sandbox they are about, if one is named."""

    url: str
    key: str
    sandbox: str | None
    ca_file: str | None


@app.callback()
def place(
    ctx: typer.Context,
    *,
    control_url: UrlOption = "",
    control_key: KeyOption = "",
    sandbox: SandboxOption = None,
    ca_file: CaOption = None,
) -> None:
    """Receive, list and resend notifications."""
    ctx.obj = ControlTarget(control_url, control_key, sandbox, ca_file)


@app.command("listen")
def listen(
    ctx: typer.Context,
    *,
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.")] = 0,
    secret: Annotated[
        str | None, typer.Option(help="64 hex digits; the endpoint is then yours to set up.")
    ] = None,
    forward_to: Annotated[
        str | None, typer.Option(help="Post what arrives to this http(s) address, as it came.")
    ] = None,
    count: Annotated[int, typer.Option(help="End after so many; 0 never ends.")] = 0,
) -> None:
    """Receive notifications and print one JSON line each.

    Unless a secret is given, an endpoint of the sandbox leads here for as long as this runs.
    """
    passed_to = None if forward_to is None else _target(forward_to)
    receiver = Receiver(port, forward_to=passed_to, count=count, show=_print)
    if secret is None:
        _receive_as_endpoint(ctx.obj, receiver)
        return
    receiver.secrets.append(secret)
    _receive(receiver)


@app.command("list")
def list_notices(
    ctx: typer.Context,
    *,
    failed: Annotated[
        bool, typer.Option("--failed", help="What was not delivered so far.")
    ] = False,
) -> None:
    """List notifications, the newest first: id, event, payment, endpoint, state and attempts."""
    with _control(ctx.obj) as (control, sandbox):
        for notice in control.notices(sandbox, failed=failed):
            for delivery in notice["deliveries"] or [{}]:
                typer.echo(_line(notice, delivery))


@app.command("resend")
def resend(
    ctx: typer.Context,
    identity: Annotated[str, typer.Argument(metavar="ID", help="The id of a notification.")],
) -> None:
    """Deliver a notification again, under the same identity."""
    with _control(ctx.obj) as (control, sandbox):
        notice = control.resend_notice(sandbox, identity)
        typer.echo(f"{notice['id']} is delivered again")


@app.command("trigger")
def trigger(
    ctx: typer.Context,
    event: Annotated[str, typer.Argument(help="Such as payment.updated.")],
    payment: Annotated[str, typer.Option(help="The id of the payment it is about.")],
) -> None:
    """Send a notification of an event about a payment, without the event."""
    with _control(ctx.obj) as (control, sandbox):
        notice = control.trigger(sandbox, event, payment)
        typer.echo(f"{notice['id']} {notice['type']} is sent")


@app.command("decrypt")
def decrypt(
    iv: Annotated[str, typer.Option(help=f"Value of {IV_HEADER}.")],
    tag: Annotated[str, typer.Option(help=f"Value of {TAG_HEADER}.")],
    secret: Annotated[str, typer.Option(envvar="SANDGATE_WEBHOOK_SECRET", help="64 hex digits.")],
    body: Annotated[
        Path | None, typer.Argument(help="File with the body; without it, standard input.")
    ] = None,
) -> None:
    """Decrypt the body of a notification: hex text, or a JSON wrapper with encryptedBody."""
    content = sys.stdin.buffer.read() if body is None else _content_of(body)
    try:
        event = open_envelope({IV_HEADER: iv, TAG_HEADER: tag}, content, [secret])
    except UnreadableEnvelopeError as error:
        fail(str(error))
    typer.echo(json.dumps(event, indent=2, ensure_ascii=False))


@app.command("events")
def events() -> None:
    """Print which operation emits which event."""
    typer.echo(events_markdown(), nl=False)


def _content_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingsError(f"{path}: expected a file to read, got: {error.strerror}") from error


def _target(url: str) -> WebhookUrl:
    """Where notifications are passed on to; another address ends the command."""
    try:
        return parse_webhook_url(url)
    except InvalidInputError as error:
        example = "such as http://127.0.0.1:3000/hook"
        raise typer.BadParameter(
            f"expected {error.expected}, {example}; got {error.got}", param_hint="--forward-to"
        ) from None


@contextmanager
def _control(place: ControlTarget) -> Iterator[tuple[Control, str]]:
    """The control API and the id of a sandbox; a refusal ends the command."""
    with asking(place.url, place.key, place.ca_file) as control:
        yield control, sandbox_in(control, place.sandbox)


def _receive_as_endpoint(place: ControlTarget, receiver: Receiver) -> None:
    with _control(place) as (control, sandbox):
        made = control.create_webhook(sandbox, receiver.url, skip_activation=True)
        receiver.secrets.append(made["secret"])
        try:
            _receive(receiver)
        finally:
            with suppress(ControlError, OSError):
                control.delete_webhook(sandbox, made["id"])


def _receive(receiver: Receiver) -> None:
    _print({"listening": receiver.url})
    with suppress(KeyboardInterrupt):
        receiver.run()


def _print(document: Mapping[str, Any]) -> None:
    typer.echo(json.dumps(document, ensure_ascii=False))


def _line(notice: Mapping[str, Any], delivery: Mapping[str, Any]) -> str:
    event = ".".join(filter(None, (notice["type"], notice["action"]))).lower()
    place = delivery.get("webhook") or delivery.get("url") or ""
    state = delivery.get("state", "not sent")
    why = delivery.get("error") or delivery.get("status") or ""
    cells = (notice["id"], event, notice["payment"], place, state, str(delivery.get("attempts", 0)))
    return "\t".join((*cells, str(why)))
