"""Commands that ask a running gateway: where it is, and how a refusal ends them."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from typing import Annotated, Any, NoReturn, TypeVar

import typer

from simulator.client import Control, ControlError
from simulator.client.browser import failure_reason
from simulator.client.gateway import has_sandbox
from simulator.client.shown.hidden import hiding
from simulator.client.shown.known_secrets import KnownSecrets
from simulator.client.transport.sendable import demand_address, demand_credential
from simulator.commands.surface.shown import masking_answers
from simulator.domain.masking.masking import mask_text
from simulator.grammar.characters import escape_controls
from simulator.settings import SettingsError
from simulator.variables import FORMER_KEY

Answer = TypeVar("Answer")

# What reading an answer raises that has other types than a gateway's.
OTHER_FORM = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
ADVICE = "Start it, or correct --control-url or SANDGATE_CONTROL_URL"
KEY_ADVICE = "Correct --control-key or SANDGATE_CONTROL_API_KEY, as `sandgate serve` prints it"
SANDBOX_ADVICE = (
    "`sandgate sandbox list` lists those it has, `sandgate sandbox create` makes one. Correct the "
    "id, or SANDGATE_SANDBOX_ID with SANDGATE_TOKEN and SANDGATE_ENTITY_ID"
)

SandboxOption = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        envvar="SANDGATE_SANDBOX_ID",
        help="Id of the sandbox; without it the oldest, and a note where there are more.",
    ),
]
UrlOption = Annotated[
    str,
    typer.Option(metavar="URL", envvar="SANDGATE_CONTROL_URL", help="Address of the control API."),
]
KeyOption = Annotated[
    str,
    typer.Option(
        metavar="KEY",
        envvar=["SANDGATE_CONTROL_API_KEY", FORMER_KEY],
        show_envvar=False,
        help="Key of the control API; else that of SANDGATE_CONTROL_API_KEY.",
    ),
]
CaOption = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        envvar="SANDGATE_CA_FILE",
        help="CA certificate to verify the server with.",
    ),
]
CONNECTION = {
    #  parameter       option         default
    "sandbox":        (SandboxOption, None),
    "control_url":    (UrlOption,     ""),
    "control_key":    (KeyOption,     ""),
    "ca_file":        (CaOption,      None),
}  # fmt: skip


def with_sandbox(command: Callable[..., None]) -> Callable[..., None]:
    """`command(control, sandbox, ...)` as typer reads it, with the options of the connection."""

    def as_typer_reads_it(**given: Any) -> None:
        named, *place = (given.pop(name) for name in CONNECTION)
        with asking(*place) as control:
            command(control, sandbox_in(control, named), **given)

    return _declared(as_typer_reads_it, command, taken=2, options=tuple(CONNECTION))


def with_control(command: Callable[..., None]) -> Callable[..., None]:
    """`command(control, ...)` likewise, about no sandbox or one that an argument names."""
    options = tuple(CONNECTION)[1:]

    def as_typer_reads_it(**given: Any) -> None:
        with asking(*(given.pop(name) for name in options)) as control:
            command(control, **given)

    return _declared(as_typer_reads_it, command, taken=1, options=options)


def _declared(
    function: Callable[..., None],
    command: Callable[..., None],
    *,
    taken: int,
    options: tuple[str, ...],
) -> Callable[..., None]:
    """`function` with the name, the help and the parameters of a command, and more options."""
    own = list(inspect.signature(command, eval_str=True).parameters.values())[taken:]
    more = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=CONNECTION[name][1],
            annotation=CONNECTION[name][0],
        )
        for name in options
    ]
    parameters = [*own, *more]
    function.__name__, function.__doc__ = command.__name__, command.__doc__
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {each.name: each.annotation for each in parameters}
    return function


@contextmanager
def asking(url: str, key: str, ca_file: str | None) -> Iterator[Control]:
    """The control API, its answers masked; what it refuses, that it is not there, or that its
    answers have another form than a gateway's ends the command with a line.

    Raises SettingsError where nothing says where it is, UnsendableError.
    """
    if not (url and key):
        raise SettingsError(
            "expected SANDGATE_CONTROL_URL and SANDGATE_CONTROL_API_KEY, or --control-url and "
            "--control-key, as `sandgate serve` prints them; got nothing"
        )
    demand_address(url, "--control-url or SANDGATE_CONTROL_URL")
    demand_credential(key, "--control-key or SANDGATE_CONTROL_API_KEY")
    # The key first: what is masked of a card number in it would hide it.
    masking = hiding(KnownSecrets(key).hidden_in_document, masking_answers)
    control = Control(url, key, ca_file=ca_file, around=masking)
    try:
        yield control
    except ControlError as error:
        if error.status == 404 and _is_gone(control, error.sandbox):
            got = f"got {mask_text(error.sandbox)}, which was deleted or is of another gateway"
            fail(f"expected a sandbox of the gateway at {url}, {got}. {SANDBOX_ADVICE}")
        # Another server may be there, which masks nothing.
        advice = f". {KEY_ADVICE}" if error.status == 401 else ""
        fail(f"{mask_text(str(error))}{advice}")
    except (OSError, HTTPException) as error:
        advice = f". {ADVICE}" if isinstance(error, OSError) else ""
        fail(f"expected a gateway at {url}, got: {failure_reason(error)}{advice}")
    except SettingsError:
        raise
    except UnicodeEncodeError as error:
        # Of an id, say, before anything of the call is sent.
        fail(f"expected a call in UTF-8, got {mask_text(error.object)}; it was not sent")
    except OTHER_FORM as error:
        form = f"{type(error).__name__}: {mask_text(str(error))}"
        fail(f"expected an answer of a gateway at {url}, got another ({form}); is it a gateway?")
    finally:
        control.close()


def sandbox_in(control: Control, named: str | None) -> str:
    """The id of the sandbox that is meant: the one that was named, or the oldest. Where there are
    others, standard error says which was taken.
    """
    if named:
        return named
    known = [str(each["id"]) for each in control.sandboxes()]
    if not known:
        fail("expected a sandbox, got none; `sandgate sandbox create` makes one")
    if len(known) > 1:
        typer.echo(
            f"sandgate: note: sandbox {known[0]} was taken, the oldest of {len(known)}; choose "
            "another one with --sandbox or SANDGATE_SANDBOX_ID (`sandgate sandbox list`)",
            err=True,
        )
    return known[0]


def unless_unknown(control: Control, call: Callable[[], Answer]) -> Answer | None:
    """What the control API answers, or None where it knows no such thing. Raises ControlError also
    where the sandbox itself is unknown.
    """
    try:
        return call()
    except ControlError as error:
        if error.status == 404 and not _is_gone(control, error.sandbox):
            return None
        raise


def _is_gone(control: Control, sandbox: str) -> bool:
    """Whether the sandbox that a call was about is unknown, and not what is in it."""
    try:
        return bool(sandbox) and not has_sandbox(control, sandbox)
    except (ControlError, OSError, HTTPException):
        return False


def fail(message: str) -> NoReturn:
    """End the command with this message and status 1."""
    typer.echo(f"sandgate: {escape_controls(message, keep_lines=True)}", err=True)
    raise typer.Exit(1)
