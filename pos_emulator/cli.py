"""`sandgate terminal run`: a terminal on the counter, in the browser or in this window."""

import json
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import replace
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import typer

from pos_emulator.card_numbers import without_card_numbers
from pos_emulator.counter.opening import (
    Counter,
    OpeningError,
    check_asked,
    counter_at,
    place_for,
    why_closed,
)
from pos_emulator.ecr.nexo.server import serve_nexo
from pos_emulator.ecr.nexo.settings import NexoSettings
from pos_emulator.ecr.nexo.settings_file import NexoSettingsError, read_nexo_settings
from pos_emulator.ecr.zvt.server import serve_zvt
from pos_emulator.gps import PositionError
from pos_emulator.keys.errors import KeysError
from pos_emulator.options import (
    AuthorityOption,
    ConversionOption,
    FolderOption,
    ModelOption,
    NexoOption,
    NexoSettingsOption,
    NextKeysOption,
    OpenOption,
    PortOption,
    PositionOption,
    ReadyOption,
    RemoteKeysOption,
    WindowOption,
    ZvtOption,
)
from pos_emulator.receipts.errors import EXTRA
from pos_emulator.terminal.conversion.rates_file import RatesError, read_rates
from pos_emulator.terminal.memory.identity import IdentityError
from pos_emulator.terminal.terminal import NO_RATES
from pos_emulator.web.server import TerminalPage, serving_page
from simulator.client import ControlError
from simulator.client.extras import missing_message
from simulator.client.gateway import access_of
from simulator.client.processes import ServerStartError

# What TERM says of a terminal that knows no codes for its screen.
WITHOUT_CODES = ("dumb", "unknown")
PORT, LOOPBACK = 8091, "127.0.0.1"
NEXO_FOLDER = "nexo"
NO_GATEWAY = (
    "no gateway is named by SANDGATE_URL, SANDGATE_CONTROL_URL and SANDGATE_CONTROL_API_KEY, "
    "so one was started for as long as the terminal runs"
)
NO_SCREEN = "--tui: expected a text window, but standard {} is redirected; leave --tui out"
NO_CODES = "--tui: expected a terminal that shows a text window, but TERM is {}; leave --tui out"
NO_TERMINAL = (
    OpeningError, IdentityError, KeysError, NexoSettingsError, RatesError, PositionError,
)  # fmt: skip
NO_PLACE = (ServerStartError, ControlError, OSError, HTTPException)


def main(
    *,
    model: ModelOption = None,
    folder: FolderOption = None,
    port: PortOption = PORT,
    open_browser: OpenOption = False,
    nexo: NexoOption = None,
    nexo_settings: NexoSettingsOption = None,
    zvt: ZvtOption = None,
    remote_keys: RemoteKeysOption = False,
    next_keys: NextKeysOption = False,
    conversion: ConversionOption = None,
    position: PositionOption = None,
    tui: WindowOption = False,
    ca_file: AuthorityOption = None,
    ready_json: ReadyOption = False,
) -> None:
    """Run a terminal with a page on which cards are held to it, until Ctrl-C.

    It pays in the sandbox that the variables of `sandgate serve` name. With a gateway named and no
    sandbox it creates one, with none named it starts a gateway; either is gone at the end.
    """
    signal.signal(signal.SIGTERM, _end)
    if tui:
        _check_window()
    try:
        fitted = _nexo_settings(nexo, nexo_settings)
        check_asked(folder, model, position)
        _check_ports({"--port": port, "--nexo": nexo, "--zvt": zvt})
        with (
            suppress(KeyboardInterrupt),
            _counter(
                folder,
                model,
                ca_file,
                remote_keys=remote_keys,
                next_keys=next_keys,
                rates=NO_RATES if conversion is None else read_rates(conversion),
                position=position,
            ) as counter,
            _surfaces(counter, port, nexo=nexo, fitted=fitted, zvt=zvt) as facts,
        ):
            typer.echo(json.dumps(facts) if ready_json else _hints(facts))
            if open_browser:
                webbrowser.open(facts["page_url"])
            _show_window(counter) if tui else threading.Event().wait()
    except NO_TERMINAL as error:
        _fail(str(error))
    except NO_PLACE as error:
        _fail(why_closed(error, os.environ))
    if not ready_json:
        typer.echo("The terminal is switched off.")


@contextmanager
def _counter(
    folder: Path | None, model: str | None, ca_file: str | None, **fitted: Any
) -> Iterator[Counter]:
    if access_of(os.environ) is None:
        typer.echo(f"sandgate: {NO_GATEWAY}", err=True)
    with (
        place_for(os.environ, ca_file) as place,
        counter_at(place, folder=folder, model=model, **fitted) as counter,
    ):
        yield counter


