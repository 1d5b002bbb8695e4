"""Open a terminal on the counter: where it pays, its folder, its keys, its cards."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any, NamedTuple

from pos_emulator.card.memory import memory_in
from pos_emulator.card_numbers import MaskedError
from pos_emulator.counter.desk import CounterDesk
from pos_emulator.counter.feed import Feed
from pos_emulator.counter.till import CounterTill
from pos_emulator.gps import GpsReceiver
from pos_emulator.kernel.models import MAKER, MODELS, short_name
from pos_emulator.receipts.conversion import ConversionRates
from pos_emulator.terminal.gateway import Gateway
from pos_emulator.terminal.memory.identity import FILE, read_identity
from pos_emulator.terminal.setup import (
    keep_identity,
    load_remotely,
    load_terminal,
    roll_over_keys,
)
from pos_emulator.terminal.terminal import NO_RATES, Terminal
from simulator.client import Client, Control, ControlError, GatewayAccess, gateway_for
from simulator.client.browser import BY_VARIABLE, failure_reason
from simulator.client.gateway import access_of, has_sandbox
from simulator.client.shown.hidden import hiding
from simulator.client.shown.known_secrets import KnownSecrets
from simulator.client.shown.misfits import one_of
from simulator.client.transport.sendable import demand_credential

SANDBOX_VARIABLES = ("SANDGATE_SANDBOX_ID", "SANDGATE_ENTITY_ID", "SANDGATE_TOKEN")
FOLDERS = Path(".sandgate-terminals")
USUAL_MODEL = "COUNTERTOP"
MERCHANT = "Tea house"
# A well-formed id of no payment: who may read payments gets the answer that it is unknown.
UNKNOWN_PAYMENT = "8a8294174b7ecb28014b9699220015ca"
REFUSED = (401, 403)
# The card host answers, with an issuer that checks cryptograms and PINs.
TEST_MODE = "EXTERNAL"
OWN_SANDBOX = {"merchants": [{"name": MERCHANT}]}
CLOSING_ERRORS = (ControlError, OSError, HTTPException)


class OpeningError(MaskedError, RuntimeError):
    """A terminal cannot be opened; the message says what was expected and what there is."""


@dataclass(frozen=True)
class Place:
    """Where a terminal pays: a gateway, one of its sandboxes, and a channel of that.

    `is_own` says that the sandbox was created for this terminal, and goes with it.
    """

    access: GatewayAccess = field(repr=False)
    sandbox: str
    channel: str
    token: str = field(repr=False)
    is_own: bool
    ca_file: str | None = None

    @contextmanager
    def control(self) -> Iterator[Control]:
        """The control API, on a connection of its own."""
        url, key = self.access.control_url, self.access.control_key
        around = hiding(KnownSecrets(key, self.token).hidden_in_document)
        made = Control(url, key, ca_file=self.ca_file, around=around)
        try:
            yield made
        finally:
            made.close()

    def terminals(self) -> list[Mapping[str, Any]]:
        """Those of the sandbox, the oldest first. Raises ControlError, OSError, HTTPException."""
        with self.control() as control:
            return control.terminals(self.sandbox)

    def trace_of(self, payment: str) -> Mapping[str, Any]:
        """Every message about a payment. Raises ControlError, OSError, HTTPException."""
        with self.control() as control:
            return control.trace_document(self.sandbox, payment)


@dataclass(frozen=True)
class Counter:
    """A terminal with what stands around it."""

    place: Place
    folder: Path
    terminal: Terminal
    desk: CounterDesk
    till: CounterTill
    feed: Feed


class ControlOffice(NamedTuple):
    """The control API of a sandbox as the office that loads keys."""

    control: Control
    sandbox: str

    def certify(self, terminal: str, request: str) -> Mapping[str, Any]:
        """Raises ControlError, OSError, HTTPException."""
        return self.control.terminal_keys.certify(self.sandbox, terminal, request)

    def keys(self, terminal: str, certificate: str, nonce: str) -> Mapping[str, Any]:
        """Raises ControlError, OSError, HTTPException."""
        return self.control.terminal_keys.load(self.sandbox, terminal, certificate, nonce)

    def next_keys(self, terminal: str, present: Mapping[str, str]) -> Mapping[str, Any]:
        """Raises ControlError, OSError, HTTPException."""
        return self.control.terminal_keys.roll_over(
            self.sandbox, terminal, present["PIN"], present["DATA"]
        )


def why_closed(error: Exception, variables: Mapping[str, str]) -> str:
    """Why a terminal could not be opened, and what to do: a folder that cannot be written, or a
    gateway that does not answer, or refuses the key.
    """
    if isinstance(error, OSError) and error.filename is not None:
        return f"expected a folder to write to, got: {error.strerror}: {error.filename}"
    is_of_system = isinstance(error, OSError)
    reason = failure_reason(error, trust=BY_VARIABLE) if is_of_system else str(error)
    advice = "Start it, or correct SANDGATE_URL and SANDGATE_CONTROL_URL"
    if isinstance(error, ControlError):
        advice = "Correct SANDGATE_CONTROL_API_KEY, as `sandgate serve` prints it"
        advice = advice if error.status in REFUSED else ""
    where = variables.get("SANDGATE_CONTROL_URL", "the address of its own")
    return f"expected a gateway at {where}, got: {reason}" + (f". {advice}" if advice else "")


@contextmanager
def place_for(variables: Mapping[str, str], ca_file: str | None = None) -> Iterator[Place]:
    """The sandbox that environment variables name, else one of its own that is deleted at the end.

    With no gateway named, one is started. Raises OpeningError where what they name is gone,
    ServerStartError, ControlError, OSError, HTTPException, and UnsendableError.
    """
    sandbox, channel, token = (variables.get(name, "") for name in SANDBOX_VARIABLES)
    with gateway_for(variables) as access:
        if access_of(variables) is not None and sandbox and channel and token:
            for name in SANDBOX_VARIABLES:
                demand_credential(variables[name], name)
            _check_named(access, sandbox, channel, token)
            yield Place(access, sandbox, channel, token, is_own=False, ca_file=ca_file)
            return
        made = access.create_sandbox(**OWN_SANDBOX)
        try:
            yield Place(access, made.id, made.entity_id, made.token, is_own=True, ca_file=ca_file)
        finally:
            with suppress(*CLOSING_ERRORS):
                access.delete_sandbox(made)


def _check_named(access: GatewayAccess, sandbox: str, channel: str, token: str) -> None:
    """Raise OpeningError for a sandbox that was deleted, and for a token that opens nothing."""
    with closing(access.control()) as control:
        is_known = has_sandbox(control, sandbox)
    if not is_known:
        raise OpeningError(
            f"expected a sandbox of the gateway at {access.url} in SANDGATE_SANDBOX_ID, got "
            f"{sandbox}, which was deleted or is of another gateway; `sandgate sandbox list` lists "
            "those it has. Without these variables the terminal has a sandbox of its own"
        )
    with closing(Client(access.url, token, channel, ca_file=access.ca_file)) as merchant:
        answer = merchant.get(f"v1/payments/{UNKNOWN_PAYMENT}")
    if answer.status in REFUSED:
        raise OpeningError(
            "expected SANDGATE_TOKEN and SANDGATE_ENTITY_ID as the gateway at "
            f"{access.url} accepts them, got: status {answer.status}; the token may have been "
            "rotated or suspended: the console shows the tokens of a sandbox"
        )


@contextmanager
def counter_at(
    place: Place,
    *,
    folder: Path | None,
    model: str | None,
    remote_keys: bool = False,
    next_keys: bool = False,
    rates: ConversionRates = NO_RATES,
    position: str | None = None,
) -> Iterator[Counter]:
    """A terminal at a place, ready to pay, until the end of the block.

    A folder that holds a terminal is opened; another one gets a new terminal. Without a folder, one
    is kept for each sandbox that is not the terminal's own, because cards that forget their
    counters are declined. With `remote_keys` it loads new keys first, over the control API, with
    `next_keys` those after the ones that it has, under its update keys. With a `position` it is
    there. Raises OpeningError, PositionError, KeysError, ControlError, OSError, HTTPException.
    """
    with _folder_for(place, folder) as kept:
        _check_position(position, model_in(kept, model))
        prepare_terminal(place, kept, model, remote_keys=remote_keys)
        if next_keys:
            with place.control() as control:
                roll_over_keys(kept, ControlOffice(control, place.sandbox))
        feed = Feed()
        cards = memory_in(kept, read_identity(kept).id, place.terminals)
        desk = CounterDesk(cards, feed.touch)
        gateway = Gateway(
            place.access.url,
            place.token,
            place.channel,
            ca_file=place.ca_file,
            test_mode=TEST_MODE,
        )
        terminal = Terminal(kept, gateway, desk, rates=rates)
        if position is not None:
            terminal.gps.move(position)
        terminal.watch(feed.add)
        till = CounterTill(terminal, feed.touch)
        try:
            yield Counter(place, kept, terminal, desk, till, feed)
        finally:
            feed.close()
            till.close()
            terminal.close()
            gateway.close()


def prepare_terminal(
    place: Place, folder: Path, model: str | None, *, remote_keys: bool = False
) -> None:
    """Have a terminal in the folder, with keys that its sandbox knows. Raises as `counter_at`."""
    found = model_in(folder, model)
    if (folder / FILE).exists():
        _check_known(place, folder)
    else:
        _load_new(place, folder, found, remote_keys=remote_keys)
    if remote_keys:
        with place.control() as control:
            load_remotely(folder, ControlOffice(control, place.sandbox))


def model_in(folder: Path, model: str | None) -> str:
    """The model of the terminal in a folder, or of the new one it will have: `model`, COUNTERTOP
    where none is named. Raises OpeningError.
    """
    model = _known(model)
    if not (folder / FILE).exists():
        return model or USUAL_MODEL
    kept = read_identity(folder).model
    if model not in (None, kept):
        raise OpeningError(
            f"--model: expected {kept}, the model of the terminal in {folder}, got {model}; leave "
            "it out, or name another folder"
        )
    return kept


def check_asked(folder: Path | None, model: str | None, position: str | None) -> None:
    """Refuse a model, and a position that it cannot have, before a gateway is asked for anything:
    where neither folder nor model is named, the model is known later. Raises OpeningError,
    IdentityError, PositionError.
    """
    found = _known(model) if folder is None else model_in(folder, model)
    if found is not None:
        _check_position(position, found)


def _known(model: str | None) -> str | None:
    """The short name of a model. Raises OpeningError."""
    model = model and short_name(model)
    if model is not None and model not in MODELS:
        raise OpeningError(f"--model: expected {one_of(MODELS, model)}, got {model[:40]!r}")
    return model


def _check_position(position: str | None, model: str) -> None:
    """Refuse a position before anything is created. Raises PositionError."""
    if position is not None:
        GpsReceiver(model, is_fitted=MODELS[model].locates).move(position)


@contextmanager
def _folder_for(place: Place, folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        yield folder
    elif not place.is_own:
        yield FOLDERS / place.sandbox
    else:
        with tempfile.TemporaryDirectory(prefix="sandgate-terminal-") as made:
            yield Path(made)


def _load_new(place: Place, folder: Path, model: str, *, remote_keys: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    asked = {"model": f"{MAKER}{model}", "channel": place.channel}
    with place.control() as control:
        if remote_keys:
            made = control.create_terminal(place.sandbox, **asked, loading="remote")
            keep_identity(folder, made, merchant=MERCHANT)
        else:
            load_terminal(
                folder, control.create_terminal(place.sandbox, **asked), merchant=MERCHANT
            )


def _check_known(place: Place, folder: Path) -> None:
    """Raise OpeningError unless the terminal in a folder is one of this sandbox. A copy of its own
    knows one of its id and keys, for another channel: what is still to be uploaded or reversed
    would be paid there.
    """
    identity, reason = read_identity(folder), "which it does not know"
    try:
        with place.control() as control:
            known = control.terminal(place.sandbox, identity.id)
    except ControlError as error:
        if error.status != 404:
            raise
    else:
        if known.get("channel") == identity.channel:
            return
        reason = "which is that of another one: this one is a copy of it"
    raise OpeningError(
        f"expected a terminal of sandbox {place.sandbox} in {folder}, got terminal "
        f"{identity.id}, {reason}; name its sandbox, or another folder"
    )
