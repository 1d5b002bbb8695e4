"""`sandgate sandbox`: create, list, show, reset, delete, keep and restore sandboxes."""

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from simulator.client import Control
from simulator.client.files.bounded import SNAPSHOT_BYTES_MAX, read_within
from simulator.commands.control import sandbox_options as options
from simulator.commands.control.connection import (
    SandboxOption,
    sandbox_in,
    with_control,
    with_sandbox,
)
from simulator.commands.control.documents import (
    given,
    parse_object,
    parse_pairs,
    parse_table,
    read_document,
)
from simulator.commands.control.files import whole_file
from simulator.commands.surface.output import FormatOption, aligned, print_json, print_result
from simulator.domain.masking.masking import mask_explanation
from simulator.domain.snapshots import read_header
from simulator.settings import SettingsError
from simulator.variables import variables_of

app = typer.Typer(no_args_is_help=True)
CreatedFormat = Annotated[
    Literal["text", "json", "export"],
    typer.Option("--format", help="Print text, JSON, or a line for a shell to evaluate."),
]
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The id of a sandbox.")]
PassphraseOption = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        envvar="SANDGATE_PASSPHRASE",
        help="Passphrase of the file; without one only this installation restores it.",
    ),
]


@app.command("create")
@with_control
def create_sandbox(
    control: Control,
    *,
    profile: options.ProfileOption = None,
    override: options.OverrideOption = None,
    seed: options.SeedOption = None,
    clock: options.ClockOption = None,
    at: options.AtOption = None,
    rate: options.RateOption = None,
    throttle: options.ThrottleOption = None,
    live_throttle: options.LiveThrottleOption = None,
    merchant: options.MerchantOption = None,
    channel: options.ChannelOption = None,
    document: options.DocumentOption = None,
    output_format: CreatedFormat = "text",
) -> None:
    """Create a sandbox and print its id and credentials.

    eval "$(sandgate sandbox create --format export)" lets the commands that follow use it.
    """
    owner = given(
        name=merchant, channels=[parse_object("--channel", each) for each in channel or ()]
    )
    asked = read_document("--from", document) | given(
        profile=profile,
        overrides=parse_pairs("--override", override),
        seed=seed,
        clock=given(mode=clock, at=at, rate=rate),
        throttle=parse_table(throttle),
        live_throttle=parse_table(live_throttle),
        merchants=[owner] if owner else [],
    )
    made = control.create_sandbox(**asked)
    if output_format == "json":
        print_json(made)
        return
    for line in _credentials(made, is_export=output_format == "export"):
        typer.echo(line)


@app.command("list")
@with_control
def list_sandboxes(control: Control, *, output_format: FormatOption = "text") -> None:
    """List the sandboxes, the oldest first: id, profile, time of creation, merchants."""
    found = control.sandboxes()
    rows = (
        (each["id"], each["profile"], each["created_at"], _merchants(each)) for each in found
    )  # fmt: skip
    print_result(found, aligned(rows), output_format)


@app.command("show")
@with_control
def show_sandbox(
    control: Control,
    sandbox_id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="The id of a sandbox.")
    ] = None,
    *,
    sandbox: SandboxOption = None,
    output_format: FormatOption = "text",
) -> None:
    """Show a sandbox with its merchants and channels."""
    found = control.sandbox(sandbox_in(control, sandbox_id or sandbox))
    print_result(found, _described(found), output_format)


@app.command("reset")
@with_control
def reset_sandbox(
    control: Control, sandbox_id: IdArgument, *, output_format: FormatOption = "text"
) -> None:
    """Delete everything in a sandbox but its entities and tokens."""
    found = control.reset(sandbox_id)
    print_result(found, [f"{found['id']} is reset: epoch {found['epoch']}"], output_format)


@app.command("delete")
@with_control
def delete_sandbox(control: Control, sandbox_id: IdArgument) -> None:
    """Delete a sandbox and everything in it."""
    control.delete(sandbox_id)
    typer.echo(f"{sandbox_id} is deleted")


@app.command("snapshot")
@with_sandbox
def snapshot_sandbox(
    control: Control,
    sandbox: str,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    *,
    passphrase: PassphraseOption = None,
) -> None:
    """Write a sandbox with its credentials and all its data to a file.

    A file that is there is replaced, once the new one is whole.
    """
    with whole_file(file) as draft:
        control.save_snapshot(sandbox, draft, passphrase)
    typer.echo(f"written: {mask_explanation(str(file))}")


@app.command("restore")
@with_control
def restore_sandbox(
    control: Control,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file of a snapshot.")],
    *,
    passphrase: PassphraseOption = None,
    output_format: FormatOption = "text",
) -> None:
    """Restore the sandbox of a snapshot as it was."""
    try:
        content = read_within(file, SNAPSHOT_BYTES_MAX)
    except OSError as error:
        raise SettingsError(f"{file}: expected a file to read, got: {error.strerror}") from error
    found = control.restore(content, passphrase)
    if passphrase and not read_header(content[: content.find(b"\n")]).locked_key:
        reason = "the file was made without one"
        typer.echo(f"sandgate: the passphrase was not needed: {reason}", err=True)
    print_result(found, [f"{found['id']} is restored: epoch {found['epoch']}"], output_format)


def _credentials(made: Mapping[str, Any], *, is_export: bool) -> Iterator[str]:
    facts = {"sandbox_id": made["id"], **{name: made[name] for name in made if name != "id"}}
    named = variables_of({name: text for name, text in facts.items() if isinstance(text, str)})
    # The key of the sandbox opens less than the server's key that the shell has already.
    named = {name: text for name, text in named.items() if not name.endswith("_KEY")}
    if is_export:
        yield f"export {' '.join(f'{name}={shlex.quote(text)}' for name, text in named.items())}"
        return
    rows = (("sandbox", "id"), ("token", "token"), ("live token", "live_token"),
            ("entity id", "entity_id"), ("control key", "control_key"))  # fmt: skip
    yield from aligned((title, made[name]) for title, name in rows if name in made)


def _described(found: Mapping[str, Any]) -> Iterator[str]:
    overrides = ", ".join(f"{name}={value}" for name, value in found["overrides"].items())
    yield from aligned((
        ("sandbox", found["id"]), ("epoch", found["epoch"]), ("created", found["created_at"]),
        ("profile", found["profile"]), ("overrides", overrides or "none"),
        ("seed", "none" if found["seed"] is None else found["seed"]),
    ))  # fmt: skip
    for merchant in found["merchants"]:
        yield f"merchant {merchant['id']}  {merchant['name']}"
        for channel in merchant["channels"]:
            yield f"  channel {channel['id']}  {channel['name']}"


def _merchants(found: Mapping[str, Any]) -> str:
    return ", ".join(each["name"] for each in found["merchants"])
