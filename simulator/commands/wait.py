"""`sandgate wait`: return when a gateway is ready."""

import http.client
import os
import time
from typing import Annotated

import typer

from simulator.client import Answer, Connection
from simulator.client.browser import failure_reason
from simulator.client.transport.sendable import demand_address
from simulator.setting_values import as_url
from simulator.settings import SettingsError

DEFAULT_URL = "http://127.0.0.1:8080/"
READY_PATH = "_sandbox/ready"
PAUSE_S = 0.05
# What one attempt may take: at least what a busy machine needs, also where no time is left.
ANSWER_S_MIN, ANSWER_S_MAX = 0.5, 5.0


def main(
    url: Annotated[
        str | None,
        typer.Argument(
            metavar="URL", help=f"Address of the gateway; else SANDGATE_URL, else {DEFAULT_URL}"
        ),
    ] = None,
    timeout: Annotated[float, typer.Option(metavar="SECONDS", help="How long to wait.")] = 30.0,
    ca_file: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="CA certificate to verify the server with; else SANDGATE_CA_FILE."
        ),
    ] = None,
) -> None:
    """Wait until a gateway is ready; exit status 1 and the reason after the time-out."""
    address = _address(url or os.environ.get("SANDGATE_URL") or DEFAULT_URL)
    reason = wait_until_ready(
        address, timeout_s=timeout, ca_file=ca_file or os.environ.get("SANDGATE_CA_FILE")
    )
    if reason is not None:
        typer.echo(f"sandgate: {address} is not ready after {timeout:g} s: {reason}", err=True)
        raise typer.Exit(1)


def wait_until_ready(address: str, *, timeout_s: float, ca_file: str | None = None) -> str | None:
    """None as soon as the gateway is ready, or what was wrong when the time was over."""
    end = time.monotonic() + timeout_s
    left = timeout_s
    while (reason := _not_ready_because(address, left, ca_file=ca_file)) is not None:
        left = end - time.monotonic() - PAUSE_S
        if left <= 0:
            return reason
        time.sleep(PAUSE_S)
    return None


def _not_ready_because(address: str, within_s: float, *, ca_file: str | None) -> str | None:
    """Why the gateway is not ready within so many seconds, or None where it is."""
    within_s = min(max(within_s, ANSWER_S_MIN), ANSWER_S_MAX)
    connection = Connection(
        address, timeout_s=within_s, answer_s=within_s, ca_file=_trusted(address, ca_file)
    )
    try:
        answer = connection.ask("GET", READY_PATH, headers={})
    except OSError as error:
        return failure_reason(error)
    except http.client.HTTPException:
        return "what answers there does not speak HTTP"
    finally:
        connection.close()
    return _reason_in(answer)


def _reason_in(answer: Answer) -> str | None:
    if answer.at("ready") is True:
        return None
    if answer.at("ready") is False:
        return "; ".join(map(str, answer.at("missing")))
    described = f" ({answer.reason})" if answer.reason else ""
    return f"what answers there is no gateway, or not at this address: {answer.status}{described}"


def _trusted(address: str, ca_file: str | None) -> str | None:
    return ca_file if address.startswith("https") else None


def _address(url: str) -> str:
    try:
        address = as_url(url)
    except ValueError as error:
        raise SettingsError(f"URL: expected {error}, got {url!r}") from error
    # Reading drops what it cannot have, such as a line break.
    demand_address(url, "URL or SANDGATE_URL")
    return address