@contextmanager
def _surfaces(
    counter: Counter, port: int, *, nexo: int | None, fitted: NexoSettings, zvt: int | None
) -> Iterator[dict[str, str]]:
    """The facts of a terminal that has its page, and where tills order if they may."""
    page = TerminalPage(
        counter.terminal, counter.desk, till=counter.till, feed=counter.feed,
        trace_of=counter.place.trace_of,
    )  # fmt: skip
    with ExitStack() as stack:
        facts = _facts_of(counter)
        facts["page_url"] = _opened(stack, "--port", port, serving_page(page, f"{LOOPBACK}:{port}"))
        if nexo is not None:
            settings = replace(fitted, folder=counter.folder / NEXO_FOLDER)
            server = serve_nexo(counter.terminal, (LOOPBACK, nexo), settings, desk=counter.desk)
            facts["nexo_url"] = _opened(stack, "--nexo", nexo, server)
        if zvt is not None:
            server = serve_zvt(counter.terminal, (LOOPBACK, zvt))
            facts["zvt_address"] = _opened(stack, "--zvt", zvt, server)
        yield facts


def _nexo_settings(nexo: int | None, file: Path | None) -> NexoSettings:
    """The settings in a file, read before anything is created; their folder is known later. Raises
    NexoSettingsError.
    """
    if file is None:
        return NexoSettings(folder=Path())
    if nexo is None:
        _fail("--nexo-settings: expected --nexo PORT beside it, as they are of that interface")
    return read_nexo_settings(file, Path())


def _check_ports(ports: Mapping[str, int | None]) -> None:
    """End where a port is not free, before anything is created: its server needs the terminal. All
    are held until the last is looked at, so that no two options name one.
    """
    with ExitStack() as held:
        for option, port in ports.items():
            if port:
                _opened(held, option, port, _listening(port))


@contextmanager
def _listening(port: int) -> Iterator[str]:
    with socket.create_server((LOOPBACK, port)):
        yield LOOPBACK


def _opened(stack: ExitStack, option: str, port: int, server: AbstractContextManager[str]) -> str:
    """The address of a server that runs as long as the stack."""
    try:
        return stack.enter_context(server)
    except OSError as error:
        # A file of the server that cannot be written has a name; a port has none.
        if error.filename is not None:
            raise
        # The text of the error itself names the address as Python writes it.
        reason = os.strerror(error.errno) if error.errno else error
        _fail(f"{option}: expected a free port, got {port}: {reason}; 0 takes any that is free")


def _check_window() -> None:
    """End where no window can be shown, before anything is started."""
    if find_spec("textual") is None:
        _fail(f"--tui: {missing_message('textual', EXTRA)}")
    # The library of the window reads the first and draws on the last.
    streams = {"input": sys.stdin, "output": sys.stdout, "error": sys.stderr}
    for name, stream in streams.items():
        if not stream.isatty():
            _fail(NO_SCREEN.format(name))
    if (kind := os.environ.get("TERM", "")) in WITHOUT_CODES:
        _fail(NO_CODES.format(kind))


def _show_window(counter: Counter) -> None:
    # An extra: who does not ask for the window need not have its library.
    from pos_emulator.tui.window import TerminalWindow

    TerminalWindow(counter.terminal, counter.desk, till=counter.till, feed=counter.feed).run()
    # The window had these while it was open.
    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGCONT, signal.SIG_DFL)


def _facts_of(counter: Counter) -> dict[str, str]:
    return {
        "base_url": counter.place.access.url,
        "sandbox_id": counter.place.sandbox,
        "terminal_id": counter.terminal.identity.id,
        "folder": str(counter.folder),
    }


def _hints(facts: dict[str, str]) -> str:
    """What to do next."""
    sandbox = facts["sandbox_id"]
    authority = Path(facts["folder"]) / NEXO_FOLDER / "ca.pem"
    tills = ""
    if "nexo_url" in facts:
        tills += f"Tills order at {facts['nexo_url']} and trust {authority}\n"
    if "zvt_address" in facts:
        tills += f"Tills order by ZVT at {facts['zvt_address']}\n"
    return (
        f"Terminal {facts['terminal_id']} is ready: {facts['page_url']}\n"
        f"It pays at {facts['base_url']} in the sandbox {sandbox}.\n"
        f"{tills}\n"
        "Next:\n"
        "  open the address, press Start at the till, drag the card gold to the slot,\n"
        "  type its PIN 1234 and press the green key\n"
        f"  sandgate journal tail --sandbox {sandbox}   shows each request, in a second terminal\n"
        "  Ctrl-C switches it off"
    )


def _fail(message: str) -> NoReturn:
    typer.echo(f"sandgate: {without_card_numbers(message)}", err=True)
    raise typer.Exit(2)


def _end(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
