"""`sandgate shop`: a demo shop in the browser, until Ctrl-C."""

import json
import os
import signal
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPException
from types import FrameType
from typing import Annotated

import typer

from demo_shop.merchant import Merchant
from demo_shop.server import ShopServer, admit
from reports.commands.ending import fail_usage
from simulator.client import ControlError, GatewayAccess, gateway_for
from simulator.client.browser import failure_reason
from simulator.client.gateway import access_of
from simulator.client.listener import listening
from simulator.client.processes import ServerStartError

PORT, LOOPBACK = 8090, "127.0.0.1"
KEY_ADVICE = ". Correct SANDGATE_CONTROL_API_KEY, as `sandgate serve` prints it"
NO_GATEWAY = (
    "no gateway is named by SANDGATE_URL, SANDGATE_CONTROL_URL and SANDGATE_CONTROL_API_KEY, "
    "so one was started for as long as the shop is open"
)


def main(
    port: Annotated[
        int, typer.Option(metavar="PORT", min=0, max=65535, help="Port of the shop; 0 is any.")
    ] = PORT,
    open_browser: Annotated[
        bool, typer.Option("--open", help="Open the shop in the browser of this machine.")
    ] = False,
    ca_file: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            envvar="SANDGATE_CA_FILE",
            help="CA certificate to verify the gateway with.",
        ),
    ] = None,
    ready_json: Annotated[
        bool, typer.Option("--ready-json", help="Print one JSON line when the shop is open.")
    ] = False,
) -> None:
    """Open a demo shop that pays by the hosted form, until Ctrl-C.

    It pays in a sandbox of its own at the gateway that the variables of `sandgate serve` name; with
    none named, it starts a gateway. The sandbox is deleted at the end.
    """
    signal.signal(signal.SIGTERM, _end)
    left: list[str] = []
    try:
        with suppress(KeyboardInterrupt), _opened(port, ca_file, left) as (server, merchant):
            facts = {"shop_url": f"{server.url}/", "base_url": merchant.gateway,
                     "sandbox_id": merchant.sandbox}  # fmt: skip
            typer.echo(json.dumps(facts) if ready_json else _hints(facts))
            if open_browser:
                webbrowser.open(facts["shop_url"])
            threading.Event().wait()
    except (ServerStartError, ControlError, OSError, HTTPException) as error:
        is_refused = isinstance(error, ControlError) and error.status == HTTPStatus.UNAUTHORIZED
        fail_usage(
            f"expected a gateway to pay at, got: {_reason(error)}{KEY_ADVICE if is_refused else ''}"
        )
    if not ready_json:
        typer.echo("\n".join(left) or "The shop is closed, and its sandbox is deleted.")


@contextmanager
def _opened(
    port: int, ca_file: str | None, left: list[str]
) -> Iterator[tuple[ShopServer, Merchant]]:
    """The shop, until the end of the block. Its sandbox goes with it, or `left` says why not."""
    with gateway_for(os.environ) as access:
        if access_of(os.environ) is None:
            typer.echo(f"sandgate: {NO_GATEWAY}", err=True)
        merchant = _merchant(access, ca_file)
        try:
            server = ShopServer(merchant)
            with ExitStack() as held:
                url = _listen(held, server, port)
                server.url = url.rstrip("/")
                merchant.listen_at(server.url + server.webhook_path)
                yield server, merchant
        finally:
            left.extend(_closed(merchant))


def _closed(merchant: Merchant) -> Iterator[str]:
    """Close a shop; where its sandbox could not be deleted, why and what to do."""
    try:
        merchant.close()
    except (ControlError, OSError, HTTPException) as error:
        if isinstance(error, ControlError) and error.status == HTTPStatus.NOT_FOUND:
            return
        sandbox, reason = merchant.sandbox, _reason(error)
        yield (
            f"The shop is closed. Its sandbox {sandbox} was not deleted: {reason}. Once the "
            f"gateway runs again, `sandgate sandbox delete {sandbox}` deletes it."
        )


def _merchant(access: GatewayAccess, ca_file: str | None) -> Merchant:
    try:
        return Merchant(access, ca_file)
    except (OSError, HTTPException) as error:
        fail_usage(
            f"expected a gateway at {access.control_url}, got: {_reason(error)}. Start it, or "
            "correct SANDGATE_CONTROL_URL"
        )


def _listen(held: ExitStack, server: ShopServer, port: int) -> str:
    """The address of the shop; a port that is taken ends the command."""
    try:
        return held.enter_context(listening(server.respond, f"{LOOPBACK}:{port}", admit=admit))
    except OSError as error:
        fail_usage(
            f"--port: expected a free port, got {port}: {_reason(error)}. Choose another one; 0 "
            "takes any that is free"
        )


def _reason(error: Exception) -> str:
    return failure_reason(error) if isinstance(error, OSError) else str(error)


def _hints(facts: dict[str, str]) -> str:
    """What to do next."""
    sandbox = facts["sandbox_id"]
    return (
        f"The demo shop is open: {facts['shop_url']}\n"
        f"It pays at {facts['base_url']} in the sandbox {sandbox}.\n\n"
        "Next:\n"
        "  open the address, choose goods and a story, and pay with the card that the page names\n"
        f"  sandgate journal tail --sandbox {sandbox}   shows each request, in a second terminal\n"
        "  Ctrl-C closes the shop"
    )


def _end(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
