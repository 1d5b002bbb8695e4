"""`sandgate script`: what the simulators of a sandbox do next."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from scenarios.errors import BehaviourError
from scenarios.loader import load_behaviour
from scenarios.records import document_of
from simulator.client import Control
from simulator.commands.behaviours import complete_behaviours
from simulator.commands.control.connection import fail, with_sandbox
from simulator.commands.control.documents import given, parse_object, parse_pairs, read_document
from simulator.commands.surface.output import FormatOption, print_result
from simulator.domain.masking.masking import mask_explanation
from simulator.domain.steering.known import KNOWN
from simulator.settings import SettingsError

app = typer.Typer(no_args_is_help=True)
FILE_ENDINGS = (".yaml", ".yml")
# Criteria whose value is no text, and how many digits one may have.
WHOLE_NUMBERS, DIGITS_MAX = frozenset({"nth"}), 9


@app.command("arm")
@with_sandbox
def arm_script(
    control: Control,
    sandbox: str,
    behaviour: Annotated[
        str | None,
        typer.Argument(
            metavar="BEHAVIOUR",
            help="A name of `sandgate behaviours list`, a YAML file, or steps as JSON.",
            autocompletion=complete_behaviours,
        ),
    ] = None,
    *,
    document: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="FILE", help="JSON document of the script; - is standard input."
        ),
    ] = None,
    match: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="What a payment must have, in words or as JSON; may be repeated.",
        ),
    ] = None,
    times: Annotated[
        int | None, typer.Option(metavar="COUNT", help="How often it applies; else always.")
    ] = None,
    output_format: FormatOption = "text",
) -> None:
    """Arm a script: a behaviour for the payments that it matches."""
    asked = read_document("--from", document)
    asked |= given(behaviour=_behaviour_in(behaviour), match=_matches(match), times=times)
    if "behaviour" not in asked:
        raise SettingsError("script arm: expected a BEHAVIOUR, or --from with one; got none")
    made = control.arm_script(sandbox, asked.pop("behaviour"), **asked)
    print_result(made, [f"{made['id']} is armed"], output_format)


@app.command("list")
@with_sandbox
def list_scripts(control: Control, sandbox: str, *, output_format: FormatOption = "text") -> None:
    """List the scripts, the newest first, with what they matched and nearly matched."""
    found = control.scripts(sandbox)
    lines = [line for each in found for line in _lines_of(each)]
    print_result(found, lines or ["no script is armed"], output_format)


@app.command("disarm")
@with_sandbox
def disarm_script(
    control: Control,
    sandbox: str,
    script: Annotated[str | None, typer.Argument(metavar="ID", help="The id of a script.")] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Disarm every script instead.")] = False,
) -> None:
    """Disarm a script, or all of them."""
    if (script is None) is not every:
        raise SettingsError("script disarm: expected one of ID and --all")
    named = [str(each["id"]) for each in control.scripts(sandbox)] if every else [script or ""]
    for identity in named:
        control.disarm_script(sandbox, identity)
        typer.echo(f"{identity} is disarmed")
    if not named:
        fail("expected a script to disarm, got none")


def _behaviour_in(text: str | None) -> Any:
    """A behaviour by its name, of a file, or as JSON."""
    if text is None or not text.endswith(FILE_ENDINGS):
        return _value("BEHAVIOUR", text)
    if not Path(text).exists():
        raise SettingsError(f"BEHAVIOUR: expected a behaviour file, got nothing at {text}")
    try:
        return document_of(load_behaviour(Path(text), known=KNOWN))
    except BehaviourError as error:
        fail(mask_explanation(str(error)))


def _matches(pairs: list[str] | None) -> dict[str, Any]:
    given_pairs = parse_pairs("--match", pairs).items()
    return {name: _criterion(name, text) for name, text in given_pairs}


def _criterion(name: str, text: str) -> Any:
    is_number = name in WHOLE_NUMBERS and text.isascii() and text.isdecimal()
    return int(text) if is_number and len(text) <= DIGITS_MAX else _value("--match", text)


def _value(option: str, text: str | None) -> Any:
    """A word, or the JSON object that an argument begins."""
    return parse_object(option, text) if text and text.startswith("{") else text


def _pair_of(member: tuple[str, Any]) -> str:
    name, value = member
    if isinstance(value, Mapping):
        return f"{name} {' '.join(f'{key} {each}' for key, each in value.items())}"
    return f"{name}={value}"


def _lines_of(script: Mapping[str, Any]) -> Iterator[str]:
    behaviour = script["behaviour"]
    name = behaviour if isinstance(behaviour, str) else behaviour.get("name", "written out")
    times = "always" if script["times"] is None else f"{script['times']} times"
    match = ", ".join(map(_pair_of, script["match"].items())) or "everything"
    yield (
        f"{script['id']}  {name}  matches {match}, {times}: "
        f"matched {script['matched']} of {script['asked']}, {script['state']}"
    )
    for miss in script["near_misses"]:
        yield f"  nearly matched: {miss}"
